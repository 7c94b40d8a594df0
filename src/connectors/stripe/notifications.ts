import { createHmac, timingSafeEqual } from 'node:crypto';
import { parsePaymentRef } from '../../payments/payment.ts';
import type { AcquirerNotification, NotificationReading, NotificationRequest } from '../../payments/ports.ts';
import { isRecord, parsedRecord } from '../../runtime/json.ts';
import { SECOND_MS } from '../../spec/time.ts';
import type { Account } from '../kind.ts';
import type { AccountNeeds } from '../ports.ts';
import { detailsOf } from './answers.ts';
import { isKeyOf } from './client.ts';
import { disputeReasons } from './codes.ts';
import { type Dispute, readDispute, readIntent, readRefund } from './objects.ts';
import { retrieveIntent } from './payments.ts';
import { amountFrom, isId, METADATA_PAYMENT, type Session, type StripeSettings } from './session.ts';

type ReaderOptions = {
  readonly needs: Pick<AccountNeeds, 'log'>;
  readonly account: Account<StripeSettings>;
  sessionOf(merchantId: string, isLive: boolean): Session;
};

type Event = {
  readonly id: string;
  readonly type: string;
  readonly isLive: boolean;
  readonly object: unknown;
  readonly previous: Readonly<Record<string, unknown>>;
};

const refused = (reason: string): NotificationReading => ({ is: 'refused', reason });

/** Verifies and reads the acquirer's events. The objects in them are snapshots, so the current state is queried. */
export function createNotificationReader({ needs, account, sessionOf }: ReaderOptions) {
  return async ({ headers, body, receivedAt }: NotificationRequest): Promise<NotificationReading> => {
    const secret = await account.secret('webhookSecret');
    if (secret === null) return refused('the account has no webhook secret');
    const fault = signatureFault(headers['stripe-signature'], { body, secret, now: receivedAt });
    if (fault !== null) return refused(fault);
    const event = readEvent(body);
    if (event === null) return refused('not an event');
    const key = await account.secret('secretKey');
    if (key !== null && !isKeyOf(key, event.isLive)) return refused('an event of the other mode');
    const reader = Object.hasOwn(readers, event.type) ? readers[event.type] : undefined;
    if (!reader) needs.log('an event is not used', { type: event.type.slice(0, 64), event: event.id });
    const context = {
      ugxDecimals: account.settings.ugxDecimals,
      sessionOf: (merchantId: string) => sessionOf(merchantId, event.isLive),
    };
    return { is: 'read', notifications: reader ? await reader(event, context) : [] };
  };
}

function readEvent(body: Uint8Array): Event | null {
  const json = parsedRecord(Buffer.from(body).toString('utf8'));
  if (json === null || !isRecord(json.data)) return null;
  const { id, type, livemode, data } = json;
  if (typeof id !== 'string' || !/^evt_[A-Za-z0-9_]{1,200}$/.test(id) || typeof type !== 'string') return null;
  return {
    id,
    type,
    isLive: livemode === true,
    object: data.object,
    previous: isRecord(data.previous_attributes) ? data.previous_attributes : {},
  };
}

type Context = { readonly ugxDecimals: StripeSettings['ugxDecimals']; sessionOf(merchantId: string): Session };
type Reader = (event: Event, context: Context) => Promise<readonly AcquirerNotification[]>;

const paymentIn = (metadata: Readonly<Record<string, string>>) => parsePaymentRef(metadata[METADATA_PAYMENT] ?? null);

/** The intent changed: the payment is asked about. */
const readIntentEvent: Reader = async ({ id, type, object }) => {
  const intent = readIntent(object);
  const about = intent && paymentIn(intent.metadata);
  return intent && about ? [{ id, about, event: { is: 'inquire' }, data: { type, intent: intent.id } }] : [];
};

/**
 * The intent is approved. The answer is given out with what the acquirer says now, so that an approval which comes too late is taken
 * back; when it says nothing, the payment is asked about.
 */
const readApproval: Reader = async (event, context) => {
  const intent = readIntent(event.object);
  const about = intent && paymentIn(intent.metadata);
  if (!intent || !about || !isId(intent.id, 'pi')) return [];
  const current = await retrieveIntent(context.sessionOf(about.merchantId), intent.id).catch(() => null);
  const isManual = isRecord(event.object) && event.object.capture_method === 'manual';
  const isBooked = current?.status === 'succeeded' || (current?.status === 'requires_capture' && isManual);
  if (!current || !isBooked) return readIntentEvent(event, context);
  const answer = { is: 'approved', details: detailsOf(current), reference: current.id } as const;
  return [{ id: event.id, about, event: { is: 'answer', answer }, data: { type: event.type, intent: current.id } }];
};

