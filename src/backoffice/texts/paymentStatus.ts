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
    refundedUncaptured: (left: string, uncaptured: string) => `Partially refunded · ${left} left · ${uncaptured} not captured`,
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
    refundedUncaptured: (left: string, uncaptured: string) =>
      `Teilweise erstattet · noch ${left} · ${uncaptured} nicht eingezogen`,
    disputed: 'Rückbelastet',
    partiallyDisputed: (amount: string) => `Rückbelastet · ${amount}`,
    returned: 'Zurückgekommen',
    partiallyReturned: (amount: string) => `Zurückgekommen · ${amount}`,
  },
});

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
