import { existsSync } from 'node:fs';
import type { Work } from './postgres/limits.ts';
import { openPool } from './postgres/pool.ts';
import { checkFile } from './sqlite/check.ts';
import { openForReading, pathOf } from './sqlite/file.ts';

export type ReaderCell = string | number;

/** Asks a database single questions, beside a gateway that may be running. It never writes and never migrates. */
export interface Reader {
  readonly dialect: 'sqlite' | 'postgres';
  /** Parameters are ?1, ?2 and so on. PostgreSQL returns large integers as texts. */
  rows<Row extends object>(text: string, cells?: readonly ReaderCell[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

export type ReaderDatabase = { readonly databaseUrl: string | null; readonly dataDir: string };

/** `work` sets how long a statement may take on a server. Null when there is no database yet. Rejects with a sentence for the operator when it is damaged or cannot be reached. */
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
