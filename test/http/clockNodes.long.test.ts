import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep } from '../../src/app/system.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { testDatabase } from '../postgres.ts';
import { CARD, createClient, DEMO } from './client.ts';
import { createClockClient, createWebhookReceiver, receivedBy } from './clockFixture.ts';
import { startGateway, type TestGateway } from './gateway.ts';

const JOBS = [
  'reload test clocks',
  'advance test clocks',
  'sweep',
  'run due schedules',
  'fan out events',
  'dispatch deliveries',
  'send checkout notifications',
] as const;

/** The jobs of a node, run more often than its loop would. */
function keepWorking(node: TestGateway, signal: AbortSignal): Promise<void> {
  const repeat = async (job: string): Promise<void> => {
    while (!signal.aborted) {
      await node.work(job);
      await sleep(20, signal);
    }
  };
  return Promise.all(JOBS.map(repeat)).then(() => {});
}

test('two nodes at work while one of them moves a clock: every day is charged once, on its day, with its webhook', async (context) => {
  const { url } = await testDatabase();
  const open = async () => startGateway({ store: await openPostgresStore({ url }) });
  const [one, other] = [await open(), await open()];
  const ending = new AbortController();
  const working = [one, other].map((node) => keepWorking(node, ending.signal));
  context.after(async () => {
    ending.abort();
    await Promise.all(working);
    await Promise.all([one, other].map((node) => node.close()));
  });
  const [shop, clock, there] = [createClient(one.url), createClockClient(one.url), createClockClient(other.url)];
  const receiver = await createWebhookReceiver(one);
  await clock.freeze();
  const stored = await shop.send('POST', '/v1/registrations', {
    ...CARD,
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.type': 'RECURRING',
    'standingInstruction.source': 'CIT',
    'standingInstruction.recurringType': 'SUBSCRIPTION',
  });
  const made = await shop.send('POST', '/scheduling/v1/schedules', {
    registrationId: stored.id,
    paymentType: 'DB',
    amount: '17.00',
    currency: 'EUR',
    'job.expression': '0 0 6 * * ?',
  });
  const began = performance.now();
  await clock.move({ by: '40d' });
  receiver.manner = 'error';
  await clock.move({ by: '2d' });
  receiver.manner = 'ok';
  await clock.move({ by: '18d' });
  context.diagnostic(`60 days in ${Math.round(performance.now() - began)} ms, ${receiver.heard.length} calls`);
  assert.equal(await there.now(), await clock.now());
  const runs = await one.services.schedules.store.runs(DEMO.merchantId, made.id, 100);
  assert.equal(runs.length, 60);
  for (const { dueAt, at, paymentId } of runs) assert.ok(paymentId !== null && at >= dueAt && at - dueAt < 60_000);
  const received = receivedBy(receiver).map(({ payload }) => payload.id);
  assert.deepEqual(
    runs.filter(({ paymentId }) => !received.includes(paymentId)),
    [],
  );
});
