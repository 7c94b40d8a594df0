import type { Comparison, TextTest } from '../conditions/syntax.ts';
import type { Dimension, ListName, ListSubject, Outcome } from '../ports.ts';
import type { RuleVerdict } from '../rules.ts';

type Counted = { readonly outcome: string; readonly by: string; readonly span: string };

/** The phrases with which one language describes rules. */
export type Phrases = {
  readonly when: string;
  readonly and: string;
  readonly or: string;
  readonly not: string;
  readonly oneOf: string;
  readonly quoted: (text: string) => string;
  readonly comparisons: Readonly<Record<Comparison, string>>;
  readonly tests: Readonly<Record<TextTest, string>>;
  readonly facts: Readonly<Record<string, string>>;
  /** The phrase for true and the phrase for false. */
  readonly flags: Readonly<Record<string, readonly [string, string]>>;
  readonly known: (fact: string, isSo: boolean) => string;
  readonly listed: (subject: ListSubject, list: ListName, isSo: boolean) => string;
  readonly dimensions: Readonly<Record<Dimension, string>>;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly windows: Readonly<Record<'count' | 'share' | 'sum' | 'total', (counted: Counted) => string>>;
  readonly distinct: (what: Dimension, per: Dimension, span: string) => string;
  readonly ages: Readonly<Record<'registration' | 'order', string>>;
  readonly units: Readonly<Record<'d' | 'h' | 'm' | 's', readonly [one: string, many: string]>>;
  readonly verdicts: Readonly<Record<RuleVerdict, string>>;
  readonly score: (score: number) => string;
};

const englishPlurals: Readonly<Partial<Record<Dimension, string>>> = {
  card: 'cards',
  email: 'e-mail addresses',
  ip: 'network addresses',
  mobile: 'mobile numbers',
  customer: 'customers',
};
const englishSubjects: Readonly<Record<ListSubject, string>> = {
  card: 'the card',
  bin: 'the BIN of the card',
  email: 'the e-mail address or its domain',
  ip: 'the network address',
  country: 'a country of card, line or address',
  customer: 'the customer',
};
const englishDimensions: Phrases['dimensions'] = {
  card: 'with this card',
  email: 'with this e-mail address',
  ip: 'from this network address',
  bin: 'with cards of this BIN',
  customer: 'by this customer',
  checkout: 'in this checkout',
  entity: 'at this channel',
  mobile: 'with this mobile number',
  'card+ip': 'with this card from this network address',
  order: 'with this card for the same order',
  transaction: 'with this merchantTransactionId',
};

export const english: Phrases = {
  when: 'when',
  and: 'and',
  or: 'or',
  not: 'not',
  oneOf: 'is one of',
  quoted: (text) => `“${text}”`,
  comparisons: { '=': 'is', '!=': 'is not', '<': 'is below', '<=': 'is at most', '>': 'is above', '>=': 'is at least' },
  tests: { equals: 'is, in capitals or not,', starts: 'begins with', contains: 'contains', matches: 'looks like' },
  facts: {
    amount: 'the amount',
    currency: 'the currency',
    paymentType: 'the payment type',
    paymentBrand: 'the brand',
    method: 'the payment method',
    'card.bin': 'the BIN of the card',
    'card.holder': 'the holder of the card',
    'card.country': 'the country of the card',
    'card.type': 'the type of the card',
    'card.bank': 'the bank of the card',
    'customer.email': 'the e-mail address',
    'customer.emailDomain': 'the domain of the e-mail address',
    'customer.ip': 'the network address',
    'customer.ipCountry': 'the country of the network address',
    'customer.mobile': 'the mobile number',
    'customer.merchantCustomerId': 'the customer number',
    'billing.country': 'the billing country',
    'shipping.country': 'the shipping country',
    orderHour: 'the hour of the order',
  },
  flags: {
    isMerchantInitiated: ['the merchant charges without the shopper', 'the shopper is there himself'],
    isHolderCustomer: ['the holder of the card is the customer', 'the holder of the card is not the customer'],
  },
  known: (fact, isSo) => `${fact} is ${isSo ? '' : 'not '}known`,
  listed: (subject, list, isSo) => `${englishSubjects[subject]} is ${isSo ? '' : 'not '}on the ${list} list`,
  dimensions: englishDimensions,
  outcomes: {
    any: 'attempts',
    approved: 'approved attempts',
    declined: 'declined attempts',
    blocked: 'blocked attempts',
    failed: 'failed attempts',
    open: 'undecided attempts',
    unapproved: 'attempts that are not approved',
    standing: 'attempts that did not fail',
  },
  windows: {
    count: ({ outcome, by: whom, span }) => `the number of ${outcome} ${whom} within ${span}`,
    share: ({ outcome, by: whom, span }) => `the share, in percent, of ${outcome} ${whom} within ${span}`,
    sum: ({ outcome, by: whom, span }) => `the sum of ${outcome} ${whom} within ${span}`,
    total: ({ outcome, by: whom, span }) => `the sum of ${outcome} ${whom} within ${span}, with this one,`,
  },
  distinct: (what, per, span) =>
    `the number of different ${englishPlurals[what] ?? what} ${englishDimensions[per]} within ${span}`,
  ages: { registration: 'the age of the stored details', order: 'the age of the order' },
  units: { d: ['day', 'days'], h: ['hour', 'hours'], m: ['minute', 'minutes'], s: ['second', 'seconds'] },
  verdicts: {
    accept: 'the payment goes on',
    review: 'the payment goes on, and a person looks at it',
    challenge: 'the cardholder is asked by 3D Secure',
    decline: 'the payment is declined with {code}',
  },
  score: (score) => `, and its score changes by ${score > 0 ? '+' : '−'}${Math.abs(score)}`,
};

