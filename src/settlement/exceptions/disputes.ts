import { isApproved } from '../../payments/balance.ts';
import { recordable } from '../../payments/bankRecord.ts';
import { type BankRecord, chargeBack, type RecordResult, reverseChargeback } from '../../payments/chargeBack.ts';
import type { Payment } from '../../payments/payment.ts';
import type { World } from '../../payments/ports.ts';
import { type CodeThat, isChargebackReason } from '../../spec/resultCodes.ts';
import type { SettlementStore } from '../ports.ts';
import type { SettlementRecord } from '../record.ts';

type Reason = CodeThat<'chargeback'>;

/** Reasons as banks and schemes write them, by our own. ISO 20022 first, then those of card schemes. */
const known: readonly (readonly [reason: Reason, codes: string])[] = [
  ['000.100.201', 'AC01 RC01 BE01 BE05 FF01'],
  ['000.100.202', 'AC04 MD07'],
  ['000.100.203', 'AM04'],
  ['000.100.204', 'MD01 MD02 FF05'],
  ['000.100.205', 'SL01 SL11 SL12'],
  ['000.100.206', 'MD06 MS02 CUST'],
  ['000.100.207', 'AG01 AG02 DNOR CNOR'],
  ['000.100.208', 'AC06'],
  ['000.100.209', 'AC13 AC03'],
  ['000.100.210', 'AM01 AM02 AM03 AM09 12.5 4831'],
  ['000.100.220', '10.1 10.2 10.3 10.4 10.5 4837 4840 4849 4863 4870 4871'],
  ['000.100.221', '13.1 4855'],
  ['000.100.223', '13.3 4853 4859'],
  ['000.100.224', 'AM05 12.6 4834'],
  ['000.100.225', '13.6 13.7 4860'],
  ['000.100.230', '11.1 11.2 11.3 4807 4808 4812'],
];

const byCode = new Map(known.flatMap(([reason, codes]) => codes.split(' ').map((code) => [code, reason] as const)));

/** The reason of a chargeback in our words; null: none was given, or none that we know. */
function reasonOf(code: string | null): Reason | null {
  if (code === null) return null;
  return isChargebackReason(code) ? code : (byCode.get(code.toUpperCase()) ?? null);
}

export type DisputeNeeds = {
  readonly store: Pick<SettlementStore, 'unrecorded' | 'saveRecord'>;
  /** The world in a merchant's own time. */
  readonly worldOf: (merchantId: string | null) => World;
};

/** A header of a request holds no such sign: no merchant can have claimed it. */
const onceFor = ({ id }: SettlementRecord): string => `§ settlement ${id}`;

/** Makes the transactions of matched chargebacks and reversals, each once, whatever happened before; answers how many it looked at. */
export async function recordDisputes({ store, worldOf }: DisputeNeeds, limit: number): Promise<number> {
  const due = await store.unrecorded(limit);
  for (const record of due) {
    const world = worldOf(record.merchantId);
    await store.saveRecord(await recorded(world, record), world.clock.now());
  }
  return due.length;
}

async function recorded(world: World, record: SettlementRecord): Promise<SettlementRecord> {
  const made = await make(world, record);
  const next = { ...record, revision: record.revision + 1 };
  if (made.is === 'recorded') return { ...next, chargebackId: made.payment.id };
  const why = `it was matched with ${record.match.paymentIds[0]}, but cannot be recorded there (${made.code})`;
  return { ...next, match: { status: 'NOT_MATCHED', paymentIds: [], by: record.match.by, why, isOpen: true } };
}

async function make(world: World, record: SettlementRecord): Promise<RecordResult> {
  const [paymentId = ''] = record.match.paymentIds;
  const family = (await world.store.family(record.merchantId ?? '', paymentId))?.payments ?? [];
  const payment = family.find(({ id }) => id === paymentId);
  if (!payment) return { is: 'refused', code: '700.100.100' };
  const source = `settlement record ${record.id}`;
  const told = { amount: record.amount, code: reasonOf(record.reasonCode), source, once: onceFor(record) };
  if (record.recordType === 'CHARGEBACK') return chargeBack(world, { ...told, payment: chargeable(family, payment, told) });
  const target = taken(family, payment, told);
  return target ? reverseChargeback(world, { ...told, payment: target }) : { is: 'refused', code: '700.400.420' };
}

type DisputedAmount = Pick<BankRecord, 'amount'>;

const below = (family: readonly Payment[], of: readonly Payment[], type: 'CB' | 'CR'): readonly Payment[] =>
  family.filter((one) => one.paymentType === type && isApproved(one) && of.some(({ id }) => id === one.referencedId));

/** A second chargeback takes back what was given back. */
function chargeable(family: readonly Payment[], payment: Payment, { amount }: DisputedAmount): Payment {
  const given = below(family, below(family, [payment], 'CB'), 'CR');
  return given.find((one) => recordable('CB', { family, payment: one }) >= (amount ?? 0n)) ?? payment;
}

/** The chargeback that is given back. */
function taken(family: readonly Payment[], payment: Payment, { amount }: DisputedAmount): Payment | null {
  const all = below(family, [payment], 'CB');
  return all.find((one) => recordable('CR', { family, payment: one }) >= (amount ?? 0n)) ?? all[0] ?? null;
}
