import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { noticeRight, writeNotices } from '../../src/audit/notices.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { retention } from '../../src/spec/retention.ts';
import { DAY_MS } from '../../src/spec/time.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createAdministrator } from './administrator.ts';
import { DEMO, OTHER } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

/** T19: who changes a webhook, a token or a key cannot do so unseen: the others who may do the same learn it. */

const { demoShop, otherShop, psp } = sandbox;
const OPERATOR = 'operator-of-this-gateway.0123456789';
const store = createMemoryStore();
let gateway: TestGateway;
type User = Awaited<ReturnType<typeof signedInAs>>;
let [actor, colleague, developer, above]: User[] = [];
let [reader, stranger, channelOnly]: User[] = [];

before(async () => {
  gateway = await startGateway({ store, operatorToken: OPERATOR });
  const at = (role: 'administrator' | 'developer' | 'readOnly', entityId: string) => signedInAs(gateway, { role, entityId });
  actor = await at('administrator', demoShop.merchantId);
  colleague = await at('administrator', demoShop.merchantId);
  developer = await at('developer', demoShop.merchantId);
  above = await at('administrator', psp);
  reader = await at('readOnly', demoShop.merchantId);
  stranger = await at('administrator', otherShop.merchantId);
  channelOnly = await at('administrator', DEMO.entityId);
  await gateway.work('write notices');
});
after(() => gateway.close());

type Seen = { readonly what: string; readonly number: number; readonly isRead: boolean };
const noticesOf = async (user: User | undefined): Promise<readonly Seen[]> =>
  (await (user as User).ask('GET', '/me/notices')).body.notices;