const germanPlurals: Readonly<Partial<Record<Dimension, string>>> = {
  card: 'verschiedener Karten',
  email: 'verschiedener E-Mail-Adressen',
  ip: 'verschiedener Netzadressen',
  mobile: 'verschiedener Mobilnummern',
  customer: 'verschiedener Kunden',
};
const germanSubjects: Readonly<Record<ListSubject, string>> = {
  card: 'die Karte',
  bin: 'die BIN der Karte',
  email: 'die E-Mail-Adresse oder ihre Domain',
  ip: 'die Netzadresse',
  country: 'ein Land von Karte, Leitung oder Anschrift',
  customer: 'der Kunde',
};
const germanDimensions: Phrases['dimensions'] = {
  card: 'mit dieser Karte',
  email: 'mit dieser E-Mail-Adresse',
  ip: 'von dieser Netzadresse',
  bin: 'mit Karten dieser BIN',
  customer: 'dieses Kunden',
  checkout: 'in diesem Checkout',
  entity: 'in diesem Kanal',
  mobile: 'mit dieser Mobilnummer',
  'card+ip': 'mit dieser Karte von dieser Netzadresse',
  order: 'mit dieser Karte für dieselbe Bestellung',
  transaction: 'mit dieser merchantTransactionId',
};

export const german: Phrases = {
  // Main clauses follow the colon, so that each condition is right by itself.
  when: 'greift, wenn gilt:',
  and: 'und',
  or: 'oder',
  not: 'nicht',
  oneOf: 'ist eines von',
  quoted: (text) => `„${text}“`,
  comparisons: {
    '=': 'ist',
    '!=': 'ist nicht',
    '<': 'ist kleiner als',
    '<=': 'ist höchstens',
    '>': 'ist größer als',
    '>=': 'ist mindestens',
  },
  tests: { equals: 'ist, groß oder klein,', starts: 'beginnt mit', contains: 'enthält', matches: 'sieht aus wie' },
  facts: {
    amount: 'der Betrag',
    currency: 'die Währung',
    paymentType: 'die Zahlungsart',
    paymentBrand: 'die Marke',
    method: 'das Zahlungsmittel',
    'card.bin': 'die BIN der Karte',
    'card.holder': 'der Inhaber der Karte',
    'card.country': 'das Land der Karte',
    'card.type': 'der Typ der Karte',
    'card.bank': 'die Bank der Karte',
    'customer.email': 'die E-Mail-Adresse',
    'customer.emailDomain': 'die Domain der E-Mail-Adresse',
    'customer.ip': 'die Netzadresse',
    'customer.ipCountry': 'das Land der Netzadresse',
    'customer.mobile': 'die Mobilnummer',
    'customer.merchantCustomerId': 'die Kundennummer',
    'billing.country': 'das Land der Rechnungsanschrift',
    'shipping.country': 'das Land der Lieferanschrift',
    orderHour: 'die Stunde der Bestellung',
  },
  flags: {
    isMerchantInitiated: ['der Händler bucht ohne den Käufer ab', 'der Käufer ist selbst dabei'],
    isHolderCustomer: ['der Inhaber der Karte ist der Kunde', 'der Inhaber der Karte ist nicht der Kunde'],
  },
  known: (fact, isSo) => `${fact} ist ${isSo ? '' : 'nicht '}bekannt`,
  listed: (subject, list, isSo) =>
    `${germanSubjects[subject]} steht ${isSo ? '' : 'nicht '}auf der ${list === 'block' ? 'Sperrliste' : 'Freiliste'}`,
  dimensions: germanDimensions,
  outcomes: {
    any: 'Versuche',
    approved: 'genehmigten Versuche',
    declined: 'abgelehnten Versuche',
    blocked: 'gesperrten Versuche',
    failed: 'gescheiterten Versuche',
    open: 'offenen Versuche',
    unapproved: 'nicht genehmigten Versuche',
    standing: 'nicht gescheiterten Versuche',
  },
  windows: {
    count: ({ outcome, by: whom, span }) => `die Anzahl der ${outcome} ${whom} innerhalb von ${span}`,
    share: ({ outcome, by: whom, span }) => `der Anteil der ${outcome} ${whom} innerhalb von ${span}, in Prozent,`,
    sum: ({ outcome, by: whom, span }) => `die Summe der ${outcome} ${whom} innerhalb von ${span}`,
    total: ({ outcome, by: whom, span }) => `die Summe der ${outcome} ${whom} innerhalb von ${span}, mit dieser Zahlung,`,
  },
  distinct: (what, per, span) => `die Anzahl ${germanPlurals[what] ?? what} ${germanDimensions[per]} innerhalb von ${span}`,
  ages: { registration: 'das Alter der gespeicherten Daten', order: 'das Alter der Bestellung' },
  units: { d: ['Tag', 'Tagen'], h: ['Stunde', 'Stunden'], m: ['Minute', 'Minuten'], s: ['Sekunde', 'Sekunden'] },
  verdicts: {
    accept: 'die Zahlung geht weiter',
    review: 'die Zahlung geht weiter, und ein Mensch sieht sie sich an',
    challenge: 'der Karteninhaber wird mit 3D Secure gefragt',
    decline: 'die Zahlung wird mit {code} abgelehnt',
  },
  score: (score) => `, und ihr Punktestand ändert sich um ${score > 0 ? '+' : '−'}${Math.abs(score)}`,
};
