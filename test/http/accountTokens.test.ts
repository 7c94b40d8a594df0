import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { TOKENS_MAX } from '../../src/merchants/tokens.ts';
import { createAdministrator } from './administrator.ts';
import { createClient, DEMO, OTHER } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

const { demoShop, otherShop } = sandbox;
const HOUR_MS = 3_600_000;
const OPERATOR = 'operator-of-this-gateway.0123456789';

let gateway: TestGateway;
let administrator: Awaited<ReturnType<typeof signedInAs>>['ask'];

before(async () => {
  gateway = await startGateway({ operatorToken: OPERATOR });
});
/** Tests move the clock, by which sessions end. */
const signIn = async () => {
  administrator = (await signedInAs(gateway, { role: 'administrator', entityId: demoShop.merchantId })).ask;
};
beforeEach(signIn);
after(() => gateway.close());

const issue = (entityId: string, name = 'Shop server') => administrator('POST', '/tokens', { entityId, name });
const list = async (entityId: string) => (await administrator('GET', `/tokens?entityId=${entityId}`)).body.tokens;
const shopWith = (token: string) => createClient(gateway.url, { entityId: DEMO.entityId, token });

test('a token is issued, shown once, authenticates its entity, and is listed by name, issuer and day', async () => {
  const issued = await issue(DEMO.entityId, 'Corner till');
  assert.equal(issued.status, 200, JSON.stringify(issued.body));
  const { token } = issued.body;
  assert.match(Buffer.from(token, 'base64').toString(), /^[0-9a-f]{32}\|[0-9a-f]{32}$/);
  assert.equal((await shopWith(token).pay()).status, 200);
  const other = createClient(gateway.url, { entityId: DEMO.lenientId, token });
  assert.equal((await other.pay()).status, 403, 'another channel of the same merchant');

  await gateway.work('record token uses');
  const [seen] = await list(DEMO.entityId);
  const today = new Date(gateway.world.clock.now()).toISOString().slice(0, 10);
  assert.deepEqual(seen, {
    id: issued.body.issued.id,
    entityId: DEMO.entityId,
    name: 'Corner till',
    createdBy: 'Ann Example',
    createdAt: issued.body.issued.createdAt,
    lastUsedOn: today,
    endsAt: null,
    hasEnded: false,
    allowedAddresses: [],
  });
  const password = Buffer.from(token, 'base64').toString().split('|')[1] ?? '';
  const everything = [JSON.stringify(await list(DEMO.entityId)), ...gateway.lines].join('\n');
  assert.ok(!everything.includes(token) && !everything.includes(password), 'neither answered again nor logged');
});

test('a rotation leaves both good until the chosen end, with payments on both', async () => {
  const first = (await issue(DEMO.entityId)).body;
  const rotated = await administrator('POST', `/tokens/${first.issued.id}/rotate`, { end: '24h' });
  assert.equal(rotated.status, 200, JSON.stringify(rotated.body));
  const { token, issued, before } = rotated.body;
  assert.notEqual(token, first.token);
  assert.equal(issued.name, 'Shop server');
  const userOf = (text: string) => Buffer.from(text, 'base64').toString().split('|')[0];
  assert.equal(userOf(token), userOf(first.token), 'the user stays, the password is another');
  assert.deepEqual([before.id, before.hasEnded], [first.issued.id, false]);

  const pay = (with_: string) => shopWith(with_).pay();
  assert.deepEqual([(await pay(first.token)).status, (await pay(token)).status], [200, 200]);
  gateway.pass(23 * HOUR_MS);
  assert.deepEqual([(await pay(first.token)).status, (await pay(token)).status], [200, 200]);
  gateway.pass(HOUR_MS + 1_000);
  const late = await pay(first.token);
  assert.deepEqual([late.status, late.code], [403, '800.900.300']);
  const payment = await pay(token);
  assert.equal(payment.status, 200);
  assert.equal((await shopWith(token).read(payment.id)).status, 200);
  await signIn();
  const ended = (await list(DEMO.entityId)).find(({ id }: { readonly id: string }) => id === first.issued.id);
  assert.equal(ended.hasEnded, true);
});

for (const [end, isGoodNow] of [
  ['now', false],
  ['1h', true],
  ['7d', true],
  ['byHand', true],
] as const) {
  test(`rotated with the end "${end}", the one before is ${isGoodNow ? 'good' : 'refused'} at once`, async () => {
    const first = (await issue(DEMO.entityId)).body;
    const { body } = await administrator('POST', `/tokens/${first.issued.id}/rotate`, { end, name: 'Next' });
    assert.equal(body.issued.name, 'Next');
    assert.equal((await shopWith(first.token).pay()).status, isGoodNow ? 200 : 403);
    assert.equal(body.before.endsAt === null, end === 'byHand');
    for (const id of [first.issued.id, body.issued.id]) await administrator('POST', `/tokens/${id}/end`, { end: 'now' });
  });
}