/** The names of unread notices, the newest first. */
const unread = async (user: User | undefined) => (await noticesOf(user)).filter(({ isRead }) => !isRead).map(({ what }) => what);
const readAll = async () => {
  for (const user of [actor, colleague, developer, above, reader, stranger, channelOnly]) {
    const [newest] = await noticesOf(user);
    if (newest) await user?.ask('POST', '/me/notices', { number: newest.number });
  }
};
const act = async (method: string, path: string, body?: object) => {
  const reply = await (actor as User).ask(method, path, body);
  assert.equal(reply.status, 200, `${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
};
const URL_ONE = 'http://127.0.0.1:9/one';

test('a new address of a webhook is told to those who may change it, and to no other', async () => {
  const { id } = await act('POST', '/webhooks', { entityId: demoShop.merchantId, name: 'Orders', url: URL_ONE });
  await act('POST', `/webhooks/${id}`, { url: 'http://127.0.0.1:9/two' });
  await gateway.work('write notices');
  const both = ['changeWebhook', 'createWebhook'];
  for (const user of [colleague, developer, above]) assert.deepEqual(await unread(user), both);
  for (const user of [actor, reader, stranger, channelOnly]) assert.deepEqual(await noticesOf(user), []);
  const [seen] = await noticesOf(colleague);
  const { number, at, ...rest } = seen as Seen & { readonly at: string };
  const { name, email } = (actor as User).user;
  assert.ok(number > 0 && Math.abs(Date.parse(at) - gateway.world.clock.now()) < 60_000);
  assert.deepEqual(rest, {
    by: 'user',
    whoName: `${name} <${email}>`,
    what: 'changeWebhook',
    entityId: demoShop.merchantId,
    objectId: id,
    from: '127.0.0.1',
    isRead: false,
  });
  assert.ok(!JSON.stringify(await noticesOf(colleague)).includes('/two'), 'the address itself may hold a secret');
  const tasks = await (colleague as User).ask('GET', `/me/tasks?entityId=${demoShop.merchantId}`);
  assert.equal(tasks.body.notices, 2);
});

test('what is read stays in the list, for each user apart; a later one is new again', async () => {
  await readAll();
  assert.deepEqual(await unread(colleague), []);
  assert.equal((await noticesOf(colleague)).length, 2);
  await act('POST', '/tokens', { entityId: demoShop.merchantId, name: 'Till' });
  await gateway.work('write notices');
  assert.deepEqual(await unread(colleague), ['issueToken']);
  assert.deepEqual(await unread(developer), [], 'a developer issues no tokens');
  const [newest] = await noticesOf(colleague);
  const back = await (colleague as User).ask('POST', '/me/notices', { number: 1 });
  assert.equal(back.body.unread, 1, 'an older number takes nothing back');
  await (colleague as User).ask('POST', '/me/notices', { number: newest?.number });
  assert.deepEqual([await unread(colleague), await unread(above)], [[], ['issueToken']]);
});

test('each action that a row of the table names makes one notice; a refused one and all others make none', async () => {
  await readAll();
  const { id: hook } = await act('POST', '/webhooks', { entityId: DEMO.entityId, name: 'Keys', url: URL_ONE });
  await act('POST', `/webhooks/${hook}/keys`, {});
  await act('POST', `/webhooks/${hook}/off`);
  await act('DELETE', `/webhooks/${hook}`);
  const { issued } = await act('POST', '/tokens', { entityId: DEMO.entityId, name: 'Till' });
  await act('POST', `/tokens/${issued.id}/allowedAddresses`, { allowedAddresses: ['192.0.2.1'] });
  const rotated = await act('POST', `/tokens/${issued.id}/rotate`, { end: 'now' });
  await act('POST', `/tokens/${rotated.issued.id}/end`, { end: 'now' });
  await act('POST', `/entities/${DEMO.entityId}/serverSecrets`, { server: 'settlement', password: 'x' });
  await act('DELETE', `/entities/${DEMO.entityId}/serverSecrets?server=settlement`);
  const refused = await (actor as User).ask('POST', `/tokens/${issued.id}/end`, { end: 'now' });
  assert.equal(refused.status, 400);
  await act('GET', `/audit?entityId=${demoShop.merchantId}`);
  await gateway.work('write notices');
  const expected = [
    ...['createWebhook', 'rotateWebhookKey', 'switchOffWebhook', 'removeWebhook'],
    ...['issueToken', 'setTokenAddresses', 'rotateToken', 'endToken', 'keepServerSecret', 'dropServerSecret'],
  ];
  assert.deepEqual((await unread(colleague)).toReversed(), expected);
  assert.deepEqual((await unread(channelOnly)).toReversed(), expected, 'the channel is theirs');
  assert.deepEqual((await unread(developer)).toReversed(), expected.slice(0, 4));
  assert.deepEqual([await unread(actor), await unread(stranger), await unread(reader)], [[], [], []]);
});

test('the operator, and a command beside the gateway, are told to all of them', async () => {
  await readAll();
  const operator = createAdministrator(gateway.url, OPERATOR);
  await operator.ask('POST', '/tokens', { entityId: OTHER.entityId, name: 'By the operator' });
  const command = { who: 'root', by: 'command', result: 'done', from: 'host', objectId: null } as const;
  await gateway.services.auditLog.write({ ...command, what: 'command account', entityId: OTHER.entityId });
  await gateway.services.auditLog.write({ ...command, what: 'command backup', entityId: OTHER.entityId });
  await gateway.work('write notices');
  assert.deepEqual(await unread(stranger), ['command account', 'issueToken']);
  assert.deepEqual(await unread(colleague), []);
});

test('who has lost the right sees no older notice either', async () => {
  const { needs } = gateway.services.users;
  const { changeUser } = await import('../../src/users/user.ts');
  const former = await signedInAs(gateway, { role: 'administrator', entityId: demoShop.merchantId });
  await act('POST', '/tokens', { entityId: demoShop.merchantId, name: 'Till' });
  await gateway.work('write notices');
  assert.deepEqual(await unread(former), ['issueToken']);
  await changeUser(needs.store, former.user.id, async (user) => ({
    ...user,
    grants: [{ entityId: demoShop.merchantId, role: 'readOnly' }],
  }));
  assert.deepEqual(await noticesOf(former), []);
});

test('after a crash before, during and after the commit every notice is there once', async () => {
  await readAll();
  const needs = { ...gateway.services.users.needs, store };
  await act('POST', '/tokens', { entityId: demoShop.merchantId, name: 'Till' });
  const crash = new Error('the process ends');
  const lost = Object.assign(Object.create(store), { saveDocuments: () => Promise.reject(crash) });
  await assert.rejects(writeNotices({ ...needs, store: lost }), crash);
  assert.deepEqual(await unread(colleague), []);
  const late = Object.assign(Object.create(store), {
    saveDocuments: async (...changes: Parameters<typeof store.saveDocuments>) => {
      await store.saveDocuments(...changes);
      throw crash;
    },
  });
  await assert.rejects(writeNotices({ ...needs, store: late }), crash);
  await Promise.all([writeNotices(needs), writeNotices(needs), writeNotices(needs)]);
  assert.deepEqual(await unread(colleague), ['issueToken']);
});

test('control: a place that moves before the notices are stored loses them in a crash', async () => {
  await readAll();
  const needs = { ...gateway.services.users.needs, store };
  await act('POST', '/tokens', { entityId: demoShop.merchantId, name: 'Till' });
  const apart = Object.assign(Object.create(store), {
    saveDocuments: async ([place]: Parameters<typeof store.saveDocuments>[0]) => {
      await store.saveDocuments(place ? [place] : []);
      throw new Error('the process ends');
    },
  });
  await assert.rejects(writeNotices({ ...needs, store: apart }));
  await writeNotices(needs);
  assert.deepEqual(await unread(colleague), []);
});

test('more entries than fit into one portion make all of their notices', async () => {
  await readAll();
  const entry = { who: 'operator', by: 'operator', result: 'done', from: '', entityId: demoShop.merchantId } as const;
  for (let at = 0; at < 130; at += 1)
    await gateway.services.auditLog.write({ ...entry, what: at % 2 === 0 ? 'rotateWebhookKey' : 'testWebhook', objectId: null });
  await gateway.work('write notices');
  assert.equal((await unread(colleague)).length, 65);
});

test('notices are deleted after their time', async () => {
  assert.ok((await noticesOf(colleague)).length > 0);
  gateway.pass((retention.notices.days + 1) * DAY_MS);
  await gateway.work('delete expired sessions');
  const again = await signedInAs(gateway, { role: 'administrator', entityId: demoShop.merchantId });
  const left = await store.documents({ collection: 'notice', ownerId: (colleague as User).user.id, limit: 10 });
  assert.deepEqual([left, await noticesOf(again)], [[], []]);
});

test('a first run tells nothing of what was before it', async () => {
  const fresh = await startGateway();
  const user = await signedInAs(fresh, { role: 'administrator', entityId: demoShop.merchantId });
  const { auditLog } = fresh.services;
  const entry = { who: 'operator', by: 'operator', result: 'done', from: '', objectId: null } as const;
  await auditLog.write({ ...entry, what: 'issueToken', entityId: demoShop.merchantId });
  await fresh.work('write notices');
  assert.deepEqual(await unread(user), []);
  await auditLog.write({ ...entry, what: 'endToken', entityId: demoShop.merchantId });
  await fresh.work('write notices');
  assert.deepEqual(await unread(user), ['endToken']);
  await fresh.close();
});

test('the table: every change of a webhook, token or key has a right, and nothing else', () => {
  const rows: readonly (readonly [what: string, right: string | null])[] = [
    ['changeWebhook', 'webhooks'],
    ['issueToken', 'tokens'],
    ['keepAccountSecret', 'keys'],
    ['dropWalletKey', 'keys'],
    ['command account', 'keys'],
    ['listTokens', null],
    ['refundPayment', null],
    ['command backup', null],
    ['toString', null],
    ['start', null],
  ];
  for (const [what, right] of rows) assert.equal(noticeRight(what), right, what);
});
