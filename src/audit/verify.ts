import { type AuditEntry, type AuditHead, entryHash } from './entry.ts';

/** Something that is wrong in the audit log, and at which entry. */
export type AuditFinding = { readonly number: number | null; readonly says: string };

/** The head of the chain, as recorded earlier. */
export type RecordedHead = Pick<AuditHead, 'number' | 'hash'>;

export type AuditVerdict = {
  readonly entries: number;
  /** The head of the chain. Recorded elsewhere, it proves later that nothing was removed or rewritten. */
  readonly head: RecordedHead;
  /** `unchecked`: the verifier did not have the key. */
  readonly seal: 'right' | 'wrong' | 'unchecked';
  /** The first of them. */
  readonly findings: readonly AuditFinding[];
  readonly found: number;
};

export type VerifyNeeds = {
  readonly head: () => Promise<AuditHead>;
  /** The entries after a number, in the order of the chain. */
  readonly pages: (after: number) => AsyncIterable<readonly AuditEntry[]>;
  /** The expected seal of a head; null: without the key. */
  readonly sealOf: (head: RecordedHead) => Promise<string | null>;
  readonly recorded?: readonly RecordedHead[];
  /** Throws when it is to stop. */
  readonly onProgress?: (done: number) => void;
};

const FINDINGS_MAX = 100;
/** Other writers append during a run. Their entries are read too, in at most this many rounds. */
const ROUNDS_MAX = 10;

type Find = (number: number | null, says: string) => void;

/** Goes along the chain from its first entry to its head. */
export async function verifyAudit({
  head: readHead,
  pages,
  sealOf,
  recorded: kept = [],
  onProgress: onStep,
}: VerifyNeeds): Promise<AuditVerdict> {
  const findings: AuditFinding[] = [];
  let found = 0;
  const find: Find = (number, says) => {
    found += 1;
    if (findings.length < FINDINGS_MAX) findings.push({ number, says });
  };
  const expectedHashes = new Map(kept.map((one) => [one.number, one.hash]));
  let last: RecordedHead = { number: 0, hash: '' };
  let entries = 0;
  const read = async (): Promise<void> => {
    for await (const page of pages(last.number)) {
      for (const entry of page) {
        for (const says of faultsOf(last, entry)) find(entry.number, says);
        if ((expectedHashes.get(entry.number) ?? entry.hash) !== entry.hash)
          find(entry.number, 'its hash is not the one that was kept');
        last = { number: entry.number, hash: entry.hash };
      }
      entries += page.length;
      onStep?.(entries);
    }
  };
  await read();
  // Entries and head are written together, so the head that is read now is never behind them.
  let head = await readHead();
  for (let round = 1; round < ROUNDS_MAX && last.number < head.number; round += 1) {
    const before = last.number;
    await read();
    if (last.number === before) break;
    head = await readHead();
  }
  checkEnd(find, head, last);
  for (const { number } of kept) if (number > last.number) find(number, 'it was kept as the end of the log once, and is missing');
  const seal = checkSeal(find, head, await sealOf(head));
  return { entries, head: { number: head.number, hash: head.hash }, seal, findings, found };
}

function checkSeal(find: Find, head: AuditHead, expected: string | null): AuditVerdict['seal'] {
  if (expected === null) return 'unchecked';
  if (head.number === 0 || expected === head.seal) return 'right';
  find(null, 'the head does not carry the seal that goes with it: it was written without the key');
  return 'wrong';
}

function faultsOf(last: RecordedHead, entry: AuditEntry): readonly string[] {
  const gap = entry.number - last.number - 1;
  const faults = gap === 0 ? [] : [gap === 1 ? 'the entry before it is missing' : `${gap} entries before it are missing`];
  if (gap === 0 && entry.previous !== last.hash) faults.push('it does not carry the hash of the entry before it');
  if (entryHash(entry) !== entry.hash) faults.push('its hash is not that of what it says');
  return faults;
}

function checkEnd(find: Find, head: AuditHead, last: RecordedHead): void {
  if (last.number < head.number) {
    const missing = head.number - last.number;
    find(
      head.number,
      `the log ends with entry ${last.number}: ${missing === 1 ? 'the last entry is' : `the last ${missing} are`} missing`,
    );
  } else if (last.number > head.number) find(last.number, `the head counts only ${head.number} entries`);
  else if (last.hash !== head.hash) find(last.number, 'the head carries another hash than the last entry');
}
