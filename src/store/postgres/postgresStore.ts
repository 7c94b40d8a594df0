import type { MerchantStore } from '../../merchants/ports.ts';
import { accountStatements, entityCells, tokenCells } from '../areas/accounts.ts';
import { checkCommit } from '../commit/check.ts';
import { type Cell, type Database, step } from '../database.ts';
import type { ReplicaSource } from '../replica.ts';
import { sqlReplica, sqlStore } from '../sqlStore.ts';
import type { Store } from '../store.ts';
import { claimMethods, rateMethods } from './claims.ts';
import { parameterOf, postgresDatabase, postgresReads } from './database.ts';
import { writeError } from './errors.ts';
import { migrateServer } from './migrate.ts';
import { checkServer, openPool, type Pool, type PostgresOptions } from './pool.ts';
import { createWriteBatch, createWriteQueues } from './write.ts';

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

type Position = { readonly position: string | null };

const statements = {
  written: "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text AS position",
  replayed: "SELECT CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text END AS position",
} as const;

/** Connections to the replica: pages of some users at the same time. */
const POOL_MAX = 4;

/** A standby for reads, and one connection to the primary to compare with. Nothing is connected yet. */
export function openReplica(url: string, primaryUrl: string): ReplicaSource {
  // One of several hosts would otherwise have to be the primary.
  const standby = /[?&]target_session_attrs=/.test(url) ? url : `${url}${url.includes('?') ? '&' : '?'}target_session_attrs=any`;
  const pool = openPool({ url: standby, poolMax: POOL_MAX });
  const primary = openPool({ url: primaryUrl, poolMax: 1 });
  const positionOf = (rows: readonly Position[]): bigint | null => {
    const position = rows[0]?.position ?? null;
    return position === null ? null : BigInt(position);
  };
  return {
    reads: sqlReplica(postgresReads(pool)),
    written: async () => positionOf(await primary.read<Position>(statements.written)) ?? 0n,
    replayed: async () => positionOf(await pool.read<Position>(statements.replayed)),
    close: async () => void (await Promise.all([pool.close(), primary.close()])),
  };
}
