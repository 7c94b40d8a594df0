import type { MessagePort } from 'node:worker_threads';
import { allowSkew } from '../../merchants/merchantFilter.ts';
import { BrokenCommit, StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { createRateBuckets } from '../rateBuckets.ts';
import type { Durability, Store } from '../store.ts';
import { createSweepClaims } from '../sweepClaims.ts';
import { type ListedRow, lookThrough } from '../tables/listedPayments.ts';
import {
  cellsOf,
  checkCommit,
  entityCells,
  entityOf,
  isLongCommit,
  longCellsOf,
  type PaymentRow,
  readFamily,
  readPayment,
  type StoredEntity,
  type StoredIdempotencyKey,
  type StoredToken,
  tokenCells,
  tokenOf,
} from '../tables/payments.ts';
import { dueReleaseOf, markCells, type ReleaseRow } from '../tables/releases.ts';
import { TRIAL_BYTES } from '../tables/writeTrial.ts';
import { sqliteAccounts, sqliteDirectory } from './accounts.ts';
import { sqliteAuditLog } from './auditLog.ts';
import { sqliteCalls } from './calls.ts';
import { checkFile } from './check.ts';
import { sqliteAssets, sqliteCheckouts } from './checkouts.ts';
import { sqliteClocks } from './clocks.ts';
import { sqliteDocuments } from './documents.ts';
import { frozen, migrateFile, pathOf, prepareFile, type SqliteLocation } from './file.ts';
import type { WriterData, WriteStep } from './jobs.ts';
import { createLateWriter } from './lateWriter.ts';
import { sqliteLedger } from './ledger.ts';
import { sqliteLists } from './lists.ts';
import { sqliteQueues } from './queues.ts';
import { dueRows, openReads, type Reads, wholePayment } from './reads.ts';
import { sqliteReconciliation } from './reconciliation.ts';
import { deleteInPortions, sqliteKeys, sqliteRegistrations } from './registrations.ts';
import { sqliteRisk } from './risk.ts';
import { sqliteScheduledSettlement } from './scheduledSettlement.ts';
import { sqliteSchedules } from './schedules.ts';
import { sqliteSearch } from './search.ts';
import { sqliteSettlement } from './settlement.ts';
import { sqliteStatistics } from './statistics.ts';
import { connectWriter, startWriter, type Writer } from './threads.ts';
import { sqliteWebhooks } from './webhooks.ts';

export type SqliteOptions = SqliteLocation & { readonly durability?: Durability; readonly keysPortion?: number };

/**
 * The embedded store: one file. One thread writes, a connection of the calling thread reads; other threads may join. A second process on
 * the same file is safe, because every decision is taken inside a transaction, but it gains nothing.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<OpenedSqliteStore> {
  const path = prepareFile(options);
  checkFile(path);
  const isWritable = migrateFile(path);
  const read = openReads(isWritable ? path : frozen(path));
  const { durability = 'full', keysPortion } = options;
  const begin = () => startedWriter({ path, durability, ...(keysPortion !== undefined && { keysPortion }) });
  // On a disk that is full everything can be read, and the rest follows when there is room again.
  const late = async (): Promise<Writer> => {
    if (!migrateFile(path)) throw new StoreOutOfOrder('the disk is full', 'SQLITE_FULL');
    read.reopen(path);
    return begin();
  };
  try {
    const writer = isWritable ? await begin() : createLateWriter({ start: late, now: () => performance.now() });
    return { ...storeOf(read, writer), isFrozen: !isWritable };
  } catch (error) {
    read.close();
    throw error;
  }
}

/**
 * The same store for another thread of the process that opened it: it reads by a connection of its own, and its commits go to the one
 * writer, together with those of all threads. `port` asks the first thread for its `shareWriter`.
 */
export async function joinSqliteStore(place: SqliteLocation, port: () => Promise<MessagePort>): Promise<Store> {
  const path = pathOf(place);
  const start = async () => connectWriter(await port());
  const joined = await start().catch((error: unknown) => {
    if (!(error instanceof StoreOutOfOrder)) throw error;
    return null;
  });
  const read = openReads(joined ? path : frozen(path));
  const late = async (): Promise<Writer> => {
    const writer = await start();
    read.reopen(path);
    return writer;
  };
  return storeOf(read, joined ?? createLateWriter({ start: late, now: () => performance.now() }));
}

/** A writer that has answered once. */
async function startedWriter(data: WriterData): Promise<Writer> {
  const writer = startWriter(data);
  try {
    await writer.ask({ do: 'ping' });
    return writer;
  } catch (error) {
    await writer.close();
    throw error;
  }
}

/** What the first thread of a process holds: others may join its writer. */
export type SqliteStore = Store & { readonly shareWriter: Writer['share'] };

/** `isFrozen`: it was opened on a full disk, and the file is read as it stands. */
export type OpenedSqliteStore = SqliteStore & { readonly isFrozen: boolean };

function storeOf(read: Reads, writer: Writer): SqliteStore {
  return {
    shareWriter: writer.share,
    ...readsOf(read),
    history: async (query) => read.history(query),
    ...sqliteLists(read),
    ...sqliteSearch(read),
    ...sqliteRisk(read, writer),
    ...sqliteRegistrations(read, writer),
    ...sqliteKeys(read, writer),
    ...sqliteCheckouts(read, writer),
    ...sqliteAssets(read, writer),
    ...sqliteSchedules(read, writer),
    ...sqliteWebhooks(read, writer),
    ...sqliteClocks(read, writer),
    ...sqliteDocuments(read, writer),
    ...sqliteAuditLog(read, writer),
    ...sqliteCalls(read, writer),
    ...sqliteLedger(read, writer),
    ...sqliteSettlement(read, writer),
    ...sqliteScheduledSettlement(read, writer),
    ...sqliteReconciliation(read, writer),
    ...sqliteStatistics(read, writer),
    ...sqliteQueues(read),
    ...sqliteAccounts(writer),
    ...sqliteDirectory(read),
    ...writesOf(writer),
    ...claimsOf(read),
    ...createRateBuckets(),
    ping: async () => void read.all('ping'),
    tryWrite: createTrial(writer),
    connections: () => null,
    close: async () => {
      read.close();
      await writer.close();
    },
  };
}

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
  | 'tokens';

/** One process has the file, so that its memory is the place for claims. */
function claimsOf(read: Reads): Pick<Store, 'claimDue' | 'releaseSwept' | 'deleteClaims'> {
  const claims = createSweepClaims();
  return {
    claimDue: async (query) => {
      const most = { ...query, limit: query.limit + claims.size };
      return claims.claim(await listed(read, dueRows<ListedRow>(read, 'due', most)), query);
    },
    releaseSwept: async (release) => claims.release(release),
    deleteClaims: async (before) => claims.forget(before),
  };
}

const listed = (read: Reads, rows: readonly ListedRow[]) => lookThrough(rows, wholePayment(read));

const readsOf = (read: Reads): Pick<Store, Read> => ({
  family: async (merchantId, paymentId) => readFamily(read.all<PaymentRow>('family', merchantId, paymentId)),
  familyVersion: read.familyVersion,
  payment: async (merchantId, paymentId) => {
    const [row] = read.all<PaymentRow>('payment', merchantId, paymentId);
    return row ? readPayment(row) : null;
  },
  sealed: async (merchantId, paymentId) => {
    const [row] = read.all<{ readonly sealed: Uint8Array | null }>('sealed', merchantId, paymentId);
    return row?.sealed ?? null;
  },
  idempotencyKey: async (merchantId, entityId, key) => {
    const [row] = read.all<StoredIdempotencyKey>('idempotencyKey', merchantId, entityId, key);
    return row ? { paymentId: row.payment_id, bodyHash: row.body_hash } : null;
  },
  due: async (query) => listed(read, dueRows<ListedRow>(read, 'due', query)),
  misdated: async (query) => listed(read, dueRows<ListedRow>(read, 'misdated', allowSkew(query))),
  releasesDue: async (query) => dueRows<ReleaseRow>(read, 'releasesDue', query).map(dueReleaseOf),
  entities: async () => read.all<StoredEntity>('entities').map(entityOf),
  tokens: async () => read.all<StoredToken>('tokens').map(tokenOf),
});

/** Each trial writes other letters than the one before: SQLite does not write pages with unchanged content. */
function createTrial(writer: Writer): Store['tryWrite'] {
  let isEven = false;
  return async (isThorough) => {
    isEven = !isEven;
    const body = (isEven ? 'a' : 'b').repeat(isThorough ? TRIAL_BYTES : 1);
    await writer.ask({ do: 'write', steps: [['tryWrite', body]] });
  };
}

function writesOf(writer: Writer): Pick<Store, 'commit' | 'deleteIdempotencyKeys' | 'insertAccounts' | 'markReleases'> {
  return {
    commit: async (change) => {
      checkCommit(change);
      const applied = await writer.commit(isLongCommit(change) ? await longCellsOf(change) : cellsOf(change));
      if (applied.is === 'broken') throw new BrokenCommit(`commit of payment ${change.payment.id}: ${applied.why}`);
      return applied;
    },
    deleteIdempotencyKeys: (before) => deleteInPortions(writer, 'deleteIdempotencyKeys', before),
    markReleases: async (marks) => {
      const steps = marks.map((mark): WriteStep => ['markRelease', ...markCells(mark)]);
      if (steps.length > 0) await writer.ask({ do: 'write', steps });
    },
    insertAccounts: ({ entities, tokens }) =>
      writer.ask({ do: 'insertAccounts', entities: entities.map(entityCells), tokens: tokens.map(tokenCells) }),
  };
}
