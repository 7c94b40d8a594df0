import type { AnswerDetails, Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer } from '../../payments/ports.ts';
import { isRecord } from '../../runtime/json.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { DAY_MS } from '../../spec/time.ts';
import type { AccountNeeds, KeptNotification } from '../ports.ts';
import { codeOfReason, codeOfRefusal, schemeCode } from './codes.ts';
import { isPspReference, parseReference } from './requests.ts';
import { actionIn } from './steps.ts';

type Json = Readonly<Record<string, unknown>>;

/** The results that end the conversation with an answer, the results that go on elsewhere, and the result for a partial amount. */
export type ResultReading =
  | { readonly is: 'answer'; readonly answer: AcquirerAnswer }
  | { readonly is: 'partly'; readonly pspReference: string }
  /** A step of native 3D Secure, which the shopper's browser takes. */
  | { readonly is: 'step'; readonly action: Json; readonly reference: string | null }
  /** The answer is about another payment. */
  | { readonly is: 'foreign' }
  /** Not an answer of Adyen to this request. */
  | { readonly is: 'unreadable' };

export type ResultContext = {
  /** Our reference, as it was sent. */
  readonly reference: string;
  readonly value: bigint;
  readonly currency: string;
  readonly isMastercard: boolean;
  /** A series begins with this payment. */
  readonly isInitial: boolean;
  /** Until when a shopper may pay elsewhere. */
  readonly until: number;
  /**
   * The answer must name our reference or this id of Adyen, because the question came from a browser; false: need not. A further step of
   * the shopper decides nothing and may come without a name.
   */
  readonly mustName: false | { readonly pspReference: string | undefined };
  /** Whether the gateway can show steps of native 3D Secure. */
  readonly takesSteps: boolean;
};

const UNREADABLE: ResultReading = { is: 'unreadable' };

/** `resultCode` → how it is read. */
const results: Readonly<Record<string, (body: Json, context: ResultContext) => ResultReading>> = {
  Authorised: approved,
  Refused: declined,
  Error: declined,
  Cancelled: declined,
  RedirectShopper: redirected,
  Pending: waiting,
  Received: waiting,
  PresentToShopper: presented,
  // Of flows that this connector does not use: the notification decides.
  Success: waiting,
  PartiallyAuthorised: partly,
  IdentifyShopper: stepped,
  ChallengeShopper: stepped,
  // Authentication alone is never asked for: the offer lapses, and nothing is booked.
  AuthenticationFinished: notAuthenticated,
  AuthenticationNotRequired: notAuthenticated,
};

export const resultCodesRead: readonly string[] = Object.keys(results);

/** The answer of `/payments` and `/payments/details`. One that names another payment is not believed. */
export function readResult(body: Json, context: ResultContext): ResultReading {
  const { resultCode } = body;
  if (typeof resultCode !== 'string' || !Object.hasOwn(results, resultCode)) return UNREADABLE;
  if (!isAboutUs(body, context)) return { is: 'foreign' };
  return results[resultCode]?.(body, context) ?? UNREADABLE;
}

/** The results after which the shopper has more to do. */
const furtherSteps: ReadonlySet<unknown> = new Set(['IdentifyShopper', 'ChallengeShopper', 'RedirectShopper']);

function isAboutUs({ merchantReference, pspReference, resultCode }: Json, { reference, mustName }: ResultContext): boolean {
  if (typeof merchantReference === 'string') return merchantReference === reference;
  if (mustName === false) return true;
  if (pspReference === undefined) return furtherSteps.has(resultCode);
  return mustName.pspReference === undefined ? furtherSteps.has(resultCode) : mustName.pspReference === pspReference;
}

function approved(body: Json, context: ResultContext): ResultReading {
  const { pspReference, amount } = body;
  if (!isPspReference(pspReference)) return UNREADABLE;
  if (isRecord(amount) && (amount.value !== Number(context.value) || amount.currency !== context.currency)) {
    return typeof amount.value === 'number' && amount.value < Number(context.value) ? { is: 'partly', pspReference } : UNREADABLE;
  }
  const details = detailsOf(textsIn(body.additionalData), pspReference, context.isInitial);
  return { is: 'answer', answer: { is: 'approved', reference: pspReference, details } };
}

function declined(body: Json, { isMastercard }: ResultContext): ResultReading {
  const { pspReference, refusalReason, refusalReasonCode } = body;
  const data = textsIn(body.additionalData);
  const code = codeOfRefusal({
    code: typeof refusalReasonCode === 'string' ? refusalReasonCode : undefined,
    name: typeof refusalReason === 'string' ? refusalReason : undefined,
    raw: data.refusalReasonRaw,
    isMastercard,
  });
  return { is: 'answer', answer: declinedAnswer(code, body, isPspReference(pspReference) ? pspReference : null) };
}

