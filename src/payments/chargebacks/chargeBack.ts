import type { RecordedType } from '../../spec/paymentTypes.ts';
import { commitPayment, eventFor } from '../commitPayment.ts';
import { draft } from '../draft.ts';
import type { Order, Refusal } from '../order.ts';
import type { Family, Payment } from '../payment.ts';
import type { IdempotencyKey, World } from '../ports.ts';
import { REASON, recordable, recordedCode, refusalOfRecord } from './bankRecord.ts';

/** An act of a bank, as another module reports it. */
export type BankRecord = {
  /** For CB a debit, a capture, or a refund that came back; for CR the chargeback. */
  readonly payment: Payment;
  /** Null: all that is left. */
  readonly amount: bigint | null;
  /** The acquirer's reason, of the form 000.100.2xx; null where none was given. */
  readonly code: string | null;
  /** The origin of the record: a settlement file, a scenario. */
  readonly source: string;
  /** The same key records once while keys are kept: later calls return the first record. */
  readonly once?: string;
};

export type RecordResult =
  | { readonly is: 'recorded'; readonly payment: Payment }
  /** Nothing was kept. */
  | { readonly is: 'refused'; readonly code: Refusal };

const TRIES_MAX = 64;

/** Records that a bank took money back. The commit's outbox event notifies the merchant. */
export const chargeBack = (world: World, record: BankRecord): Promise<RecordResult> => recordAs(world, 'CB', record);

/** Records that a bank gave back what it had charged back. */
export const reverseChargeback = (world: World, record: BankRecord): Promise<RecordResult> => recordAs(world, 'CR', record);

async function recordAs(world: World, type: RecordedType, record: BankRecord): Promise<RecordResult> {
  const { merchantId, id } = record.payment;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const family = await world.store.family(merchantId, id);
    const payment = family?.payments.find((other) => other.id === id);
    if (!family || !payment) return { is: 'refused', code: '700.100.100' };
    const recorded = await tryRecord(world, { type, record, family, payment });
    if (recorded) return recorded;
  }
  throw new Error(`the family of ${id} changed too often`);
}

type RecordTry = { readonly type: RecordedType; readonly record: BankRecord; readonly family: Family; readonly payment: Payment };

/** Decides on one reading of the family. Null: the family has changed meanwhile. */
async function tryRecord(world: World, { type, record, family, payment }: RecordTry): Promise<RecordResult | null> {
  const order = recordOrder(payment, { ...record, type });
  const reference = { family: family.payments, payment };
  const { merchantId, entityId } = payment;
  const held = record.once === undefined ? null : await world.store.idempotencyKey(merchantId, entityId, record.once);
  if (held) return recordedBefore(world, payment, held.paymentId);
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
    event: eventFor(world, made, null),
  });
  switch (outcome.is) {
    case 'kept':
      return { is: 'recorded', payment: made };
    case 'keyUsed':
      return recordedBefore(world, payment, outcome.paymentId);
    case 'moved':
      return null;
    default:
      throw new Error(`the store answered ${outcome.is} to ${type} ${made.id}: the fold and the table disagree`);
  }
}

const idempotencyKeyOf = ({ entityId }: Payment, { once }: BankRecord): IdempotencyKey | null =>
  once === undefined ? null : { entityId, key: once, bodyHash: '' };

async function recordedBefore(world: World, { merchantId }: Payment, paymentId: string): Promise<RecordResult> {
  const payment = await world.store.payment(merchantId, paymentId);
  if (!payment) throw new Error(`the key's payment ${paymentId} is not there`);
  return { is: 'recorded', payment };
}

type RecordDetails<Type extends Order['paymentType']> = Pick<BankRecord, 'amount' | 'code'> & { readonly type: Type };

/** The record as an order; none of it came with a request. */
export function recordOrder<Type extends Order['paymentType']>(
  payment: Payment,
  { type, amount, code }: RecordDetails<Type>,
): Order & { readonly paymentType: Type } {
  const { merchantId, entityId, paymentBrand, method, mode, id: referencedId } = payment;
  return {
    merchantId,
    entityId,
    paymentBrand,
    method,
    mode,
    referencedId,
    amount,
    paymentType: type,
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
