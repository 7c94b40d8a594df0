import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { CARD, createClient, DEMO } from './client.ts';
import { createClockClient, createWebhookReceiver, DAY_MS, receivedBy } from './clockFixture.ts';
import { startGateway } from './gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-year-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const PATH = '/scheduling/v1/schedules';
const INITIAL = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.source': 'CIT',
  'standingInstruction.recurringType': 'SUBSCRIPTION',
} as const;
/** The promised time, on an idle processor. */
const YEAR_MS_MAX = 10_000;

test('a year of a monthly subscription with failures, retries and webhooks', async (context) => {
  const store = await openSqliteStore({ path: join(folder, 'year.db') });
  const gateway = await startGateway({ store });
  context.after(() => gateway.close());
  const [shop, clock] = [createClient(gateway.url), createClockClient(gateway.url)];
  const receiver = await createWebhookReceiver(gateway);
  const began = process.cpuUsage();
  let worked = 0;
  const move = async (wish: { readonly to: string }) => {
    worked += (await clock.move(wish)).body.did.runs;
  };
  await clock.freeze();
  await move({ to: '2028-01-10T08:00:00Z' });
  const { id: registrationId } = await shop.send('POST', '/v1/registrations', { ...CARD, ...INITIAL });
  const made = await shop.send('POST', PATH, {
    registrationId,
    paymentType: 'DB',
    amount: '17.00',
    currency: 'EUR',
    'job.month': '*',
    'job.dayOfMonth': '1',
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const change = async (fields: Readonly<Record<string, string>>) => {
    const reply = await shop.send('POST', `${PATH}/${made.id}/reschedule`, { amount: '17.00', currency: 'EUR', ...fields });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
  };
  await move({ to: '2028-04-15T00:00:00Z' });
  // Two months in which the card has no money, and a receiver that is down for a while.
  await change({ 'customParameters[forceResultCode]': '800.100.155', 'customParameters[SIMULATOR_advice]': '27' });
  await move({ to: '2028-05-20T00:00:00Z' });
  receiver.manner = 'error';
  await move({ to: '2028-06-03T00:00:00Z' });
  receiver.manner = 'ok';
  await move({ to: '2028-06-28T00:00:00Z' });
  await change({ 'customParameters[forceResultCode]': '000.100.110' });
  await move({ to: '2029-01-10T08:00:00Z' });
  const { user, system } = process.cpuUsage(began);
  const tookMs = (user + system) / 1_000;
  const runs = (await store.runs(DEMO.merchantId, made.id, 100)).toReversed();
  const at = runs.map(({ dueAt }) => new Date(dueAt).toISOString().slice(0, 10));
  const regular = at.filter((day) => day.endsWith('-01'));
  assert.equal(new Set(regular).size, 12, at.join(' '));
  assert.equal(worked, runs.length, 'the clock counts runs, and not looks at their outcomes');
  const charges = await Promise.all(runs.map(({ paymentId }) => shop.read(paymentId ?? '')));
  const codes = charges.map(({ code }) => code);
  assert.equal(codes.filter((code) => code === '000.100.110').length, 10);
  assert.equal(codes.filter((code) => code === '800.100.155').length, 10, 'each of the two months was tried five times');
  for (const { dueAt, at: done } of runs) assert.ok(done >= dueAt && done - dueAt < 1_000, 'charged when it was due');
  const received = new Set(receivedBy(receiver).map(({ payload }) => payload.id));
  assert.ok(
    runs.every(({ paymentId }) => received.has(paymentId)),
    'every charge was told',
  );
  assert.ok(receiver.heard.length > receiver.accepted.length, 'some of it more than once');
  assert.ok(tookMs < YEAR_MS_MAX, `${Math.round(tookMs)} ms of ${YEAR_MS_MAX} ms`);
  context.diagnostic(`${Math.round(tookMs)} ms, ${receiver.heard.length} calls`);
});

test('a move that an orderly end cuts short goes on when the gateway is started again', async (context) => {
  const path = join(folder, 'again.db');
  const first = await startGateway({ store: await openSqliteStore({ path }), patienceMs: 200 });
  const receiver = await createWebhookReceiver(first);
  const [shop, clock] = [createClient(first.url), createClockClient(first.url)];
  await clock.freeze();
  const from = await clock.now();
  const { id } = await shop.pay();
  receiver.manner = 'hang';
  const asked = clock.set({ by: '3d' });
  while ((await clock.now()) === from) await clock.read();
  await Promise.all([first.close(), asked.catch(() => {})]);
  const second = await startGateway({ store: await openSqliteStore({ path }) });
  context.after(() => second.close());
  const hand = createClockClient(second.url);
  const before = await hand.read();
  assert.equal(before.body.isMoving, true);
  assert.ok(Date.parse(before.body.now) > from, 'where it was');
  receiver.manner = 'ok';
  await second.work('advance test clocks');
  while ((await hand.read()).body.isMoving) await hand.read();
  assert.equal(await hand.now(), from + 3 * DAY_MS);
  assert.deepEqual(
    receivedBy(receiver).map(({ payload }) => payload.id),
    [id],
  );
});
