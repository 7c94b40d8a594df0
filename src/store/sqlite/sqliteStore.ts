import type { MessagePort } from 'node:worker_threads';
import { BrokenCommit, StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { accountStatements, entityCells, tokenCells } from '../areas/accounts.ts';
import { type ListedRow, paymentStatements, readBrief } from '../areas/payments.ts';
import { cellsOf, isLongCommit, longCellsOf } from '../commit/cells.ts';
import { checkCommit } from '../commit/check.ts';
import { type Database, readDue } from '../database.ts';
import { createRateBuckets, createSweepClaims } from '../oneProcess.ts';
import { sqlStore } from '../sqlStore.ts';
import type { Durability, Store } from '../store.ts';
import { checkFile } from './check.ts';
import { openReads, type Reads, sqliteDatabase } from './database.ts';
import { frozen, migrateFile, pathOf, prepareFile, type SqliteLocation } from './file.ts';
import type { WriterData } from './jobs.ts';
import { connectWriter, createLateWriter, startWriter, type Writer } from './threads.ts';

export type SqliteOptions = SqliteLocation & { readonly durability?: Durability; readonly keysBatch?: number };

/**
 * The embedded store: one file. One thread writes, a connection of the calling thread reads; other threads may join. A second process on
 * the same file is safe, because every decision is taken inside a transaction, but it gains nothing.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<OpenedSqliteStore> {
  const path = prepareFile(options);
  checkFile(path);
  const isWritable = migrateFile(path);
  const read = openReads(isWritable ? path : frozen(path));
  const { durability = 'full', keysBatch } = options;
  const begin = () => startedWriter({ path, durability, ...(keysBatch !== undefined && { keysBatch }) });
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

/** The store of the first thread of a process: other threads may join its writer. */
export type SqliteStore = Store & { readonly shareWriter: Writer['share'] };

/** `isFrozen`: it was opened on a full disk, and the file is read as it stands. */
export type OpenedSqliteStore = SqliteStore & { readonly isFrozen: boolean };

function storeOf(read: Reads, writer: Writer): SqliteStore {
  const db = sqliteDatabase(read, writer);
  return {
    ...sqlStore(db),
    shareWriter: writer.share,
    commit: async (change) => {
      checkCommit(change);
      const applied = await writer.commit(isLongCommit(change) ? await longCellsOf(change) : cellsOf(change));
      if (applied.is === 'broken') throw new BrokenCommit(`commit of payment ${change.payment.id}: ${applied.why}`);
      return applied;
    },
    insertAccounts: ({ entities, tokens }) =>
      writer.ask({
        do: 'alone',
        steps: [
          [accountStatements.insertEntity, false, entities.map(entityCells)],
          [accountStatements.insertToken, false, tokens.map(tokenCells)],
        ],
      }),
    ...claimsOf(db),
    ...createRateBuckets(),
    tryWrite: createTrial(writer),
    connections: () => null,
    close: async () => {
      read.close();
      await writer.close();
    },
  };
}

/** One process has the file, so the claims are in its memory. */
function claimsOf(db: Database): Pick<Store, 'claimDue' | 'releaseSwept' | 'deleteClaims'> {
  const claims = createSweepClaims();
  return {
    claimDue: async (query) => {
      const more = { ...query, limit: query.limit + claims.size };
      return claims.claim(await readBrief(db, await readDue<ListedRow>(db, paymentStatements.due, more)), query);
    },
    releaseSwept: async (release) => claims.release(release),
    deleteClaims: async (before) => claims.forget(before),
  };
}

const TRIAL = 'INSERT INTO write_trial (id, body) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET body = excluded.body';
/** The bytes that a large payment writes. */
const TRIAL_BYTES = 262_144;

/** Each trial writes other letters than the one before: SQLite does not write pages with unchanged content. */
function createTrial(writer: Writer): Store['tryWrite'] {
  let isEven = false;
  return async (isThorough) => {
    isEven = !isEven;
    const body = (isEven ? 'a' : 'b').repeat(isThorough ? TRIAL_BYTES : 1);
    await writer.ask({ do: 'write', steps: [[TRIAL, false, [[body]]]] });
  };
}
