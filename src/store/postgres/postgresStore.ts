import { allowSkew } from '../../merchants/merchantFilter.ts';
import type { Payment } from '../../payments/payment.ts';
import type { ReleaseMark } from '../../payments/ports.ts';
import type { Store } from '../store.ts';
import { type ListedRow, lookThrough } from '../tables/listedPayments.ts';
import {
  checkCommit,
  entityOf,
  type PaymentRow,
  readFamily,
  readPayment,
  type StoredEntity,
  type StoredIdempotencyKey,
  type StoredToken,
  tokenOf,
} from '../tables/payments.ts';
import { dueReleaseOf, markCells, postgresReleases, type ReleaseRow } from '../tables/releases.ts';
import { reads, writes } from '../tables/statements.ts';
import { postgresAccounts, postgresDirectory } from './accounts.ts';
import { postgresAuditLog } from './auditLog.ts';
import { postgresCalls } from './calls.ts';
import { postgresAssets, postgresCheckouts } from './checkouts.ts';
import { postgresClaims } from './claimStatements.ts';
import { postgresClocks } from './clocks.ts';
import { postgresDocuments } from './documents.ts';
import { dueRows } from './due.ts';
import { postgresLedger } from './ledger.ts';
import { postgresLists } from './lists.ts';
import { migrateServer } from './migrate.ts';
import { checkServer, openPool, type Pool, type PostgresOptions } from './pool.ts';
import { postgresQueries } from './queries.ts';
import { postgresQueues } from './queues.ts';
import { postgresRates } from './rates.ts';
import { postgresReconciliation } from './reconciliation.ts';
import { postgresKeys, postgresRegistrations } from './registrations.ts';
import { postgresPast, postgresRisk } from './risk.ts';
import { postgresScheduledSettlement } from './scheduledSettlement.ts';
import { postgresSchedules } from './schedules.ts';
import { postgresSearch } from './search.ts';
import { postgresSettlement } from './settlement.ts';
import { postgresStatistics } from './statistics.ts';
import { rowsFrom } from './transact.ts';
import { postgresWebhooks } from './webhooks.ts';
import { wholePayment } from './wholePayment.ts';
import { createWriteBatch, deleteInPortions, insertAccountRows, write } from './write.ts';
import { createWriteQueues } from './writeQueues.ts';
import { postgresTryWrite } from './writeTrial.ts';

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
  const queues = createWriteQueues(createWriteBatch(pool), {
    batchMax: options.batchMax ?? BATCH_MAX,
    queues: options.queues ?? QUEUES,
  });
  return {
    ...readsOf(pool),
    commit: async (change) => {
      checkCommit(change);
      return queues.commit(change);
    },
    deleteIdempotencyKeys: (before) => deleteInPortions(pool, writes.deleteIdempotencyKeys, before),
    markReleases: (marks) => markReleases(pool, marks),
    ...claimsOf(pool),
    ...postgresPast(pool),
    ...postgresQueries(pool),
    ...postgresSearch(pool),
    ...postgresRisk(pool),
    ...postgresRegistrations(pool),
    ...postgresKeys(pool),
    ...postgresCheckouts(pool),
    ...postgresAssets(pool),
    ...postgresSchedules(pool),
    ...postgresWebhooks(pool),
    ...postgresClocks(pool),
    ...postgresDocuments(pool),
    ...postgresAuditLog(pool),
    ...postgresLists(pool),
    ...postgresCalls(pool),
    ...postgresLedger(pool),
    ...postgresSettlement(pool),
    ...postgresScheduledSettlement(pool),
    ...postgresReconciliation(pool),
    ...postgresStatistics(pool),
    ...postgresQueues(pool),
    insertAccounts: (rows) => insertAccountRows(pool, rows),
    ...postgresAccounts(pool),
    ...postgresDirectory(pool),
    ...postgresRates(pool),
    tryWrite: postgresTryWrite(pool),
    connections: pool.figures,
    close: async () => {
      pool.hurry();
      await queues.close();
      await pool.close();
    },
  };
}

