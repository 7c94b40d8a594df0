import { accounts, type Posting, readLine } from '../../ledger/entry.ts';
import type { LedgerStore } from '../../ledger/ports.ts';
import { type BlockRow, blockCells, blockOf, holdingOf, type SumRow } from '../tables/ledger.ts';
import type { Cell } from '../tables/payments.ts';
import type { Reads } from './reads.ts';
import { write } from './registrations.ts';
import type { Writer } from './threads.ts';

/** The books in SQLite. */
export const sqliteLedger = (read: Reads, writer: Writer): LedgerStore => ({
  post: async (postings) => {
    if (postings.length > 0) await write(writer, ...postings.map((one) => ['post', ...postedCells(one)] as const));
  },
  unsealedMerchants: async () => read.all<{ readonly id: string }>('unsealedMerchants').map(({ id }) => id),
  unsealed: async (merchantId, limit) =>
    read.all<{ readonly line: string }>('unsealed', merchantId, limit).map(({ line }) => line),
  lastBlock: async (merchantId) => read.all<BlockRow>('lastBlock', merchantId).map(blockOf)[0] ?? null,
  // Rows are numbered in the order in which they are seen, so what was read behind the last block is what stands there now.
  seal: async (block, lines) => {
    const { subjectId, revision } = readLine(lines.at(-1) ?? '');
    return (await write(writer, ['seal', ...blockCells(block), subjectId, revision])) > 0;
  },
  blockThrough: async (merchantId, at) => read.all<BlockRow>('blockThrough', merchantId, at).map(blockOf)[0] ?? null,
  sumsBehind: async ({ merchantId, number, at }) => read.all<SumRow>('sumsBehind', merchantId, number, at).map(holdingOf),
});

/** In the order of the columns in tables/ledger.ts. */
export const postedCells = ({ merchantId, subjectId, revision, kind, at, currency, mode, entries }: Posting): Cell[] => [
  ...[merchantId, subjectId, revision, kind, at, currency, mode],
  ...accounts.map((account) => entries[account] ?? 0n),
];
