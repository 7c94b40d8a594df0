import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { settingNames } from '../../src/spec/settingRows.ts';
import { createAdministrator } from './administrator.ts';
import { createClient, DEMO, OTHER, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

const OPERATOR = 'operator-of-this-gateway.0123456789';
const ABSENT = '0'.repeat(32);
const { demoShop, otherShop } = sandbox;

type Asking = Awaited<ReturnType<typeof signedInAs>>['ask'];

let gateway: TestGateway;
let operator: Asking;
let administrator: Asking;
let reader: Asking;

before(async () => {
  gateway = await startGateway({ operatorToken: OPERATOR });
  operator = (await signedInAs(gateway)).ask;
  administrator = (await signedInAs(gateway, { role: 'administrator', entityId: demoShop.merchantId })).ask;
  reader = (await signedInAs(gateway, { role: 'readOnly', entityId: demoShop.merchantId })).ask;
});
after(() => gateway.close());

const read = async (id: string, ask = administrator) => (await ask('GET', `/entities/${id}`)).body;
const setting = (account: Reply['body'], name: string) =>
  account.settings.find((one: { readonly name: string }) => one.name === name);

async function change(id: string, wish: object, ask = administrator): Promise<Reply> {
  const { revision } = await read(id, operator);
  return ask('POST', `/entities/${id}`, { revision, ...wish });
}

const faultsOf = (reply: Reply): readonly string[] =>
  (reply.body.result.parameterErrors ?? []).map((fault: { readonly name: string }) => fault.name);

test('the hierarchy is read node by node, in pages, with its states', async () => {
  const top = (await operator('GET', `/entities?entityId=${sandbox.psp}`)).body;
  assert.deepEqual([top.entity.kind, top.entity.below, top.below.length, top.next], ['psp', 1, 1, null]);
  const first = (await operator('GET', `/entities?entityId=${sandbox.division}&limit=1`)).body;
  assert.deepEqual([first.below[0].name, first.next], ['Demo Shop', demoShop.merchantId]);
  const second = (await operator('GET', `/entities?entityId=${sandbox.division}&limit=1&after=${first.next}`)).body;
  assert.deepEqual([second.below[0].name, second.next], ['Other Shop', null]);
});

test('a node shows every setting that makes sense there, its own value, and where it comes from', async () => {
  const channel = await read(DEMO.entityId);
  assert.deepEqual(
    channel.path.map(({ kind }: { readonly kind: string }) => kind),
    ['psp', 'division', 'merchant', 'channel'],
  );
  const names = channel.settings.map(({ name }: { readonly name: string }) => name);
  assert.deepEqual(
    names,
    settingNames.filter((name) => name !== 'dispatch'),
  );
  assert.deepEqual(setting(channel, 'threeDSecure'), {
    name: 'threeDSecure',
    value: true,
    inherited: false,
    source: { from: 'own' },
  });
  assert.deepEqual(setting(channel, 'risk.mode').source, { from: 'above', entityId: sandbox.psp, name: 'Sandbox' });
  assert.deepEqual(setting(channel, 'timeZone'), {
    name: 'timeZone',
    value: 'UTC',
    inherited: 'UTC',
    source: { from: 'default' },
  });
  assert.equal(setting(await read(demoShop.merchantId), 'dispatch').value, true);
  assert.equal(setting(channel, 'brands').value, null, 'everything');
  assert.deepEqual(setting(channel, 'schedules.triesMax'), {
    name: 'schedules.triesMax',
    value: 5,
    inherited: 5,
    source: { from: 'default' },
  });
});

test('a setting is changed, holds below at once, and is inherited again', async () => {
  const changed = await change(demoShop.merchantId, { set: { timeZone: 'Europe/Vienna', 'risk.mode': 'on' } });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.deepEqual(setting(changed.body, 'timeZone'), {
    name: 'timeZone',
    value: 'Europe/Vienna',
    inherited: 'UTC',
    source: { from: 'own' },
  });
  const below = setting(await read(DEMO.entityId), 'timeZone');
  assert.deepEqual([below.value, below.source.from, below.source.entityId], ['Europe/Vienna', 'above', demoShop.merchantId]);
  assert.equal(gateway.directory.entity(DEMO.entityId)?.channel?.timeZone, 'Europe/Vienna');
  assert.equal(gateway.directory.entity(DEMO.entityId)?.channel?.risk.mode, 'on');
  const again = await change(demoShop.merchantId, { inherit: ['timeZone', 'risk.mode'] });
  assert.deepEqual(setting(again.body, 'timeZone').source, { from: 'default' });
  assert.equal(gateway.directory.entity(DEMO.entityId)?.channel?.risk.mode, 'report');
  assert.equal(gateway.directory.entity(demoShop.merchantId)?.settings.dispatch, true, 'the others stay');
});

test('every fault has the name of its setting, and nothing is changed', async () => {
  const before = await read(DEMO.entityId);
  const reply = await change(DEMO.entityId, {
    set: {
      timeZone: 'Mars/Olympus',
      'risk.mode': 'loud',
      'schedules.triesMax': 99,
      brands: 'VISA',
      dispatch: true,
      connectors: { default: 'nobody' },
      noSuchThing: 1,
      'settlement.feePercentMax': '2,5',
      reconciliation: { kind: 'gopher', host: 'files.example', user: 'x', since: 'yesterday' },
    },
    inherit: ['nothing'],
  });
  assert.equal(reply.status, 400);
  assert.deepEqual(faultsOf(reply).toSorted(), [
    'brands',
    'connectors',
    'dispatch',
    'noSuchThing',
    'nothing',
    'reconciliation.kind',
    'reconciliation.since',
    'risk.mode',
    'schedules.triesMax',
    'settlement.feePercentMax',
    'timeZone',
  ]);
  for (const { value, message } of reply.body.result.parameterErrors) {
    assert.equal(value, null, 'no value is repeated');
    assert.doesNotMatch(message, /^the setting/);
  }
  assert.deepEqual(await read(DEMO.entityId), before);
});

test('of two changes of the same revision the second is refused', async () => {
  const { revision } = await read(DEMO.lenientId);
  const [one, other] = await Promise.all(
    ['Europe/Paris', 'Europe/Rome'].map((timeZone) =>
      administrator('POST', `/entities/${DEMO.lenientId}`, { revision, set: { timeZone } }),
    ),
  );
  assert.deepEqual([one?.status, other?.status].toSorted(), [200, 409]);
  const loser = one?.status === 409 ? one : other;
  assert.deepEqual(faultsOf(loser as Reply), ['revision']);
  assert.equal((await read(DEMO.lenientId)).revision, revision + 1);
  assert.equal((await change(DEMO.lenientId, { inherit: ['timeZone'] })).status, 200);
});

test('a node is renamed, closed with everything below it, and opened again', async () => {
  const shop = createClient(gateway.url, OTHER);
  assert.equal((await shop.pay()).status, 200);
  const id = otherShop.merchantId;
  assert.equal((await change(id, { name: 'Another Shop', set: { state: 'disabled' } }, operator)).body.name, 'Another Shop');
  const channel = await read(OTHER.entityId, operator);
  assert.deepEqual([channel.state, setting(channel, 'state').source.from], ['disabled', 'above']);
  assert.equal((await shop.pay()).code, '500.100.201');
  assert.equal((await change(id, { name: 'Other Shop', inherit: ['state'] }, operator)).body.state, 'active');
  assert.equal((await shop.pay()).status, 200);
});

test('the operator adds divisions and merchants; users who change settings add channels', async () => {
  const division = await operator('POST', '/entities', { entityId: sandbox.psp, name: 'Second Division' });
  assert.deepEqual([division.status, division.body.kind], [200, 'division']);
  const merchant = await operator('POST', '/entities', { entityId: division.id, name: 'Third Shop' });
  assert.equal(merchant.body.kind, 'merchant');
  const channel = await operator('POST', '/channels', { entityId: merchant.id, name: 'Third online' });
  assert.deepEqual([channel.body.kind, channel.body.parentId], ['channel', merchant.id]);
  assert.equal(gateway.directory.entity(channel.id)?.channel?.merchantId, merchant.id, 'this node knows it at once');

  assert.equal((await administrator('POST', '/entities', { entityId: sandbox.division, name: 'x' })).status, 403);
  const own = await administrator('POST', '/channels', { entityId: demoShop.merchantId, name: 'Corner' });
  assert.equal(own.status, 200);
  // Listed after the other channels of the shop by the tests that follow.
  assert.equal((await change(own.id, { set: { priority: 900 } })).status, 200);
  for (const entityId of [channel.id, division.id]) {
    assert.deepEqual(faultsOf(await operator('POST', '/channels', { entityId, name: 'x' })), ['entityId']);
  }
  assert.deepEqual(faultsOf(await operator('POST', '/entities', { entityId: merchant.id, name: 'x' })), ['entityId']);
  assert.equal((await administrator('DELETE', `/entities/${own.id}`)).status, 405, 'nothing is ever removed');
});

test('foreign and absent nodes get the same reply, and a reader changes nothing', async () => {
  for (const id of [otherShop.merchantId, OTHER.entityId, sandbox.division, ABSENT]) {
    const asked = [
      await administrator('GET', `/entities/${id}`),
      await administrator('GET', `/entities?entityId=${id}`),
      await administrator('POST', `/entities/${id}`, { revision: 1, name: 'Mine' }),
      await administrator('POST', '/channels', { entityId: id, name: 'Mine' }),
    ];
    for (const { status, body } of asked) {
      assert.equal(status, 404);
      assert.match(body.result.description, /there is no such entity$/);
    }
  }
  assert.equal((await reader('GET', `/entities/${DEMO.entityId}`)).status, 200);
  assert.equal((await change(DEMO.entityId, { name: 'Mine' }, reader)).status, 403);
});

test('settings that are more than settings ask for more', async () => {
  const needs = gateway.services.users.needs;
  const role = {
    id: ABSENT.replace('0', 'f'),
    entityId: demoShop.merchantId,
    name: 'Settings',
    rights: ['readSettings', 'settings'],
  };
  await needs.store.saveDocuments([{ collection: 'role', id: role.id, ownerId: role.entityId, at: 0, revision: 1, body: role }]);
  const plain = (await signedInAs(gateway, { role: role.id, entityId: demoShop.merchantId })).ask;
  assert.equal((await change(DEMO.entityId, { set: { isLenient: true } }, plain)).status, 200);
  const target = { kind: 'ftps', host: 'files.example', user: 'shop', since: '2031-10-01' };
  const sensitive = {
    reconciliation: target,
    'settlement.pull': { kind: 'ftps', host: 'files.example', user: 'shop' },
    approvals: { EUR: '500.00' },
    'risk.rules': [],
    'wallets.walletA': null,
  };
  for (const [name, value] of Object.entries(sensitive)) {
    const refused = await change(demoShop.merchantId, { set: { [name]: value } }, plain);
    assert.deepEqual([refused.status, faultsOf(refused)], [403, [name]]);
    assert.equal((await change(demoShop.merchantId, { inherit: [name] }, plain)).status, 403, 'nor is it taken away');
  }
  const sleepy = (await signedInAs(gateway, { role: 'administrator', entityId: demoShop.merchantId, isSteppedUp: false })).ask;
  const late = await change(demoShop.merchantId, { set: { reconciliation: target } }, sleepy);
  assert.deepEqual([late.status, late.headers.get('x-turnpike-needs')], [403, 'stepUp']);
  assert.equal((await change(DEMO.entityId, { inherit: ['isLenient'] }, sleepy)).status, 200, 'a plain one needs none');
  const kept = await change(demoShop.merchantId, { set: sensitive });
  assert.equal(kept.status, 200, JSON.stringify(kept.body.result));
  assert.deepEqual(gateway.directory.entity(DEMO.entityId)?.settings.approvals, { EUR: '500.00' });
  // Removing the approval limits needs a second person: see fourEyes.test.ts.
  const { approvals: _, ...others } = sensitive;
  assert.equal((await change(demoShop.merchantId, { inherit: Object.keys(others) })).status, 200);
});

test('by the API an access token reads and changes nothing, and the operator does all', async () => {
  const shop = createAdministrator(gateway.url);
  assert.equal((await shop.ask('GET', `/entities/${DEMO.entityId}`)).status, 200);
  assert.equal((await shop.ask('POST', `/entities/${DEMO.entityId}`, { revision: 1, name: 'Mine' })).status, 403);
  const all = createAdministrator(gateway.url, OPERATOR);
  const { revision, name } = (await all.ask('GET', `/entities/${OTHER.entityId}`)).body;
  assert.equal((await all.ask('POST', `/entities/${OTHER.entityId}`, { revision, name })).status, 200);
});

test('what scenarios are attached survives a change of settings at the same moment', async () => {
  const { scenarios } = gateway.services;
  assert.ok(scenarios);
  const attach = scenarios.change(DEMO.lenientId, (kept) => ({ ...kept, channel: 'approved' }));
  const changed = change(DEMO.lenientId, { set: { currencies: ['EUR'] } });
  const [, { status }] = await Promise.all([attach, changed]);
  if (status === 409) assert.equal((await change(DEMO.lenientId, { set: { currencies: ['EUR'] } })).status, 200);
  const account = await read(DEMO.lenientId);
  assert.deepEqual([setting(account, 'scenarios').value.channel, setting(account, 'currencies').value], ['approved', ['EUR']]);
  assert.equal((await change(DEMO.lenientId, { inherit: ['scenarios', 'currencies'] })).status, 200);
});

test("in live the operator's token alone makes and lists the hierarchy, from the PSP to a token that pays", async () => {
  const live = await startGateway({ environment: 'live', operatorToken: OPERATOR });
  try {
    const { ask } = createAdministrator(live.url, OPERATOR);
    const made = async (path: string, fields: object): Promise<string> => {
      const { status, body } = await ask('POST', path, fields);
      assert.equal(status, 200, JSON.stringify(body));
      return body.id;
    };
    const psp = await made('/entities', { name: 'First PSP' });
    const division = await made('/entities', { entityId: psp, name: 'First division' });
    const merchant = await made('/entities', { entityId: division, name: 'First merchant' });
    const channel = await made('/channels', { entityId: merchant, name: 'First channel' });
    const top = await ask('GET', '/entities?limit=100');
    assert.equal(top.body.entity, null);
    assert.ok(top.body.below.some(({ id, kind }: { id: string; kind: string }) => id === psp && kind === 'psp'));
    for (const [above, below] of [
      [psp, division],
      [division, merchant],
      [merchant, channel],
    ]) {
      const page = await ask('GET', `/entities?entityId=${above}`);
      assert.deepEqual([page.body.entity.id, page.body.below.map(({ id }: { id: string }) => id)], [above, [below]]);
    }
    const { body } = await ask('POST', '/tokens', { entityId: merchant, name: 'Shop' });
    assert.equal(typeof (body.secret ?? body.token?.secret ?? body.text ?? body.token), 'string', JSON.stringify(body));
    const token = createAdministrator(live.url, DEMO.token);
    assert.equal((await token.ask('GET', '/entities')).status, 403);
  } finally {
    await live.close();
  }
});

test('the top of the hierarchy is for the operator alone', async () => {
  for (const { ask } of [createAdministrator(gateway.url), { ask: administrator }, { ask: operator }]) {
    const { status, body } = await ask('GET', '/entities');
    assert.deepEqual([status, body.result.parameterErrors?.[0]?.name], [400, 'entityId']);
    assert.notEqual((await ask('POST', '/entities', { name: 'Mine' })).status, 200);
  }
});
