import type { Sql } from 'postgres';
import { createLanes } from './postgresLanes.ts';
import { migrateServer } from './postgresMigrate.ts';
import { checkServer, connect, type PostgresOptions, read } from './postgresPool.ts';
import { createWriteBatch, forgetClaims, seedRows } from './postgresWrite.ts';
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
import { reads } from './statements.ts';
import type { Store } from './store.ts';

const BATCH_MAX = 64;
const LANES = 2;
const END_SECONDS_MAX = 10;

/** The store for more than one node: any number of them may be open on one database. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const sql = connect(options);
  try {
    await checkServer(sql, options);
    await migrateServer(sql);
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
  const lanes = createLanes(createWriteBatch(sql), { batchMax: options.batchMax ?? BATCH_MAX, lanes: options.lanes ?? LANES });
  return {
    ...readsOf(sql),
    commit: async (change) => {
      checkCommit(change);
      return lanes.commit(change);
    },
    forgetClaims: (before) => forgetClaims(sql, before),
    seed: (rows) => seedRows(sql, rows),
    close: async () => {
      await lanes.close();
      await sql.end({ timeout: END_SECONDS_MAX });
    },
  };
}

function readsOf(sql: Sql): Omit<Store, 'commit' | 'forgetClaims' | 'seed' | 'close'> {
  return {
    family: async (merchantId, paymentId) => familyOf(await read<PaymentRow>(sql, reads.family, [merchantId, paymentId])),
    payment: async (merchantId, paymentId) => {
      const [row] = await read<PaymentRow>(sql, reads.payment, [merchantId, paymentId]);
      return row ? paymentOf(row) : null;
    },
    sealed: async (merchantId, paymentId) => {
      const [row] = await read<{ readonly sealed: Uint8Array | null }>(sql, reads.sealed, [merchantId, paymentId]);
      return row?.sealed ? new Uint8Array(row.sealed) : null;
    },
    claim: async (entityId, key) => {
      const [row] = await read<StoredClaim>(sql, reads.claim, [entityId, key]);
      return row ? { paymentId: row.payment_id, bodyHash: row.body_hash } : null;
    },
    due: async (now, limit) => (await read<PaymentRow>(sql, reads.due, [now, limit])).map(paymentOf),
    entities: async () => (await read<StoredEntity>(sql, reads.entities)).map(entityOf),
    tokens: async () => (await read<StoredToken>(sql, reads.tokens)).map(tokenOf),
    ping: async () => {
      await read(sql, reads.ping);
    },
  };
}
