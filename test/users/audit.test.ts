import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { resultOf } from '../../src/audit/list.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import type { AuditPage, AuditProof, AuditShown } from '../../src/spec/answers/users.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createAdministrator } from '../http/administrator.ts';
import { createClient, DEMO } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { createUserWithPassword, PASSWORD, signedInAs } from '../http/userFixture.ts';

const store = createMemoryStore();
let gateway: TestGateway;
let operator: Awaited<ReturnType<typeof signedInAs>>;
before(async () => {
  gateway = await startGateway({ store });
  operator = await signedInAs(gateway, { role: 'operator' });
});
after(() => gateway.close());

const OTHER_MERCHANT = sandbox.otherShop.merchantId;

async function listed(ask: typeof operator.ask, query: string): Promise<AuditPage> {
  const { status, body } = await ask('GET', `/audit?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as AuditPage;
}

const summary = ({ what, outcome, entityId }: AuditShown) => `${what} ${outcome} ${entityId}`;

test('an entry has actor, action, time, address, object and result', async () => {
  const shop = createAdministrator(gateway.url);
  const { id } = await shop.create({ url: 'https://shop.example/hook' });
  const { entries } = await listed(operator.ask, `entityId=${sandbox.psp}&what=createWebhook`);
  const [entry] = entries;
  const { number, at, previous, hash, ...rest } = entry as AuditShown;
  assert.deepEqual(rest, {
    by: 'token',
    who: sandbox.demoShop.userId,
    whoName: '',
    what: 'createWebhook',
    entityId: DEMO.merchantId,
    objectId: id,
    from: '127.0.0.1',
    result: 'done',
    outcome: 'done',
    node: 'test-1',
    note: null,
  });
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.ok(number > 1 && previous !== hash);
});

test('every action leaves exactly one entry', async () => {
  const shop = createAdministrator(gateway.url);
  const { number } = await store.auditHead();
  const { id } = await shop.create({ url: 'https://shop.example/hook' });
  await shop.list(DEMO.merchantId);
  await shop.change(id, { name: 'Other' });
  await shop.read(id);
  await shop.off(id);
  await shop.remove(id);
  await shop.remove(id);
  const entries = await store.auditChain(number, 100);
  assert.deepEqual(
    entries.map(({ what, result, objectId }) => [what, result, objectId]),
    [
      ...['createWebhook', 'changeWebhook', 'switchOffWebhook', 'removeWebhook'].map((what) => [what, 'done', id]),
      ['removeWebhook', '700.400.580', id],
    ],
  );
});

test('users have the name of that time', async () => {
  const finance = await signedInAs(gateway, { role: 'developer', entityId: DEMO.merchantId, email: 'dev@shop.example' });
  const made = await finance.ask('POST', '/webhooks', { entityId: DEMO.merchantId, name: 'One', url: 'https://shop.example/1' });
  assert.equal(made.status, 200);
  const { entries } = await listed(operator.ask, `entityId=${sandbox.psp}&who=dev%40shop`);
  assert.equal(entries[0]?.whoName, 'Ann Example <dev@shop.example>');
  assert.deepEqual([entries[0]?.by, entries[0]?.who], ['user', finance.user.id]);
});

test('the log never holds a key, a token or a card number', async () => {
  const shop = createAdministrator(gateway.url);
  const made = await shop.create({ url: 'https://shop.example/hook', key: 'ab'.repeat(32) });
  const rotated = await shop.rotate(made.id, { key: 'cd'.repeat(32) });
  assert.equal(rotated.status, 200);
  await shop.ask('POST', '/webhooks/4200000000000000', {});
  await shop.ask('DELETE', '/webhooks/4200%200000%200000%200000');
  await createClient(gateway.url).pay();
  const whole = JSON.stringify(await store.auditChain(0, 10_000));
  for (const secret of ['ab'.repeat(32), 'cd'.repeat(32), DEMO.token, '42000000', '4200 0000', operator.token, operator.csrf])
    assert.ok(!whole.includes(secret), secret);
});

test('a reader sees entries at the own node and below, and no others', async () => {
  const own = await signedInAs(gateway, { role: 'administrator', entityId: OTHER_MERCHANT, email: 'other@shop.example' });
  await own.ask('POST', '/webhooks', { entityId: sandbox.otherShop.channelId, name: 'Two', url: 'https://shop.example/2' });
  const { entries } = await listed(own.ask, `entityId=${OTHER_MERCHANT}`);
  assert.deepEqual(entries.map(summary), [`createWebhook done ${sandbox.otherShop.channelId}`]);
  assert.equal((await own.ask('GET', `/audit?entityId=${DEMO.merchantId}`)).status, 404);
  assert.equal((await own.ask('GET', `/audit?entityId=${sandbox.psp}`)).status, 404);
  const others = await listed(operator.ask, `entityId=${DEMO.merchantId}`);
  assert.ok(others.entries.every(({ entityId }) => entityId === DEMO.merchantId || entityId === DEMO.entityId));
  const support = await signedInAs(gateway, { role: 'support', entityId: OTHER_MERCHANT });
  assert.equal((await support.ask('GET', `/audit?entityId=${OTHER_MERCHANT}`)).status, 403);
  // Administrators see refused attempts of their users.
  const seen = await listed(own.ask, `entityId=${OTHER_MERCHANT}&result=refused`);
  assert.deepEqual(
    seen.entries.map((entry) => [summary(entry), entry.who]),
    [support, own, own].map(({ user }) => [`listAudit refused ${OTHER_MERCHANT}`, user.id]),
  );
});

test('sign-ins and failed ones are logged and visible to administrators of the user', async () => {
  const clerk = await createUserWithPassword(gateway, {
    role: 'support',
    entityId: DEMO.merchantId,
    email: 'clerk@shop.example',
  });
  const { number } = await store.auditHead();
  await clerk.ask('POST', '/session', { email: clerk.user.email, password: 'not this one at all' });
  await clerk.ask('POST', '/session', { email: 'nobody@shop.example', password: 'not this one at all' });
  const half = await clerk.ask('POST', '/session', { email: clerk.user.email, password: PASSWORD });
  const { status } = await clerk.ask('POST', '/session/second', { ticket: half.body.ticket, code: clerk.code() });
  assert.equal(status, 200);
  const entries = await store.auditChain(number, 10);
  assert.deepEqual(
    entries.map(({ what, who, result, entityId }) => [what, who, resultOf({ result }), entityId]),
    [
      ['signIn', clerk.user.id, 'refused', DEMO.merchantId],
      ['signIn', '', 'refused', null],
      ['signIn', clerk.user.id, 'done', DEMO.merchantId],
      ['signInSecond', clerk.user.id, 'done', DEMO.merchantId],
    ],
  );
  assert.ok(!JSON.stringify(entries).includes('not this one'));
  assert.equal(entries[3]?.whoName, 'Ann Example <clerk@shop.example>');
});

test('the start of the process is logged, and so is reading the log', async () => {
  const { entries } = await listed(operator.ask, `entityId=${sandbox.psp}&what=start`);
  assert.deepEqual(
    entries.map(({ what, by, result }) => [what, by, result]),
    [['start', 'system', 'done']],
  );
  const again = await listed(operator.ask, `entityId=${sandbox.psp}&what=listAudit&limit=1`);
  assert.deepEqual([again.entries[0]?.who, again.entries.length], [operator.user.id, 1]);
});

test('pages follow each other without a gap, whatever is filtered', async () => {
  const all = await listed(operator.ask, `entityId=${sandbox.psp}&what=createWebhook&limit=200`);
  assert.ok(all.entries.length >= 3);
  const pages: number[] = [];
  for (let query = ''; ; ) {
    const page = await listed(operator.ask, `entityId=${sandbox.psp}&what=createWebhook&limit=1${query}`);
    pages.push(...page.entries.map(({ number }) => number));
    if (page.next === null) break;
    query = `&after=${page.next}`;
  }
  assert.deepEqual(
    pages,
    all.entries.map(({ number }) => number),
  );
  const from = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString());
  assert.deepEqual((await listed(operator.ask, `entityId=${sandbox.psp}&from=${from}`)).entries, []);
  const about = await listed(operator.ask, `entityId=${sandbox.psp}&about=${OTHER_MERCHANT}`);
  assert.ok(about.entries.length > 0 && about.entries.every(({ entityId }) => entityId === OTHER_MERCHANT));
});

test('the export holds no formulas, and is logged', async () => {
  await gateway.services.auditLog.write({
    who: '=cmd',
    by: 'command',
    what: 'command test',
    entityId: null,
    objectId: null,
    result: 'done',
    from: 'a;b"c',
  });
  const response = await fetch(`${gateway.backOfficeUrl}/admin/v1/audit/csv?entityId=${sandbox.psp}`, {
    headers: { cookie: operator.cookie, 'sec-fetch-site': 'same-origin' },
  });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-disposition') ?? '', /attachment; filename="audit\.csv"/);
  const lines = (await response.text()).split('\r\n');
  assert.equal(lines[0], 'number;at;by;who;whoName;what;entityId;objectId;from;result;node;note;previous;hash');
  assert.match(lines.join('\n'), /;command;'=cmd;;command test;;;"a;b""c";done;test-1;;/);
  const { number } = await store.auditHead();
  assert.equal((await store.auditChain(number - 1, 1))[0]?.what, 'exportAudit');
});

test('the chain is verified on demand, and the top node sees what was changed', async () => {
  const prove = async (entityId: string, ask = operator.ask) =>
    (await ask('POST', '/audit/verification', { entityId })).body as unknown as AuditProof;
  const well = await prove(sandbox.psp);
  assert.deepEqual([well.ok, well.seal, well.entries], [true, 'right', well.head.number]);
  const chain = (await store.auditChain(0, 10)) as unknown as { result: string }[];
  const before = chain[2]?.result ?? '';
  (chain[2] as { result: string }).result = 'changed';
  const broken = await prove(sandbox.psp);
  assert.deepEqual([broken.ok, broken.findings], [false, [{ number: 3, says: 'its hash is not that of what it says' }]]);
  const own = await signedInAs(gateway, { role: 'administrator', entityId: DEMO.merchantId });
  const seen = await prove(DEMO.merchantId, own.ask);
  assert.deepEqual([seen.ok, seen.found, seen.findings], [false, 1, []]);
  (chain[2] as { result: string }).result = before;
  assert.equal((await prove(sandbox.psp)).ok, true);
});

test('a flood of unauthenticated calls does not fill the disk', async () => {
  gateway.pass(61_000);
  const { number } = await store.auditHead();
  const refused = { who: '', what: 'createWebhook', entityId: null, objectId: null, result: '800.900.300', from: '192.0.2.1' };
  await Promise.all(Array.from({ length: 900 }, () => gateway.services.auditLog.writeRefused(refused)));
  assert.equal((await store.auditHead()).number - number, 600);
  gateway.pass(61_000);
  await gateway.services.auditLog.writeRefused(refused);
  const last = (await store.auditHead()).number;
  assert.equal((await store.auditChain(last - 1, 1))[0]?.note, '300 more were counted, not written');
});
