import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { serialize } from 'node:v8';
import { BODY_BYTES_MAX, openPeers } from '../../src/app/nodes/handover.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { localMaster, type Masters } from '../../src/vault/masterKey.ts';
import { freePort } from '../freePort.ts';
import { challenge, codeOn, goBack } from './cardholder.ts';
import { createClient, SHOPPER } from './client.ts';
import { MASTER_KEY, startGateway, type TestGateway } from './gateway.ts';

/** Two nodes on one store. The shopper returns to the second; the first took the payment and has the security code. */

const MINUTE_MS = 60_000;
const NUMBER = '4200000000000018';
const CODE = '123';
const store = createMemoryStore();
const second = await startGateway({ store, nodeName: 'node2' });
const first = await startGateway({ store, nodeName: 'node1', publicUrl: second.url });
after(async () => {
  await first.close();
  await second.close();
});
const shop = { first: createClient(first.url), second: createClient(second.url) };
const pay = (client = shop.first) =>
  client.pay({ 'card.number': NUMBER, 'card.cvv': CODE, ...SHOPPER, shopperResultUrl: 'https://shop.example/result' });
const answerChallenge = async (pending: Awaited<ReturnType<typeof pay>>) =>
  goBack(await challenge(pending, 'submit', codeOn), pending);

const masters: Masters = [localMaster(MASTER_KEY)];
const told: string[] = [];
const log = {
  info: (_: unknown, text?: string) => told.push(text ?? ''),
  warn: (_: unknown, text?: string) => told.push(text ?? ''),
};

/** The port for other nodes of a gateway, and the nodes that it knows. */
async function openPort(gateway: TestGateway, known: readonly string[] | null, given: Masters = masters) {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peers = await openPeers({
    config: { peerUrl: url, nodeName: 'n', host: '127.0.0.1', tls: null, databaseUrl: 'postgres://' },
    store: { peers: async () => known ?? Promise.reject(new Error('out of order')) },
    masters: given,
    world: gateway.world,
    log: log as never,
  });
  return { url, ...peers };
}

const send = async (url: string, body: Uint8Array, method = 'POST', path = '/handover') =>
  (await fetch(`${url}${path}`, { method, ...(method === 'POST' && { body: Uint8Array.from(body) }) })).status;

test('a node that ends hands the security code to another, and the payment goes on there', async () => {
  const pending = await pay();
  assert.equal(pending.code, '000.200.000', JSON.stringify(pending.body));
  const receiving = await openPort(second, []);
  const ending = await openPort(first, [receiving.url]);
  assert.equal(second.world.pendingSecrets.get(pending.id), null);
  await ending.end();
  assert.deepEqual(
    [first.world.pendingSecrets.get(pending.id), second.world.pendingSecrets.get(pending.id)?.secrets.cvv],
    [null, CODE],
  );
  await receiving.end();
  await answerChallenge(pending);
  assert.equal((await shop.second.read(pending.id)).code, '000.100.110');
  assert.equal(second.world.pendingSecrets.get(pending.id), null, 'the code is kept no longer than it is needed');
});

test('a node that was killed leaves a payment that ends without a charge, and the shopper pays again', async () => {
  const pending = await pay();
  first.world.pendingSecrets.drop(pending.id);
  await answerChallenge(pending);
  assert.equal((await shop.second.read(pending.id)).code, '000.200.000');
  second.pass(MINUTE_MS);
  await second.work('sweep');
  assert.equal((await shop.second.read(pending.id)).code, '800.400.200');
  const again = await pay(shop.second);
  await answerChallenge(again);
  assert.equal((await shop.second.read(again.id)).code, '000.100.110');
});

test('where no node answers, the end is not delayed, nothing is lost before it and the log says so', async () => {
  const pending = await pay();
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  // In the second case the database is out of order.
  for (const known of [[nowhere], null, []]) {
    told.length = 0;
    const ending = await openPort(first, known);
    await ending.end();
    assert.match(told.join(), /end with this node/);
    assert.ok(first.world.pendingSecrets.get(pending.id));
  }
  first.world.pendingSecrets.drop(pending.id);
});

