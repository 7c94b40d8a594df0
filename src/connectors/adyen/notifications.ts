import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AcquirerNotification, NotificationReading, NotificationRequest } from '../../payments/ports.ts';
import { isRecord, parsedRecord } from '../../runtime/json.ts';
import type { AccountNeeds } from '../ports.ts';
import { type AdyenEvent, authorisationAnswer, declinedBy, eventData, textsIn } from './answers.ts';
import { codeOfDispute } from './codes.ts';
import { type AdyenReference, amountOfValue, isPspReference, parseReference } from './requests.ts';

type Effect = AcquirerNotification['event'];

const KEPT: Effect = { is: 'kept' };
const INQUIRE: Effect = { is: 'inquire' };
/** The capture or the refund failed after it was approved. */
const SETTLEMENT_FAILED = '000.100.226';

const whenTrue =
  (effect: (event: AdyenEvent) => Effect) =>
  (event: AdyenEvent): Effect =>
    event.success === 'true' ? effect(event) : KEPT;

const taken = (code: (event: AdyenEvent) => string) =>
  whenTrue((event) => ({ is: 'chargeback', amount: amountOfValue(event.value, event.currency), code: code(event) }));
const disputed = taken(({ additional }) => codeOfDispute(additional.chargebackReasonCode));
const failed = taken(() => SETTLEMENT_FAILED);
const givenBack = whenTrue(({ value, currency }) => ({
  is: 'chargebackReversal',
  amount: amountOfValue(value, currency),
  code: null,
}));

/**
 * `eventCode` → its effect. Modifications are decided by `inquire` and `cancel`, which find the event among the stored ones: only
 * they know which payment it belongs to. Events that are not here are kept.
 */
const effects: Readonly<Record<string, (event: AdyenEvent) => Effect>> = {
  AUTHORISATION: (event) => {
    const answer = authorisationAnswer(event, false);
    return answer === null ? INQUIRE : { is: 'answer', answer };
  },
  OFFER_CLOSED: (event) => ({ is: 'answer', answer: declinedBy('100.396.103', event) }),
  CAPTURE: () => INQUIRE,
  REFUND: () => INQUIRE,
  CANCELLATION: () => INQUIRE,
  CANCEL_OR_REFUND: () => INQUIRE,
  TECHNICAL_CANCEL: () => INQUIRE,
  AUTHORISATION_ADJUSTMENT: () => INQUIRE,
  CAPTURE_FAILED: failed,
  REFUND_FAILED: failed,
  REFUNDED_REVERSED: failed,
  CHARGEBACK: disputed,
  SECOND_CHARGEBACK: disputed,
  CHARGEBACK_REVERSED: givenBack,
  // Disputes that the issuer has won after the money was given back.
  PREARBITRATION_LOST: disputed,
  SCHEME_ARBITRATION_LOST: disputed,
};

/** Disputes name the payment, not the capture that they are about. */
const DISPUTES: ReadonlySet<string> = new Set([
  'CHARGEBACK',
  'SECOND_CHARGEBACK',
  'CHARGEBACK_REVERSED',
  'PREARBITRATION_LOST',
  'SCHEME_ARBITRATION_LOST',
]);

/** Events that Adyen expects an answer to. */
const QUESTIONS: ReadonlySet<string> = new Set([
  'NOTIFICATION_OF_CHARGEBACK',
  'REQUEST_FOR_INFORMATION',
  'PREARBITRATION_OPEN',
  'SCHEME_ARBITRATION',
]);

type ReaderNeeds = Pick<AccountNeeds, 'alarm'> & {
  readonly merchantAccount: string;
  /** The keys that count, one or two. */
  hmacKeys(): Promise<readonly string[]>;
  /** User and password; null: none are asked for. */
  basicAuth(): Promise<string | null>;
};

const refused = (reason: string): NotificationReading => ({ is: 'refused', reason });

