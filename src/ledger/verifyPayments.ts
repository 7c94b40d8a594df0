import type { Amount } from '../money/amount.ts';
import { balanceOf, isApproved, isIncrement } from '../payments/balance.ts';
import { isOpen, type Payment } from '../payments/payment.ts';
import { postingsOf, undoneIn } from './book.ts';
import { lineOf, readLine } from './entry.ts';
import { type Audit, findingOf, type Report, type StoredSums } from './ports.ts';

/** The money of a family: the amounts that may still be captured, that the merchant is owed, and that were charged back. */
type FamilyMoney = { readonly reserve: Amount; readonly merchant: Amount; readonly chargebacks: Amount };

/** By the fold over the family, which also decides every refusal. */
export function moneyByFold(family: readonly Payment[]): FamilyMoney {
  let [reserve, merchant, chargebacks] = [0n, 0n, 0n];
  for (const payment of family) {
    if (!isApproved(payment)) continue;
    const { available, captured, refunded, reversed, chargedBack } = balanceOf(family, payment);
    switch (payment.paymentType) {
      case 'PA':
        // An increment counts with the authorisation that it raised.
        if (isIncrement(payment) && payment.referencedId !== null) break;
        reserve += available.least - captured.least - reversed.least;
        break;
      case 'DB':
      case 'CP':
      case 'RB':
      case 'RC':
        merchant += payment.amount - refunded.least - reversed.least - chargedBack.least;
        chargebacks += chargedBack.least;
        break;
      case 'CD':
        // A refund of a credit pays the shopper once more.
        merchant -= payment.amount - reversed.least + refunded.least;
        break;
      case 'RF':
        // The refund itself is counted where it was taken from. As far as it came back the merchant has it again.
        merchant += chargedBack.least;
        chargebacks -= chargedBack.least;
        break;
      default:
    }
  }
  return { reserve, merchant, chargebacks };
}

/** By the postings of its payments. */
export function moneyByPostings(family: readonly Payment[]): FamilyMoney {
  const byId = new Map(family.map((payment) => [payment.id, payment]));
  let [reserve, merchant, chargebacks] = [0n, 0n, 0n];
  for (const payment of family) {
    for (const { entries } of postingsOf(
      payment,
      undoneIn(payment, (id) => byId.get(id)),
    )) {
      reserve += entries.reserve ?? 0n;
      merchant += entries.merchant ?? 0n;
      chargebacks += entries.chargebacks ?? 0n;
    }
  }
  return { reserve, merchant, chargebacks };
}

/** An open bank record counts in the fold with its least amount, which cannot be compared. */
const isComparable = (family: readonly Payment[]): boolean =>
  !family.some((payment) => isOpen(payment) && (payment.paymentType === 'CB' || payment.paymentType === 'CR'));

export type PaymentCount = { readonly payments: number; readonly families: number };

type VerifyScope = { readonly merchantId: string | null; readonly total: number };

type Expectations = Report & {
  readonly expect: (merchantId: string, line: string) => void;
  /** The postings of this payment cannot be compared, because a record of its family cannot be read. */
  readonly exclude: (merchantId: string, subjectId: string) => void;
};

/** Passes the expected postings of every payment to `expect`, and compares the sums of each family with the fold. */
export async function verifyPayments(audit: Audit, { merchantId, total }: VerifyScope, out: Expectations): Promise<PaymentCount> {
  let [payments, families] = [0, 0];
  for await (const { records, unreadable } of audit.payments(merchantId)) {
    for (const one of unreadable) {
      out.find(findingOf(one));
      out.exclude(one.merchantId, one.id);
    }
    const related = await familiesOf(audit, records);
    const isWhole = ({ merchantId: owner, familyId }: Payment) => !related.broken.has(nameOf(owner, familyId));
    for (const family of related.families) {
      if (family.every(isWhole)) checkFamily(out, family, related.sums);
      else for (const one of family) out.exclude(one.merchantId, one.id);
    }
    families += related.families.length;
    for (const line of linesOf(records.filter(isWhole), related.members)) out.expect(line.merchantId, line.text);
    payments += records.length;
    out.step({ phase: 'comparing', done: payments, total: Math.max(payments, total) });
  }
  return { payments, families };
}

/** The expected ledger lines of these payments. */
const linesOf = (
  payments: readonly Payment[],
  members: Members,
): readonly { readonly merchantId: string; readonly text: string }[] =>
  payments.flatMap((payment) => {
    const { merchantId } = payment;
    const undone = undoneIn(payment, (id) => members.get(nameOf(merchantId, id)));
    return postingsOf(payment, undone).map((posting) => ({ merchantId, text: lineOf(posting) }));
  });

/** The payments of the families that were read. */
type Members = ReadonlyMap<string, Payment>;

const nameOf = (merchantId: string, id: string): string => `${merchantId} ${id}`;

type Related = {
  readonly families: readonly (readonly Payment[])[];
  readonly members: Members;
  readonly sums: ReadonlyMap<string, StoredSums>;
  /** The families with a payment that cannot be read. */
  readonly broken: ReadonlySet<string>;
};

