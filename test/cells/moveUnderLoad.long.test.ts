import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { connectTo } from '../contract/freshDatabases.ts';
import { call, card, demoShop, isApproved, otherShop, pay, type Reply, read, type Shop } from '../faults/client.ts';
import { createGateway } from '../faults/gatewayProcess.ts';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { programWords } from '../programs.ts';

/** A merchant moves from one server to another while it and a neighbour take payments, through a gateway with two request threads. */

const PAYMENTS = sized({ quick: 500, assure: 5_000, reliability: 100_000 });
/** What is promised, for the merchant alone. A stop ends after 1.5 s, and waits 0.3 s for the writers before it. */
const STOP_MS_MAX = 2_000;
const BETWEEN_MS = 20;
const KEY = '5eed'.repeat(16);
const root = join(import.meta.dirname, '../..');
const merchantId = sandbox.demoShop.merchantId;

let servers: readonly [PostgresServer, PostgresServer];
before(async () => {
  servers = [await startPostgres({ fsync: false }), await startPostgres({ fsync: false })];
});
after(async () => {
  for (const server of servers) await server.kill();
});

const run = async (url: string, statement: string): Promise<readonly Record<string, unknown>[]> => {
  const sql = connectTo(url);
  return sql.unsafe(statement).finally(() => sql.end());
};

const turnpike = async (env: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<string> => {
  const args = [...programWords('src/cli/main.ts'), ...words];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env: { ...process.env, ...env } });
  return stdout;
};

/** Past payments of the merchant, each like its first one, with posting and event. Jobs seal the postings. */
const fill = (url: string, count: number): Promise<unknown> => {
  const of = `FROM generate_series(1, ${count}) n CROSS JOIN (SELECT * FROM TABLE_ WHERE merchant_id = '${merchantId}' LIMIT 1) t`;
  const copy = (table: string, changes: string): string =>
    `INSERT INTO ${table} SELECT r.* ${of.replace('TABLE_', table)}
     CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(t) || jsonb_build_object(${changes})) r;`;
  const id = "md5('past' || n)";
  return run(
    url,
    [
      copy('payment', `'id', ${id}, 'family_id', ${id}, 'merchant_transaction_id', 'past-' || n`),
      copy('posting', `'subject_id', ${id}, 'block', 0`),
      copy('outbox', `'id', md5('event' || n), 'subject_id', ${id}, 'state', 'fanned_out'`),
    ].join('\n'),
  );
};

type Paid = { readonly acknowledged: ReadonlyMap<string, string>; readonly refused: number; readonly longestMs: number };

/** One order after the other, each until it is taken. `longestMs`: between the first refusal of an order and its reply. */
async function payUntil(
  url: string,
  shop: Shop,
  { worker, isOver }: { readonly worker: string; isOver(): boolean },
): Promise<Paid> {
  const acknowledged = new Map<string, string>();
  let [refused, longestMs] = [0, 0];
  for (let n = 0; !isOver(); n += 1) {
    const name = `${worker}-order-${n}`;
    const fields = { ...card, amount: '12.00', currency: 'EUR', paymentType: 'DB', merchantTransactionId: name };
    let refusedAt: number | null = null;
    for (;;) {
      const reply: Reply = await pay(url, { shop, fields, key: `key-of-${name}` });
      if (isApproved(reply)) {
        acknowledged.set(name, reply.body?.id ?? '');
        break;
      }
      assert.equal(reply.status, 503, reply.text);
      refused += 1;
      refusedAt ??= performance.now();
      await pause(BETWEEN_MS);
    }
    if (refusedAt !== null) longestMs = Math.max(longestMs, performance.now() - refusedAt);
    await pause(BETWEEN_MS);
  }
  return { acknowledged, refused, longestMs };
}

