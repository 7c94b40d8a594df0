import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { startPostgres, testDatabase } from './postgres.ts';

async function ask(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connect_timeout: 2 });
  return sql.unsafe(statement).finally(() => sql.end());
}

test('a server keeps what was committed over every kind of end', async () => {
  const server = await startPostgres();
  await ask(server.url(), 'CREATE TABLE kept (n bigint)');
  const ends = [() => server.stop(), () => server.stop('immediate'), () => server.kill()];
  for (const [n, end] of ends.entries()) {
    await ask(server.url(), `INSERT INTO kept VALUES (${n})`);
    await end();
    await assert.rejects(ask(server.url(), 'SELECT 1'));
    await server.start();
  }
  assert.equal((await ask(server.url(), 'SELECT n FROM kept')).length, ends.length);
  await server.stop();
  await server.stop();
});

test('it syncs to the disk unless configured otherwise, and listens on the loopback only', async () => {
  const server = await startPostgres({ settings: { work_mem: '5MB' } });
  const shown = await Promise.all(['fsync', 'listen_addresses', 'work_mem'].map((name) => ask(server.url(), `SHOW ${name}`)));
  assert.deepEqual(
    shown.map(([row]) => Object.values(row ?? {})[0]),
    ['on', '127.0.0.1', '5MB'],
  );
  await server.stop();
});

test('every test database is a fresh one, and can be dropped while a session uses it', async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()]);
  await ask(one.url, 'CREATE TABLE t (n bigint)');
  await ask(other.url, 'CREATE TABLE t (n bigint)');
  const guest = postgres(one.url, { max: 1, fetch_types: false });
  await guest.unsafe('SELECT 1');
  await one.drop();
  await assert.rejects(ask(one.url, 'SELECT 1'), /does not exist/);
  await guest.end({ timeout: 0 });
  await other.drop();
});

test('server and files go with the process that started them, however it dies', async () => {
  const script = `
    import { startPostgres } from '${new URL('./postgres.ts', import.meta.url)}';
    const { dataDir, url } = await startPostgres();
    console.log(JSON.stringify({ dataDir, url: url() }));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
  const { dataDir, url } = JSON.parse(line) as { readonly dataDir: string; readonly url: string };
  assert.equal((await ask(url, 'SELECT 1')).length, 1);
  child.kill('SIGKILL');
  for (let tries = 0; tries < 200 && existsSync(dataDir); tries += 1) await pause(50);
  assert.equal(existsSync(dataDir), false);
  await assert.rejects(ask(url, 'SELECT 1'));
});