/** The families of the payments that reference others. */
async function familiesOf(audit: Pick<Audit, 'families'>, page: readonly Payment[]): Promise<Related> {
  const names = new Map(
    page
      .filter(({ referencedId }) => referencedId !== null)
      .map(({ merchantId, familyId }) => [nameOf(merchantId, familyId), { merchantId, familyId }]),
  );
  if (names.size === 0) return { families: [], members: new Map(), sums: new Map(), broken: new Set() };
  const { records: payments, unreadable, sums } = await audit.families([...names.values()]);
  return {
    families: [...Map.groupBy(payments, ({ merchantId, familyId }) => nameOf(merchantId, familyId)).values()],
    members: new Map(payments.map((payment) => [nameOf(payment.merchantId, payment.id), payment])),
    sums: new Map(sums.map((one) => [nameOf(one.merchantId, one.paymentId), one])),
    broken: new Set(unreadable.map(({ merchantId, familyId = '' }) => nameOf(merchantId, familyId))),
  };
}

function checkFamily({ find }: Report, family: readonly Payment[], sums: ReadonlyMap<string, StoredSums>): void {
  for (const payment of family) {
    const says = sumsFault(family, payment, sums.get(nameOf(payment.merchantId, payment.id)));
    if (says) find({ merchantId: payment.merchantId, block: null, subjectId: payment.id, says });
  }
  const first = family.find(({ id, familyId }) => id === familyId) ?? family[0];
  if (!first || !isComparable(family)) return;
  const [fold, posted] = [moneyByFold(family), moneyByPostings(family)];
  for (const part of ['reserve', 'merchant', 'chargebacks'] as const) {
    if (fold[part] === posted[part]) continue;
    const says = `of its family ${posted[part]} are posted to ${part}, and its payments come to ${fold[part]}`;
    find({ merchantId: first.merchantId, block: null, subjectId: first.id, says });
  }
}

/** Checks the sums of the database: used amounts count with their most, the available one with its least. */
function sumsFault(family: readonly Payment[], payment: Payment, sums: StoredSums | undefined): string | null {
  const { available, captured, refunded, reversed, chargedBack } = balanceOf(family, payment);
  const isUsed = [captured, refunded, reversed, chargedBack].some(({ most }) => most !== 0n);
  if (!sums) return isUsed ? 'the database keeps no sums of it, although others reference it' : null;
  const pairs = [
    // A declined payment carries nothing.
    ['available', sums.available, isApproved(payment) || isUsed ? available.least : sums.available],
    ['captured', sums.captured, captured.most],
    ['refunded', sums.refunded, refunded.most],
    ['reversed', sums.reversed, reversed.most],
    ['charged back', sums.chargedBack, chargedBack.most],
  ] as const;
  const [wrong] = pairs.filter(([, stored, folded]) => stored !== folded);
  return wrong ? `the database's own sums say ${wrong[1]} ${wrong[0]}, its family comes to ${wrong[2]}` : null;
}

/**
 * Corrections turn a posting round that an earlier version had booked in the wrong direction: twice its amounts with the opposite signs,
 * under the negative of its revision (decisions/0106). With its correction such a posting is what its payment says.
 */
export interface Corrections {
  note(place: { readonly merchantId: string; readonly block: number | null }, line: string): void;
  /** The line that the books must have of an expected posting: the opposite one where a correction makes it right. */
  postedFor(merchantId: string, expected: string): string;
  /** Corrections of nothing are findings. */
  reportUnused(report: Pick<Report, 'find'>): void;
}

type Correction = { readonly merchantId: string; readonly block: number | null; readonly line: string };

export function createCorrections(): Corrections {
  const noted = new Map<string, Correction>();
  const repeated: Correction[] = [];
  const used = new Set<string>();
  const keyOf = (merchantId: string, subjectId: string, revision: number): string => `${merchantId} ${subjectId} ${revision}`;
  return {
    note({ merchantId, block }, line) {
      const { subjectId, revision } = readLine(line);
      const key = keyOf(merchantId, subjectId, -revision);
      if (noted.has(key)) repeated.push({ merchantId, block, line });
      else noted.set(key, { merchantId, block, line });
    },
    postedFor(merchantId, expected) {
      if (noted.size === 0) return expected;
      const { subjectId, revision } = readLine(expected);
      const key = keyOf(merchantId, subjectId, revision);
      const correction = noted.get(key);
      if (!correction || !turns(correction.line, expected)) return expected;
      used.add(key);
      return turned(expected);
    },
    reportUnused({ find }) {
      for (const [key, { merchantId, block, line }] of noted) {
        if (!used.has(key))
          find({ merchantId, block, subjectId: readLine(line).subjectId, says: `it corrects nothing: ${line}` });
      }
      for (const { merchantId, block, line } of repeated)
        find({ merchantId, block, subjectId: readLine(line).subjectId, says: `it is corrected more than once: ${line}` });
    },
  };
}

/** Whether a correction is twice the expected posting. */
function turns(correction: string, expected: string): boolean {
  const [made, due] = [readLine(correction), readLine(expected)];
  if (made.amounts === null || due.amounts === null || made.currency !== due.currency || made.mode !== due.mode) return false;
  return made.amounts.every((amount, at) => amount === 2n * (due.amounts?.[at] ?? 0n));
}

/** The same line with the opposite signs. */
function turned(line: string): string {
  const { subjectId, revision, kind, at, currency, mode, amounts } = readLine(line);
  return [subjectId, revision, kind, at, currency, mode, ...(amounts ?? []).map((amount) => -amount)].join('|');
}
