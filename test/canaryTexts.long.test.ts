import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { forms, sayEverywhere, tainted } from './cardTexts.ts';

for (const form of forms) {
  test(`a card number ${form[0]} in every text of every request is in no answer, log line or file`, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-card-texts-'));
    try {
      const { answers, log, files } = await sayEverywhere(await openSqliteStore({ dataDir }), dataDir, [form]);
      assert.deepEqual({ answers, log, files, after: tainted(dataDir) }, { answers: [], log: [], files: [], after: [] });
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
}