test('a merchant moves under load: a short stop for it alone, nothing lost or doubled, the books in order', {
  timeout: 1_500_000,
}, async (t) => {
  const [first, second] = servers;
  await run(first.url(), 'CREATE DATABASE moving');
  await run(second.url(), 'CREATE DATABASE moving');
  const [mainUrl, eastUrl] = [first.url('moving'), second.url('moving')];
  const env = { DATABASE_URL: mainUrl, CELLS: `main=control east=${eastUrl}`, MASTER_KEY: KEY };
  const gateway = await createGateway({ databaseUrl: mainUrl, env: { ...env, THREADS: '2' } });
  await gateway.start();
  t.after(() => gateway.kill());
  const places = [merchantId, sandbox.otherShop.merchantId].map((id) => `('${id}', 'main')`).join(', ');
  await run(mainUrl, `INSERT INTO merchant_cell (merchant_id, cell) VALUES ${places} ON CONFLICT DO NOTHING`);
  const begin = { fields: { ...card, amount: '12.00', currency: 'EUR', paymentType: 'DB' }, key: null };
  for (const shop of [demoShop, otherShop]) assert.ok(isApproved(await pay(gateway.url, { shop, ...begin })));
  await fill(mainUrl, PAYMENTS);
  while ((await run(mainUrl, 'SELECT 1 FROM posting WHERE block = 0 LIMIT 1')).length > 0) await pause(500);
  assert.match(await turnpike(env, 'verify'), /The books are in order/);

  let isOver = false;
  const load = (shop: Shop, worker: string) => payUntil(gateway.url, shop, { worker, isOver: () => isOver });
  const mine = ['a', 'b', 'c'].map((worker) => load(demoShop, worker));
  const his = load(otherShop, 'other');
  await pause(500);
  const began = performance.now();
  const moved = JSON.parse(await turnpike(env, 'cells', 'move', merchantId, 'east', '--json'));
  const seconds = Math.round((performance.now() - began) / 1_000);
  await pause(500);
  isOver = true;
  const [own, other] = [await Promise.all(mine), await his];
  assert.equal(moved.cell, 'east');
  const seen = Math.max(...own.map(({ longestMs }) => longestMs));
  t.diagnostic(
    `${PAYMENTS} payments: writes stopped for ${moved.stoppedMs} ms in ${moved.stops} stops, seen by clients ${Math.round(seen)} ms`,
  );
  t.diagnostic(
    `${moved.copied} rows copied, ${moved.removed} removed in ${seconds} s; ${other.acknowledged.size} payments of the neighbour`,
  );
  assert.ok(moved.stoppedMs <= STOP_MS_MAX, `${moved.stoppedMs} ms`);
  assert.equal(other.refused, 0, 'the neighbour notices nothing');

  const names = own.flatMap(({ acknowledged }) => [...acknowledged]);
  const [row] = await run(
    eastUrl,
    `SELECT count(*)::int AS count, count(DISTINCT merchant_transaction_id)::int AS names FROM payment
     WHERE merchant_id = '${merchantId}' AND merchant_transaction_id LIKE '%-order-%'`,
  );
  assert.deepEqual({ ...row }, { count: names.length, names: names.length }, 'nothing is lost, nothing doubled');
  for (const [, id] of names.slice(-20)) assert.equal((await read(gateway.url, id, demoShop)).status, 200);
  assert.equal((await run(mainUrl, `SELECT 1 FROM payment WHERE merchant_id = '${merchantId}' LIMIT 1`)).length, 0);
  // Both request threads know of the new cell; both cells take payments.
  for (let n = 0; n < 6; n += 1)
    for (const shop of [demoShop, otherShop]) assert.ok(isApproved(await pay(gateway.url, { shop, ...begin })));
  assert.equal((await call(gateway.url, { method: 'GET', path: `/v1/payments/${names[0]?.[1]}` })).status, 200);
  await gateway.end('SIGTERM');
  assert.match(await turnpike(env, 'verify'), /The books are in order: .* of 2 merchants/);
  reportFigure('R46', 'payments moved', PAYMENTS + names.length);
});
