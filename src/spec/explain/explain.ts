import type { Advice } from '../resultCodes/advice.ts';
import { isResultCode, type Meaning, type ResultCode, type ResultGroup, resultCodes } from '../resultCodes.ts';
import { codeReasons, type ExplainLanguage, type Reason, type Turn, turns, type Words } from './explainCodes.ts';

/** Explains outcomes to a merchant's developer: the event, the party that should act, and the next step. */

export type Explanation = {
  /** In one sentence. */
  readonly what: string;
  readonly turn: Turn;
  readonly actor: string;
  readonly next: string;
  /** Where the reference says more, from the root of the API's address. */
  readonly anchor: string;
};

const groups: Readonly<Record<ResultGroup, Reason>> = {
  success: { what: { en: 'The request succeeded.', de: 'Die Anfrage war erfolgreich.' } },
  'success-manual-review': {
    what: {
      en: 'The payment was approved and flagged for manual review.',
      de: 'Die Zahlung wurde genehmigt und zur manuellen Prüfung vorgemerkt.',
    },
    turn: 'merchant',
    next: {
      en: 'Review the payment before you ship. If it looks fraudulent, refund or reverse it.',
      de: 'Die Zahlung vor dem Versand prüfen. Bei Betrugsverdacht erstatten oder stornieren.',
    },
  },
  pending: {
    what: {
      en: 'The payment is pending; the final result is not known yet.',
      de: 'Die Zahlung ist offen; das Endergebnis steht noch aus.',
    },
  },
  'pending-long': {
    what: {
      en: 'A bank or an external check must confirm. This can take days.',
      de: 'Eine Bank oder eine externe Prüfung muss bestätigen. Das kann Tage dauern.',
    },
  },
  '3ds-or-intercard-rejection': {
    what: {
      en: '3D Secure failed, so the payment was not sent to the acquirer.',
      de: '3D Secure ist gescheitert, deshalb ging die Zahlung nicht an den Acquirer.',
    },
  },
  'external-bank-decline': {
    what: { en: 'The issuing bank declined the payment.', de: 'Die ausstellende Bank hat die Zahlung abgelehnt.' },
  },
  'communication-error': {
    what: {
      en: 'The acquirer did not respond, or sent an invalid response. The payment was cancelled there; nothing was charged.',
      de: 'Der Acquirer hat nicht oder ungültig geantwortet. Die Zahlung wurde dort storniert; nichts wurde belastet.',
    },
  },
  'system-error': {
    what: { en: 'A system error occurred.', de: 'Ein Systemfehler ist aufgetreten.' },
    turn: 'operator',
  },
  'async-error': {
    what: {
      en: 'The shopper left, cancelled or timed out at the bank or wallet.',
      de: 'Der Käufer hat bei Bank oder Wallet abgebrochen, oder die Zeit lief ab.',
    },
    turn: 'shopper',
  },
  'soft-decline': {
    what: {
      en: 'The bank requires authentication of the cardholder.',
      de: 'Die Bank verlangt eine Authentifizierung des Karteninhabers.',
    },
    turn: 'developer',
    next: {
      en: 'Send the payment again with 3D Secure while the shopper is present.',
      de: 'Die Zahlung noch einmal mit 3D Secure senden, solange der Käufer da ist.',
    },
  },
  'external-risk': {
    what: { en: 'A risk check declined the payment.', de: 'Eine Risikoprüfung hat die Zahlung abgelehnt.' },
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
      en: 'The cardholder was not authenticated by 3D Secure.',
      de: 'Der Karteninhaber wurde durch 3D Secure nicht authentifiziert.',
    },
  },
  blacklist: {
    what: { en: 'A value in the request is on a block list.', de: 'Ein Wert in der Anfrage steht auf einer Sperrliste.' },
    turn: 'merchant',
  },
  'risk-validation': {
    what: {
      en: 'A risk limit or rule blocked the request before it went to the acquirer.',
      de: 'Ein Risikolimit oder eine Regel hat die Anfrage blockiert, bevor sie an den Acquirer ging.',
    },
    turn: 'merchant',
  },
  'configuration-validation': {
    what: {
      en: 'The channel is not configured for this brand, currency, payment type or connector.',
      de: 'Der Kanal ist für diese Marke, Währung, Zahlungsart oder diesen Konnektor nicht eingerichtet.',
    },
    turn: 'merchant',
    next: {
      en: 'Compare the request with the channel settings under Administration, and correct one of them.',
      de: 'Anfrage mit den Einstellungen des Kanals unter Verwaltung vergleichen und eines von beiden berichtigen.',
    },
  },
  'registration-validation': {
    what: {
      en: 'The stored payment method in the request cannot be used.',
      de: 'Das gespeicherte Zahlungsmittel der Anfrage ist nicht verwendbar.',
    },
  },
  'job-validation': {
    what: { en: 'The recurrence of the schedule is invalid.', de: 'Der Rhythmus des Zeitplans ist ungültig.' },
  },
  'reference-validation': {
    what: {
      en: 'The referenced payment does not allow this, or does not exist.',
      de: 'Die referenzierte Zahlung lässt das nicht zu oder gibt es nicht.',
    },
    next: {
      en: 'Do not retry as it is. Open the payment: its status and remaining amount show what is still possible.',
      de: 'Nicht unverändert wiederholen. Die Zahlung öffnen: Status und Restbetrag zeigen, was noch möglich ist.',
    },
  },
  'retry-control-mac': {
    what: {
      en: 'The card network asks not to retry this card, or not yet.',
      de: 'Das Kartennetz verlangt, diese Karte nicht oder noch nicht erneut zu belasten.',
    },
  },
  'format-validation': {
    what: {
      en: 'The request does not match the specification. Nothing was processed.',
      de: 'Die Anfrage entspricht nicht der Spezifikation. Nichts wurde ausgeführt.',
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
      en: 'The risk check could not process the request.',
      de: 'Die Risikoprüfung konnte die Anfrage nicht verarbeiten.',
    },
    turn: 'developer',
  },
  chargeback: {
    what: { en: 'The bank charged the payment back.', de: 'Die Bank hat die Zahlung zurückbelastet.' },
    turn: 'merchant',
    next: {
      en: 'Accept the chargeback, or dispute it with evidence of the purchase and delivery.',
      de: 'Die Rückbelastung annehmen oder ihr mit Belegen über Kauf und Lieferung widersprechen.',
    },
  },
};