test('a node that ends too, or answers nonsense, is passed over; what it was sent can be read by nobody', async (t) => {
  const bodies: Buffer[] = [];
  const stranger = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk)).on('end', () => response.writeHead(500).end());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => stranger.once('listening', resolve));
  t.after(() => stranger.close());
  const { port } = stranger.address() as { readonly port: number };
  const draining = await openPort(second, []);
  draining.announceStop();
  const receiving = await openPort(second, []);
  const pending = await pay();
  const ending = await openPort(first, [`http://127.0.0.1:${port}`, draining.url, receiving.url]);
  await ending.end();
  assert.equal(second.world.pendingSecrets.get(pending.id)?.secrets.cvv, CODE);
  const seen = Buffer.concat(bodies).toString('latin1');
  assert.ok(seen.length > 500);
  for (const secret of [NUMBER, pending.id, 'shop.example', 'secrets']) assert.ok(!seen.includes(secret), secret);
  // The search itself works.
  assert.ok(serialize(second.world.pendingSecrets.get(pending.id)).toString('latin1').includes(NUMBER));
  for (const one of [draining, receiving]) await one.end();
});

test('strangers, repetitions, bodies for others, old ones and large ones are refused', async () => {
  const receiving = await openPort(second, []);
  const attempt = { payment: { id: 'forged', merchantId: 'merchant' }, secrets: {} };
  const sent = (at: number) => serialize({ format: 1, at, nonce: `n${at}`, entries: [{ attempt, until: at + MINUTE_MS }] });
  const sealed = (bound: string, at = second.world.clock.now(), master = masters[0]) =>
    master.wrap(sent(at), Buffer.from(`handover of open authentications to ${bound}`));
  const own = await sealed(receiving.url);
  const damaged = Uint8Array.from(own, (byte, at) => (at === 40 ? byte ^ 1 : byte));
  const { url } = receiving;
  const statuses = {
    nonsense: await send(url, Buffer.from('{"attempt":{}}')),
    nothing: await send(url, Buffer.alloc(0)),
    unsealed: await send(url, sent(second.world.clock.now())),
    'another key': await send(url, await sealed(url, second.world.clock.now(), localMaster(Buffer.alloc(32, 8)))),
    'another node': await send(url, await sealed('http://127.0.0.1:1')),
    damaged: await send(url, damaged),
    old: await send(url, await sealed(url, second.world.clock.now() - 16 * MINUTE_MS)),
    large: await send(url, new Uint8Array(BODY_BYTES_MAX + 1)).catch(() => 413),
    'another method': await send(url, own, 'GET'),
    'another path': await send(url, own, 'POST', '/v1/payments'),
  };
  assert.deepEqual(statuses, {
    nonsense: 403,
    nothing: 403,
    unsealed: 403,
    'another key': 403,
    'another node': 403,
    damaged: 403,
    old: 409,
    large: 413,
    'another method': 405,
    'another path': 404,
  });
  assert.equal(second.world.pendingSecrets.get('forged'), null);
  // The control: the same from a node with the key is taken, once.
  assert.deepEqual([await send(url, own), await send(url, own)], [204, 409]);
  assert.ok(second.world.pendingSecrets.get('forged'));
  second.world.pendingSecrets.drop('forged');
  await receiving.end();
});

test('while the master key is rotated, a node with the new key takes what one with the old key sends', async () => {
  const pending = await pay();
  const receiving = await openPort(second, [], [localMaster(Buffer.alloc(32, 9)), ...masters]);
  const ending = await openPort(first, [receiving.url]);
  await ending.end();
  assert.ok(second.world.pendingSecrets.get(pending.id));
  await receiving.end();
});
