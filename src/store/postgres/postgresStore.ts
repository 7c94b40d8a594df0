import type { MerchantStore } from '../../merchants/ports.ts';
import { accountStatements, entityCells, tokenCells } from '../areas/accounts.ts';
import { checkCommit } from '../commit/check.ts';
import type { Cell, Database } from '../database.ts';
import { step } from '../database.ts';
import { sqlStore } from '../sqlStore.ts';
import type { Store } from '../store.ts';
import { claimMethods } from './claims.ts';
import { parameterOf, postgresDatabase } from './database.ts';
import { writeError } from './errors.ts';
import { migrateServer } from './migrate.ts';
import { checkServer, openPool, type Pool, type PostgresOptions } from './pool.ts';
import { rateMethods } from './rates.ts';
import { createWriteBatch } from './write.ts';
import { createWriteQueues } from './writeQueues.ts';

const BATCH_MAX = 64;
const QUEUES = 2;

/** The store for more than one node: any number of nodes may share a database. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const pool = openPool(options);
  try {
    await checkServer(pool, options);
    await migrateServer(pool);
  } catch (error) {
    await pool.close();
    throw error;
  }
  return storeOn(pool, options);
}

function storeOn(pool: Pool, options: PostgresOptions): Store {
  const db = postgresDatabase(pool);
  const queues = createWriteQueues(createWriteBatch(pool), {
    batchMax: options.batchMax ?? BATCH_MAX,
    queues: options.queues ?? QUEUES,
  });
  return {
    ...sqlStore(db),
    commit: async (change) => {
      checkCommit(change);
      return queues.commit(change);
    },
    insertAccounts: (rows) => insertAccounts(pool, rows),
    ...claimMethods(db),
    ...rateMethods(db),
    tryWrite: (isThorough) => tryWrite(db, isThorough),
    connections: pool.figures,
    close: async () => {
      pool.hurry();
      await queues.close();
      await pool.close();
    },
  };
}

/** The lock that the triggers of the directory take (migration 0016). */
const LOCK_DIRECTORY = 'SELECT pg_advisory_xact_lock(7120946216)';

async function insertAccounts(pool: Pool, { entities, tokens }: Parameters<MerchantStore['insertAccounts']>[0]): Promise<number> {
  try {
    return await pool.transaction(async (tx) => {
      // One writer of the directory after the other: two that insert the same rows in another order would wait for each other.
      await tx.run(LOCK_DIRECTORY);
      let added = 0;
      const insert = async (text: string, cells: readonly Cell[]) => {
        added += (await tx.run(text, cells.map(parameterOf))).count;
      };
      for (const entity of entities) await insert(accountStatements.insertEntity, entityCells(entity));
      for (const token of tokens) await insert(accountStatements.insertToken, tokenCells(token));
      return added;
    });
  } catch (error) {
    throw writeError(error);
  }
}

const trial = {
  small: "INSERT INTO write_trial (id, body) VALUES (1, '') ON CONFLICT (id) DO UPDATE SET body = excluded.body",
  empty: 'TRUNCATE write_trial',
  fill: "INSERT INTO write_trial (id, body) SELECT n, repeat('x', 1000) FROM generate_series(1, 256) AS n",
} as const;

/**
 * The thorough trial writes as much as a large payment in fresh space: the server gives the table a new file, which must grow. Rows of this
 * length are not compressed.
 */
async function tryWrite(db: Database, isThorough: boolean): Promise<void> {
  await (isThorough ? db.write(step(trial.empty), step(trial.fill)) : db.write(step(trial.small)));
}
