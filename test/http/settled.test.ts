import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settlementFileOf } from '../../src/connectors/simulator/settlement.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createAdministrator } from './administrator.ts';
import { createClient, DEMO } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

const DAY_MS = 86_400_000;
const store = createMemoryStore();
let gateway: TestGateway;
let finance: Awaited<ReturnType<typeof signedInAs>>;
let [day, paymentId] = ['', ''];

before(async () => {
  gateway = await startGateway({ store });
  finance = await signedInAs(gateway, { role: 'finance', entityId: DEMO.merchantId });
  const { id } = await createClient(gateway.url).pay();
  paymentId = id;
  day = new Date(gateway.world.clock.now() + DAY_MS).toISOString().slice(0, 10);
  const file = settlementFileOf(day, [(await store.payment(DEMO.merchantId, id)) as Payment]);
  const response = await fetch(`${gateway.url}/admin/v1/settlements?entityId=${DEMO.merchantId}&name=day.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO.token}`, 'content-type': 'text/csv' },
    body: file,
  });
  assert.equal(response.status, 200);
});
after(() => gateway.close());

const days = (more = ''): string => `entityId=${DEMO.merchantId}&from=${day}&to=${day}${more}`;

test('settled amounts are the same in the back office as in the API', async () => {
  const { body } = await finance.ask('GET', `/settled?${days()}`);
  const [line, ...others] = body.settled;
  assert.deepEqual(others, []);
  assert.deepEqual([line.date, line.currency, line.count], [day, 'EUR', '1']);
  const program = await createClient(gateway.url).send('GET', '/reports/v1/reconciliations/aggregations', {
    entityId: DEMO.merchantId,
    'date.from': day,
    'date.to': day,
  });
  assert.deepEqual(program.body.records, [line]);
  assert.deepEqual((await finance.ask('GET', `/settled?${days('&currency=USD')}`)).body.settled, []);
});

test('its file is the one that is delivered with the references at the end, and its download is audited', async () => {
  const { body } = await finance.ask('GET', `/settled/csv?${days()}`);
  assert.match(body.text, /^ReconciliationType;.*;ChargebackId;TransactionId;InvoiceId\r\n/);
  assert.match(body.text, new RegExp(paymentId));
  const { number } = await store.auditHead();
  const [entry] = await store.auditChain(number - 1, 1);
  assert.deepEqual([entry?.what, entry?.who, entry?.result], ['exportSettled', finance.user.id, 'done']);
});

test("deliveries to the merchant's own server are listed", async () => {
  const base = {
    merchantId: DEMO.merchantId,
    part: 1,
    tries: 1,
    claimedUntil: 0,
    temporaryName: '.a.part',
    digest: 'ab'.repeat(32),
    bytes: 7,
  };
  const run = { records: 1, covers: 1, files: [], changed: {}, why: null, createdAt: 1, movedAt: 2, dueAt: 3, revision: 1 };
  await store.addReconciliation({ ...base, ...run, day: '2031-10-01', state: 'done', name: 'a.csv' });
  await store.addReconciliation({ ...base, ...run, day: '2031-10-02', state: 'due', name: null, why: 'no answer' });
  const { body } = await finance.ask('GET', `/reconciliations?entityId=${DEMO.merchantId}&from=2031-10-01`);
  const rows = body.reconciliations.map((one: Record<string, unknown>) => [one.day, one.state, one.why, one.nextTryAt]);
  assert.deepEqual(rows, [
    ['2031-10-02', 'due', 'no answer', '1970-01-01T00:00:00.003Z'],
    ['2031-10-01', 'done', null, null],
  ]);
});

test('only merchants and channels have reports, and others see nothing', async () => {
  const operator = await signedInAs(gateway);
  for (const path of ['settled?to=2031-10-02&', 'settled/csv?to=2031-10-02&', 'reconciliations?']) {
    const above = await operator.ask('GET', `/${path}from=2031-10-01&entityId=${sandbox.psp}`);
    assert.deepEqual([above.status, above.body.result.parameterErrors[0].name], [400, 'entityId']);
    const foreign = await finance.ask('GET', `/${path}from=2031-10-01&entityId=${sandbox.otherShop.merchantId}`);
    assert.equal(foreign.status, 404);
  }
  assert.equal((await finance.ask('GET', `/settled?${days().replace(day, '2031-02-30')}`)).status, 400);
});

test('webhooks of everything below are listed when that is wanted', async () => {
  const shop = createAdministrator(gateway.url);
  for (const entityId of [DEMO.merchantId, DEMO.entityId]) await shop.create({ entityId, url: 'https://shop.example/hook' });
  const listed = async (query: string) => (await shop.ask('GET', `/webhooks?entityId=${DEMO.merchantId}${query}`)).body.webhooks;
  assert.deepEqual(
    (await listed('')).map((one: { entityId: string }) => one.entityId),
    [DEMO.merchantId],
  );
  assert.deepEqual(
    new Set((await listed('&below=true')).map((one: { entityId: string }) => one.entityId)),
    new Set([DEMO.merchantId, DEMO.entityId]),
  );
});
