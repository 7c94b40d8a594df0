import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMemoryStore, type MemoryStore } from '../../src/store/memory/memoryStore.ts';
import { CARD, createClient, DEMO } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';

/** What the simulation found in how plans are changed, each as the smallest case that shows it. */

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const PATH = '/scheduling/v1/schedules';
const SERIES = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.source': 'CIT',
};
const HOURLY = { 'job.expression': '0 0 * * * ?' };

let gateway: TestGateway;
let store: MemoryStore;
before(async () => {
  store = createMemoryStore();
  gateway = await startGateway({ store });
});
after(() => gateway.close());

async function planned(): Promise<{ readonly id: string; readonly runs: () => Promise<readonly string[]> }> {
  const shop = createClient(gateway.url);
  const { id: registrationId } = await shop.send('POST', '/v1/registrations', { ...CARD, ...SERIES });
  const { status, id, body } = await shop.send('POST', PATH, {
    registrationId,
    paymentType: 'DB',
    amount: '17.00',
    currency: 'EUR',
    ...HOURLY,
  });
  assert.equal(status, 200, JSON.stringify(body));
  const runs = async () => {
    const found = await store.runs(DEMO.merchantId, id, 100);
    return found
      .map(({ dueAt, skipped }) => `${new Date(dueAt).toISOString().slice(14, 19)} ${skipped ?? 'charged'}`)
      .toReversed();
  };
  return { id, runs };
}

/** To so many minutes after the next full hour. */
function passUntil(minutes: number): void {
  const now = gateway.world.clock.now();
  gateway.pass(Math.ceil(now / HOUR_MS) * HOUR_MS + minutes * MINUTE_MS - now);
}

test('what was due when a plan is changed is charged, and what was missed before it is written down', async () => {
  const { id, runs } = await planned();
  passUntil(1);
  gateway.pass(HOUR_MS);
  const changed = await createClient(gateway.url).send('POST', `${PATH}/${id}/reschedule`, { 'job.expression': '0 30 * * * ?' });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  await gateway.work('run due schedules');
  gateway.pass(30 * MINUTE_MS);
  await gateway.work('run due schedules');
  assert.deepEqual(await runs(), ['00:00 missed: a later run was due already', '00:00 charged', '30:00 charged']);
  await createClient(gateway.url).send('DELETE', `${PATH}/${id}`, {});
});

test('a plan that is changed by a clock which is behind goes on after the runs that are done', async () => {
  const { id, runs } = await planned();
  passUntil(1);
  await gateway.work('run due schedules');
  gateway.pass(-10 * MINUTE_MS);
  const changed = await createClient(gateway.url).send('POST', `${PATH}/${id}/reschedule`, { amount: '18.00', currency: 'EUR' });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  gateway.pass(11 * MINUTE_MS + HOUR_MS);
  await gateway.work('run due schedules');
  assert.deepEqual(await runs(), ['00:00 charged', '00:00 charged']);
  await createClient(gateway.url).send('DELETE', `${PATH}/${id}`, {});
});

test('what was due when a plan is changed stays due when a clock which is behind changes it once more', async () => {
  const { id, runs } = await planned();
  const change = (fields: Record<string, string>) => createClient(gateway.url).send('POST', `${PATH}/${id}/reschedule`, fields);
  passUntil(1);
  assert.equal((await change({ amount: '18.00', currency: 'EUR' })).status, 200);
  gateway.pass(-10 * MINUTE_MS);
  assert.equal((await change({ 'job.expression': '0 30 * * * ?' })).status, 200);
  gateway.pass(11 * MINUTE_MS);
  await gateway.work('run due schedules');
  assert.deepEqual(await runs(), ['00:00 charged']);
  await createClient(gateway.url).send('DELETE', `${PATH}/${id}`, {});
});

test('what was due when a plan is changed is charged although a clock which is behind ends it', async () => {
  const { id, runs } = await planned();
  const shop = createClient(gateway.url);
  passUntil(1);
  assert.equal((await shop.send('POST', `${PATH}/${id}/reschedule`, { amount: '18.00', currency: 'EUR' })).status, 200);
  gateway.pass(-10 * MINUTE_MS);
  assert.equal((await shop.send('DELETE', `${PATH}/${id}`, {})).status, 200);
  gateway.pass(11 * MINUTE_MS + HOUR_MS);
  await gateway.work('run due schedules');
  assert.deepEqual(await runs(), ['00:00 charged']);
});
