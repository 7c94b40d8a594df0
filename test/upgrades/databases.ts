import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBackup } from '../../src/app/backup/format.ts';
import type { Dialect } from '../../src/store/migrate.ts';
import { localMasters } from '../../src/vault/masterKey.ts';
import { MASTER_KEY } from '../http/gateway.ts';
import type { History } from './history.ts';

/** A database that a program of an earlier schema has filled, kept as a backup file (`scripts/release/database.ts`). */
export type KeptDatabase = {
  /** The newest migration that it has. */
  readonly schema: number;
  readonly dialect: Dialect;
  readonly commit: string;
  readonly history: History;
};

export const DATABASES: string = join(import.meta.dirname, '../fixtures/databases');
export const MASTER = MASTER_KEY;
export const masters = localMasters(MASTER, []);
export const [key] = masters;

export async function schemaOf(file: string): Promise<number> {
  const { head, content } = await openBackup(createReadStream(file), masters);
  for await (const _ of content);
  return Math.max(...head.migrations);
}

/** The oldest first. */
export function keptDatabases(): readonly (KeptDatabase & { readonly file: string })[] {
  const names = readdirSync(DATABASES).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => ({
    ...(JSON.parse(readFileSync(join(DATABASES, name), 'utf8')) as KeptDatabase),
    file: join(DATABASES, name.replace(/json$/, 'backup')),
  }));
}
