import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createReplica } from '../../src/store/replica.ts';
import { createClient, DEMO } from '../http/client.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

/** Pages whose data come from a replica say how old these are, once that is worth a word. */

/** A replica that has replayed everything until `behindMs` ago; null: it is not read. The clock is the test's own. */
const state = { at: 1_000_000, behindMs: 0 as number | null };
const LAG_MS_MAX = 600_000;

let office: Office;
before(async () => {
  if (noBrowser) return;
  const store = createMemoryStore();
  const source = {
    reads: store,
    // The primary writes a byte in each millisecond.
    written: async () => BigInt(state.at),
    replayed: async () => (state.behindMs === null ? null : BigInt(state.at - state.behindMs)),
    close: async () => {},
  };
  const now = () => state.at;
  const replica = createReplica(store, source, { now, lagMsMax: LAG_MS_MAX, log: { warn: () => {} } });
  office = await openOffice({ store, replica });
  await createClient(office.gateway.url).pay({ amount: '92.00' });
  await office.gateway.work('aggregate statistics');
});
afterEach(() => office?.release());
after(() => office?.close());

const skip = noBrowser;

/** The replica is looked at with an age of 0, and then falls behind: its last known state is `ms` old at the next look. */
async function fallBehind(ms: number): Promise<void> {
  state.behindMs = 0;
  // Longer than the time after which a replica that was away is asked again.
  state.at += 10_000;
  await list();
  await list();
  state.at += ms;
  state.behindMs = ms;
}

let list: () => Promise<unknown> = async () => {};

test('a page says how old its data are, in the language of the user, and no longer when they are new', { skip }, async () => {
  const seat = await office.sit({ role: 'readOnly', entityId: DEMO.merchantId });
  list = async () => seat.ask?.('GET', `/payments?entityId=${DEMO.merchantId}`);
  const { page } = seat;

  await fallBehind(7_000);
  await seat.go('/payments');
  await page.getByText('Data up to 7 seconds old').waitFor();
  await page.getByRole('cell', { name: '€92.00' }).waitFor();
  await seat.axe();
  await seat.shot('data-age-payments');

  await fallBehind(7_000);
  await seat.go('/');
  await page.getByText('Data up to 7 seconds old').waitFor();
  await page.locator('.figures').getByText('€92.00').waitFor();
  await seat.shot('data-age-dashboard');

  // The page asks again by itself: the note goes away when the replica has caught up.
  state.at += 10_000;
  state.behindMs = 0;
  await page.getByText('Data up to').waitFor({ state: 'detached', timeout: 12_000 });
  await page.locator('.figures').getByText('€92.00').waitFor();
  assert.deepEqual(seat.troubles, []);
});

test('two seconds are not worth a word; data of the primary have no age', { skip }, async () => {
  const seat = await office.sit({ role: 'readOnly', entityId: DEMO.merchantId });
  list = async () => seat.ask?.('GET', `/payments?entityId=${DEMO.merchantId}`);
  const { page } = seat;
  for (const behind of [() => fallBehind(2_000), () => fallBehind(LAG_MS_MAX + 1)]) {
    await behind();
    await seat.go('/payments');
    await page.getByRole('cell', { name: '€92.00' }).waitFor();
    assert.equal(await page.getByText('Data up to').count(), 0);
  }
  // The payment itself is read from the primary, whatever the list says.
  await fallBehind(9_000);
  await seat.go('/payments');
  await page.getByText('Data up to 9 seconds old').waitFor();
  await page.getByRole('row').last().getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: /92/ }).waitFor();
  assert.equal(await page.getByText('Data up to').count(), 0);
});

test('on a phone, in German and in the dark, minutes are minutes and the page fits', { skip }, async () => {
  const seat = await office.sit({ viewport: { width: 320, height: 700 }, language: 'de', colorScheme: 'dark' });
  list = async () => seat.ask?.('GET', `/payments?entityId=${DEMO.merchantId}`);
  for (const path of ['/payments', '/registrations', '/checkouts', '/schedules', '/']) {
    await fallBehind(150_000);
    await seat.go(path);
    await seat.page.getByText('Daten bis zu 3 Minuten alt').waitFor();
    await seat.fits();
    await seat.axe(['color-contrast']);
  }
  await seat.shot('data-age-phone');
  assert.deepEqual(seat.troubles, []);
});
