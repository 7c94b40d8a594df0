import { postingOfSettlement } from './book.ts';
import { partOf, type Tally } from './chain.ts';
import { lineOf, readLine } from './entry.ts';
import { type Audit, findingOf, type Report } from './ports.ts';

type VerifyScope = { readonly merchantId: string | null; readonly before: number; readonly total: number };

/** A settlement posting without its time. */
type SettlementPosting = { readonly subjectId: string; readonly text: string; readonly isReversal: boolean };

/** Reads a posting; null: damaged. A reversal has an even revision and stands for the posting that it reverses. */
function readSettlement(line: string): SettlementPosting | null {
  const { subjectId, revision, currency, mode, amounts } = readLine(line);
  if (amounts === null) return null;
  const isReversal = revision % 2 === 0;
  const posted = amounts.map((amount) => (isReversal ? -amount : amount));
  return { subjectId, text: [subjectId, currency, mode, ...posted].join('|'), isReversal };
}

/** Adds a settlement posting to the tally. */
export function countSettlement(tally: Tally, merchantId: string, line: string): void {
  const posting = readSettlement(line);
  if (!posting) return;
  if (posting.isReversal) tally.subtract(merchantId, posting.text);
  else tally.add(merchantId, posting.text);
}

/** Passes the expected posting of every matched record to `expect`; returns the number of records. */
export async function verifySettlements(
  audit: Pick<Audit, 'settlements'>,
  { merchantId, before, total }: VerifyScope,
  {
    find,
    step,
    expect,
    exclude,
  }: Report & {
    readonly expect: (merchantId: string, text: string) => void;
    /** The postings of this line cannot be compared, because it cannot be read. */
    readonly exclude: (merchantId: string, recordId: string) => void;
  },
): Promise<number> {
  let count = 0;
  for await (const { records, unreadable } of audit.settlements(merchantId)) {
    for (const one of unreadable) {
      find(findingOf(one));
      exclude(one.merchantId, one.id);
    }
    for (const { merchantId: owner, recordId, currency, mode, settled, fee } of records) {
      if (mode === null) {
        find({
          merchantId: owner,
          block: null,
          subjectId: recordId,
          says: 'its line is matched with a payment that is not there',
        });
        continue;
      }
      const about = { recordId, merchantId: owner, payment: { currency, mode }, at: 0 };
      const posting = postingOfSettlement({ ...about, settled, fee });
      const expected = posting && readSettlement(lineOf(posting));
      if (expected) expect(owner, expected.text);
    }
    count += records.length;
    step({ phase: 'comparing', done: before + count, total: Math.max(before + count, total) });
  }
  return count;
}

type RecordLocation = {
  readonly merchantId: string;
  readonly subjectId: string;
  readonly text: string;
  readonly block: number | null;
};

/** Reports the postings that differ from their records, in the given parts. */
export async function reportSettlements(
  audit: Audit,
  merchantId: string | null,
  out: Report & { readonly parts: ReadonlySet<number>; readonly excluded: ReadonlySet<string> },
): Promise<void> {
  const sums = new Map<string, RecordLocation & { times: number }>();
  const count = (place: RecordLocation, times: number) => {
    if (!out.parts.has(partOf(place.merchantId, place.text))) return;
    const key = `${place.merchantId} ${place.text}`;
    sums.set(key, { ...place, times: (sums.get(key)?.times ?? 0) + times });
  };
  await verifySettlements(
    audit,
    { merchantId, before: 0, total: 0 },
    {
      find: () => {},
      step: () => {},
      exclude: () => {},
      expect: (owner, text) => count({ merchantId: owner, subjectId: text.split('|', 1)[0] ?? '', text, block: null }, -1),
    },
  );
  for await (const page of audit.postings(merchantId)) {
    for (const { merchantId: owner, block, line } of page) {
      const posting = readLine(line).kind === 'settlement' ? readSettlement(line) : null;
      if (posting && !out.excluded.has(`${owner} ${posting.subjectId}`))
        count({ ...posting, merchantId: owner, block: block === 0 ? null : block }, posting.isReversal ? -1 : 1);
    }
  }
  for (const { merchantId: owner, block, subjectId, text, times } of sums.values()) {
    const says = times > 0 ? 'no matched line accounts for it' : 'its line is matched, and it is not in the books';
    if (times !== 0) out.find({ merchantId: owner, block, subjectId, says: `${says}: ${text}` });
  }
}
