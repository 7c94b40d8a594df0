import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CARD, createClient, DEMO, type Fields, OTHER, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

/** Schedules that a user of the back office creates, changes and ends. */

let gateway: TestGateway;
type Ask = Awaited<ReturnType<typeof signedInAs>>['ask'];
let ask: Ask;

before(async () => {
  gateway = await startGateway();
  ({ ask } = await signedInAs(gateway, { role: 'finance', entityId: DEMO.merchantId }));
});
after(() => gateway.close());

const shop = () => createClient(gateway.url);
const INITIAL = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.source': 'CIT',
  'standingInstruction.recurringType': 'SUBSCRIPTION',
} as const;

async function stored(fields: Fields = INITIAL): Promise<string> {
  const reply = await shop().send('POST', '/v1/registrations', { ...CARD, ...fields });
  assert.equal(reply.code, '000.100.110');
  return reply.id;
}

let keys = 0;
const freshKey = (): string => {
  keys += 1;
  return `key-of-a-test-${String(keys).padStart(8, '0')}`;
};

const MONTHLY = { amount: '17.00', currency: 'EUR', expression: '0 30 6 1 * ?' } as const;

const create = (registrationId: string, fields: object = {}, who: Ask = ask): Promise<Reply> =>
  who('POST', '/schedules', { entityId: DEMO.merchantId, registrationId, ...MONTHLY, key: freshKey(), ...fields });

const change = (id: string, fields: object, who: Ask = ask): Promise<Reply> =>
  who('POST', `/schedules/${id}`, { entityId: DEMO.merchantId, key: freshKey(), ...fields });

async function created(fields: object = {}): Promise<Reply['body']> {
  const { status, body } = await create(await stored(), fields);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const faultsOf = ({ body }: Reply): readonly string[] =>
  (body.result.parameterErrors ?? []).map(({ name }: { readonly name: string }) => name);

test('a created schedule is that of the merchant: read, charged and reported by the API', async () => {
  const made = await created({ name: 'Tea', descriptor: 'Tea club', merchantTransactionId: 'tea-club-17' });
  assert.deepEqual(
    [made.state, made.words, made.name, made.descriptor, made.merchantTransactionId, made.nextRuns.length],
    ['active', 'At 06:30:00 on day 1 of every month', 'Tea', 'Tea club', 'tea-club-17', 10],
  );
  const own = await shop().send('GET', `/scheduling/v1/schedules/${made.id}`, {});
  assert.deepEqual([own.body.amount, own.body.paymentType, own.body.plan.active], ['17.00', 'SD', true]);
  gateway.pass(Date.parse(made.nextRuns[0]) - gateway.world.clock.now() + 1_000);
  ({ ask } = await signedInAs(gateway, { role: 'finance', entityId: DEMO.merchantId }));
  await gateway.work('run due schedules');
  const [run] = (await ask('GET', `/schedules/${made.id}?entityId=${DEMO.merchantId}`)).body.runs;
  assert.deepEqual(
    [run.payment.amount, run.payment.state, run.payment.merchantTransactionId],
    ['17.00', 'approved', 'tea-club-17'],
  );
});

test('a change keeps what is not sent, and replaces the recurrence without the rest of the job', async () => {
  const { id } = await created({ name: 'Tea', startDate: '2039-01-01 00:00:00', endDate: '2040-01-01 00:00:00' });
  const dearer = await change(id, { amount: '19.00' });
  assert.deepEqual(
    [dearer.body.amount, dearer.body.name, dearer.body.expression, dearer.body.endDate],
    ['19.00', 'Tea', '0 30 6 1 * ? *', '2040-01-01 00:00:00'],
  );
  const daily = await change(id, { expression: '0 0 7 * * ?', language: 'de' });
  assert.deepEqual(
    [daily.body.amount, daily.body.name, daily.body.words, daily.body.startDate, daily.body.endDate],
    ['19.00', 'Tea', 'Um 07:00:00 täglich', '2039-01-01 00:00:00', '2040-01-01 00:00:00'],
  );
  assert.equal((await change(id, { noEnd: true })).body.endDate, null);
});

test('parts of an expression that the merchant sent one by one make way for the new expression', async () => {
  const registrationId = await stored();
  const job = { 'job.hour': '8', 'job.dayOfMonth': '5', 'job.dayOfWeek': '?', 'job.month': '*' };
  const notice = { 'job.noticeNumber': '1', 'job.noticeUnit': 'MONTH', 'job.noticeCallable': 'ANYTIME' };
  const { amount, currency } = MONTHLY;
  const made = await shop().send('POST', '/scheduling/v1/schedules', { registrationId, amount, currency, ...job, ...notice });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const changed = await change(made.id, { expression: '0 0 9 6 * ?' });
  assert.equal(changed.body.words, 'At 09:00:00 on day 6 of every month');
  const ended = await ask('DELETE', `/schedules/${made.id}?entityId=${DEMO.merchantId}`);
  assert.equal(ended.body.state, 'ending', 'the notice period of the merchant still counts');
});

test('a number of payments ends the schedule with the last of them', async () => {
  const made = await created({ payments: 3 });
  assert.equal(made.nextRuns.length, 3);
  const later = await change(made.id, { payments: 5 });
  assert.equal(later.body.nextRuns.length, 5);
  assert.deepEqual(later.body.nextRuns.slice(0, 3), made.nextRuns);
  const other = await change(made.id, { payments: 2, expression: '0 0 7 * * ?' });
  assert.equal(other.body.nextRuns.length, 2);
});

test('the preview tells the recurrence in words, the next five runs and the last one', async () => {
  const preview = (query: string) => ask('GET', `/schedulePreview?entityId=${DEMO.entityId}&${query}`);
  const { body } = await preview('expression=0+30+6+1+*+%3F&payments=12&language=de');
  assert.deepEqual([body.words, body.nextRuns.length], ['Um 06:30:00 am 1. jedes Monats', 5]);
  assert.equal(new Date(body.lastRun).getUTCMonth(), (new Date(body.nextRuns[0]).getUTCMonth() + 11) % 12);
  assert.equal((await preview('expression=0+30+6+1+*+%3F')).body.lastRun, null);
  assert.deepEqual(faultsOf(await preview('expression=0+30+25+1+*+%3F')), ['expression']);
  assert.deepEqual(faultsOf(await preview('expression=0+0+0+1+1+%3F+2030&payments=5')), ['payments']);
  assert.deepEqual(faultsOf(await preview('expression=0+0+0+1+*+%3F&startDate=2031-02-30+00:00:00')), ['startDate']);
});

test('what is wrong is said at its field', async () => {
  const registrationId = await stored();
  const cases: readonly (readonly [object, string])[] = [
    [{ amount: '17' }, 'amount'],
    [{ amount: '0.00' }, 'amount'],
    [{ currency: 'XXX' }, 'currency'],
    [{ expression: '0 30 6 1 *' }, 'expression'],
    [{ expression: '0 30 25 1 * ?' }, 'expression'],
    [{ expression: '0 0 0 1 1 ? 2001' }, 'expression'],
    [{ startDate: '2031-01-01' }, 'startDate'],
    [{ startDate: '2040-01-01 00:00:00', endDate: '2039-01-01 00:00:00' }, 'endDate'],
    [{ endDate: '2001-01-01 00:00:00' }, 'endDate'],
    [{ payments: 0 }, 'payments'],
    [{ payments: 3, endDate: '2040-01-01 00:00:00' }, 'payments'],
    [{ payments: 3, expression: '0 0 0 1 1 ? 2040' }, 'payments'],
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ descriptor: 'x'.repeat(128) }, 'descriptor'],
    [{ testMode: 'OTHER' }, 'testMode'],
    [{ registrationId: '0'.repeat(32) }, 'registrationId'],
    [{ key: 'short' }, 'key'],
  ];
  for (const [fields, name] of cases) {
    const reply = await create(registrationId, fields);
    assert.equal(reply.status, 400, JSON.stringify(fields));
    assert.deepEqual([reply.status, faultsOf(reply)], [400, [name]], JSON.stringify(fields));
  }
  const unbegun = await create(await stored({}));
  assert.deepEqual([unbegun.status, faultsOf(unbegun)], [400, ['registrationId']]);
  const schedules = await ask('GET', `/schedules?entityId=${DEMO.merchantId}&state=active`);
  assert.ok(schedules.body.schedules.every((one: Fields) => one.registrationId !== registrationId));
});

