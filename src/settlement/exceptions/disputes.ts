import { isApproved } from '../../payments/balance.ts';
import { recordable } from '../../payments/chargebacks/bankRecord.ts';
import { type BankRecord, chargeBack, type RecordResult, reverseChargeback } from '../../payments/chargebacks/chargeBack.ts';
import type { Payment } from '../../payments/payment.ts';
import type { World } from '../../payments/ports.ts';
import type { QueryStore } from '../../payments/search/listing.ts';
import { knownBankReason } from '../../spec/bankReasons.ts';
import { chargeback } from '../../spec/parameters/fraudPrevention.ts';
import type { CodeThat } from '../../spec/resultCodes.ts';
import type { BankNeeds } from '../in/applyReport.ts';
import { disagreement, findFileScopes, isDispute, lineSourceOf, recordedBefore, type ScopeDirectory } from '../match/checks.ts';
import type { SettlementStore } from '../ports.ts';
import type { Match, SettlementRecord } from '../record.ts';

type Reason = CodeThat<'chargeback'>;

/** Reason codes of card schemes, by result code; the banks' reason codes are a table of spec/. */
const reasonCodes: readonly (readonly [reason: Reason, codes: string])[] = [
  ['000.100.210', '12.5 4831'],
  ['000.100.220', '10.1 10.2 10.3 10.4 10.5 4837 4840 4849 4863 4870 4871'],
  ['000.100.221', '13.1 4855'],
  ['000.100.223', '13.3 4853 4859'],
  ['000.100.224', '12.6 4834'],
  ['000.100.225', '13.6 13.7 4860'],
  ['000.100.230', '11.1 11.2 11.3 4807 4808 4812'],
];

const byCode = new Map(reasonCodes.flatMap(([reason, codes]) => codes.split(' ').map((code) => [code, reason] as const)));

/** The result code of a chargeback's reason; null: absent or unknown. A code of that form which the catalogue lacks is kept as received. */
function reasonOf(code: string | null): string | null {
  if (code === null) return null;
  if (chargeback.chargebackResultCode.format.pattern.test(code)) return code;
  return byCode.get(code.toUpperCase()) ?? knownBankReason(code)?.chargeback ?? null;
}

type ReversalNeeds = {
  readonly store: Pick<SettlementStore, 'exceptions' | 'recordsOfPayments' | 'saveRecord'> & Pick<QueryStore, 'families'>;
  readonly directory: ScopeDirectory;
  readonly statusesOf: BankNeeds['statusesOf'];
};

type DisputeNeeds = ReversalNeeds & {
  readonly store: Pick<SettlementStore, 'unrecorded' | 'saveRecord'>;
  /** The world by the clock of a merchant. */
  readonly worldOf: (merchantId: string | null) => World;
};

/** The idempotency key. Its first character is not allowed in a request header, so no merchant can have used it. */
const idempotencyKeyOf = ({ id }: SettlementRecord): string => `§ settlement ${id}`;

/** Records the transactions of matched chargebacks and reversals, each exactly once; returns the number of records handled. */
export async function recordDisputes(needs: DisputeNeeds, limit: number): Promise<number> {
  const { store, worldOf } = needs;
  const due = await store.unrecorded(limit);
  let matched = 0;
  for (const record of due) {
    const world = worldOf(record.merchantId);
    // Before the chargeback is recorded: a crash after it would leave the reversal an exception.
    if (isReturn(record)) matched += await matchReversalsOf(needs, world, record);
    await store.saveRecord(await recordDispute(needs, world, record), world.clock.now());
  }
  return matched === 0 ? due.length : due.length + (await recordDisputes(needs, limit));
}

/** Files of banks come in any order. */
const isReturn = ({ recordType, format }: SettlementRecord): boolean => recordType === 'CHARGEBACK' && format.startsWith('camt.');

async function matchReversalsOf(needs: DisputeNeeds, world: World, record: SettlementRecord): Promise<number> {
  const payment = await world.store.payment(record.merchantId ?? '', record.match.paymentIds[0] ?? '');
  return payment ? matchEarlyReversals(needs, payment, world.clock.now()) : 0;
}

async function recordDispute({ store }: DisputeNeeds, world: World, record: SettlementRecord): Promise<SettlementRecord> {
  const records = await store.recordsOfPayments([record.merchantId ?? ''], record.match.paymentIds, null);
  const result = await createTransaction(world, record, records);
  const next = { ...record, revision: record.revision + 1 };
  if (result.is === 'recorded') return { ...next, chargebackId: result.payment.id };
  const why = `it was matched with ${record.match.paymentIds[0]}, but cannot be recorded there (${result.code})`;
  const exception = { kind: 'notRecordable', candidateIds: record.match.paymentIds } as const;
  return { ...next, match: { status: 'NOT_MATCHED', paymentIds: [], by: record.match.by, why, isOpen: true, exception } };
}

