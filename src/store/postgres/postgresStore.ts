import { isMisdatedAhead } from '../../merchants/merchantFilter.ts';
import type { Store } from '../store.ts';
import {
  checkCommit,
  entityOf,
  familyOf,
  type PaymentRow,
  paymentOf,
  type StoredEntity,
  type StoredIdempotencyKey,
  type StoredToken,
  tokenOf,
} from '../tables/payments.ts';
import { reads, writes } from '../tables/statements.ts';
import { postgresAccounts } from './accounts.ts';
import { postgresAuditLog } from './auditLog.ts';
import { postgresCalls } from './calls.ts';
import { postgresAssets, postgresCheckouts } from './checkouts.ts';
import { postgresClocks } from './clocks.ts';
import { postgresDocuments } from './documents.ts';
import { dueRows } from './due.ts';
import { createLanes } from './lanes.ts';
import { postgresLedger } from './ledger.ts';
import { migrateServer } from './migrate.ts';
import { checkServer, openPool, type Pool, type PostgresOptions } from './pool.ts';
import { postgresQueries } from './queries.ts';
import { postgresReconciliation } from './reconciliation.ts';
import { postgresKeys, postgresRegistrations } from './registrations.ts';
import { postgresReports } from './reports.ts';
import { postgresPast, postgresRisk } from './risk.ts';
import { postgresLater } from './scheduledSettlement.ts';
import { postgresPlans } from './schedules.ts';
import { postgresSearch } from './search.ts';
import { postgresStatistics } from './statistics.ts';
import { postgresStored } from './stored.ts';
import { postgresTryWrite } from './trial.ts';
import { postgresWebhooks } from './webhooks.ts';
import { createWriteBatch, forget, seedRows } from './write.ts';

const BATCH_MAX = 64;
const LANES = 2;

/** The store for more than one node: any number of them may be open on one database. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const pool = openPool(options);
  try {
    await checkServer(pool, options);
    await migrateServer(pool);
  } catch (error) {
    await pool.close();
    throw error;
  }
  const lanes = createLanes(createWriteBatch(pool), { batchMax: options.batchMax ?? BATCH_MAX, lanes: options.lanes ?? LANES });
  return {
    ...readsOf(pool),
    commit: async (change) => {
      checkCommit(change);
      return lanes.commit(change);
    },
    deleteIdempotencyKeys: (before) => forget(pool, writes.deleteIdempotencyKeys, before),
    ...postgresPast(pool),
    ...postgresQueries(pool),
    ...postgresSearch(pool),
    ...postgresRisk(pool),
    ...postgresRegistrations(pool),
    ...postgresKeys(pool),
    ...postgresCheckouts(pool),
    ...postgresAssets(pool),
    ...postgresPlans(pool),
    ...postgresWebhooks(pool),
    ...postgresClocks(pool),
    ...postgresDocuments(pool),
    ...postgresAuditLog(pool),
    ...postgresStored(pool),
    ...postgresCalls(pool),
    ...postgresLedger(pool),
    ...postgresReports(pool),
    ...postgresLater(pool),
    ...postgresReconciliation(pool),
    ...postgresStatistics(pool),
    seed: (rows) => seedRows(pool, rows),
    ...postgresAccounts(pool),
    tryWrite: postgresTryWrite(pool),
    close: async () => {
      pool.hurry();
      await lanes.close();
      await pool.close();
    },
  };
}

type Read = 'family' | 'payment' | 'sealed' | 'idempotencyKey' | 'due' | 'misdated' | 'entities' | 'tokens' | 'ping';

function readsOf(pool: Pool): Pick<Store, Read> {
  return {
    family: async (merchantId, paymentId) => familyOf(await pool.read<PaymentRow>(reads.family, [merchantId, paymentId])),
    payment: async (merchantId, paymentId) => {
      const [row] = await pool.read<PaymentRow>(reads.payment, [merchantId, paymentId]);
      return row ? paymentOf(row) : null;
    },
    sealed: async (merchantId, paymentId) => {
      const [row] = await pool.read<{ readonly sealed: Uint8Array | null }>(reads.sealed, [merchantId, paymentId]);
      return row?.sealed ? new Uint8Array(row.sealed) : null;
    },
    idempotencyKey: async (merchantId, entityId, key) => {
      const [row] = await pool.read<StoredIdempotencyKey>(reads.idempotencyKey, [merchantId, entityId, key]);
      return row ? { paymentId: row.payment_id, bodyHash: row.body_hash } : null;
    },
    due: async (asked) => (await dueRows<PaymentRow>(pool, 'due', asked)).map(paymentOf),
    misdated: async (asked) => (await dueRows<PaymentRow>(pool, 'misdated', isMisdatedAhead(asked))).map(paymentOf),
    entities: async () => (await pool.read<StoredEntity>(reads.entities)).map(entityOf),
    tokens: async () => (await pool.read<StoredToken>(reads.tokens)).map(tokenOf),
    ping: async () => {
      await pool.read(reads.ping);
    },
  };
}
