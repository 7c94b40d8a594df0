import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { reportFigure } from '../figures.ts';
import { onlyLong } from '../long.ts';
import { amounts, changedOnTheWay } from './journey.ts';

const ALL = 1_000_000;
/** So many in one store, which is thrown away afterwards: all of them together would fill a disk. */
const BATCH = 10_000;

test('of a million amounts none changes between the form and the books', { skip: onlyLong }, async () => {
  const distinct = new Set<string>();
  for (let sent = 0; sent < ALL; sent += BATCH) {
    const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-money-'));
    const store = await openSqliteStore({ dataDir });
    try {
      const batch = fc.sample(amounts, BATCH);
      for (const { hundredths } of batch) distinct.add(hundredths);
      assert.deepEqual(await changedOnTheWay(store, batch), []);
    } finally {
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  assert.ok(distinct.size > ALL / 2, `${distinct.size} different ones`);
  reportFigure('R12', 'amounts', ALL);
});
