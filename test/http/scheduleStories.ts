import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ScheduleRun } from '../../src/payments/schedule.ts';
import { SCHEDULE_FIELDS_MAX } from '../../src/schedules/change.ts';
import type { Store } from '../../src/store/store.ts';
import { CARD, createClient, DEMO, type Fields, OTHER, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** Schedules of regular payments as a merchant's server sees them, on any store. */

const DAY_MS = 86_400_000;
const INITIAL = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.source': 'CIT',
  'standingInstruction.recurringType': 'SUBSCRIPTION',
} as const;
const SECONDLY = { 'job.expression': '* * * * * ?' } as const;
const MEMBERS = ['name', 'merchantItemId', 'price', 'quantity', 'sku', 'totalAmount'] as const;
/** So many fields of items, from one on. */
const itemsFrom = (first: number, count: number): Fields =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `cart.items[${Math.floor((first + n) / MEMBERS.length)}].${MEMBERS[(first + n) % MEMBERS.length]}`,
      '12.00'.slice(0, (first + n) % MEMBERS.length === 3 ? 2 : 5),
    ]),
  );
const DAILY = { 'job.expression': '0 0 6 * * ?' } as const;

export function scheduleStories(name: string, openStore: () => Promise<Store>): void {
  describe(`schedules on ${name}`, () => {
    let gateway: TestGateway;
    let store: Store;
    const shop = () => createClient(gateway.url);
    const PATH = '/scheduling/v1/schedules';

    before(async () => {
      store = await openStore();
      gateway = await startGateway({ store });
      // At noon, whenever the tests run: shortly before a due time its late charge and the next one would fall together.
      gateway.pass((DAY_MS * 1.5 - (Date.now() % DAY_MS)) % DAY_MS);
    });
    after(() => gateway.close());

    const stored = async (fields: Fields = {}): Promise<string> => {
      const reply = await shop().send('POST', '/v1/registrations', { ...CARD, ...INITIAL, ...fields });
      assert.equal(reply.code, '000.100.110');
      return reply.id;
    };
    const plan = (registrationId: string, fields: Fields, headers?: Fields): Promise<Reply> =>
      shop().send('POST', PATH, { registrationId, paymentType: 'DB', amount: '17.00', currency: 'EUR', ...fields }, headers);
    const runs = (planId: string): Promise<readonly ScheduleRun[]> => store.runs(DEMO.merchantId, planId, 100);
    const days = async (count: number): Promise<void> => {
      for (let day = 0; day < count; day += 1) {
        gateway.pass(DAY_MS);
        await gateway.work('run due schedules');
      }
    };

    test('the smallest schedule: every first of the month, as the reply shows it', async () => {
      const registrationId = await stored();
      const { status, body } = await plan(registrationId, { 'job.month': '*', 'job.dayOfMonth': '1' });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.result.code, '000.100.110');
      assert.deepEqual([body.paymentType, body.amount, body.currency], ['SD', '17.00', 'EUR']);
      assert.equal(body.registrationId, registrationId);
      assert.deepEqual(body.job, {
        second: '0',
        minute: '0',
        hour: '0',
        dayOfMonth: '1',
        month: '*',
        dayOfWeek: '?',
        year: '*',
      });
      assert.equal(body.plan.active, true);
      assert.equal(body.plan.nextRuns.length, 5);
      for (const run of body.plan.nextRuns) assert.match(run, /^20[0-9]{2}-[0-9]{2}-01 00:00:00\+0000$/);
      const { body: read } = await shop().send('GET', `${PATH}/${body.id}`, {});
      assert.deepEqual({ ...read, timestamp: '' }, { ...body, timestamp: '' });
    });

    test('the fields of a real client are taken as they are', async () => {
      const { status, body } = await plan(await stored(), {
        testMode: 'EXTERNAL',
        'standingInstruction.type': 'RECURRING',
        'standingInstruction.mode': 'REPEATED',
        'standingInstruction.source': 'MIT',
        'standingInstruction.recurringType': 'SUBSCRIPTION',
        'job.second': '33',
        'job.minute': '43',
        'job.hour': '7',
        'job.dayOfMonth': '5',
        'job.month': '*',
        'job.dayOfWeek': '?',
        'job.startDate': '2027-01-01 00:00:00',
        'job.endDate': '2097-12-31 00:00:00',
      });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.result.code, '000.100.112');
      for (const run of body.plan.nextRuns) assert.match(run, /-05 07:43:33\+0000$/);
    });

    test('each due day is charged once, as a later payment of the series that the merchant starts', async () => {
      const made = await plan(await stored(), { ...DAILY, paymentType: 'SD' });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      await days(3);
      await Promise.all([gateway.work('run due schedules'), gateway.work('run due schedules')]);
      const done = await runs(made.id);
      assert.equal(done.length, 3);
      const charges = await Promise.all(done.map(({ paymentId }) => shop().read(paymentId ?? '')));
      for (const { body } of charges) {
        assert.deepEqual([body.result.code, body.paymentType, body.amount], ['000.100.110', 'DB', '17.00']);
        assert.equal(body.registrationId, made.body.registrationId);
        assert.deepEqual([body.standingInstruction.mode, body.standingInstruction.source], ['REPEATED', 'MIT']);
        assert.equal(body.job, undefined);
      }
      await shop().send('DELETE', `${PATH}/${made.id}`, {});
    });

    test('runs missed in a standstill are charged once, and the rest is recorded as skipped', async () => {
      const made = await plan(await stored(), DAILY);
      gateway.pass(10 * DAY_MS);
      await gateway.work('run due schedules');
      const done = await runs(made.id);
      assert.equal(done.length, 10);
      assert.equal(done.filter(({ paymentId }) => paymentId !== null).length, 1);
      assert.ok(done[0]?.paymentId, 'the latest instant is the one that is charged');
      assert.equal(done.filter(({ skipped }) => skipped?.startsWith('missed')).length, 9);
      await shop().send('DELETE', `${PATH}/${made.id}`, {});
    });

    test('a soft decline is tried again after the time the issuer advised, and not after the next run', async () => {
      const made = await plan(await stored(), {
        'job.month': '*',
        'job.dayOfMonth': '1',
        'customParameters[forceResultCode]': '800.100.155',
        'customParameters[SIMULATOR_advice]': '27',
      });
      await days(62);
      const done = (await runs(made.id)).map(({ dueAt }) => dueAt).toReversed();
      const first = done.filter((dueAt) => dueAt < (done[0] ?? 0) + 25 * DAY_MS);
      assert.equal(first.length, 5, 'five tries within twenty days');
      for (const [index, dueAt] of first.slice(1).entries())
        assert.ok(Math.round((dueAt - (first[index] ?? 0)) / DAY_MS) >= 4, 'four days apart');
      await shop().send('DELETE', `${PATH}/${made.id}`, {});
    });

    test('a charge names its schedule, run, attempt and next try, and events say what the gateway does and why', async () => {
      const short = { 'customParameters[forceResultCode]': '800.100.155', 'customParameters[SIMULATOR_advice]': '24' };
      const { id } = await plan(await stored(), { ...DAILY, ...short });
      await days(1);
      const [run] = await runs(id);
      const declined = await shop().read(run?.paymentId ?? '');
      const { schedule } = declined.body;
      assert.deepEqual([declined.code, schedule.id, schedule.attempt], ['800.100.155', id, '1']);
      assert.match(schedule.dueAt, / 06:00:00\+0000$/);
      assert.ok(schedule.nextAttemptAt > schedule.dueAt, schedule.nextAttemptAt);
      const about = { subjectId: id, transactionId: id };
      const details = async () =>
        (await store.eventsOf(DEMO.merchantId, about)).flatMap(({ detail }) => (detail ? [detail] : []));
      const [planned] = await details();
      assert.deepEqual(
        [planned?.change, planned?.paymentId, planned?.attempt, planned?.nextAttemptAt],
        ['RETRY_PLANNED', run?.paymentId, '1', schedule.nextAttemptAt],
      );
      await shop().send('DELETE', `/v1/registrations/${declined.body.registrationId}`, {});
      await days(1);
      const last = (await details()).at(-1);
      assert.deepEqual([last?.change, last?.state, last?.reason], ['ENDED', 'over', 'the registration no longer exists']);
    });

    test('a schedule on details that can never be charged is refused when it is made', async () => {
      const { 'standingInstruction.recurringType': _, ...withoutType } = INITIAL;
      const { id: bare } = await shop().send('POST', '/v1/registrations', CARD);
      const refused = await plan(bare, DAILY);
      assert.equal(refused.code, '200.300.404');
      assert.deepEqual(
        refused.body.result.parameterErrors.map(({ name }: { name: string }) => name),
        ['registrationId'],
      );
      assert.match(refused.body.result.parameterErrors[0].message, /standingInstruction.mode INITIAL/);
      assert.equal((await plan(await stored(withoutType), DAILY)).status, 200, 'a subscription is assumed');
    });

    test('a hard decline is not tried again', async () => {
      const made = await plan(await stored(), {
        'job.month': '*',
        'job.dayOfMonth': '1',
        'customParameters[forceResultCode]': '800.100.172',
      });
      await days(31);
      const done = await runs(made.id);
      assert.ok(done.length > 0);
      for (const { dueAt } of done) assert.match(new Date(dueAt).toISOString(), /-01T00:00:00/, 'only the regular runs');
      await shop().send('DELETE', `${PATH}/${made.id}`, {});
    });

    test('a schedule replaces another: the first is not active any more, and either id ends the chain', async () => {
      const made = await plan(await stored(), DAILY);
      const revised = await shop().send('POST', `${PATH}/${made.id}/reschedule`, {
        amount: '18.50',
        currency: 'EUR',
        'job.hour': '9',
        'job.dayOfMonth': '*',
        'job.month': '*',
      });
      assert.equal(revised.status, 200, JSON.stringify(revised.body));
      assert.deepEqual([revised.body.paymentType, revised.body.referencedId], ['RS', made.id]);
      for (const run of revised.body.plan.nextRuns) assert.match(run, / 09:00:00\+0000$/);
      const before = await shop().send('GET', `${PATH}/${made.id}`, {});
      assert.deepEqual([before.body.plan.active, before.body.plan.nextRuns], [false, []]);
      await days(1);
      const [run] = await runs(made.id);
      assert.equal((await shop().read(run?.paymentId ?? '')).body.amount, '18.50');
      const ended = await shop().send('POST', `${PATH}/${revised.id}/deschedule`, {});
      assert.deepEqual([ended.status, ended.body.paymentType, ended.body.plan.active], [200, 'DS', false]);
      await days(2);
      assert.equal((await runs(made.id)).length, 1);
      assert.equal((await shop().send('DELETE', `${PATH}/${made.id}`, {})).code, '100.360.303');
      assert.equal((await shop().send('POST', `${PATH}/${made.id}/reschedule`, DAILY)).code, '100.360.300');
    });

    test('notice: what is cancelled too late goes on until the next end of its term', async () => {
      const notice = { 'job.durationNumber': '10', 'job.durationUnit': 'DAY', 'job.noticeNumber': '3', 'job.noticeUnit': 'DAY' };
      const made = await plan(await stored(), { ...DAILY, ...notice, 'job.noticeCallable': 'DURATION_END' });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      await days(8);
      const ended = await shop().send('DELETE', `${PATH}/${made.id}`, {});
      assert.deepEqual([ended.body.plan.active, ended.body.plan.state], [true, 'ending']);
      await days(20);
      const charged = (await runs(made.id)).filter(({ paymentId }) => paymentId !== null);
      assert.ok(charged.length === 19 || charged.length === 20, `${charged.length} charges in two terms of ten days`);
      assert.equal((await shop().send('GET', `${PATH}/${made.id}`, {})).body.plan.state, 'over');
    });

    test('a deleted registration ends its schedules, and that is recorded', async () => {
      const registrationId = await stored();
      const made = await plan(registrationId, DAILY);
      await shop().send('DELETE', `/v1/registrations/${registrationId}`, {});
      await days(3);
      const done = await runs(made.id);
      assert.deepEqual(
        done.map(({ skipped }) => skipped),
        ['the registration no longer exists'],
      );
      assert.equal((await shop().send('GET', `${PATH}/${made.id}`, {})).body.plan.active, false);
    });

    test('all schedules of a registration', async () => {
      const registrationId = await stored();
      const made = [await plan(registrationId, DAILY), await plan(registrationId, { 'job.dayOfMonth': 'L', 'job.month': '*' })];
      const { status, body } = await shop().send('GET', `${PATH}/${registrationId}`, {});
      assert.equal(status, 200);
      assert.deepEqual(body.schedules.map(({ id }: { id: string }) => id).sort(), made.map(({ id }) => id).sort());
      for (const { id } of made) await shop().send('DELETE', `${PATH}/${id}`, {});
    });

    test('an idempotency key makes one schedule of two requests', async () => {
      const registrationId = await stored();
      const key = { 'Idempotency-Key': `plan-${registrationId}` };
      const [first, second] = [await plan(registrationId, DAILY, key), await plan(registrationId, DAILY, key)];
      assert.deepEqual([first.status, second.status, first.id], [200, 200, second.id]);
      assert.deepEqual(
        [first, second].map(({ headers }) => headers.get('idempotency-replayed')),
        [null, 'true'],
      );
      assert.equal((await plan(registrationId, { ...DAILY, amount: '1.00' }, key)).code, '200.200.107');
      await shop().send('DELETE', `${PATH}/${first.id}`, {});
    });

    test('schedules of another merchant can be neither read nor ended', async () => {
      const made = await plan(await stored(), DAILY);
      const other = createClient(gateway.url, OTHER);
      assert.equal((await other.send('GET', `${PATH}/${made.id}`, {})).status, 404);
      assert.equal((await other.send('DELETE', `${PATH}/${made.id}`, {})).code, '100.360.303');
      assert.equal((await other.send('POST', `${PATH}/${made.id}/reschedule`, DAILY)).code, '100.360.300');
      assert.equal((await shop().send('GET', `${PATH}/${made.id}`, {})).body.plan.active, true);
      await shop().send('DELETE', `${PATH}/${made.id}`, {});
    });

    const refusals: [what: string, fields: Fields, code: string, field: string | null][] = [
      ['both day fields', { 'job.dayOfMonth': '1', 'job.dayOfWeek': 'MON', 'job.month': '*' }, '100.250.120', 'job.dayOfWeek'],
      ['no job', {}, '100.250.250', 'job.expression'],
      ['hour 25', { 'job.hour': '25', 'job.dayOfMonth': '1' }, '100.250.121', 'job.hour'],
      [
        'an end before the start',
        { ...DAILY, 'job.startDate': '2031-01-02 00:00:00', 'job.endDate': '2031-01-01 00:00:00' },
        '100.250.120',
        'job.endDate',
      ],
      ['30 February', { 'job.expression': '0 0 0 30 2 ?' }, '100.250.120', 'job.expression'],
      ['no amount', { ...DAILY, amount: '' }, '200.300.404', 'amount'],
      ['an amount of nothing', { ...DAILY, amount: '0.00' }, '200.300.404', 'amount'],
      ['an amount of nothing without decimals', { ...DAILY, amount: '0' }, '200.300.404', 'amount'],
      ['a capture', { ...DAILY, paymentType: 'CP' }, '200.300.404', 'paymentType'],
      ['more parameters than a schedule takes', { ...DAILY, ...itemsFrom(0, SCHEDULE_FIELDS_MAX) }, '200.300.404', 'cart.items'],
      ['unknown details', { ...DAILY, registrationId: 'f'.repeat(32) }, '100.150.200', null],
    ];
    for (const [what, fields, code, field] of refusals) {
      test(`refused: ${what}`, async () => {
        const { status, body } = await plan(fields.registrationId ?? (await stored()), fields);
        assert.deepEqual([status, body.result.code], [400, code], JSON.stringify(body));
        if (field !== null) assert.equal(body.result.parameterErrors[0].name, field);
      });
    }

    test('changes add no more parameters than a schedule takes', async () => {
      const half = SCHEDULE_FIELDS_MAX / 2;
      const { id, body } = await plan(await stored(), { ...DAILY, ...itemsFrom(0, half) });
      assert.equal(body.result.code, '000.100.110', JSON.stringify(body.result));
      const change = (fields: Fields): Promise<Reply> => shop().send('POST', `${PATH}/${id}/reschedule`, fields);
      assert.equal((await change(itemsFrom(0, half))).status, 200);
      const refused = await change(itemsFrom(half, half));
      assert.deepEqual([refused.status, refused.body.result.parameterErrors[0].name], [400, 'cart.items']);
      const { status, body: shown } = await shop().send('GET', `${PATH}/${id}`, {});
      assert.deepEqual([status, shown.cart.items.length], [200, Math.ceil(half / MEMBERS.length)]);
    });

    test('a schedule can be previewed', async () => {
      const zone = { zone: 'Europe/Berlin', from: '2027-03-27 12:00:00' };
      const { status, body } = await shop().send('GET', '/scheduling/v1/preview', { 'job.expression': '0 30 2 * * ?', ...zone });
      assert.equal(status, 200, JSON.stringify(body));
      // The night of the 28th has no 02:30: it is the first instant after the gap.
      assert.deepEqual(body.plan.nextRuns.slice(0, 2), ['2027-03-28 01:00:00+0000', '2027-03-29 00:30:00+0000']);
      assert.equal((await shop().send('GET', '/scheduling/v1/preview', { ...SECONDLY, zone: 'Mars/Base' })).code, '200.300.404');
    });
  });
}
