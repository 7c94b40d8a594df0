import type { LedgerStore } from '../../ledger/ports.ts';
import { postedCells } from '../sqlite/ledger.ts';
import {
  type BlockRow,
  blockCells,
  blockOf,
  holdingOf,
  keysOf,
  ledgerReads,
  ledgerWrites,
  type SumRow,
  postgresLedger as statements,
} from '../tables/ledger.ts';
import type { Parameter, Pool } from './pool.ts';
import { transact } from './transact.ts';

/** The ledger in PostgreSQL. */
export const postgresLedger = (pool: Pool): LedgerStore => ({
  post: async (postings) => {
    await transact(pool, async (step) => {
      for (const one of postings) {
        await step(
          ledgerWrites.post,
          postedCells(one).map((cell) => (typeof cell === 'bigint' ? String(cell) : cell)) as Parameter[],
        );
      }
    });
  },
  unsealedMerchants: async () => (await pool.read<{ readonly id: string }>(statements.unsealedMerchants)).map(({ id }) => id),
  unsealed: async (merchantId, limit) =>
    (await pool.read<{ readonly line: string }>(statements.unsealed, [merchantId, limit])).map(({ line }) => line),
  lastBlock: async (merchantId) => (await pool.read<BlockRow>(ledgerReads.lastBlock, [merchantId])).map(blockOf)[0] ?? null,
  seal: (block, lines) =>
    transact(pool, async (step) => {
      // Waits here for a concurrent writer of the same block number.
      if ((await step(statements.addBlock, blockCells(block))) === 0) return false;
      await step(statements.sealPostings, [block.merchantId, block.number, keysOf(lines)]);
      return true;
    }),
  blockThrough: async (merchantId, at) =>
    (await pool.read<BlockRow>(ledgerReads.blockThrough, [merchantId, at])).map(blockOf)[0] ?? null,
  sumsBehind: async ({ merchantId, number, at }) =>
    (await pool.read<SumRow>(statements.sumsBehind, [merchantId, number, at])).map(holdingOf),
});
