import type { Sql } from 'postgres';
import { createLanes, type LaneOptions } from './postgresLanes.ts';
import { checkServer, connect, type PostgresOptions, read } from './postgresPool.ts';
import { createWriteBatch, seedRows } from './postgresWrite.ts';
import {
  checkCommit,
  entityOf,
  familyOf,
  type PaymentRow,
  paymentOf,
  type StoredClaim,
  type StoredEntity,
  type StoredToken,
  tokenOf,
} from './rows.ts';
import { FORGET_PORTION, forPostgres, reads, writes } from './statements.ts';
import type { Store } from './store.ts';
import { migrateServer } from './postgresMigrate.ts';

/** Up to so many commits go in one statement, and so many statements are under way at once. */
const LANES: LaneOptions = { batchMax: 64, lanes: 2 };

/** The store for more than one node. Any number of them may be open on one database. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const sql = connect(options);
  try {
    await checkServer(sql, options);
    await migrateServer(sql);
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
  const lanes = createLanes(createWriteBatch(sql), { ...LANES, ...options.lanes });
  return {
    ...readsOf(sql),
    commit: async (change) => {
      checkCommit(change);
      return lanes.commit(change);
    },
    forgetClaims: (before) => forgetClaims(sql, before),
    seed: (rows) => seedRows(sql, rows),
    ping: async () => {
      await read(sql, 'ping');
    },
    close: async () => {
      await lanes.close();
      await sql.end({ timeout: 10 });
    },
  };
}
