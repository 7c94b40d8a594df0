import { texts } from './texts.ts';

/** The status of a payment and its money. */
export const paymentStatusTexts = texts({
  en: {
    authorised: 'Authorised',
    captured: 'Captured',
    reversed: 'Reversed',
    recorded: 'Recorded',
    partiallyCaptured: (captured: string, total: string) => `Captured ${captured} of ${total}`,
    partiallyRefunded: (left: string) => `Partially refunded · ${left} left`,
    refundedUncaptured: (left: string, uncaptured: string) => `Partially refunded · ${left} left · ${uncaptured} not captured`,
    partiallyDisputed: (amount: string) => `Disputed · ${amount}`,
    returned: 'Returned',
    partiallyReturned: (amount: string) => `Returned · ${amount}`,
  },
  de: {
    authorised: 'Autorisiert',
    captured: 'Eingezogen',
    reversed: 'Storniert',
    recorded: 'Erfasst',
    partiallyCaptured: (captured: string, total: string) => `${captured} von ${total} eingezogen`,
    partiallyRefunded: (left: string) => `Teilweise erstattet · noch ${left}`,
    refundedUncaptured: (left: string, uncaptured: string) =>
      `Teilweise erstattet · noch ${left} · ${uncaptured} nicht eingezogen`,
    partiallyDisputed: (amount: string) => `Rückbelastet · ${amount}`,
    returned: 'Zurückgekommen',
    partiallyReturned: (amount: string) => `Zurückgekommen · ${amount}`,
  },
});

/** Texts that payments, registrations, checkouts and schedules share. */
export const storedTexts = texts({
  en: {
    noPayments: 'No payments',
  },
  de: {
    noPayments: 'Keine Zahlungen',
  },
});
