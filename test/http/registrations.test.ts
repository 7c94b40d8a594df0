import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { testDatabase } from '../postgres.ts';
import { registrationStories } from './registrationStories.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-stored-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

registrationStories('memory', async () => createMemoryStore());
registrationStories('SQLite', () => {
  files += 1;
  return openSqliteStore({ path: join(folder, `${files}.db`) });
});
registrationStories('PostgreSQL', async () => openPostgresStore({ url: (await testDatabase()).url }));
