import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { commit, payment } from '../../../test/contract/storeFixtures.ts';
import { StoreOutOfOrder, UnknownOutcome } from '../../payments/storeErrors.ts';
import { cellsOf } from '../commit/cells.ts';
import { migrationsOf, migrationTable } from '../migrate.ts';
import { openHistory } from '../open.ts';
import type { Durability } from '../store.ts';
import { openForReading } from './file.ts';
import { openSqliteStore } from './sqliteStore.ts';
import { startWriter } from './threads.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-sqlite-'));
after(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('folder and files are for their owner alone', async () => {
  const dataDir = join(folder, 'deep', 'down');
  const store = await openSqliteStore({ dataDir });
  await store.commit(commit(payment(), 0));
  const files = ['turnpike.db', 'turnpike.db-wal', 'turnpike.db-shm'].map((name) => modeOf(join(dataDir, name)));
  assert.deepEqual([modeOf(dataDir), ...files], ['700', '600', '600', '600']);
  await store.close();
});

test('a path may be given instead of a folder, and the log is gone after closing', async () => {
  const path = join(folder, 'own name.db');
  const store = await openSqliteStore({ path });
  await store.commit(commit(payment(), 0));
  await store.close();
  assert.equal(modeOf(path), '600');
  assert.throws(() => statSync(`${path}-wal`), /ENOENT/);
});

test('several that open a new file at once agree on its schema', async () => {
  const dataDir = join(folder, 'race');
  const stores = await Promise.all(Array.from({ length: 4 }, () => openSqliteStore({ dataDir })));
  const outcomes = await Promise.all(stores.map((store) => store.commit(commit(payment(), 0))));
  assert.deepEqual(new Set(outcomes.map(({ is }) => is)), new Set(['kept']));
  await Promise.all(stores.map((store) => store.close()));
});

test('a file to which a newer program has added is worked on, one from which it has taken is left alone', async () => {
  const dataDir = join(folder, 'newer');
  const openAndClose = async () => (await openSqliteStore({ dataDir })).close();
  const note = (number: number, name: string) => {
    const hand = new DatabaseSync(join(dataDir, 'turnpike.db'));
    hand.exec(`INSERT INTO migration VALUES (${number}, '${name}', 'then')`);
    hand.close();
  };
  await openAndClose();
  note(9998, 'tomorrow');
  await openAndClose();
  note(9999, 'tomorrow-needs-9998');
  await assert.rejects(openSqliteStore({ dataDir }), /schema 9999.*newer version of the program/);
});

test('a file at an earlier schema is brought up to date, and keeps what is in it', async () => {
  const path = join(folder, 'old.db');
  const hand = new DatabaseSync(path);
  hand.exec(migrationTable);
  for (const { number, name, text } of migrationsOf('sqlite').slice(0, 1)) {
    hand.exec(text);
    hand.exec(`INSERT INTO migration VALUES (${number}, '${name}', 'then')`);
  }
  hand.exec("INSERT INTO entity (id, kind, name, settings) VALUES ('a', 'psp', 'A', '{}')");
  hand.close();
  const store = await openSqliteStore({ path });
  assert.deepEqual(await store.entities(), [{ id: 'a', kind: 'psp', parentId: null, name: 'A', settings: {}, revision: 1 }]);
  assert.deepEqual(await store.commit(commit(payment(), 0)), { is: 'kept' });
  await store.close();
  await (await openSqliteStore({ path })).close();
});

test('a reader of the past names the file that is not there, and makes none', async () => {
  const dataDir = join(folder, 'nothing');
  await assert.rejects(openHistory({ databaseUrl: null, dataDir }), /no database at .*nothing.*turnpike\.db/);
  assert.throws(() => statSync(dataDir), /ENOENT/);
});

test('another process reads the past beside the one that writes, and cannot write itself', async () => {
  const dataDir = join(folder, 'beside');
  const store = await openSqliteStore({ dataDir });
  await store.commit(commit(payment(), 0));
  const script = `
    import { openHistory } from '${new URL('../open.ts', import.meta.url)}';
    const history = await openHistory({ databaseUrl: null, dataDir: process.argv[1] });
    const page = await history.history({ after: null, before: Number.MAX_SAFE_INTEGER, merchantId: null, limit: 10 });
    await history.close();
    process.stdout.write(String(page.length));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  assert.equal(output, '1');
  assert.deepEqual(await store.commit(commit(payment(), 0)), { is: 'kept' });
  await store.close();
  assert.throws(() => openForReading(join(dataDir, 'turnpike.db')).exec('DELETE FROM outbox'), /readonly/);
});

test('a writer that dies rejects all pending calls, and refuses later ones', async () => {
  const writer = startWriter({ path: join(folder, 'no', 'such', 'folder', 'x.db'), durability: 'full' });
  const row = cellsOf(commit(payment(), 0));
  const waiting = [writer.commit(row), writer.commit(row), writer.ask({ do: 'ping' })];
  const ends = await Promise.allSettled(waiting);
  const names = ends.map((end) => (end.status === 'rejected' ? end.reason.name : end.status));
  assert.deepEqual(names, [UnknownOutcome.name, UnknownOutcome.name, StoreOutOfOrder.name]);
  await assert.rejects(writer.commit(row), StoreOutOfOrder);
  await writer.close();
});

/** A process that commits without end, telling each id as soon as its commit is acknowledged, until it is killed. */
const committer = `
  import { openSqliteStore } from '${new URL('./sqliteStore.ts', import.meta.url)}';
  import { commit, payment } from '${new URL('../../../test/contract/storeFixtures.ts', import.meta.url)}';
  const store = await openSqliteStore({ dataDir: process.argv[1], durability: process.argv[2] });
  const queue = async () => {
    for (;;) {
      const change = payment();
      const { is } = await store.commit(commit(change, 0));
      if (is === 'kept') process.stdout.write(change.id + '\\n');
    }
  };
  for (let queues = 0; queues < 16; queues += 1) void queue();`;

async function lostByKill(
  dataDir: string,
  durability: Durability,
): Promise<{ readonly acknowledged: number; readonly lost: number }> {
  const flags = ['--input-type=module', '--eval', committer, dataDir, durability];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    // Well into its work, and not at the end of a turn.
    if (output.length > 33 * 500) child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.once('close', resolve));
  const ids = output.split('\n').slice(0, -1);
  const store = await openSqliteStore({ dataDir });
  const found = await Promise.all(ids.map((id) => store.payment('merchant', id)));
  await store.close();
  return { acknowledged: ids.length, lost: found.filter((one) => one === null).length };
}

test('what was acknowledged survives kill -9', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { acknowledged, lost } = await lostByKill(join(folder, `kill ${round}`), 'full');
    assert.ok(acknowledged >= 500);
    assert.equal(lost, 0);
  }
});

test('the control: a store that acknowledges too early loses, and the test sees it', async () => {
  // A kill may fall right behind a turn of the disk: of a few kills one does not.
  let all = 0;
  for (let round = 0; round < 5 && all === 0; round += 1) all += (await lostByKill(join(folder, `control ${round}`), 'off')).lost;
  assert.ok(all > 0);
});
