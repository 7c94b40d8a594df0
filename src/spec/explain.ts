import type { Advice } from './resultCodes/advice.ts';
import type { ResultGroup } from './resultCodes/groups.ts';
import { isResultCode, type Meaning, type ResultCode, resultCodes } from './resultCodes.ts';

/** Outcomes in plain words, for whoever has to find out why: what happened, whose turn it is, what to do next. */

export const explainedIn = ['en', 'de'] as const;
export type ExplainLanguage = (typeof explainedIn)[number];
type Words = Readonly<Record<ExplainLanguage, string>>;

/** Who can change something about it. */
const turns = {
  nobody: { en: 'Nobody', de: 'Niemand' },
  developer: { en: 'Your integration', de: 'Die eigene Anbindung' },
  merchant: { en: 'The shop', de: 'Der Shop' },
  shopper: { en: 'The shopper', de: 'Die Kundschaft' },
  operator: { en: 'Whoever runs the gateway', de: 'Der Betrieb des Gateways' },
  gateway: { en: 'The gateway and the acquirer', de: 'Gateway und Acquirer' },
} as const satisfies Readonly<Record<string, Words>>;

export type Turn = keyof typeof turns;

export type Explanation = {
  /** In one sentence. */
  readonly what: string;
  readonly turn: Turn;
  readonly actor: string;
  readonly next: string;
  /** Where the reference says more, from the root of the API's address. */
  readonly anchor: string;
};

type Reason = { readonly what: Words; readonly turn?: Turn; readonly next?: Words };