test('a token that is ended is refused from then on, and for good', async () => {
  const { token, issued } = (await issue(DEMO.entityId)).body;
  const end = (how: string) => administrator('POST', `/tokens/${issued.id}/end`, { end: how });
  assert.equal((await end('1h')).body.hasEnded, false);
  assert.equal((await end('byHand')).body.endsAt, null, 'on second thoughts');
  assert.equal((await shopWith(token).pay()).status, 200);
  assert.equal((await end('now')).body.hasEnded, true);
  assert.deepEqual([(await shopWith(token).pay()).status, (await shopWith(token).read(issued.id)).status], [403, 403]);
  assert.equal((await end('7d')).status, 400, 'it does not come back');
  assert.equal((await administrator('POST', `/tokens/${issued.id}/rotate`, { end: 'now' })).status, 400);
  assert.equal((await shopWith(token).pay()).status, 403);
});

test('another node refuses it after its next look', async () => {
  const { token, issued } = (await issue(DEMO.entityId)).body;
  await gateway.services.accounts.store.endToken(
    (await gateway.services.accounts.store.tokens()).find(({ createdAt }) => createdAt === Date.parse(issued.createdAt)) as never,
    gateway.world.clock.now(),
    0,
  );
  assert.equal((await shopWith(token).pay()).status, 200, 'nobody told this node yet');
  await gateway.work('follow directory changes');
  assert.equal((await shopWith(token).pay()).status, 403);
});

test('a token ends by real time, whatever the clock of its merchant shows', async () => {
  const clock = (wish: object) => administrator('POST', '/clock', { entityId: demoShop.merchantId, ...wish });
  assert.equal((await clock({ freeze: true })).status, 200);
  const first = (await issue(DEMO.entityId)).body;
  const rotated = await administrator('POST', `/tokens/${first.issued.id}/rotate`, { end: '1h' });
  assert.equal(rotated.status, 200, 'nor does a step-up depend on it');
  assert.ok(Math.abs(Date.parse(rotated.body.before.endsAt) - gateway.world.clock.now() - HOUR_MS) < 60_000);
  gateway.pass(HOUR_MS + 1_000);
  assert.deepEqual([(await shopWith(first.token).pay()).status, (await shopWith(rotated.body.token).pay()).status], [403, 200]);
  await signIn();
  assert.equal((await clock({ real: true })).status, 200);
  await administrator('POST', `/tokens/${rotated.body.issued.id}/end`, { end: 'now' });
});

test("only with the right, only with a step-up, and only at the user's own nodes", async () => {
  const { id } = (await issue(demoShop.merchantId)).body.issued;
  const acts = [
    ['POST', '/tokens', { entityId: demoShop.merchantId, name: 'x' }],
    ['POST', `/tokens/${id}/rotate`, { end: 'now' }],
    ['POST', `/tokens/${id}/end`, { end: 'now' }],
  ] as const;
  const sleepy = (await signedInAs(gateway, { role: 'administrator', entityId: demoShop.merchantId, isSteppedUp: false })).ask;
  const foreign = (await signedInAs(gateway, { role: 'administrator', entityId: otherShop.merchantId })).ask;
  const channelOnly = (await signedInAs(gateway, { role: 'administrator', entityId: DEMO.entityId })).ask;
  for (const [method, path, body] of acts) {
    for (const role of ['finance', 'support', 'developer', 'readOnly'] as const) {
      const { ask } = await signedInAs(gateway, { role, entityId: demoShop.merchantId });
      assert.equal((await ask(method, path, body)).status, 403, `${role} ${path}`);
    }
    const late = await sleepy(method, path, body);
    assert.deepEqual([late.status, late.headers.get('x-turnpike-needs')], [403, 'stepUp']);
    assert.equal((await foreign(method, path, body)).status, 404);
    assert.equal((await channelOnly(method, path, body)).status, 404, 'what stands above is not his');
    const byToken = createAdministrator(gateway.url);
    assert.equal((await byToken.ask(method, path, body)).status, 403, 'a token makes no tokens');
  }
  assert.equal((await foreign('GET', `/tokens?entityId=${DEMO.entityId}`)).status, 404);
  assert.equal((await list(demoShop.merchantId)).find((one: { readonly id: string }) => one.id === id).hasEnded, false);
  const absent = await administrator('POST', `/tokens/${'0'.repeat(32)}/end`, { end: 'now' });
  assert.equal(absent.status, 404);
  const operator = createAdministrator(gateway.url, OPERATOR);
  const issued = await operator.ask('POST', '/tokens', { entityId: OTHER.entityId, name: 'By the operator' });
  assert.deepEqual([issued.status, issued.body.issued.createdBy], [200, 'operator']);
});

test('an entity has so many that are good, and not one more', async () => {
  const entityId = DEMO.lenientId;
  for (let count = 0; count < TOKENS_MAX; count += 1) assert.equal((await issue(entityId)).status, 200);
  const more = await issue(entityId);
  assert.deepEqual([more.status, more.body.result.parameterErrors[0].name], [400, 'entityId']);
  const [first] = await list(entityId);
  await administrator('POST', `/tokens/${first.id}/end`, { end: 'now' });
  assert.equal((await issue(entityId)).status, 200);
});
