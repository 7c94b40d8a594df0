import type { CodeRow } from '../../../src/connectors/kind.ts';
import type { NegativeCode } from '../../../src/spec/resultCodes.ts';

/** The acquirer's reasons of a decline and our codes for them. What is not here is declined with the last one. */
const declines: Readonly<Record<string, NegativeCode>> = {
  insufficient_funds: '800.100.155',
  expired_card: '800.100.157',
  stolen_card: '800.100.159',
  do_not_honor: '800.100.152',
};

const OTHER: NegativeCode = '800.100.100';

export const codeRows: readonly CodeRow[] = [
  ...Object.entries(declines).map(([theirs, ours]) => ({ theirs, ours })),
  { theirs: 'any other', ours: OTHER },
];

export const declineCode = (reason: string): NegativeCode => declines[reason] ?? OTHER;