const groups: Readonly<Record<ResultGroup, Reason>> = {
  success: { what: { en: 'The request did what it asked for.', de: 'Die Anfrage hat getan, was sie wollte.' } },
  'success-manual-review': {
    what: {
      en: 'The payment went through, but something about it deserves a look.',
      de: 'Die Zahlung ist durchgegangen, aber etwas daran verdient einen Blick.',
    },
    turn: 'merchant',
    next: {
      en: 'Look at the payment before you ship. If it is not right, refund or reverse it.',
      de: 'Die Zahlung vor dem Versand ansehen. Stimmt etwas nicht: erstatten oder stornieren.',
    },
  },
  pending: { what: { en: 'It is under way; the final word is still to come.', de: 'Es läuft noch; das letzte Wort steht aus.' } },
  'pending-long': {
    what: {
      en: 'A bank or an outside check has to confirm, which can take days.',
      de: 'Eine Bank oder eine externe Prüfung muss bestätigen. Das kann Tage dauern.',
    },
  },
  '3ds-or-intercard-rejection': {
    what: {
      en: '3D Secure could not be carried out, so the payment was not sent to the acquirer.',
      de: '3D Secure war nicht möglich, deshalb ging die Zahlung nicht an den Acquirer.',
    },
  },
  'external-bank-decline': {
    what: { en: 'The bank that issued the card or account said no.', de: 'Die Bank hinter Karte oder Konto hat abgelehnt.' },
  },
  'communication-error': {
    what: {
      en: 'The acquirer did not answer, or in a way nobody understood. It was cancelled there, so nothing was charged.',
      de: 'Der Acquirer hat nicht oder unverständlich geantwortet. Dort wurde storniert, es wurde nichts belastet.',
    },
  },
  'system-error': {
    what: { en: 'A system on the way was out of order.', de: 'Ein System auf dem Weg war gestört.' },
    turn: 'operator',
  },
  'async-error': {
    what: {
      en: 'The shopper left, cancelled or ran out of time at the bank or wallet.',
      de: 'Bei Bank oder Wallet wurde abgebrochen, verworfen oder die Zeit lief ab.',
    },
    turn: 'shopper',
  },
  'soft-decline': {
    what: {
      en: 'The bank wants the cardholder to be authenticated first.',
      de: 'Die Bank verlangt vorher eine Authentifizierung der Karteninhaberin oder des Karteninhabers.',
    },
    turn: 'developer',
    next: {
      en: 'Send the same payment again with 3D Secure and the shopper present.',
      de: 'Dieselbe Zahlung noch einmal mit 3D Secure schicken, während die Kundschaft da ist.',
    },
  },
  'external-risk': {
    what: { en: 'A risk check said no.', de: 'Eine Risikoprüfung hat abgelehnt.' },
    turn: 'merchant',
  },
  'address-avs-validation': {
    what: {
      en: 'The address does not match the one the bank has for the card.',
      de: 'Die Adresse passt nicht zu der, die die Bank zur Karte kennt.',
    },
  },
  '3ds-rejection': {
    what: {
      en: 'The cardholder was not authenticated: 3D Secure ended without a proof.',
      de: '3D Secure endete ohne Nachweis: Die Karteninhaberin oder der Karteninhaber ist nicht authentifiziert.',
    },
  },
  blacklist: {
    what: { en: 'Something in the request is on a block list.', de: 'Etwas in der Anfrage steht auf einer Sperrliste.' },
    turn: 'merchant',
  },
  'risk-validation': {
    what: {
      en: 'A limit or a rule against misuse stopped it before anybody was asked.',
      de: 'Eine Grenze oder Regel gegen Missbrauch hat gegriffen, bevor jemand gefragt wurde.',
    },
    turn: 'merchant',
  },
  'configuration-validation': {
    what: {
      en: 'The channel is not set up for this: a brand, a currency, a payment type or a connector is missing.',
      de: 'Der Kanal ist dafür nicht eingerichtet: Marke, Währung, Zahlungsart oder Anbindung fehlt.',
    },
    turn: 'merchant',
    next: {
      en: 'Compare the request with the settings of the channel under Administration, and change one of them.',
      de: 'Anfrage mit den Einstellungen des Kanals unter Verwaltung vergleichen und eines von beiden ändern.',
    },
  },
  'registration-validation': {
    what: {
      en: 'The stored payment data that the request names cannot be used.',
      de: 'Die genannten hinterlegten Zahlungsdaten sind nicht verwendbar.',
    },
  },
  'job-validation': {
    what: { en: 'The plan of a schedule makes no sense as it was sent.', de: 'Der Zeitplan ergibt so keinen Sinn.' },
  },
  'reference-validation': {
    what: {
      en: 'The payment that the request refers to does not allow this, or is not there.',
      de: 'Die Zahlung, auf die sich die Anfrage bezieht, lässt das nicht zu oder gibt es nicht.',
    },
    next: {
      en: 'Open the payment: its state and what remains of its amount say what is still possible.',
      de: 'Die Zahlung öffnen: Ihr Zustand und der Restbetrag zeigen, was noch geht.',
    },
  },
  'retry-control-mac': {
    what: {
      en: 'The scheme asks not to try this card again, or not yet.',
      de: 'Das Kartennetz bittet, diese Karte nicht oder noch nicht wieder zu versuchen.',
    },
  },
  'format-validation': {
    what: {
      en: 'The request does not fit the specification; nothing was carried out.',
      de: 'Die Anfrage passt nicht zur Spezifikation; es wurde nichts ausgeführt.',
    },
    turn: 'developer',
  },
  'address-validation': {
    what: { en: 'An address in the request is incomplete or malformed.', de: 'Eine Adresse ist unvollständig oder fehlerhaft.' },
  },
  'contact-validation': {
    what: {
      en: 'Contact data in the request is incomplete or malformed.',
      de: 'Kontaktdaten sind unvollständig oder fehlerhaft.',
    },
  },
  'account-validation': {
    what: { en: 'Card or account data is incomplete or wrong.', de: 'Karten- oder Kontodaten sind unvollständig oder falsch.' },
  },
  'amount-validation': {
    what: { en: 'The amount or currency cannot be used here.', de: 'Betrag oder Währung sind hier nicht verwendbar.' },
  },
  'risk-management': {
    what: {
      en: 'The risk check could not work with the request.',
      de: 'Die Risikoprüfung konnte mit der Anfrage nichts anfangen.',
    },
    turn: 'developer',
  },
  chargeback: {
    what: { en: 'The bank took the money back from a payment.', de: 'Die Bank hat das Geld einer Zahlung zurückgeholt.' },
    turn: 'merchant',
    next: {
      en: 'Decide whether to contest it, with documents that show what was bought and delivered.',
      de: 'Entscheiden, ob widersprochen wird, mit Belegen über Kauf und Lieferung.',
    },
  },
};

/** Codes in no group. */
const ungrouped: Reason = { what: { en: 'The request went through.', de: 'Die Anfrage ist durchgegangen.' } };

