import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { type AppliedMigration, appliedMigrations, migrationTable, noteMigration, outstanding } from '../migrate.ts';
import { codeOf, readError } from './errors.ts';
import type { Pool } from './pool.ts';

/** Any number that no other program on the same database uses for its own locks. */
const LOCK = 7_837_001;

/** Brings the schema up to date in one transaction. Nodes that start at the same time take turns. */
export async function migrateServer(pool: Pool): Promise<void> {
  // A database that needs nothing new is not written to: it may be a standby, or on a full disk.
  if ((await missing(pool)) === 0) return;
  try {
    await pool.transaction(async (tx) => {
      await tx.run(`SELECT pg_advisory_xact_lock(${LOCK})`);
      await tx.run(migrationTable);
      const applied = await tx.run<AppliedMigration>(appliedMigrations);
      for (const { number, name, text } of outstanding('postgres', applied)) {
        await tx.run(text);
        await tx.run(noteMigration, [number, name]);
      }
    }, 'migration');
  } catch (error) {
    if (codeOf(error) === NO_RIGHT) throw new StoreOutOfOrder(NOT_OWNER, NO_RIGHT);
    if (codeOf(error) === REFUSED) throw new StoreOutOfOrder((error as Error).message, REFUSED);
    throw error instanceof StoreOutOfOrder ? error : readError(error);
  }
}

/** A migration that may not be applied yet says why in its own sentence. */
const REFUSED = '0A000';
const NO_TABLE = '42P01';
const NO_RIGHT = '42501';
const NOT_OWNER =
  'The database is of an older version of the program, and this role may not change its schema: start the gateway once with the role that owns the tables (docs/postgresql.md).';

/** How many migrations have still to be applied, as far as that can be read. */
async function missing(pool: Pool): Promise<number> {
  try {
    const applied = await pool.read<AppliedMigration>(appliedMigrations);
    return outstanding('postgres', applied).length;
  } catch (error) {
    // There is no such table in a new database.
    if (error instanceof StoreOutOfOrder && error.code === NO_TABLE) return Number.POSITIVE_INFINITY;
    throw error;
  }
}
