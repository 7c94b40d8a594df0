import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { createReadAfterNewest, raceEvents } from './r11.ts';

const EVENTS = sized({ quick: 1_000, assure: 20_000, reliability: 100_000 });
const race = { events: EVENTS, lateOnceIn: 10, lateMs: 20 };

test('R11: SQLite: 64 writers, some of them late, and four readers: every event is heard once', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-events-'));
  const store = await openSqliteStore({ dataDir });
  t.after(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const { late, ...faults } = await raceEvents({ stores: [store], ...race });
  assert.ok(late > 0);
  assert.deepEqual(faults, { missed: 0, doubled: 0, foreign: 0 });
  reportFigure('R11', 'events', EVENTS);
  reportFigure('R11', 'late commits', late);
});

test('control: a reader that asks only for events after the newest it has seen misses the late ones', async () => {
  const { missed, late } = await raceEvents({
    stores: [createMemoryStore()],
    ...race,
    events: 1_000,
    plant: createReadAfterNewest(),
  });
  assert.ok(missed > 0, `of ${late} late commits none was missed`);
});