/** What most developers meet first, said more exactly than its group does. */
const singles: Partial<Readonly<Record<ResultCode, Reason>>> = {
  '000.200.100': {
    what: { en: 'A checkout was prepared; nothing is paid yet.', de: 'Ein Checkout wurde vorbereitet; bezahlt ist noch nichts.' },
    turn: 'developer',
    next: {
      en: 'Show the payment widget with the id of the checkout.',
      de: 'Das Zahlungs-Widget mit der Id des Checkouts anzeigen.',
    },
  },
  '000.200.000': {
    what: { en: 'The payment is under way.', de: 'Die Zahlung läuft.' },
    turn: 'gateway',
    next: {
      en: 'If the answer has a redirect, send the shopper there. Then wait for the webhook.',
      de: 'Hat die Antwort einen redirect, die Kundschaft dorthin schicken. Dann auf den Webhook warten.',
    },
  },
  '200.300.404': {
    what: {
      en: 'One or more parameters are missing or wrong; nothing was carried out.',
      de: 'Parameter fehlen oder sind falsch; es wurde nichts ausgeführt.',
    },
    turn: 'developer',
    next: {
      en: 'Mend each parameter listed here and send the request again.',
      de: 'Jeden hier genannten Parameter berichtigen und die Anfrage noch einmal schicken.',
    },
  },
  '800.900.300': {
    what: {
      en: 'The access token is missing or unknown, or it does not open this entity.',
      de: 'Das Zugriffstoken fehlt, ist unbekannt oder öffnet diese Entität nicht.',
    },
    turn: 'developer',
    next: {
      en: 'Send Authorization: Bearer with a token of this entity or one above it, from Administration › Account data.',
      de: 'Authorization: Bearer mit einem Token dieser oder einer höheren Entität senden, aus Verwaltung › Kontodaten.',
    },
  },
  '800.900.201': {
    what: {
      en: 'This entity takes no payments; a channel does.',
      de: 'Diese Entität nimmt keine Zahlungen an; das tut ein Kanal.',
    },
    turn: 'developer',
    next: { en: 'Send the entityId of a channel.', de: 'Die entityId eines Kanals senden.' },
  },
  '800.120.100': {
    what: { en: 'Too many requests at once.', de: 'Zu viele Anfragen auf einmal.' },
    turn: 'developer',
    next: {
      en: 'Wait as long as the header Retry-After says, then send it again with the same Idempotency-Key.',
      de: 'So lange warten, wie der Header Retry-After sagt, dann mit demselben Idempotency-Key noch einmal senden.',
    },
  },
  '700.400.580': {
    what: { en: 'Nothing of yours has this id.', de: 'Zu dieser Id gibt es hier nichts.' },
    turn: 'developer',
    next: {
      en: 'Check the id, the entityId, and whether you ask the environment in which it was made.',
      de: 'Id und entityId prüfen, und ob in der richtigen Umgebung gefragt wird.',
    },
  },
  '800.100.153': {
    what: { en: 'The bank says the security code is wrong.', de: 'Die Bank meldet eine falsche Prüfziffer.' },
    turn: 'shopper',
    next: { en: 'Let the shopper type the security code again.', de: 'Die Prüfziffer noch einmal eingeben lassen.' },
  },
  '800.100.155': {
    what: { en: 'There is not enough money on the account.', de: 'Das Konto ist nicht gedeckt.' },
    turn: 'shopper',
    next: { en: 'Offer another card or method.', de: 'Eine andere Karte oder Zahlungsart anbieten.' },
  },
  '800.100.152': {
    what: { en: 'The bank declined and gave no reason.', de: 'Die Bank hat ohne Angabe eines Grundes abgelehnt.' },
    turn: 'shopper',
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
    what: { en: 'The bank says the expiry date is wrong.', de: 'Die Bank meldet ein falsches Ablaufdatum.' },
    turn: 'shopper',
    next: { en: 'Let the shopper type the expiry date again.', de: 'Das Ablaufdatum noch einmal eingeben lassen.' },
  },
  '100.100.303': {
    what: { en: 'The card has expired.', de: 'Die Karte ist abgelaufen.' },
    turn: 'shopper',
    next: { en: 'Ask for another card.', de: 'Um eine andere Karte bitten.' },
  },
  '100.100.101': {
    what: {
      en: 'The card or account number cannot be right: its check digit does not fit.',
      de: 'Die Karten- oder Kontonummer kann nicht stimmen: Die Prüfziffer passt nicht.',
    },
    turn: 'shopper',
    next: { en: 'Let the shopper check the number.', de: 'Die Nummer prüfen lassen.' },
  },
  '100.380.401': {
    what: {
      en: 'The cardholder did not prove who they are in the 3D Secure challenge.',
      de: 'Die 3D-Secure-Abfrage wurde nicht bestanden.',
    },
    turn: 'shopper',
    next: {
      en: 'Let the shopper try again, or offer another card.',
      de: 'Noch einmal versuchen lassen oder eine andere Karte anbieten.',
    },
  },
  '100.396.101': {
    what: { en: 'The shopper cancelled.', de: 'Die Zahlung wurde von der Kundschaft abgebrochen.' },
    turn: 'shopper',
    next: { en: 'Show the choice of methods again.', de: 'Die Auswahl der Zahlungsarten wieder zeigen.' },
  },
  '100.400.319': {
    what: { en: 'A rule of your own risk rule set declined it.', de: 'Eine Regel des eigenen Risiko-Regelwerks hat abgelehnt.' },
    turn: 'merchant',
    next: {
      en: 'Look at the rule under Risk. If it declines too much, try a change on the past first.',
      de: 'Die Regel unter Risiko ansehen. Lehnt sie zu viel ab, eine Änderung zuerst an der Vergangenheit erproben.',
    },
  },
  '100.400.100': {
    what: {
      en: 'The risk score was below the limit of your rule set.',
      de: 'Die Risikobewertung lag unter der Grenze des eigenen Regelwerks.',
    },
    turn: 'merchant',
    next: {
      en: 'See below which rules lowered the score, and adjust rules or limits under Risk.',
      de: 'Unten steht, welche Regeln die Bewertung gesenkt haben. Regeln oder Grenzen unter Risiko anpassen.',
    },
  },
  '900.100.301': {
    what: {
      en: 'The acquirer stayed silent and has confirmed since then that it booked nothing.',
      de: 'Der Acquirer blieb stumm und hat danach bestätigt, nichts gebucht zu haben.',
    },
    turn: 'developer',
    next: { en: 'The payment can be tried again.', de: 'Die Zahlung kann noch einmal versucht werden.' },
  },
};

