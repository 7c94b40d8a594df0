import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { openPostgresStore } from '../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { CHARGED, forms, needles, type Seen, sayEverywhere, tainted } from './cardTexts.ts';
import { startPostgres } from './postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-card-texts-'));
after(() => rmSync(folder, { recursive: true, force: true }));
/** All forms run in canaryTexts.long.test.ts; this file has dots, and digits beyond ASCII. */
const [dots, fullWidth] = [forms.slice(2, 3), forms.slice(-1)];

const nothing = (seen: Seen): void => {
  assert.deepEqual({ answers: seen.answers, log: seen.log, files: seen.files }, { answers: [], log: [], files: [] });
  assert.deepEqual(seen.untaken, [], 'a path refused every request with a number in it: nothing of it was stored');
  assert.ok(seen.taken >= 150, `only ${seen.taken} parameters were taken with a number in them`);
};

test('SQLite: no card number of a free text is in an answer, the log, the database or its journal', async () => {
  const dataDir = mkdtempSync(join(folder, 'sqlite-'));
  nothing(await sayEverywhere(await openSqliteStore({ dataDir }), dataDir, [...dots, ...fullWidth]));
  assert.deepEqual(tainted(dataDir), [], 'after its end');
});

test('PostgreSQL: no card number of a free text is in its files or its write-ahead log', async () => {
  const server = await startPostgres();
  try {
    nothing(await sayEverywhere(await openPostgresStore({ url: server.url() }), server.dataDir, dots));
  } finally {
    await server.stop();
  }
  assert.deepEqual(tainted(server.dataDir), [], 'after the end of the server');
});

test('the scanner finds a planted hit of every form', () => {
  for (const [at, [what, write]] of forms.entries()) {
    const planted = mkdtempSync(join(folder, `planted-${at}-`));
    writeFileSync(join(planted, 'file'), `x${write(CHARGED)}x`);
    assert.ok(tainted(planted).length >= 1, what);
  }
  assert.ok(needles.length >= 4 * forms.length);
});

test('without the search the numbers are found in answers and in the database: this is no empty test', async () => {
  const script = join(import.meta.dirname, 'faults', 'unsearchedTexts.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 2 ** 26 });
  const seen = JSON.parse(stdout) as Seen;
  assert.ok(seen.answers.length > 0 && seen.files.length > 0 && seen.log.length > 0, stdout.slice(0, 2_000));
});
