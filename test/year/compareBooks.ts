import type { Holding } from '../../src/ledger/entry.ts';
import type { SettlementRecord } from '../../src/settlement/record.ts';
import { DAY_MS } from '../../src/spec/time.ts';
import { type OwnPayment, statementOf } from './ownBooks.ts';

/** A line of a settlement file, as far as it moves money. */
export type SettledLine = Pick<SettlementRecord, 'recordType' | 'cashflow' | 'amount' | 'fee' | 'paymentId'> & {
  readonly isMatched: boolean;
};

/** The three books after a year. */
export type Books = {
  /** From webhooks alone. */
  readonly own: ReadonlyMap<string, OwnPayment>;
  readonly ledger: Holding['accounts'];
  readonly settlement: readonly SettledLine[];
  readonly endsAt: number;
};

/** What is paid out later than this, nobody waits for any more. */
const SETTLED_AFTER_MS = 8 * DAY_MS;

/** Towards the merchant is positive. */
const signed = ({ cashflow, amount }: SettledLine): bigint => (cashflow === 'POS' ? amount : -amount);

/**
 * A chargeback of more than a refund has left: the gateway keeps it as an exception for a person, and neither webhooks nor ledger have it.
 * When the merchant wins it, the money comes back by a line that is an exception too.
 */
export const isException = ({ recordType, isMatched }: SettledLine): boolean =>
  (recordType === 'CHARGEBACK' || recordType === 'CHARGEBACK REVERSAL') && !isMatched;

/** Everything in which the books differ, in words. None: they agree to the cent. */
export function differencesOf({ own, ledger, settlement, endsAt }: Books): readonly string[] {
  const found: string[] = [];
  const compare = (what: string, one: bigint, other: bigint) => {
    if (one !== other) found.push(`${what}: ${one} and ${other}`);
  };
  const { sales, disputes } = statementOf(own.values());
  const matched = settlement.filter(({ isMatched }) => isMatched);
  const paidOut = matched.reduce((sum, line) => sum + signed(line), 0n);
  const fees = matched.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n);
  compare('disputes of the webhooks and of the ledger', disputes, ledger.chargebacks);
  compare('what is owed by the webhooks and the files, and by the ledger', sales - disputes - paidOut, ledger.merchant);
  compare('fees of the files and of the ledger', fees, ledger.fees);
  for (const account of ['shopper', 'reserve', 'contra'] as const) compare(`nothing is open: ${account}`, 0n, ledger[account]);
  compare(
    'the ledger adds up',
    0n,
    Object.values(ledger).reduce((sum, one) => sum + one, 0n),
  );

  const settled = new Map<string, bigint>();
  for (const line of settlement.filter((one) => !isException(one))) {
    const id = line.paymentId ?? 'none';
    settled.set(id, (settled.get(id) ?? 0n) + signed(line));
  }
  const disputed = new Map<string, bigint>();
  for (const { type, cents, isApproved, referencedId } of own.values()) {
    if (!isApproved || referencedId === null || (type !== 'CB' && type !== 'CR')) continue;
    // A won chargeback names the chargeback.
    const about = own.get(referencedId)?.type === 'CB' ? (own.get(referencedId)?.referencedId ?? '') : referencedId;
    disputed.set(about, (disputed.get(about) ?? 0n) + (type === 'CB' ? cents : -cents));
  }
  for (const { id, type, cents, isApproved, at } of own.values()) {
    if (!isApproved || !['DB', 'CP', 'RF'].includes(type) || endsAt - at < SETTLED_AFTER_MS) continue;
    const due = (type === 'RF' ? -cents : cents) - (disputed.get(id) ?? 0n);
    compare(`${type} ${id} by webhooks and by files`, due, settled.get(id) ?? 0n);
  }
  const refunded = new Set([...own.values()].map(({ type, referencedId }) => (type === 'RF' ? referencedId : null)));
  const exceptions = settlement.filter(isException);
  for (const { paymentId, recordType, amount } of exceptions) {
    if (!refunded.has(paymentId))
      found.push(`${paymentId} has a chargeback in a file, no webhook about it and no refund that explains it`);
    const isOfException = exceptions.some(
      (other) => other.recordType === 'CHARGEBACK' && other.paymentId === paymentId && other.amount === amount,
    );
    if (recordType === 'CHARGEBACK REVERSAL' && !isOfException)
      found.push(`${paymentId} has a won chargeback in a file, no webhook about it and no chargeback that explains it`);
  }
  for (const id of settled.keys()) if (!own.has(id)) found.push(`${id} is settled, and no webhook told of it`);
  return found;
}