/** Codes in no group. */
const ungrouped: Reason = { what: { en: 'The request was processed.', de: 'Die Anfrage wurde verarbeitet.' } };

type AdviceWords = { readonly turn: Turn; readonly next: Words };

const byAdvice: Readonly<Record<Advice, AdviceWords>> = {
  none: { turn: 'nobody', next: { en: 'No action needed.', de: 'Keine Aktion nötig.' } },
  wait: {
    turn: 'gateway',
    next: {
      en: 'Wait for the webhook, or query the payment later.',
      de: 'Auf den Webhook warten oder die Zahlung später abfragen.',
    },
  },
  'retry later': {
    turn: 'developer',
    next: { en: 'Try again later.', de: 'Später noch einmal versuchen.' },
  },
  'fix data': {
    turn: 'developer',
    next: { en: 'Correct the data and send the request again.', de: 'Daten berichtigen und die Anfrage noch einmal senden.' },
  },
  'ask shopper': {
    turn: 'shopper',
    next: {
      en: 'Ask the shopper to check the details and try again.',
      de: 'Den Käufer bitten, die Angaben zu prüfen und es noch einmal zu versuchen.',
    },
  },
  'other instrument': {
    turn: 'shopper',
    next: { en: 'Offer another card or payment method.', de: 'Eine andere Karte oder Zahlungsart anbieten.' },
  },
  'do not retry': {
    turn: 'nobody',
    next: { en: 'Do not retry; the result will not change.', de: 'Nicht wiederholen; das Ergebnis bleibt gleich.' },
  },
  'contact support': {
    turn: 'operator',
    next: {
      en: 'Contact the gateway operator with the ndc of this call.',
      de: 'An den Betreiber des Gateways wenden, mit der ndc dieses Aufrufs.',
    },
  },
};

/** An approval needs no action, whatever its group says. */
const isDone = (means: Meaning, advice: Advice): boolean => means === 'approved' && advice === 'none';

/** The reason of an outcome in one short sentence, for lists; null where nothing has to be explained. */
export function reasonFor(code: ResultCode, language: ExplainLanguage): string | null {
  const { means, advice, text, group } = resultCodes[code];
  if (isDone(means, advice)) return null;
  const single = codeReasons[code];
  if (single) return single.what[language];
  // The catalogue's text is more exact than that of the group, but English.
  return language === 'en' || group === null ? text : groups[group].what[language];
}

/** Explains a result code. */
export function explainCode(code: ResultCode, language: ExplainLanguage): Explanation {
  const { group, advice, means } = resultCodes[code];
  const reason: Reason = codeReasons[code] ?? (group === null ? ungrouped : groups[group]);
  const given = byAdvice[advice];
  const turn = reason.turn ?? (isDone(means, advice) ? 'nobody' : given.turn);
  return {
    what: reason.what[language],
    turn,
    actor: turns[turn][language],
    next: (reason.next ?? given.next)[language],
    anchor: `/docs/reference#${code}`,
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
    what: { en: 'The request succeeded.', de: 'Die Anfrage war erfolgreich.' },
    next: { en: 'No action needed.', de: 'Keine Aktion nötig.' },
  },
  {
    fits: (status) => status < 500,
    turn: 'developer',
    what: { en: 'The request was rejected.', de: 'Die Anfrage wurde abgewiesen.' },
    next: { en: 'Compare the request with the API reference.', de: 'Die Anfrage mit der API-Referenz vergleichen.' },
  },
  {
    fits: () => true,
    turn: 'operator',
    what: { en: 'The gateway failed to process the request.', de: 'Das Gateway konnte die Anfrage nicht verarbeiten.' },
    next: {
      en: 'Send the request again with the same Idempotency-Key. If it keeps failing, contact the gateway operator.',
      de: 'Mit demselben Idempotency-Key noch einmal senden. Bleibt der Fehler, an den Betreiber des Gateways wenden.',
    },
  },
];

/** Explains an answer by its code, or by its status where it has none. */
export function explainAnswer(status: number, code: string, language: ExplainLanguage): Explanation {
  if (isResultCode(code)) return explainCode(code, language);
  const { turn, what, next } = byStatus.find(({ fits }) => fits(status)) as StatusReason;
  return { what: what[language], turn, actor: turns[turn][language], next: next[language], anchor: '/docs/reference#codes' };
}
