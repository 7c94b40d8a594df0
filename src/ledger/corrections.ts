import { readLine } from './entry.ts';
import type { Report } from './finding.ts';

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

/** Whether a correction is twice what was expected. */
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
