import type { PaymentHistory } from '../../payments/ports.ts';
import type { RiskStore } from '../../risk/ports.ts';
import { type ListedRow, lookThrough } from '../tables/listedPayments.ts';
import { historyCells } from '../tables/payments.ts';
import { readHistory } from '../tables/readPage.ts';
import {
  canBeListed,
  checkEntry,
  entryNameCells,
  listEntryCells,
  listEntryOf,
  riskReads,
  riskWrites,
  type StoredEntry,
} from '../tables/riskLists.ts';
import { historyReads } from '../tables/statements.ts';
import type { Pool } from './pool.ts';
import { wholePayment } from './wholePayment.ts';
import { deleteInPortions, write } from './write.ts';

/** The past in PostgreSQL. */
export const postgresPast = (pool: Pick<Pool, 'read'>): PaymentHistory => ({
  history: async (query) => {
    const statement = query.merchantId === null ? historyReads.ofAll : historyReads.ofOne;
    return readHistory(query, {
      rows: (asked) => pool.read<ListedRow>(statement, historyCells(asked)),
      read: (rows) => lookThrough(rows, wholePayment(pool)),
      dateOf: (row) => ({ merchantId: row.merchant_id, id: row.id, createdAt: Number(row.created_at) }),
    });
  },
});

/** Block and allow lists in PostgreSQL. */
export function postgresRisk(pool: Pool): RiskStore {
  return {
    listVersion: async () => {
      const [row] = await pool.read<{ readonly count: string }>(riskReads.listVersion);
      return Number(row?.count ?? 0);
    },
    listEntries: async (now, merchantId) => {
      const rows =
        merchantId === null
          ? pool.read<StoredEntry>(riskReads.listEntries, [now])
          : pool.read<StoredEntry>(riskReads.listEntriesOf, [now, merchantId]);
      return (await rows).map(listEntryOf);
    },
    putListEntry: async (entry) => {
      checkEntry(entry);
      await write(pool, riskWrites.putListEntry, listEntryCells(entry));
    },
    removeListEntry: async (entry) =>
      canBeListed(entry) && (await write(pool, riskWrites.removeListEntry, entryNameCells(entry))) > 0,
    deleteListEntries: (before) => deleteInPortions(pool, riskWrites.deleteListEntries, before),
  };
}