/** Reads a standard webhook. One item that is not signed refuses all of them. */
export function createNotificationReader({ merchantAccount, hmacKeys, basicAuth, alarm }: ReaderNeeds) {
  return async ({ headers, body }: NotificationRequest): Promise<NotificationReading> => {
    const keys = await hmacKeys();
    if (keys.length === 0) return refused('the HMAC key is not set');
    const login = await basicAuth();
    if (login !== null && !isSame(headers.authorization ?? '', `Basic ${Buffer.from(login).toString('base64')}`))
      return refused('user or password is wrong');
    const items = itemsIn(body);
    if (items === null) return refused('not a standard webhook');
    const notifications: AcquirerNotification[] = [];
    for (const item of items) {
      if (!isSigned(item, keys)) return refused('the signature is wrong');
      const event = eventIn(item);
      if (event === null) return refused('an item cannot be read');
      if (item.merchantAccountCode === merchantAccount) warn(event, alarm);
      notifications.push(notificationOf(event, item.merchantAccountCode === merchantAccount));
    }
    return { is: 'read', notifications, reply: '[accepted]' };
  };
}

type Item = Readonly<Record<string, unknown>>;

function itemsIn(body: Uint8Array): readonly Item[] | null {
  const list = parsedRecord(Buffer.from(body).toString('utf8'))?.notificationItems;
  if (!Array.isArray(list) || list.length === 0 || list.length > 100) return null;
  const items = list.map((one: unknown) => (isRecord(one) ? one.NotificationRequestItem : null));
  return items.every(isRecord) ? items : null;
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** The string that Adyen signs: eight members, absent ones empty. */
export function signedText(item: Item): string {
  const amount = isRecord(item.amount) ? item.amount : {};
  const { pspReference, originalReference, merchantAccountCode, merchantReference, eventCode, success } = item;
  const parts = [
    pspReference,
    originalReference,
    merchantAccountCode,
    merchantReference,
    amount.value,
    amount.currency,
    eventCode,
    success,
  ];
  return parts.map(textOf).join(':');
}

export const signatureOf = (item: Item, key: string): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(signedText(item), 'utf8').digest('base64');

function isSigned(item: Item, keys: readonly string[]): boolean {
  const sent = textsIn(item.additionalData).hmacSignature ?? '';
  return keys.some((key) => isSame(sent, signatureOf(item, key)));
}

/** In constant time. */
export function isSame(sent: string, right: string): boolean {
  const [one, other] = [Buffer.from(sent, 'utf8'), Buffer.from(right, 'utf8')];
  return one.length === other.length && timingSafeEqual(one, other);
}

function eventIn(item: Item): AdyenEvent | null {
  const { eventCode, success, pspReference, originalReference, merchantReference, reason, additionalData } = item;
  const amount = isRecord(item.amount) ? item.amount : {};
  if (typeof eventCode !== 'string' || !/^[A-Z_]{3,64}$/.test(eventCode)) return null;
  if (!isPspReference(pspReference) || (success !== 'true' && success !== 'false')) return null;
  return {
    eventCode,
    success,
    pspReference,
    originalReference: textOf(originalReference),
    merchantReference: textOf(merchantReference),
    value: textOf(amount.value),
    currency: textOf(amount.currency),
    reason: textOf(reason),
    additional: textsIn(additionalData),
  };
}

function notificationOf(event: AdyenEvent, isOurAccount: boolean): AcquirerNotification {
  const reference = isOurAccount ? parseReference(event.merchantReference) : null;
  const { eventCode, pspReference, success } = event;
  return {
    // An authorisation that failed may succeed later, under the same reference.
    id: `${eventCode}/${pspReference}/${success}`,
    about: reference && aboutOf(reference, event),
    event: Object.hasOwn(effects, eventCode) ? (effects[eventCode]?.(event) ?? KEPT) : KEPT,
    data: eventData(event),
  };
}

function aboutOf({ merchantId, paymentId }: AdyenReference, event: AdyenEvent): NonNullable<AcquirerNotification['about']> {
  const { eventCode, pspReference, additional } = event;
  const reference = DISPUTES.has(eventCode) ? additional.capturePspReference : pspReference;
  return { merchantId, paymentId, ...(isPspReference(reference) && { reference }) };
}

/** Events that need a person: money that could not be given back, and questions of Adyen. */
function warn({ eventCode, success, pspReference, originalReference }: AdyenEvent, alarm: AccountNeeds['alarm']): void {
  if (eventCode === 'CANCEL_OR_REFUND' && success === 'false')
    alarm('Adyen could not reverse a payment: see its Customer Area', { pspReference, originalReference });
  if (QUESTIONS.has(eventCode))
    alarm('Adyen asks about a disputed payment: see its Customer Area', { pspReference, originalReference });
}
