import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { connectTo } from '../contract/freshDatabases.ts';
import { card, demoShop, isApproved, otherShop, pay, type Reply, read, type Shop } from '../faults/client.ts';
import { createGateway, type GatewayProcess } from '../faults/gatewayProcess.ts';
import { sized } from '../long.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { programWords } from '../programs.ts';

/** A gateway on two PostgreSQL servers: the first has control and a cell, the second a cell that is killed under load. */

const PAYMENTS = sized({ quick: 20, assure: 200, reliability: 2_000 });
const WAIT_MS = 100;
const KEY = '5eed'.repeat(16);
const OPERATOR = 'operator-of-this-gateway.0123456789';
const root = join(import.meta.dirname, '../..');

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

type Setup = { readonly gateway: GatewayProcess; readonly env: Record<string, string>; readonly eastUrl: string };

/** A running gateway; `demoIn`: the cell of the first merchant. The second lives in east. */
async function setUp(name: string, demoIn: 'north' | 'east'): Promise<Setup> {
  const [first, second] = servers;
  for (const database of [name, `${name}_north`]) await run(first.url(), `CREATE DATABASE ${database}`);
  await run(second.url(), `CREATE DATABASE ${name}`);
  const [controlUrl, eastUrl] = [first.url(name), second.url(name)];
  const env = { DATABASE_URL: controlUrl, CELLS: `north=${first.url(`${name}_north`)} east=${eastUrl}`, MASTER_KEY: KEY };
  const gateway = await createGateway({ databaseUrl: controlUrl, env: { ...env, THREADS: '1', ADMIN_TOKEN: OPERATOR } });
  await gateway.start();
  const places = `('${sandbox.demoShop.merchantId}', '${demoIn}'), ('${sandbox.otherShop.merchantId}', 'east')`;
  await run(controlUrl, `INSERT INTO merchant_cell (merchant_id, cell) VALUES ${places}`);
  return { gateway, env, eastUrl };
}

const order = (name: string) => ({
  fields: { ...card, amount: '12.00', currency: 'EUR', paymentType: 'DB', merchantTransactionId: `the-order-${name}` },
  key: `key-of-${name}`,
});

/** One payment after the other of one merchant, each with a key and a name of its own. */
async function payMany(url: string, shop: Shop): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  for (let at = 0; at < PAYMENTS; at += 1) replies.push(await pay(url, { shop, ...order(`order-${at}`) }));
  return replies;
}

/** Pays an order until the answer is not 503. */
async function payUntilDone(url: string, shop: Shop, name: string): Promise<Reply> {
  for (;;) {
    const reply = await pay(url, { shop, ...order(name) });
    if (reply.status !== 503) return reply;
    await pause(WAIT_MS);
  }
}

const health = async (url: string) => {
  const reply = await fetch(`${url}/health/ready`);
  return { status: reply.status, body: (await reply.json()) as { readonly brokenCells?: readonly { readonly cell: string }[] } };
};

/** The status of the operator's list of payments of an entity. */
const listOf = async (url: string, entityId: string): Promise<number> => {
  const headers = { authorization: `Bearer ${OPERATOR}` };
  return (await fetch(`${url}/admin/v1/payments?entityId=${entityId}`, { headers })).status;
};

test('a killed cell leaves the merchants of the others at 100 %, and its own lose and double nothing', {
  timeout: 300_000,
}, async (t) => {
  const [, second] = servers;
  const { gateway, env, eastUrl } = await setUp('killed', 'north');
  t.after(() => gateway.kill());
  for (const shop of [demoShop, otherShop]) {
    const reply = await payUntilDone(gateway.url, shop, 'before');
    assert.ok(isApproved(reply), reply.text);
  }
  assert.equal(await listOf(gateway.url, sandbox.psp), 200);

  const [mine, his] = [payMany(gateway.url, demoShop), payMany(gateway.url, otherShop)];
  await pause(WAIT_MS);
  await second.stop('immediate');
  const replies = await mine;
  assert.equal(replies.filter(isApproved).length, PAYMENTS, JSON.stringify(replies.find((reply) => !isApproved(reply))?.body));
  const refused = (await his).filter((reply) => !isApproved(reply));
  for (const { status } of refused) assert.equal(status, 503);
  const form = new URLSearchParams({ entityId: otherShop.entityId, ...order('late').fields });
  const headers = { authorization: `Bearer ${otherShop.token}`, 'idempotency-key': 'key-of-late' };
  const late = await fetch(`${gateway.url}/v1/payments`, { method: 'POST', headers, body: form });
  assert.deepEqual([late.status, late.headers.get('retry-after')], [503, '1']);
  assert.equal((await read(gateway.url, replies[0]?.body?.id ?? '', demoShop)).status, 200);
  while ((await health(gateway.url)).body.brokenCells?.[0]?.cell !== 'east') await pause(WAIT_MS);
  assert.equal((await health(gateway.url)).status, 200);

  // A list with a hole would be believed.
  assert.equal(await listOf(gateway.url, sandbox.psp), 503);
  assert.equal(await listOf(gateway.url, sandbox.demoShop.merchantId), 200);

  // A node can be started without the cell.
  await gateway.end('SIGTERM');
  await gateway.start();
  assert.ok(isApproved(await pay(gateway.url, { shop: demoShop, ...order('meanwhile') })));

  await second.start();
  const names = [...Array.from({ length: PAYMENTS }, (_, at) => `order-${at}`), 'late'];
  for (const name of names) assert.ok(isApproved(await payUntilDone(gateway.url, otherShop, name)), name);
  const [row] = await run(
    eastUrl,
    'SELECT count(*)::int AS count, count(DISTINCT merchant_transaction_id)::int AS names FROM payment',
  );
  assert.deepEqual({ ...row }, { count: PAYMENTS + 2, names: PAYMENTS + 2 });
  while ((await health(gateway.url)).body.brokenCells) await pause(WAIT_MS);
  await gateway.end('SIGTERM');
  const words = [...programWords('src/cli/main.ts'), 'verify'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, env: { ...process.env, ...env } });
  assert.match(stdout, /The books are in order: .* of 2 merchants/);
});

test('the control: a merchant in the killed cell is not at 100 %', { timeout: 120_000 }, async (t) => {
  const [, second] = servers;
  const { gateway } = await setUp('control', 'east');
  t.after(() => gateway.kill());
  assert.ok(isApproved(await payUntilDone(gateway.url, demoShop, 'before')));
  await second.stop('immediate');
  assert.equal((await payMany(gateway.url, demoShop)).filter(isApproved).length, 0);
  await second.start();
  assert.ok(isApproved(await payUntilDone(gateway.url, demoShop, 'after')));
});
