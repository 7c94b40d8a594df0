import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { DEMO, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

const { demoShop, otherShop } = sandbox;
const PASSWORD = 'a password that nobody may read again';
const pem = (key: { export(options: { format: 'pem'; type: 'pkcs8' }): string | Buffer }): string =>
  String(key.export({ format: 'pem', type: 'pkcs8' }));
const p256 = pem(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey);
const rsa = pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
const weak = pem(generateKeyPairSync('ed25519').privateKey);

let gateway: TestGateway;
let administrator: Awaited<ReturnType<typeof signedInAs>>['ask'];
const store = createMemoryStore();
const replies: string[] = [];

before(async () => {
  gateway = await startGateway({ store });
  const { ask } = await signedInAs(gateway, { role: 'administrator', entityId: demoShop.merchantId });
  administrator = async (...asked) => {
    const reply = await ask(...asked);
    replies.push(JSON.stringify(reply.body));
    return reply;
  };
});
after(() => gateway.close());

const at = (id: string, what: string) => `/entities/${id}/${what}`;
const keep = (fields: object, id: string = demoShop.merchantId) => administrator('POST', at(id, 'walletKeys'), fields);
const drop = (keyId: string) => administrator('DELETE', `${at(demoShop.merchantId, 'walletKeys')}?wallet=walletC&keyId=${keyId}`);
const faultsOf = (reply: Reply): readonly string[] =>
  (reply.body.result?.parameterErrors ?? []).map((fault: { readonly name: string }) => fault.name);

async function change(wish: object): Promise<Reply> {
  const { revision } = (await administrator('GET', `/entities/${demoShop.merchantId}`)).body;
  return administrator('POST', `/entities/${demoShop.merchantId}`, { revision, ...wish });
}

const setup = (keys: readonly string[]) => ({
  'wallets.walletC': { merchantIdentifier: 'shop', keys, signers: [], requireSigned: false, windowSeconds: 300 },
});

test('a wallet is set up with a sealed key, shown by its fingerprint, rotated and destroyed', async () => {
  assert.deepEqual(faultsOf(await change({ set: setup(['2031']) })), ['wallets.walletC.keys'], 'there is no such key yet');
  const kept = await keep({ wallet: 'walletC', keyId: '2031', privateKey: p256 });
  assert.equal(kept.status, 200, JSON.stringify(kept.body));
  const [key] = kept.body.walletKeys;
  assert.match(key.fingerprint, /^[0-9a-f]{64}$/);
  assert.ok(Math.abs(Date.parse(key.keptAt) - gateway.world.clock.now()) < 60_000);
  assert.equal(key.isNamed, false);

  const named = await change({ set: setup(['2031']) });
  assert.equal(named.status, 200, JSON.stringify(named.body.result));
  assert.equal(named.body.walletKeys[0].isNamed, true);
  assert.deepEqual(faultsOf(await drop('2031')), ['keyId'], 'tokens are opened with it');
  const again = await keep({ wallet: 'walletC', keyId: '2031', privateKey: rsa });
  assert.deepEqual(faultsOf(again), ['keyId'], 'a key that is there is not overwritten');
  assert.equal((await keep({ wallet: 'walletC', keyId: '2032', privateKey: rsa })).status, 200);
  assert.equal((await change({ set: setup(['2031', '2032']) })).status, 200, 'side by side');
  assert.equal((await change({ set: setup(['2032']) })).status, 200);
  assert.equal((await drop('2031')).status, 200);
  assert.equal(await store.secret(demoShop.merchantId, 'walletC/2031'), null);
  assert.equal((await change({ inherit: ['wallets.walletC'] })).status, 200);
  assert.equal((await drop('2032')).status, 200);
  assert.deepEqual((await administrator('GET', `/entities/${demoShop.merchantId}`)).body.walletKeys, []);
  assert.equal((await drop('2032')).status, 404);
});

test('a key that was kept by other means is found when the setup stops naming it', async () => {
  await keep({ wallet: 'walletC', keyId: 'old', privateKey: p256 });
  await change({ set: setup(['old']) });
  const note = await store.document('secret', `${demoShop.merchantId}/walletC/old`);
  assert.ok(note);
  await store.saveDocuments([{ collection: 'secret', id: note.id, revision: note.revision, isDeleted: true }]);
  const { walletKeys } = (await administrator('GET', `/entities/${demoShop.merchantId}`)).body;
  assert.deepEqual([walletKeys[0].keyId, walletKeys[0].keptAt], ['old', null], 'nobody knows since when');
  const { body } = await change({ inherit: ['wallets.walletC'] });
  assert.deepEqual([body.walletKeys[0].keyId, body.walletKeys[0].isNamed], ['old', false]);
  assert.equal((await drop('old')).status, 200);
});

const unfit: readonly (readonly [what: string, fields: object, fault: string])[] = [
  ['of another kind', { wallet: 'walletA', keyId: 'x', privateKey: weak }, 'privateKey'],
  ['an RSA key where P-256 is asked for', { wallet: 'walletB', keyId: 'x', privateKey: rsa }, 'privateKey'],
  ['an identity of a wallet that knows none', { wallet: 'walletB', use: 'identity', keyId: 'x', privateKey: p256 }, 'privateKey'],
  ['damaged', { wallet: 'walletA', keyId: 'x', privateKey: p256.replace('MIGH', 'AAAA') }, 'privateKey'],
  ['no key at all', { wallet: 'walletA', keyId: 'x', privateKey: PASSWORD }, 'privateKey'],
  ['with a path for an id', { wallet: 'walletA', keyId: '../x', privateKey: p256 }, 'keyId'],
];
for (const [what, fields, fault] of unfit) {
  test(`a key is refused and not repeated: ${what}`, async () => {
    const reply = await keep(fields);
    assert.deepEqual([reply.status, faultsOf(reply)], [400, [fault]]);
  });
}

test('passwords and keys of servers are sealed and shown only by kind and age', async () => {
  const path = at(demoShop.merchantId, 'serverSecrets');
  assert.deepEqual(faultsOf(await administrator('POST', path, { server: 'reconciliation' })), ['password']);
  const both = { server: 'reconciliation', password: PASSWORD, privateKey: rsa };
  assert.deepEqual(faultsOf(await administrator('POST', path, both)), ['password']);
  const kept = await administrator('POST', path, { server: 'reconciliation', password: PASSWORD });
  const [reconciliation, settlement] = kept.body.serverSecrets;
  assert.deepEqual([reconciliation.kind, reconciliation.fingerprint], ['password', null]);
  assert.notEqual(reconciliation.keptAt, null);
  assert.deepEqual(settlement, { server: 'settlement', kind: null, fingerprint: null, keptAt: null });
  const fetched = await administrator('POST', path, { server: 'settlement', privateKey: rsa });
  assert.match(fetched.body.serverSecrets[1].fingerprint, /^[0-9a-f]{64}$/);
  const misplaced = await administrator('POST', at(DEMO.entityId, 'serverSecrets'), {
    server: 'reconciliation',
    password: PASSWORD,
  });
  assert.deepEqual(faultsOf(misplaced), ['server']);
  for (const server of ['reconciliation', 'settlement']) {
    assert.equal((await administrator('DELETE', `${path}?server=${server}`)).status, 200);
    assert.equal(await store.secret(demoShop.merchantId, server), null);
  }
});

test("only with the right, with a step-up, at the user's own nodes", async () => {
  const acts = [
    ['POST', 'walletKeys', { wallet: 'walletC', keyId: 'x', privateKey: p256 }],
    ['POST', 'serverSecrets', { server: 'settlement', password: PASSWORD }],
    ['DELETE', 'walletKeys?wallet=walletC&keyId=x', undefined],
    ['DELETE', 'serverSecrets?server=settlement', undefined],
  ] as const;
  const sleepy = (await signedInAs(gateway, { role: 'administrator', entityId: demoShop.merchantId, isSteppedUp: false })).ask;
  const developer = (await signedInAs(gateway, { role: 'developer', entityId: demoShop.merchantId })).ask;
  for (const [method, what, body] of acts) {
    assert.equal((await developer(method, at(demoShop.merchantId, what), body)).status, 403);
    const late = await sleepy(method, at(demoShop.merchantId, what), body);
    assert.deepEqual([late.status, late.headers.get('x-turnpike-needs')], [403, 'stepUp']);
    assert.equal((await administrator(method, at(otherShop.merchantId, what), body)).status, 404);
  }
});

test('no secret was ever answered, logged or stored in clear', async () => {
  const inside = [p256, rsa].map((text) => text.split('\n')[1] ?? '');
  const everywhere = [...replies, ...gateway.lines, JSON.stringify(await store.entities())].join('\n');
  for (const secret of [PASSWORD, ...inside]) assert.ok(!everywhere.includes(secret));
  const documents = await store.documents({ collection: 'secret', ownerId: demoShop.merchantId, limit: 100 });
  assert.ok(!JSON.stringify(documents).includes(PASSWORD));
});