/** A refund changed. One that fails after it had succeeded gives the money back to the merchant. */
const readRefundEvent: Reader = async ({ id, type, object, previous }, { ugxDecimals }) => {
  const refund = readRefund(object);
  const about = refund && paymentIn(refund.metadata);
  if (!refund || !about) return [];
  const data = { type, refund: refund.id };
  const inquiry: AcquirerNotification = { id, about, event: { is: 'inquire' }, data };
  const wasPending = typeof previous.status === 'string' && previous.status !== 'succeeded';
  if (refund.status !== 'failed' || wasPending) return [inquiry];
  const amount = amountFrom(refund.amount, refund.currency.toUpperCase(), ugxDecimals);
  return [inquiry, { id: `${refund.id}.failed`, about, event: { is: 'chargeback', amount, code: '000.100.299' }, data }];
};

/**
 * Money of a dispute moved. The dispute names the intent, which names the payment. A reinstatement may arrive before the withdrawal, so
 * both are given out; each counts once.
 */
const readDisputeEvent: Reader = async ({ id, type, object }, context) => {
  const dispute = readDispute(object);
  if (!dispute || !isId(dispute.intent ?? undefined, 'pi')) return [];
  // Clocks of merchants do not matter to a question without a payment.
  const { metadata } = await retrieveIntent(context.sessionOf(''), dispute.intent as string);
  const payment = paymentIn(metadata);
  if (!payment) return [];
  const about = { ...payment, reference: dispute.charge };
  const amount = amountFrom(dispute.amount, dispute.currency.toUpperCase(), context.ugxDecimals);
  const data = { type, dispute: dispute.id, reason: dispute.reason, event: id };
  const withdrawal: AcquirerNotification = {
    id: `${dispute.id}.withdrawn`,
    about,
    event: { is: 'chargeback', amount, code: reasonOf(dispute) },
    data,
  };
  if (type === 'charge.dispute.funds_withdrawn') return [withdrawal];
  return [withdrawal, { ...withdrawal, id: `${dispute.id}.reinstated`, event: { is: 'chargebackReversal', amount, code: null } }];
};

const reasonOf = ({ reason }: Dispute): string => disputeReasons[reason] ?? '000.100.200';

/** The events that count. An inquiry of a bank (`charge.dispute.created` with a warning) moves no money. */
const readers: Readonly<Record<string, Reader>> = {
  'payment_intent.succeeded': readApproval,
  'payment_intent.amount_capturable_updated': readApproval,
  'payment_intent.payment_failed': readIntentEvent,
  'payment_intent.canceled': readIntentEvent,
  'setup_intent.succeeded': readIntentEvent,
  'setup_intent.setup_failed': readIntentEvent,
  'setup_intent.canceled': readIntentEvent,
  'refund.created': readRefundEvent,
  'refund.updated': readRefundEvent,
  'refund.failed': readRefundEvent,
  'charge.refund.updated': readRefundEvent,
  'charge.dispute.funds_withdrawn': readDisputeEvent,
  'charge.dispute.funds_reinstated': readDisputeEvent,
};

/** The types of events that an endpoint must be subscribed to. */
export const notificationTypes: readonly string[] = Object.keys(readers);

/** A signature that is older or newer is refused, so that an old notification cannot be sent again. */
const TOLERANCE_MS = 300 * SECOND_MS;
const SIGNATURES_MAX = 10;

/** Why the header `Stripe-Signature: t=…,v1=…` does not prove the body; null when it does. */
export function signatureFault(
  header: string | undefined,
  { body, secret, now }: { readonly body: Uint8Array; readonly secret: string; readonly now: number },
): string | null {
  if (header === undefined) return 'without a signature';
  const parts = header.split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = parts.flatMap(([name, hex = '']) => (name === 'v1' && /^[0-9a-f]{64}$/.test(hex) ? [hex] : []));
  if (!/^[0-9]{1,12}$/.test(time) || signatures.length === 0) return 'the signature has another form';
  const own = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  // All of them are compared: during an exchange of the secret there is one for the old and one for the new.
  const isSigned = signatures
    .slice(0, SIGNATURES_MAX)
    .reduce((is, hex) => timingSafeEqual(own, Buffer.from(hex, 'hex')) || is, false);
  if (!isSigned) return 'the signature is wrong';
  return Math.abs(now - Number(time) * SECOND_MS) > TOLERANCE_MS ? 'the signature is too old or too new' : null;
}