type AdviceWords = { readonly turn: Turn; readonly next: Words };

const byAdvice: Readonly<Record<Advice, AdviceWords>> = {
  none: { turn: 'nobody', next: { en: 'Nothing is left to do.', de: 'Es ist nichts weiter zu tun.' } },
  wait: {
    turn: 'gateway',
    next: { en: 'Wait for the webhook, or read it again later.', de: 'Auf den Webhook warten oder später noch einmal lesen.' },
  },
  'retry later': {
    turn: 'developer',
    next: { en: 'Try the same again after a while.', de: 'Nach einer Weile dasselbe noch einmal versuchen.' },
  },
  'fix data': {
    turn: 'developer',
    next: { en: 'Correct the data and send the request again.', de: 'Daten berichtigen und die Anfrage noch einmal schicken.' },
  },
  'ask shopper': {
    turn: 'shopper',
    next: {
      en: 'Ask the shopper to check what was entered and to try again.',
      de: 'Um Prüfung der Eingaben und einen neuen Versuch bitten.',
    },
  },
  'other instrument': {
    turn: 'shopper',
    next: { en: 'Offer another card or another method.', de: 'Eine andere Karte oder Zahlungsart anbieten.' },
  },
  'do not retry': {
    turn: 'nobody',
    next: { en: 'Do not try the same again; it will not change.', de: 'Nicht noch einmal versuchen; es ändert sich nichts.' },
  },
  'contact support': {
    turn: 'operator',
    next: {
      en: 'Tell whoever runs the gateway, with the ndc of this call.',
      de: 'Beim Betrieb des Gateways melden, mit der ndc dieses Aufrufs.',
    },
  },
};

/** A yes needs nobody, whatever its group says. */
const isDone = (means: Meaning, advice: Advice): boolean => means === 'approved' && advice === 'none';

/** Explains a result code. */
export function explainCode(code: ResultCode, language: ExplainLanguage): Explanation {
  const { group, advice, means } = resultCodes[code];
  const reason: Reason = singles[code] ?? (group === null ? ungrouped : groups[group]);
  const given = byAdvice[advice];
  const turn = reason.turn ?? (isDone(means, advice) ? 'nobody' : given.turn);
  return {
    what: reason.what[language],
    turn,
    actor: turns[turn][language],
    next: (reason.next ?? given.next)[language],
    anchor: `/docs#${code}`,
  };
}

type StatusReason = {
  readonly fits: (status: number) => boolean;
  readonly turn: Turn;
  readonly what: Words;
  readonly next: Words;
};

/** Answers without a result code. */
const byStatus: readonly StatusReason[] = [
  {
    fits: (status) => status < 400,
    turn: 'nobody',
    what: { en: 'The request did what it asked for.', de: 'Die Anfrage hat getan, was sie wollte.' },
    next: { en: 'Nothing is left to do.', de: 'Es ist nichts weiter zu tun.' },
  },
  {
    fits: (status) => status < 500,
    turn: 'developer',
    what: { en: 'The request was refused.', de: 'Die Anfrage wurde abgewiesen.' },
    next: { en: 'Compare it with the reference.', de: 'Mit der Referenz vergleichen.' },
  },
  {
    fits: () => true,
    turn: 'operator',
    what: { en: 'The gateway could not answer.', de: 'Das Gateway konnte nicht antworten.' },
    next: {
      en: 'Send it again with the same Idempotency-Key. If it stays so, tell whoever runs the gateway.',
      de: 'Mit demselben Idempotency-Key noch einmal senden. Bleibt es so: beim Betrieb des Gateways melden.',
    },
  },
];

/** Explains an answer by its code, or by its status where it has none. */
export function explainAnswer(status: number, code: string, language: ExplainLanguage): Explanation {
  if (isResultCode(code)) return explainCode(code, language);
  const { turn, what, next } = byStatus.find(({ fits }) => fits(status)) as StatusReason;
  return { what: what[language], turn, actor: turns[turn][language], next: next[language], anchor: '/docs#codes' };
}