function declinedAnswer(code: NegativeCode, body: Json, reference: string | null): AcquirerAnswer {
  const data = textsIn(body.additionalData);
  const raw = schemeCode(data.refusalReasonRaw) ?? (typeof body.refusalReasonCode === 'string' ? body.refusalReasonCode : null);
  const details = detailsOf(data, reference, false);
  const resultDetails = { ...details.resultDetails, ...(raw !== null && { AcquirerResponse: raw }) };
  return { is: 'declined', code, details: { ...details, resultDetails }, ...(reference !== null && { reference }) };
}

function waiting({ pspReference }: Json): ResultReading {
  return { is: 'answer', answer: { is: 'waiting', ...(isPspReference(pspReference) && { reference: pspReference }) } };
}

function partly({ pspReference }: Json): ResultReading {
  return isPspReference(pspReference) ? { is: 'partly', pspReference } : UNREADABLE;
}

/**
 * Without a page that could show it, or without an action that fits, the offer lapses, and nothing is booked. Behind what a browser sent
 * that decides nothing.
 */
function stepped(body: Json, { takesSteps, mustName }: ResultContext): ResultReading {
  const action = takesSteps ? actionIn(body.action) : null;
  if (action === null) return mustName === false ? notAuthenticated(body) : UNREADABLE;
  return { is: 'step', action, reference: isPspReference(body.pspReference) ? body.pspReference : null };
}

function notAuthenticated(body: Json): ResultReading {
  const { pspReference } = body;
  return { is: 'answer', answer: declinedAnswer('100.390.113', body, isPspReference(pspReference) ? pspReference : null) };
}

function redirected(body: Json, { until }: ResultContext): ResultReading {
  const { action, pspReference } = body;
  if (!isRecord(action) || action.type !== 'redirect' || typeof action.url !== 'string') return UNREADABLE;
  const url = URL.parse(action.url);
  if (url === null || (url.protocol !== 'https:' && url.hostname !== '127.0.0.1')) return UNREADABLE;
  const method = action.method === 'POST' ? 'POST' : 'GET';
  const parameters = method === 'POST' ? Object.entries(textsIn(action.data)).map(([name, value]) => ({ name, value })) : [];
  const redirect = { url: action.url, method, parameters } as const;
  return {
    is: 'answer',
    answer: { is: 'redirected', redirect, until, ...(isPspReference(pspReference) && { reference: pspReference }) },
  };
}

/** A slip or a code that the shopper pays with: its page at Adyen is where the shopper is sent. Without one the notification decides. */
function presented(body: Json, context: ResultContext): ResultReading {
  const { action, pspReference } = body;
  const texts = textsIn(action);
  const url = [texts.downloadUrl, texts.url, texts.instructionsUrl].find((text) => URL.parse(text ?? '')?.protocol === 'https:');
  if (url === undefined) return waiting(body);
  const expiry = Date.parse(`${(texts.expiresAt ?? '').slice(0, 19)}Z`);
  const until = Number.isNaN(expiry) ? context.until : Math.max(expiry + DAY_MS, context.until);
  const redirect = { url, method: 'GET', parameters: [] } as const;
  return {
    is: 'answer',
    answer: { is: 'redirected', redirect, until, ...(isPspReference(pspReference) && { reference: pspReference }) },
  };
}