test('the same key creates one schedule; another request with it is refused', async () => {
  const registrationId = await stored();
  const key = freshKey();
  const [one, again] = [await create(registrationId, { key, payments: 3 }), await create(registrationId, { key, payments: 3 })];
  assert.deepEqual([one.status, again.status, again.id], [200, 200, one.id]);
  assert.equal((await create(registrationId, { key, amount: '18.00' })).status, 400);
  const { body } = await ask('GET', `/registrations/${registrationId}?entityId=${DEMO.merchantId}&language=de`);
  assert.deepEqual(
    body.schedules.map(({ id, words }: Fields) => [id, words]),
    [[one.id, 'Um 06:30:00 am 1. jedes Monats']],
  );
  const sixth = freshKey();
  const dearer = [await change(one.id, { key: sixth, amount: '20.00' }), await change(one.id, { key: sixth, amount: '20.00' })];
  assert.deepEqual(
    dearer.map(({ status, body: { amount } }) => [status, amount]),
    [
      [200, '20.00'],
      [200, '20.00'],
    ],
  );
});

test('who may: the right, a step-up, and details within reach; every command is audited', async () => {
  const registrationId = await stored();
  const support = await signedInAs(gateway, { role: 'support', entityId: DEMO.merchantId });
  assert.equal((await create(registrationId, {}, support.ask)).status, 403);
  const tired = await signedInAs(gateway, { role: 'finance', entityId: DEMO.merchantId, isSteppedUp: false });
  const refused = await create(registrationId, {}, tired.ask);
  assert.deepEqual([refused.status, refused.headers.get('x-turnpike-needs')], [403, 'stepUp']);
  const stranger = await signedInAs(gateway, { role: 'administrator', entityId: OTHER.entityId });
  assert.equal((await create(registrationId, {}, stranger.ask)).status, 404);
  assert.deepEqual(faultsOf(await create(registrationId, { entityId: OTHER.entityId }, stranger.ask)), ['registrationId']);
  const { id } = (await create(registrationId)).body;
  assert.equal((await change(id, { amount: '1.00' }, support.ask)).status, 403);
  assert.equal((await change(id, { amount: '1.00', entityId: OTHER.entityId }, stranger.ask)).status, 404);
  assert.equal((await change(id, { amount: '18.00' })).status, 200);
  const operator = await signedInAs(gateway);
  const audited = await operator.ask('GET', `/audit?entityId=${DEMO.merchantId}&objectId=${id}`);
  const entries: readonly Fields[] = audited.body.entries;
  assert.deepEqual(
    entries.filter(({ result }) => result === 'done').map(({ what }) => what),
    ['changeSchedule', 'createSchedule'],
  );
  await ask('DELETE', `/schedules/${id}?entityId=${DEMO.merchantId}`);
  assert.equal((await change(id, { amount: '2.00' })).code, '100.360.300');
});