const claimsOf = (pool: Pool): Pick<Store, 'claimDue' | 'releaseSwept' | 'deleteClaims'> => ({
  claimDue: async ({ now, until, limit, merchants }) => {
    const rows =
      merchants.kind === 'only'
        ? await rowsFrom<ListedRow>(pool, postgresClaims.claimPaymentsOf, [now, until, limit, merchants.merchantId])
        : await rowsFrom<ListedRow>(pool, postgresClaims.claimPayments, [
            now,
            until,
            limit,
            JSON.stringify(merchants.merchantIds),
          ]);
    return (await lookThrough(rows, wholePayment(pool))).sort(longestOverdueFirst);
  },
  releaseSwept: async ({ payments, until }) => {
    const rows = payments.map(({ merchantId, id }) => ({ merchant_id: merchantId, payment_id: id }));
    await write(pool, postgresClaims.releaseSwept, [JSON.stringify(rows), until]);
  },
  deleteClaims: (before) => deleteInPortions(pool, postgresClaims.deleteClaims, before),
});

async function markReleases(pool: Pool, marks: readonly ReleaseMark[]): Promise<void> {
  // In a fixed order, so that two nodes do not deadlock.
  const ordered = marks.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const rows = ordered.map((mark) => {
    const [merchant_id, id, release_at, next] = markCells(mark);
    return { merchant_id, id, release_at, next };
  });
  if (rows.length > 0) await write(pool, postgresReleases.markReleases, [JSON.stringify(rows)]);
}

const dueAtOf = ({ phase }: Payment): number => (phase.at === 'final' ? 0 : phase.dueAt);
const longestOverdueFirst = (one: Payment, other: Payment): number =>
  dueAtOf(one) - dueAtOf(other) || (one.id < other.id ? -1 : 1);

type Read =
  | 'family'
  | 'familyVersion'
  | 'payment'
  | 'sealed'
  | 'idempotencyKey'
  | 'due'
  | 'misdated'
  | 'releasesDue'
  | 'entities'
  | 'tokens'
  | 'ping';

function readsOf(pool: Pool): Pick<Store, Read> {
  return {
    familyVersion: async (merchantId, familyId) => {
      const [row] = await pool.read<{ readonly version: string | number }>(reads.familyVersion, [merchantId, familyId]);
      return row ? Number(row.version) : null;
    },
    family: async (merchantId, paymentId) => readFamily(await pool.read<PaymentRow>(reads.family, [merchantId, paymentId])),
    payment: async (merchantId, paymentId) => {
      const [row] = await pool.read<PaymentRow>(reads.payment, [merchantId, paymentId]);
      return row ? readPayment(row) : null;
    },
    sealed: async (merchantId, paymentId) => {
      const [row] = await pool.read<{ readonly sealed: Uint8Array | null }>(reads.sealed, [merchantId, paymentId]);
      return row?.sealed ? new Uint8Array(row.sealed) : null;
    },
    idempotencyKey: async (merchantId, entityId, key) => {
      const [row] = await pool.read<StoredIdempotencyKey>(reads.idempotencyKey, [merchantId, entityId, key]);
      return row ? { paymentId: row.payment_id, bodyHash: row.body_hash } : null;
    },
    due: async (query) => lookThrough(await dueRows<ListedRow>(pool, 'due', query), wholePayment(pool)),
    releasesDue: async (query) => (await dueRows<ReleaseRow>(pool, 'releasesDue', query)).map(dueReleaseOf),
    misdated: async (query) => lookThrough(await dueRows<ListedRow>(pool, 'misdated', allowSkew(query)), wholePayment(pool)),
    entities: async () => (await pool.read<StoredEntity>(reads.entities)).map(entityOf),
    tokens: async () => (await pool.read<StoredToken>(reads.tokens)).map(tokenOf),
    ping: async () => {
      await pool.read(reads.ping);
    },
  };
}