/** The string members of an object. */
export function textsIn(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** The number in front of Adyen's text, such as the 4 of `4 AVS not supported for this card type`. */
const numberIn = (text: string | undefined): string => /^\s*([0-9]{1,2})\b/.exec(text ?? '')?.[1] ?? '';

const avsLetters = {
  F: '7 20 24',
  A: '1 9 12 21 25',
  Z: '6 14 15 19 23',
  N: '2 10 16 26',
  U: '0 3 4 5 8 11 13 17 18 22',
} as const;
const cvvLetters = { M: '1', N: '2', P: '0 3 6', S: '4', U: '5' } as const;

function letterOf<Letter extends string>(letters: Readonly<Record<Letter, string>>, number: string): Letter | undefined {
  return (Object.keys(letters) as Letter[]).find((letter) => number !== '' && letters[letter].split(' ').includes(number));
}

/** Codes that may be passed on unread: short, and nothing but letters and digits. */
const plain = (text: string | undefined, max = 64): string | undefined =>
  text !== undefined && text.length <= max && /^[A-Za-z0-9][A-Za-z0-9 ._-]*$/.test(text) ? text : undefined;

/** Details of an answer or of a notification. Most of them come only when they are switched on in the Customer Area. */
function detailsOf(data: Readonly<Record<string, string>>, pspReference: string | null, isInitial: boolean): AnswerDetails {
  const [avsResponse, cvvResponse] = [
    letterOf(avsLetters, numberIn(data.avsResult)),
    letterOf(cvvLetters, numberIn(data.cvcResult)),
  ];
  const scheme = plain(data.networkTxReference);
  const agreementId = plain(data.transactionLinkId);
  const [authCode, acquirerReference, advice] = [
    plain(data.authCode),
    plain(data.acquirerReference),
    plain(data.merchantAdviceCode, 2),
  ];
  const resultDetails = {
    ...(pspReference !== null && { ConnectorTxID1: pspReference }),
    ...(acquirerReference !== undefined && { ConnectorTxID3: acquirerReference }),
    ...(authCode !== undefined && { AuthCode: authCode }),
    ...(advice !== undefined && { MerchantAdviceCode: advice }),
  };
  return {
    resultDetails,
    ...(avsResponse && { avsResponse }),
    ...(cvvResponse && { cvvResponse }),
    ...(scheme !== undefined && { schemeReference: scheme }),
    ...(scheme !== undefined && isInitial && { initialTransactionId: scheme }),
    ...(agreementId !== undefined && { agreementId }),
  };
}

/** One event of Adyen as it is stored: the signed values, and further ones that an answer needs. */
export type AdyenEvent = {
  readonly eventCode: string;
  readonly success: 'true' | 'false';
  readonly pspReference: string;
  /** The payment that was modified; empty without one. */
  readonly originalReference: string;
  readonly merchantReference: string;
  readonly value: string;
  readonly currency: string;
  readonly reason: string;
  /** String members of the answer's details, by Adyen's names. */
  readonly additional: Readonly<Record<string, string>>;
};

export type KeptEvent = AdyenEvent & { readonly receivedAt: number };

/** The members of additional data that an answer is made of. */
const ADDITIONAL = [
  'authCode',
  'acquirerReference',
  'networkTxReference',
  'transactionLinkId',
  'avsResult',
  'cvcResult',
  'merchantAdviceCode',
];

/** The event as strings, for the record of notifications. */
export function eventData({ additional, ...fields }: AdyenEvent): Readonly<Record<string, string>> {
  const kept = ADDITIONAL.flatMap((name) => {
    const text = additional[name];
    return text === undefined ? [] : [[`+${name}`, text.slice(0, 100)] as const];
  });
  return { ...fields, reason: fields.reason.slice(0, 100), ...Object.fromEntries(kept) };
}

function readKept({ data, receivedAt }: KeptNotification): KeptEvent {
  const read = (name: string): string => data[name] ?? '';
  const additional = Object.entries(data).flatMap(([name, text]) =>
    name.startsWith('+') ? [[name.slice(1), text] as const] : [],
  );
  return {
    eventCode: read('eventCode'),
    success: read('success') === 'true' ? 'true' : 'false',
    pspReference: read('pspReference'),
    originalReference: read('originalReference'),
    merchantReference: read('merchantReference'),
    value: read('value'),
    currency: read('currency'),
    reason: read('reason'),
    additional: Object.fromEntries(additional),
    receivedAt,
  };
}

type Reader = Pick<AccountNeeds, 'notificationsOf'>;

/** The events about a payment, the oldest first. Adyen may name a modification by the reference of the payment that it modifies. */
export async function eventsOf(
  { notificationsOf }: Reader,
  ...payments: readonly (Pick<Payment, 'merchantId' | 'id'> | null)[]
): Promise<readonly KeptEvent[]> {
  const lists = await Promise.all(payments.flatMap((payment) => (payment ? [notificationsOf(payment)] : [])));
  return lists.flat().map(readKept);
}

/** An authorisation for the whole value that was asked for; one for less is undone. */
export const isWhole = ({ merchantReference, value }: AdyenEvent): boolean => parseReference(merchantReference)?.value === value;

export const isAuthorised = ({ eventCode, success }: AdyenEvent): boolean => eventCode === 'AUTHORISATION' && success === 'true';

/** The answer that an AUTHORISATION gives; null when it is for less than was asked. */
export function authorisationAnswer(event: AdyenEvent, isInitial: boolean): AcquirerAnswer | null {
  const { pspReference, additional, success, reason } = event;
  const details = detailsOf(additional, pspReference, isInitial);
  if (success === 'true') return isWhole(event) ? { is: 'approved', reference: pspReference, details } : null;
  return declinedBy(codeOfReason(reason), event);
}

/** A decline with the reason that Adyen gave. */
export function declinedBy(
  code: NegativeCode,
  { pspReference, originalReference, reason, additional }: AdyenEvent,
): AcquirerAnswer {
  const { resultDetails } = detailsOf(additional, pspReference, false);
  const known = { ...resultDetails, ...(originalReference !== '' && { ConnectorTxID2: originalReference }) };
  const said = reason.trim();
  const details = {
    resultDetails: { ...known, ...(said !== '' && said !== 'null' && { AcquirerResponse: said.slice(0, 100) }) },
  };
  return { is: 'declined', code, details, reference: pspReference };
}
