import type { RecordedType } from '../spec/paymentTypes.ts';
import type { CodeThat } from '../spec/resultCodes.ts';
import { REASON, recordable, recordedCode, refusalOfRecord } from './bankRecord.ts';
import { commitPayment } from './commitPayment.ts';
import { draft } from './draft.ts';
import type { Order } from './order.ts';
import { eventFor } from './outboxEvent.ts';
import type { Family, Payment } from './payment.ts';
import type { IdempotencyKey, World } from './ports.ts';
import type { Refusal } from './refusal.ts';

/** What happened at a bank, as another room learnt of it. */
export type BankRecord = {
  /** The payment that it happened to: a debit or capture for CB, the chargeback for CR. */
  readonly payment: Payment;
  /** Null: all that is left. */
  readonly amount: bigint | null;
  /** The acquirer's reason; null where none was given. */
  readonly code: CodeThat<'chargeback'> | null;
  /** Who says so: a settlement file, a scenario. */
  readonly source: string;
  /** The same key does not record a second time while keys are kept (a day): the first record is the answer. */
  readonly once?: string;
};

export type Recording =
  | { readonly is: 'recorded'; readonly payment: Payment }
  /** Nothing was kept. */
  | { readonly is: 'refused'; readonly code: Refusal };

const TRIES_MAX = 64;

/** Records that a bank took money back; the merchant is told by the message of the commit. */
export const chargeBack = (world: World, record: BankRecord): Promise<Recording> => recordFor(world, 'CB', record);

/** Records that a bank gave back what it had charged back. */
export const reverseChargeback = (world: World, record: BankRecord): Promise<Recording> => recordFor(world, 'CR', record);

async function recordFor(world: World, type: RecordedType, record: BankRecord): Promise<Recording> {
  const { merchantId, id } = record.payment;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const family = await world.store.family(merchantId, id);
    const payment = family?.payments.find((other) => other.id === id);
    if (!family || !payment) return { is: 'refused', code: '700.100.100' };
    const recorded = await recordOn(world, { type, record, family, payment });
    if (recorded) return recorded;
  }
  throw new Error(`the family of ${id} did not hold still`);
}

type Step = { readonly type: RecordedType; readonly record: BankRecord; readonly family: Family; readonly payment: Payment };

/** Decided on one reading of the family; null when it has moved on. */
async function recordOn(world: World, { type, record, family, payment }: Step): Promise<Recording | null> {
  const order = orderOf(payment, { ...record, type });
  const reference = { family: family.payments, payment };
  const { merchantId, entityId } = payment;
  const held = record.once === undefined ? null : await world.store.idempotencyKey(merchantId, entityId, record.once);
  if (held) return known(world, payment, held.paymentId);
  const refusal = refusalOfRecord(order, reference);
  if (refusal !== null) return { is: 'refused', code: refusal };
  const drafted = draft(world, {
    order,
    route: null,
    referenced: payment,
    amount: order.amount ?? recordable(type, reference),
    phase: { at: 'final', code: recordedCode(order) },
    channelName: world.channel(payment.entityId)?.name ?? '',
  });
  const made: Payment = { ...drafted, recordedBy: record.source };
  const outcome = await commitPayment(world, {
    payment: made,
    version: family.version,
    idempotencyKey: idempotencyKeyOf(payment, record),
    event: eventFor(world, made),
  });
  switch (outcome.is) {
    case 'kept':
      return { is: 'recorded', payment: made };
    case 'claimed':
      return known(world, payment, outcome.paymentId);
    case 'moved':
      return null;
    default:
      throw new Error(`the store answered ${outcome.is} to ${type} ${made.id}: the fold and the table disagree`);
  }
}

const idempotencyKeyOf = ({ entityId }: Payment, { once }: BankRecord): IdempotencyKey | null =>
  once === undefined ? null : { entityId, key: once, bodyHash: '' };

async function known(world: World, { merchantId }: Payment, paymentId: string): Promise<Recording> {
  const payment = await world.store.payment(merchantId, paymentId);
  if (!payment) throw new Error(`the key's payment ${paymentId} is not there`);
  return { is: 'recorded', payment };
}

type Told = Pick<BankRecord, 'amount' | 'code'> & { readonly type: RecordedType };

/** The record in the words of an order: nothing of it came with a request. */
function orderOf(payment: Payment, { type, amount, code }: Told): Order & { readonly paymentType: RecordedType } {
  const { merchantId, entityId, paymentBrand, method, mode, id: referencedId } = payment;
  return {
    ...{ merchantId, entityId, paymentBrand, method, mode, referencedId, amount, paymentType: type },
    currency: null,
    isBrandDetected: false,
    isTestInLive: false,
    practice: null,
    isLast: false,
    numberOfCaptures: null,
    merchantTransactionId: null,
    descriptor: null,
    instrument: null,
    secrets: {},
    instruction: null,
    registration: null,
    isStoring: false,
    tokenUse: null,
    read: () => undefined,
    origin: '',
    checkoutId: null,
    refusal: null,
    fields: code === null ? {} : { [REASON]: code },
  };
}
