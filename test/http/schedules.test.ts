import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { testDatabase } from '../postgres.ts';
import { scheduleStories } from './scheduleStories.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-plans-'));
after(() => rmSync(folder, { recursive: true, force: true }));

scheduleStories('memory', async () => createMemoryStore());
scheduleStories('SQLite', () => openSqliteStore({ path: join(folder, 'plans.db') }));
scheduleStories('PostgreSQL', async () => openPostgresStore({ url: (await testDatabase()).url }));
