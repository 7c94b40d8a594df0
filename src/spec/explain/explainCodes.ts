import type { ResultCode } from '../resultCodes.ts';

export const explainedIn = ['en', 'de'] as const;
export type ExplainLanguage = (typeof explainedIn)[number];
export type Words = Readonly<Record<ExplainLanguage, string>>;

/** The party that should act. */
export const turns = {
  nobody: { en: 'No one', de: 'Niemand' },
  developer: { en: 'Your integration', de: 'Die eigene Integration' },
  merchant: { en: 'The shop', de: 'Der Shop' },
  shopper: { en: 'The shopper', de: 'Der Käufer' },
  operator: { en: 'The gateway operator', de: 'Der Betreiber des Gateways' },
  gateway: { en: 'The gateway and the acquirer', de: 'Gateway und Acquirer' },
} as const satisfies Readonly<Record<string, Words>>;

export type Turn = keyof typeof turns;

export type Reason = { readonly what: Words; readonly turn?: Turn; readonly next?: Words };

/** Explanations of single codes, more exact than the explanation of their group. The next step must agree with the advice of the code. */

const anotherOrLater = {
  en: 'Try again later, or offer another card or payment method.',
  de: 'Später noch einmal versuchen oder eine andere Karte oder Zahlungsart anbieten.',
} as const;
const neverAgain = {
  en: 'Do not retry this card. Offer another payment method.',
  de: 'Diese Karte nicht noch einmal belasten. Eine andere Zahlungsart anbieten.',
} as const;

type Decline = readonly [en: string, de: string, next?: Reason['next']];

/** Reasons of declines and refusals. The advice of the code decides the next step, except where a better one is given. */
const declines: Partial<Readonly<Record<ResultCode, Decline>>> = {
  '800.100.100': ['Declined without a reason.', 'Ohne Angabe eines Grundes abgelehnt.'],
  '800.100.152': ['The bank declined without a reason.', 'Die Bank hat ohne Angabe eines Grundes abgelehnt.'],
  '800.100.155': ['Insufficient funds.', 'Das Konto ist nicht gedeckt.', anotherOrLater],
  '800.100.158': ['The bank suspects manipulation.', 'Die Bank vermutet eine Manipulation.'],
  '800.100.159': ['The card was reported stolen.', 'Die Karte ist als gestohlen gemeldet.', neverAgain],
  '800.100.160': ['The card is blocked.', 'Die Karte ist gesperrt.'],
  '800.100.161': ['Too many failed attempts.', 'Zu viele Fehlversuche.', anotherOrLater],
  '800.100.162': ['The limit of the card is exceeded.', 'Das Limit der Karte ist überschritten.', anotherOrLater],
  '800.100.163': ['Too many payments in the period.', 'Zu viele Zahlungen im Zeitraum.', anotherOrLater],
  '800.100.165': ['The card was reported lost.', 'Die Karte ist als verloren gemeldet.', neverAgain],
  '800.100.166': ['The PIN is wrong.', 'Die PIN ist falsch.'],
  '800.100.168': ['The card is restricted.', 'Die Karte ist nur eingeschränkt nutzbar.'],
  '800.100.169': ['The acquirer does not process this card type.', 'Der Acquirer verarbeitet diese Kartenart nicht.'],
  '800.100.170': ['The card does not permit this payment.', 'Die Karte lässt diese Zahlung nicht zu.'],
  '800.100.171': ['The bank wants the card to be retained.', 'Die Bank verlangt, die Karte einzuziehen.', neverAgain],
  '800.100.172': ['The account is blocked.', 'Das Konto ist gesperrt.'],
  '800.100.176': ['The account is temporarily unavailable.', 'Das Konto ist vorübergehend nicht verfügbar.', anotherOrLater],
  '800.100.178': ['The PIN was wrong too often.', 'Die PIN war zu oft falsch.'],
  '800.100.179': ['Too many withdrawals.', 'Zu viele Abhebungen.', anotherOrLater],
  '800.100.201': ['Account or bank details are wrong.', 'Konto- oder Bankdaten sind falsch.'],
  '800.100.202': ['The account is closed.', 'Das Konto ist geschlossen.'],
  '800.100.203': ['Insufficient funds.', 'Das Konto ist nicht gedeckt.', anotherOrLater],
  '800.100.204': ['The mandate has expired.', 'Das Mandat ist abgelaufen.'],
  '800.100.208': ['The account does not allow direct debits.', 'Das Konto ist nicht für Lastschriften freigegeben.'],
  '700.400.000': ['The steps of the payment do not fit each other.', 'Die Schritte der Zahlung passen nicht zusammen.'],
  '700.400.570': ['The referenced payment is still pending.', 'Die referenzierte Zahlung ist noch offen.'],
  '700.500.003': ['Test accounts are not allowed in live.', 'Testkonten sind im Livebetrieb nicht erlaubt.'],
  '800.110.100': ['The payment is a duplicate.', 'Die Zahlung ist eine Dublette.'],
};