async function createTransaction(
  world: World,
  record: SettlementRecord,
  records: readonly SettlementRecord[],
): Promise<RecordResult> {
  const [paymentId = ''] = record.match.paymentIds;
  const family = (await world.store.family(record.merchantId ?? '', paymentId))?.payments ?? [];
  const payment = family.find(({ id }) => id === paymentId);
  if (!payment) return { is: 'refused', code: '700.100.100' };
  // A line that has begun a transaction of its own before the process ended goes on with it.
  const begun = await world.store.idempotencyKey(payment.merchantId, payment.entityId, idempotencyKeyOf(record));
  const [cleared] =
    isDispute(record) && begun === null
      ? recordedBefore(record.recordType, { payment, family, records }).filter(({ amount }) => amount === record.amount)
      : [];
  if (cleared) return { is: 'recorded', payment: cleared };
  const source = lineSourceOf(record);
  const bankRecord = { amount: record.amount, code: reasonOf(record.reasonCode), source, once: idempotencyKeyOf(record) };
  if (record.recordType === 'CHARGEBACK')
    return chargeBack(world, { ...bankRecord, payment: chargeable(family, payment, bankRecord) });
  const target = reversible(family, payment, bankRecord);
  return target ? reverseChargeback(world, { ...bankRecord, payment: target }) : { is: 'refused', code: '700.400.420' };
}

type DisputedAmount = Pick<BankRecord, 'amount'>;

const below = (family: readonly Payment[], of: readonly Payment[], type: 'CB' | 'CR'): readonly Payment[] =>
  family.filter((one) => one.paymentType === type && isApproved(one) && of.some(({ id }) => id === one.referencedId));

/** A second chargeback refers to the reversal of the first. */
function chargeable(family: readonly Payment[], payment: Payment, { amount }: DisputedAmount): Payment {
  const reversals = below(family, below(family, [payment], 'CB'), 'CR');
  return reversals.find((one) => recordable('CB', { family, payment: one }) >= (amount ?? 0n)) ?? payment;
}

/** The chargeback that is reversed. */
function reversible(family: readonly Payment[], payment: Payment, { amount }: DisputedAmount): Payment | null {
  const all = below(family, [payment], 'CB');
  return all.find((one) => recordable('CR', { family, payment: one }) >= (amount ?? 0n)) ?? all[0] ?? null;
}

const PAGE = 500;
/** Open exceptions that are looked through, the oldest first. */
const EXCEPTIONS_MAX = 20_000;

/**
 * A bank's files come in any order: a reversal that was imported before its return found nothing to reverse, and is an exception. Matches
 * such reversals once the return is matched; returns their number. Only payments that a bank has restored before are considered.
 */
async function matchEarlyReversals(needs: ReversalNeeds, payment: Payment, now: number): Promise<number> {
  if (!(await needs.statusesOf(payment)).includes('restored')) return 0;
  const { store, directory } = needs;
  const tolerance = findFileScopes(directory, payment.entityId)?.whole.tolerance;
  if (!tolerance) return 0;
  let count = 0;
  for (const record of await reversalsOf(needs, payment)) {
    const earlier = await store.recordsOfPayments([payment.merchantId], [payment.id], null);
    const family = await store.families(payment.merchantId, [payment.familyId]);
    const differs = disagreement({
      line: record,
      payment,
      family,
      earlier,
      tolerance,
      format: record.format,
      fileId: record.fileId,
    });
    if (differs && !differs.isRepeat) continue;
    const { merchantId, entityId } = payment;
    const match: Match = differs ? repeatOf(record, differs.why) : matchOf(payment);
    const changed = { ...record, merchantId, entityId, match, revision: record.revision + 1 };
    if ((await store.saveRecord(changed, now)) && !differs) count += 1;
  }
  return count;
}

const BY = 'payment id';

const matchOf = ({ id }: Payment): Match => ({
  status: 'MATCHED',
  paymentIds: [id],
  by: BY,
  why: 'by its payment id; the return that it reverses was imported after it',
  isOpen: false,
});

/** A statement and a notification of the same reversal. */
const repeatOf = ({ match }: SettlementRecord, why: string): Match => ({
  ...match,
  why,
  isOpen: false,
  exception: { kind: 'duplicate', candidateIds: match.exception?.candidateIds ?? [] },
});

/** Open reversals that lead to this payment, of files of its entity and those above it. */
async function reversalsOf(
  { store, directory }: Pick<ReversalNeeds, 'store' | 'directory'>,
  payment: Payment,
): Promise<readonly SettlementRecord[]> {
  const entityIds = [...new Set([payment.entityId, ...(directory.entity(payment.entityId)?.path ?? [])])];
  const found: SettlementRecord[] = [];
  let after: string | undefined;
  for (let read = 0; read < EXCEPTIONS_MAX; read += PAGE) {
    const page = await store.exceptions({
      entityIds,
      status: 'NOT_MATCHED',
      limit: PAGE,
      ...(after !== undefined && { after }),
    });
    found.push(...page.filter((record) => isReversalOf(record, payment)));
    after = page.at(-1)?.id;
    if (page.length < PAGE) break;
  }
  return found;
}

const isReversalOf = ({ recordType, match }: SettlementRecord, { id }: Payment): boolean =>
  recordType === 'CHARGEBACK REVERSAL' && match.exception?.candidateIds.includes(id) === true;
