import type { RiskStore } from '../../risk/ports.ts';
import { canBeListed, checkEntry, entryNameCells, listEntryCells, listEntryOf, type StoredEntry } from '../tables/riskLists.ts';
import type { Reads } from './reads.ts';
import { deleteInPortions, write } from './registrations.ts';
import type { Writer } from './threads.ts';

/** Block and allow lists in SQLite. */
export function sqliteRisk(read: Reads, writer: Writer): RiskStore {
  return {
    listVersion: async () => read.all<{ readonly count: number }>('listVersion')[0]?.count ?? 0,
    listEntries: async (now, merchantId) => {
      const rows =
        merchantId === null ? read.all<StoredEntry>('listEntries', now) : read.all<StoredEntry>('listEntriesOf', now, merchantId);
      return rows.map(listEntryOf);
    },
    putListEntry: async (entry) => {
      checkEntry(entry);
      await write(writer, ['putListEntry', ...listEntryCells(entry)]);
    },
    removeListEntry: async (entry) =>
      canBeListed(entry) && (await write(writer, ['removeListEntry', ...entryNameCells(entry)])) > 0,
    deleteListEntries: (before) => deleteInPortions(writer, 'deleteListEntries', before),
  };
}
