import { texts } from './texts.ts';

/** The status of a payment and its money. */
export const paymentStatusTexts = texts({
  en: {
    pending: 'Pending',
    declined: 'Declined',
    approved: 'Approved',
    authorised: 'Authorised',
    captured: 'Captured',
    reversed: 'Reversed',
    expired: 'Expired',
    refunded: 'Refunded',
    recorded: 'Recorded',
    partiallyCaptured: (captured: string, total: string) => `Captured ${captured} of ${total}`,
    partiallyRefunded: (left: string) => `Partially refunded · ${left} left`,
    disputed: 'Disputed',
    partiallyDisputed: (amount: string) => `Disputed · ${amount}`,
    returned: 'Returned',
    partiallyReturned: (amount: string) => `Returned · ${amount}`,
  },
  de: {
    pending: 'Offen',
    declined: 'Abgelehnt',
    approved: 'Genehmigt',
    authorised: 'Autorisiert',
    captured: 'Eingezogen',
    reversed: 'Storniert',
    expired: 'Abgelaufen',
    refunded: 'Erstattet',
    recorded: 'Erfasst',
    partiallyCaptured: (captured: string, total: string) => `${captured} von ${total} eingezogen`,
    partiallyRefunded: (left: string) => `Teilweise erstattet · noch ${left}`,
    disputed: 'Rückbelastet',
    partiallyDisputed: (amount: string) => `Rückbelastet · ${amount}`,
    returned: 'Zurückgekommen',
    partiallyReturned: (amount: string) => `Zurückgekommen · ${amount}`,
  },
});