const singles: Partial<Readonly<Record<ResultCode, Reason>>> = {
  '000.200.100': {
    what: { en: 'The checkout was created; nothing is paid yet.', de: 'Der Checkout wurde erstellt; bezahlt ist noch nichts.' },
    turn: 'developer',
    next: {
      en: 'Show the payment widget with the ID of the checkout.',
      de: 'Das Zahlungs-Widget mit der ID des Checkouts anzeigen.',
    },
  },
  '000.200.000': {
    what: { en: 'The payment is pending.', de: 'Die Zahlung ist offen.' },
    turn: 'gateway',
    next: {
      en: 'If the response contains a redirect, send the shopper there. Then wait for the webhook.',
      de: 'Enthält die Antwort einen redirect, den Käufer dorthin leiten. Dann auf den Webhook warten.',
    },
  },
  '200.300.404': {
    what: {
      en: 'One or more parameters are missing or invalid. Nothing was processed.',
      de: 'Parameter fehlen oder sind ungültig. Nichts wurde ausgeführt.',
    },
    turn: 'developer',
    next: {
      en: 'Correct the listed parameters and send the request again.',
      de: 'Die genannten Parameter berichtigen und die Anfrage noch einmal senden.',
    },
  },
  '200.200.107': {
    what: {
      en: 'The Idempotency-Key was used before with another request. Nothing was processed.',
      de: 'Der Idempotency-Key gehört schon zu einer anderen Anfrage. Nichts wurde ausgeführt.',
    },
    turn: 'developer',
    next: { en: 'Send a new key with each new request.', de: 'Mit jeder neuen Anfrage einen neuen Key senden.' },
  },
  '800.900.300': {
    what: {
      en: 'The access token is missing, unknown, or has no access to this entity.',
      de: 'Das Zugangstoken fehlt, ist unbekannt oder hat keinen Zugriff auf diese Einheit.',
    },
    turn: 'developer',
    next: {
      en: 'Send Authorization: Bearer with a token of this entity or one above it, from Administration › Account data.',
      de: 'Authorization: Bearer mit einem Token dieser oder einer übergeordneten Einheit senden, aus Verwaltung › Kontodaten.',
    },
  },
  '800.900.201': {
    what: {
      en: 'This entity does not accept payments; a channel does.',
      de: 'Diese Einheit nimmt keine Zahlungen an; das tut ein Kanal.',
    },
    turn: 'developer',
    next: { en: 'Send the entityId of a channel.', de: 'Die entityId eines Kanals senden.' },
  },
  '800.120.100': {
    what: { en: 'Rate limit exceeded.', de: 'Ratenbegrenzung überschritten.' },
    turn: 'developer',
    next: {
      en: 'Wait for the time in the Retry-After header, then send the request again with the same Idempotency-Key.',
      de: 'Die Zeit im Header Retry-After abwarten, dann mit demselben Idempotency-Key noch einmal senden.',
    },
  },
  '700.400.580': {
    what: { en: 'No object has this ID.', de: 'Kein Objekt hat diese ID.' },
    turn: 'developer',
    next: {
      en: 'Check the ID, the entityId, and the environment.',
      de: 'ID, entityId und Umgebung prüfen.',
    },
  },
  '800.100.153': {
    what: { en: 'The security code is wrong.', de: 'Die Prüfziffer ist falsch.' },
    turn: 'shopper',
    next: {
      en: 'Ask the shopper to enter the security code again.',
      de: 'Den Käufer bitten, die Prüfziffer noch einmal einzugeben.',
    },
  },
  '800.100.151': {
    what: { en: 'The bank does not know this card.', de: 'Die Bank kennt diese Karte nicht.' },
    turn: 'shopper',
    next: {
      en: 'Let the shopper check the number, or offer another card.',
      de: 'Nummer prüfen lassen oder eine andere Karte anbieten.',
    },
  },
  '800.100.157': {
    what: { en: 'The expiry date is wrong.', de: 'Das Ablaufdatum ist falsch.' },
    turn: 'shopper',
    next: {
      en: 'Ask the shopper to enter the expiry date again.',
      de: 'Den Käufer bitten, das Ablaufdatum noch einmal einzugeben.',
    },
  },
  '100.100.303': {
    what: { en: 'The card has expired.', de: 'Die Karte ist abgelaufen.' },
    turn: 'shopper',
    next: { en: 'Ask the shopper for another card.', de: 'Den Käufer um eine andere Karte bitten.' },
  },
  '100.100.101': {
    what: {
      en: 'The card or account number is invalid: the check digit does not match.',
      de: 'Die Karten- oder Kontonummer ist ungültig: Die Prüfziffer passt nicht.',
    },
    turn: 'shopper',
    next: { en: 'Ask the shopper to check the number.', de: 'Den Käufer bitten, die Nummer zu prüfen.' },
  },
  '100.380.401': {
    what: {
      en: 'The cardholder failed the 3D Secure challenge.',
      de: 'Die 3D-Secure-Abfrage wurde nicht bestanden.',
    },
    turn: 'shopper',
    next: {
      en: 'Ask the shopper to try again, or offer another card.',
      de: 'Den Käufer um einen neuen Versuch bitten oder eine andere Karte anbieten.',
    },
  },
  '100.396.101': {
    what: { en: 'The shopper cancelled.', de: 'Der Käufer hat abgebrochen.' },
    turn: 'shopper',
    next: { en: 'Show the payment methods again.', de: 'Die Zahlungsarten wieder anzeigen.' },
  },
  '100.400.319': {
    what: { en: 'One of your risk rules declined the payment.', de: 'Eine eigene Risikoregel hat die Zahlung abgelehnt.' },
    turn: 'merchant',
    next: {
      en: 'Offer another payment method. If the rule declines too much, back-test a change under Risk.',
      de: 'Eine andere Zahlungsart anbieten. Lehnt die Regel zu viel ab, unter Risiko eine Änderung rückwirkend testen.',
    },
  },
  '100.400.100': {
    what: {
      en: 'The risk score was below the threshold of your rules.',
      de: 'Der Punktestand lag unter dem Schwellenwert der eigenen Regeln.',
    },
    turn: 'merchant',
    next: {
      en: 'Offer another payment method, or check under Risk which rules lowered the score.',
      de: 'Eine andere Zahlungsart anbieten oder unter Risiko prüfen, welche Regeln den Punktestand gesenkt haben.',
    },
  },
  '900.100.301': {
    what: {
      en: 'The acquirer did not respond, and later confirmed that it booked nothing.',
      de: 'Der Acquirer hat nicht geantwortet und später bestätigt, dass er nichts gebucht hat.',
    },
    turn: 'developer',
    next: { en: 'You can retry the payment.', de: 'Die Zahlung kann wiederholt werden.' },
  },
};

const declineReasons = Object.entries<Decline>(declines).map(([code, [en, de, next]]): [string, Reason] => [
  code,
  next ? { what: { en, de }, turn: 'shopper', next } : { what: { en, de } },
]);

export const codeReasons: Partial<Readonly<Record<ResultCode, Reason>>> = { ...singles, ...Object.fromEntries(declineReasons) };
