import type { Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, Inquiry } from '../../payments/ports.ts';
import { bankReason } from '../../spec/bankReasons.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import type { ConnectorDocument, KeptNotification } from '../ports.ts';
import { addTargetDays, frankfurtInstant } from './calendar.ts';
import { withoutUse } from './mandates.ts';
import {
  findBatch,
  findMandate,
  findOrder,
  type Kept,
  mandateDocument,
  nowOf,
  type Order,
  orderDocument,
  type Parts,
  sealedDetails,
} from './records.ts';

/** Files of the bank report the outcome, so the account is not polled more often than this. */
const LOOK_MS = DAY_MS;
const CLOSING_MS = HOUR_MS;
/** The bank's day begins. */
const MORNING = '06:00';

/** The answer for a payment by the account's own documents and the bank's files. Nothing leaves the gateway. */
export async function inquire(parts: Parts, { payment }: Pick<Inquiry, 'payment'>): Promise<AcquirerAnswer> {
  const { needs } = parts;
  const found = await findOrder(needs.documents, payment.id);
  if (!found) return { is: 'absent' };
  const { body: order, document } = found;
  if (order.state === 'cancelled') return order.isWithdrawn ? withdrawnAnswer(order) : { is: 'cancelled', reference: payment.id };
  // The batch may close a little late.
  const closesAt = Math.max(document.at, nowOf(parts) + CLOSING_MS);
  if (order.state === 'waiting') return { is: 'waiting', nextAt: closesAt, reference: payment.id };
  return (await bankAnswer(parts, payment, order)) ?? waitingAnswer(parts, order);
}

/**
 * The answer by the bank's files; null: they decide nothing. A booking outweighs everything before it; a payment that was
 * returned without a booking has failed.
 */
async function bankAnswer({ needs }: Parts, payment: Payment, order: Order): Promise<AcquirerAnswer | null> {
  const notifications = await needs.notificationsOf(payment);
  const last = (status: string): KeptNotification | undefined => notifications.findLast(({ data }) => data.status === status);
  const refused = last('returned') ?? last('rejected');
  // In a cancellation nothing may be booked any more: money that came and went back has failed.
  const isBooked = last('booked') !== undefined && !(payment.phase.at === 'cancelling' && last('returned'));
  if (isBooked) return { is: 'approved', details: detailsOf(order), reference: payment.id };
  if (!refused) return null;
  const reason = refused.data.reason ?? null;
  const { resultDetails } = detailsOf(order);
  const details = { resultDetails: { ...resultDetails, ...(reason !== null && { AcquirerResponse: reason }) } };
  return { is: 'declined', code: bankReason(reason).declined, details, reference: payment.id };
}

/** ConnectorTxID1: the end-to-end id, 2: the file, 3: the mandate. */
export const detailsOf = ({ paymentId, batchId, debit }: Order) => ({
  resultDetails: {
    ConnectorTxID1: paymentId,
    ...(batchId !== null && { ConnectorTxID2: batchId }),
    ...(debit && { ConnectorTxID3: debit.mandate.id }),
  },
});

/** Approved by the policy of the account, when the file was delivered and the bank has been silent for long enough after the due date. */
async function waitingAnswer(parts: Parts, order: Order): Promise<AcquirerAnswer> {
  const { account, needs } = parts;
  const { approveAfterDays } = account.settings;
  const [now, reference] = [nowOf(parts), order.paymentId];
  const look = { is: 'waiting', nextAt: now + LOOK_MS, reference } as const;
  if (approveAfterDays === 0 || order.batchId === null) return look;
  const batch = await findBatch(needs.documents, order.batchId);
  if (!batch?.body.deliveredAt) return look;
  const at = frankfurtInstant(addTargetDays(order.dueOn, approveAfterDays), MORNING);
  if (now >= at) return { is: 'approved', details: detailsOf(order), reference };
  return { ...look, nextAt: Math.min(at, look.nextAt) };
}

/**
 * A payment that waits for its file is taken out. One that never arrived is marked, so that it is refused when it arrives. A payment in a
 * file cannot be called back: the bank's answer decides.
 */
export async function cancel(parts: Parts, inquiry: Inquiry): Promise<AcquirerAnswer> {
  const { payment } = inquiry;
  const { needs } = parts;
  const found = await findOrder(needs.documents, payment.id);
  if (found?.body.state === 'cancelled') return { is: 'cancelled', reference: payment.id };
  if (found?.body.state === 'batched') return cancelBatched(parts, payment, found.body);
  const documents = [cancelledDocument(payment, found, nowOf(parts)), ...(await restoredMandate(parts, found?.body))];
  if (!(await needs.documents.save(documents))) throw new Error('it changed meanwhile');
  await needs.sealed.erase(sealedDetails(payment.id));
  return { is: 'cancelled', reference: payment.id };
}

/** The merchant's own decision. */
const withdrawnAnswer = (order: Order): AcquirerAnswer => ({
  is: 'declined',
  code: '100.396.201',
  details: { ...detailsOf(order), isWithdrawn: true },
  reference: order.paymentId,
});

const WITHDRAW_TRIES_MAX = 4;

/** The merchant takes a payment back. It is out of the batch for good, or in the batch for good: both change its document. */
export async function withdraw(parts: Parts, { payment }: Pick<Inquiry, 'payment'>): Promise<AcquirerAnswer> {
  const { needs } = parts;
  for (let tries = 0; tries < WITHDRAW_TRIES_MAX; tries += 1) {
    const found = await findOrder(needs.documents, payment.id);
    if (found?.body.isWithdrawn) return withdrawnAnswer(found.body);
    if (found?.body.state !== 'waiting') break;
    const order: Order = { ...found.body, state: 'cancelled', isWithdrawn: true };
    const document = orderDocument(order, nowOf(parts), found.document);
    if (!(await needs.documents.save([document, ...(await restoredMandate(parts, order))]))) continue;
    await needs.sealed.erase(sealedDetails(payment.id));
    return withdrawnAnswer(order);
  }
  return { is: 'waiting', reference: payment.id };
}

function cancelledDocument({ merchantId, id, amount }: Payment, found: Kept<Order> | null, now: number) {
  const order: Order = found?.body ?? {
    merchantId,
    paymentId: id,
    direction: 'debit',
    amount: String(amount),
    dueOn: '',
    remittance: '',
    state: 'waiting',
    batchId: null,
    debit: null,
  };
  return orderDocument({ ...order, state: 'cancelled' }, now, found?.document);
}

/** The mandate can be used once more. */
async function restoredMandate({ needs }: Parts, order: Order | undefined): Promise<readonly ConnectorDocument[]> {
  const mandate = order?.debit ? await findMandate(needs.documents, order.debit.mandate.id) : null;
  if (!order || !mandate) return [];
  return [mandateDocument(withoutUse(mandate.body, order.paymentId), mandate.document.at, mandate.document)];
}

async function cancelBatched(parts: Parts, payment: Payment, order: Order): Promise<AcquirerAnswer> {
  const answer = await bankAnswer(parts, payment, order);
  if (answer?.is === 'declined') return answer;
  if (answer?.is === 'approved')
    parts.needs.alarm('the bank booked a payment that has failed here: pay it back by hand', { paymentId: payment.id });
  return { is: 'waiting', reference: payment.id };
}
