import { existsSync } from 'node:fs';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { type AppliedMigration, appliedMigrations, checkSchema } from '../migrate.ts';
import type { OpenedHistory } from '../store.ts';
import { openForReading, pathOf, type SqliteLocation } from './file.ts';
import { preparePages } from './pages.ts';

/**
 * The past of a file that a gateway may be writing to, on a connection of its own. A page is one statement: between two pages nothing is
 * held that the writer would have to wait for.
 */
export async function openSqliteHistory(place: SqliteLocation): Promise<OpenedHistory> {
  const path = pathOf(place);
  if (!existsSync(path)) throw new StoreOutOfOrder(`There is no database at ${path}: start the gateway once.`);
  const db = openForReading(path);
  try {
    const applied = db.prepare(appliedMigrations).all() as AppliedMigration[];
    checkSchema('sqlite', applied);
    const page = preparePages(db);
    return {
      history: async (query) => {
        if (!db.isOpen) throw new StoreOutOfOrder('the store is closed');
        return page(query);
      },
      close: async () => {
        if (db.isOpen) db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
