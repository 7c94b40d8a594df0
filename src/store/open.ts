import { existsSync } from 'node:fs';
import type { Audited } from './areas/audit.ts';
import { auditPostgres, openPostgresHistory } from './postgres/audit.ts';
import type { Work } from './postgres/limits.ts';
import { openPool } from './postgres/pool.ts';
import { auditSqlite, openSqliteHistory } from './sqlite/audit.ts';
import { checkFile } from './sqlite/check.ts';
import { openForReading, pathOf } from './sqlite/file.ts';
import type { OpenedHistory } from './store.ts';

/** Opens the database of the configuration for reads from the outside, whichever it is. */

export type ReaderCell = string | number;

/** Asks a database single questions, beside a gateway that may be running. It never writes and never migrates. */
export interface Reader {
  readonly dialect: 'sqlite' | 'postgres';
  /** Parameters are ?1, ?2 and so on. PostgreSQL returns large integers as strings. */
  rows<Row extends object>(text: string, cells?: readonly ReaderCell[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

export type ReaderDatabase = { readonly databaseUrl: string | null; readonly dataDir: string };

/**
 * `work` sets how long a statement may take on a server. Returns null when there is no database yet. Rejects with a sentence for the
 * operator when the database is damaged or cannot be reached.
 */
export async function openReader({ databaseUrl, dataDir }: ReaderDatabase, work: Work = 'everyday'): Promise<Reader | null> {
  if (databaseUrl === null) return openSqliteReader(pathOf({ dataDir }));
  const pool = openPool({ url: databaseUrl, poolMax: 1, work });
  const reader: Reader = {
    dialect: 'postgres',
    rows: (text, cells) => pool.read(text, cells, 'anew'),
    close: () => pool.close(),
  };
  try {
    await reader.rows('SELECT 1 AS one');
    return reader;
  } catch (error) {
    await pool.close();
    throw error;
  }
}

function openSqliteReader(path: string): Reader | null {
  if (!existsSync(path)) return null;
  checkFile(path);
  const db = openForReading(path);
  return {
    dialect: 'sqlite',
    rows: async <Row extends object>(text: string, cells: readonly ReaderCell[] = []) =>
      db.prepare(text).all(...cells) as unknown as Row[],
    close: async () => db.close(),
  };
}

/** Where the payments are kept, in the words of the configuration. */
export type HistoryDatabase = { readonly databaseUrl: string | null; readonly dataDir: string };

/** The past of the database that is set up, in any thread or process beside the gateway's. The schema must be up to date. */
export const openHistory = ({ databaseUrl, dataDir }: HistoryDatabase): Promise<OpenedHistory> =>
  databaseUrl === null ? openSqliteHistory({ dataDir }) : openPostgresHistory({ url: databaseUrl });

/** Which database is audited: one of the configuration, or a file. */
export type AuditDatabase = { readonly databaseUrl: string } | { readonly dataDir: string } | { readonly path: string };

/** Reads a database as it is at one moment, beside the gateway. The schema must be up to date. */
export const withAudit = <T>(place: AuditDatabase, work: (audit: Audited) => Promise<T>): Promise<T> =>
  'databaseUrl' in place ? auditPostgres(place.databaseUrl, work) : auditSqlite(place, work);
