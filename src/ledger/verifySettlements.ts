import { postingOfSettlement } from './book.ts';
import { lineOf, readLine } from './entry.ts';
import type { Report } from './finding.ts';
import type { Audit } from './ports.ts';
import { partOf, type Tally } from './tally.ts';

type VerifyScope = { readonly merchantId: string | null; readonly before: number; readonly total: number };

/** What a posting of a settlement does, whenever it was posted; null where it cannot be read. */
type Deed = { readonly subjectId: string; readonly text: string; readonly isLeaving: boolean };

/** Of a record that ceased to be matched the contrary was posted, with an even number: it stands for what it takes back. */
function deedOf(line: string): Deed | null {
  const { subjectId, revision, currency, mode, amounts } = readLine(line);
  if (amounts === null) return null;
  const isLeaving = revision % 2 === 0;
  const done = amounts.map((amount) => (isLeaving ? -amount : amount));
  return { subjectId, text: [subjectId, currency, mode, ...done].join('|'), isLeaving };
}

/** Counts a settlement's posting that is in the books. */
export function countSettlement(tally: Tally, merchantId: string, line: string): void {
  const deed = deedOf(line);
  if (!deed) return;
  if (deed.isLeaving) tally.take(merchantId, deed.text);
  else tally.add(merchantId, deed.text);
}

/** Goes through every matched line of a settlement, and tells what must be in the books for it. Answers how many there are. */
export async function verifySettlements(
  audit: Pick<Audit, 'settlements'>,
  { merchantId, before, total }: VerifyScope,
  { find, step, expect }: Report & { readonly expect: (merchantId: string, text: string) => void },
): Promise<number> {
  let count = 0;
  for await (const page of audit.settlements(merchantId)) {
    for (const { merchantId: owner, recordId, currency, mode, settled, fee } of page) {
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
      const deed = posting && deedOf(lineOf(posting));
      if (deed) expect(owner, deed.text);
    }
    count += page.length;
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

/** Looks through the parts in which lines and postings differ, and says which ones do. */
export async function nameSettlements(
  audit: Audit,
  merchantId: string | null,
  out: Report & { readonly parts: ReadonlySet<number> },
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
      expect: (owner, text) => count({ merchantId: owner, subjectId: text.split('|', 1)[0] ?? '', text, block: null }, -1),
    },
  );
  for await (const page of audit.postings(merchantId)) {
    for (const { merchantId: owner, block, line } of page) {
      const deed = readLine(line).kind === 'settlement' ? deedOf(line) : null;
      if (deed) count({ ...deed, merchantId: owner, block: block === 0 ? null : block }, deed.isLeaving ? -1 : 1);
    }
  }
  for (const { merchantId: owner, block, subjectId, text, times } of sums.values()) {
    const says = times > 0 ? 'no matched line accounts for it' : 'its line is matched, and it is not in the books';
    if (times !== 0) out.find({ merchantId: owner, block, subjectId, says: `${says}: ${text}` });
  }
}
