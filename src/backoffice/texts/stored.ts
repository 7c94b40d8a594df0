import { texts } from './texts.ts';

/** Texts that payments, registrations, checkouts and schedules share. */
export const storedTexts = texts({
  en: {
    payment: 'Payment',
    created: 'Created',
    amount: 'Amount',
    type: 'Type',
    state: 'Status',
    card: 'Payment method',
    reference: 'Reference',
    noPayments: 'No payments',
    holder: 'Holder',
    expiry: 'Expires',
    brand: 'Brand',
    entity: 'Entity',
  },
  de: {
    payment: 'Zahlung',
    created: 'Erstellt',
    amount: 'Betrag',
    type: 'Art',
    state: 'Status',
    card: 'Zahlungsmittel',
    reference: 'Referenz',
    noPayments: 'Keine Zahlungen',
    holder: 'Inhaber',
    expiry: 'Gültig bis',
    brand: 'Marke',
    entity: 'Einheit',
  },
});
