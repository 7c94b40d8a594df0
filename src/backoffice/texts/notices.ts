import { texts } from './texts.ts';

/** Notices about what others have done with webhooks, tokens and keys. */
export const noticeTexts = texts({
  en: {
    title: 'Notices',
    says: 'What others changed about your webhooks, access tokens and keys in the last 90 days. Report what you do not recognise.',
    none: 'No notices',
    noneSays: 'You are notified here when another user changes a webhook, an access token or a key.',
    when: 'When',
    what: 'Action',
    who: 'User',
    on: 'Entity',
    object: 'Object',
    from: 'Address',
    isNew: 'New',
    read: 'Mark all as read',
  },
  de: {
    title: 'Hinweise',
    says: 'Was andere in 90 Tagen an Webhooks, Zugangstoken und Schlüsseln geändert haben. Unbekanntes bitte melden.',
    none: 'Keine Hinweise',
    noneSays: 'Hier steht, wenn ein anderer Benutzer einen Webhook, ein Zugangstoken oder einen Schlüssel ändert.',
    when: 'Wann',
    what: 'Aktion',
    who: 'Benutzer',
    on: 'Einheit',
    object: 'Objekt',
    from: 'Adresse',
    isNew: 'Neu',
    read: 'Alle als gelesen markieren',
  },
});
