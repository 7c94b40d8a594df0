import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findProgram, skipWithout } from './debian.ts';
import { call, card, demoShop, isApproved, otherShop, pay, type Reply, type Shop } from './faults/client.ts';
import { createGateway, type GatewayProcess, temporaryFolder } from './faults/gatewayProcess.ts';
import { reportFigure } from './figures.ts';
import { freePort } from './freePort.ts';
import { sized } from './long.ts';

/** Two installations behind HAProxy with the lines of docs/scale.md: the demo shop lives in north, the other one in east. */

const PAYMENTS = sized({ quick: 40, assure: 200, reliability: 2_000 });
const skip = await skipWithout('haproxy');

let [north, east]: GatewayProcess[] = [];
let router = { url: '', close: async () => {} };

/** The configuration of the page, with the addresses and files of this test. */
function configurationOf(port: number, folder: string): string {
  const page = readFileSync(join(import.meta.dirname, '../docs/scale.md'), 'utf8');
  const [, lines = ''] = /```\n# haproxy\.cfg\n([\s\S]*?)```/.exec(page) ?? [];
  const at = { north: new URL(north?.url ?? '').host, east: new URL(east?.url ?? '').host };
  const own = lines
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replaceAll('/etc/haproxy', folder)
    .replace(/ {2}server n2 .*\n| {2}server e2 .*\n/g, '')
    .replace(/server n1 \S+/, `server n1 ${at.north}`)
    .replace(/server e1 \S+/, `server e1 ${at.east}`);
  return `defaults\n  mode http\n  timeout connect 5s\n  timeout client 65s\n  timeout server 65s\n  timeout check 10s\n  retries 0\n${own}`;
}

async function startRouter(tokens: string) {
  const [port, folder] = [await freePort(), temporaryFolder()];
  writeFileSync(join(folder, 'tokens.map'), tokens);
  writeFileSync(join(folder, 'nodes.map'), 'e1 east\nn1 north\n');
  writeFileSync(join(folder, 'hosts.map'), 'east.pay.example east\nnorth.pay.example north\n');
  writeFileSync(join(folder, 'haproxy.cfg'), configurationOf(port, folder));
  const child = spawn(findProgram('haproxy') ?? '', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'inherit' });
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const isReady = async (node: string) =>
    (await fetch(`${url}/health/ready?checkoutId=x-${node}`).catch(() => null))?.status === 200;
  while (child.exitCode === null && !((await isReady('n1')) && (await isReady('e1')))) await pause(50);
  assert.equal(child.exitCode, null, 'HAProxy takes the configuration of the page');
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { url, close };
}

const idOf = ({ token }: Shop): string => Buffer.from(token, 'base64').toString().split('|')[0] ?? '';

before(async () => {
  if (skip !== false) return;
  north = await createGateway({ env: { NODE_NAME: 'n1', THREADS: '1', PUBLIC_URL: 'https://north.pay.example' } });
  east = await createGateway({ env: { NODE_NAME: 'e1', THREADS: '1', PUBLIC_URL: 'https://east.pay.example' } });
  await Promise.all([north.start(), east.start()]);
  router = await startRouter(`${idOf(otherShop)} east\n`);
});
after(async () => {
  await router.close();
  await Promise.all([north?.kill(), east?.kill()]);
});

const order = { ...card, amount: '12.00', currency: 'EUR', paymentType: 'DB' };
const payOnce = (shop: Shop, name: string, url = router.url): Promise<Reply> =>
  pay(url, { shop, fields: { ...order, merchantTransactionId: `order-${name}` }, key: `key-of-${name}` });

test('each request finds the installation of its merchant, by token, checkout or host', { skip }, async () => {
  for (const [shop, own, node] of [
    [demoShop, north, 'n1'],
    [otherShop, east, 'e1'],
  ] as const) {
    const paid = await payOnce(shop, `order-${node}`);
    assert.ok(isApproved(paid), paid.text);
    const path = `/v1/payments/${paid.body?.id}`;
    assert.equal((await call(own?.url ?? '', { method: 'GET', path, shop })).status, 200);
    const other = own === north ? east : north;
    assert.equal((await call(other?.url ?? '', { method: 'GET', path, shop })).status, 404);

    const fields = { entityId: shop.entityId, amount: '12.00', currency: 'EUR', paymentType: 'DB' };
    const { body } = await call(router.url, { method: 'POST', path: '/v1/checkouts', shop, fields });
    assert.match(body?.id ?? '', new RegExp(`-${node}$`));
    // The shopper's browser has no token.
    const widget = await fetch(`${router.url}/v1/paymentWidgets.js?checkoutId=${body?.id}`);
    assert.equal(widget.status, 200);
    const fetched = await fetch(`${router.url}/v1/checkouts/${body?.id}/widget`);
    assert.equal(fetched.status, 200, await fetched.text());
  }
});

test('a killed installation takes no merchant of the other with it', { skip, timeout: 300_000 }, async () => {
  const work = async (shop: Shop, name: string): Promise<readonly Reply[]> => {
    const replies: Reply[] = [];
    for (let at = 0; at < PAYMENTS; at += 1) replies.push(await payOnce(shop, `${name}-${at}`));
    return replies;
  };
  const [mine, his] = [work(demoShop, 'mine'), work(otherShop, 'his').catch(() => [])];
  await pause(200);
  await east?.kill();
  const replies = await mine;
  reportFigure('R46', 'payments beside a killed installation', replies.length);
  assert.equal(replies.filter(isApproved).length, PAYMENTS, JSON.stringify(replies.find((reply) => !isApproved(reply))));
  await his;
  while ((await payOnce(otherShop, 'meanwhile').catch(() => null))?.status !== 503) await pause(100);
  await east?.start();
  let back = await payOnce(otherShop, 'afterwards');
  while (back.status === 503) {
    await pause(100);
    back = await payOnce(otherShop, 'afterwards');
  }
  assert.ok(isApproved(back), back.text);
});

test('the control: a token that the map leads astray is refused', { skip }, async () => {
  const paid = await payOnce(demoShop, 'at-home');
  const astray = await startRouter(`${idOf(demoShop)} east\n`);
  try {
    const path = `/v1/payments/${paid.body?.id}`;
    assert.equal((await call(astray.url, { method: 'GET', path, shop: demoShop })).status, 404);
  } finally {
    await astray.close();
  }
});
