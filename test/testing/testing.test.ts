import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { reachOf } from '../../scripts/reach.ts';
import { expectDeclined, expectPaid, expectPending, playScenario, startTurnpike, testCard } from '../../src/testing/main.ts';
import shareGateway from '../../src/testing/setup.ts';
import { END_MS_MAX, endsByItself, payingProgram } from './ends.ts';

/** `turnpike/testing` from the sources; test/package.test.ts runs the sample project and the page with the packed one. */

const order = { paymentType: 'DB', amount: '92.00', currency: 'EUR', ...testCard('VISA') } as const;

test('instances are independent: payments, clocks, scenarios and webhooks of one are not those of another', async () => {
  const [one, other] = await Promise.all([startTurnpike({ at: '2031-10-02T09:00:00Z' }), startTurnpike({ isFrozen: false })]);
  try {
    assert.notEqual(one.url, other.url);
    await one.client.scenarios.attach('card-stolen');
    const [declined, paid] = [await one.client.createPayment(order), await other.client.createPayment(order)];
    expectDeclined(declined, 'hard');
    expectPaid(paid, { amount: 9200n, currency: 'EUR' });
    await other.webhooks.waitFor({ type: 'PAYMENT', id: paid.id, code: '000.100.110' });
    await one.webhooks.waitFor(({ payload }) => payload.id === declined.id);
    assert.deepEqual([one.webhooks.all({ id: paid.id }).length, other.webhooks.all({ kind: 'declined' }).length], [0, 0]);
    assert.match((await one.client.clock.read()).now, /^2031-10-02T09:00:00/);
    assert.equal((await other.client.clock.read()).isFrozen, false);
    await assert.rejects(one.client.readPayment(paid.id), { kind: 'notFound' });
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
  await assert.rejects(fetch(one.url));
});

test('expectations and waiting fail with the result in words', async () => {
  await using gateway = await startTurnpike();
  const { client, webhooks } = gateway;
  const declined = await client.createPayment({ ...order, ...playScenario('insufficient-funds') });
  const paid = await client.createPayment(order);
  assert.throws(() => expectPaid(declined), /expected success, but the payment is declined \(soft\): 800\.100\.155 /);
  assert.throws(
    () => expectPaid(paid, { amount: '91.00' }),
    /expected success of 91\.00 EUR, but the payment is success: .*, 92\.00, EUR/,
  );
  assert.throws(() => expectPending(paid), /expected pending, but the payment is success/);
  assert.throws(() => expectDeclined(declined, 'hard'), /expected declined \(hard\)/);
  expectDeclined(declined, '800.100.155');
  await webhooks.waitFor({ id: paid.id ?? '' });
  await assert.rejects(webhooks.waitFor({ type: 'SCHEDULE' }, 1), (error: Error) => {
    assert.match(error.message, /^no such webhook within 1 ms; \d came:\n {2}PAYMENT [a-f0-9]{32} /);
    return true;
  });
});

test('its program loads no database, no command and no page of the back office: a start stays small', () => {
  const { files, packages } = reachOf(['src/app/testing/main.ts']);
  const all = reachOf().files.size;
  assert.ok(files.size < all, `${files.size} of ${all}`);
  assert.deepEqual(
    [...files].filter((file) => /^src\/(?:cli\/|store\/(?:sqlite|postgres)\/(?!errors|gather))/.test(file)),
    [],
  );
  assert.ok(!packages.has('postgres'), [...packages.keys()].join());
});

test('a test run that shares a gateway has a merchant for every start, as independent as gateways', async () => {
  const close = await shareGateway();
  try {
    const again = await shareGateway();
    const [one, other, own] = await Promise.all([
      startTurnpike({ at: '2031-10-02T09:00:00Z' }),
      startTurnpike({ isFrozen: false }),
      startTurnpike({ isShared: false, recordsWebhooks: false }),
    ]);
    await again();
    assert.deepEqual([one.url === other.url, one.url === own.url], [true, false]);
    assert.equal(new Set([one, other, own].flatMap(({ entityId, merchantId, token }) => [entityId, merchantId, token])).size, 9);
    await one.client.scenarios.attach('card-stolen');
    const [declined, paid] = [await one.client.createPayment(order), await other.client.createPayment(order)];
    expectDeclined(declined, 'hard');
    expectPaid(paid, { amount: 9200n, currency: 'EUR' });
    await other.webhooks.waitFor({ id: paid.id });
    await one.webhooks.waitFor({ id: declined.id });
    assert.deepEqual([one.webhooks.all().length, other.webhooks.all().length], [1, 1]);
    assert.match((await one.client.clock.read()).now, /^2031-10-02T09:00:00/);
    assert.equal((await other.client.clock.read()).isFrozen, false);
    await assert.rejects(one.client.readPayment(paid.id), { kind: 'notFound' });
    const ofMerchant = await other.client.createPayment({ ...order, entityId: other.merchantId });
    expectPaid(ofMerchant);
    await Promise.all([one.close(), other.close(), own.close()]);
  } finally {
    await close();
  }
  const { url, close: end } = await startTurnpike({ recordsWebhooks: false });
  await end();
  await assert.rejects(fetch(url));
});

const library = join(import.meta.dirname, '..', '..', 'src', 'testing');

for (const isShared of [false, true])
  test(`a program that never closes its gateway ends by itself${isShared ? ', with a shared one' : ''}`, async () => {
    const { ms, output } = await endsByItself(payingProgram(library, { isShared }));
    assert.match(output, /^000\.100\.110 \d+ webhook/, output);
    assert.ok(ms !== null && ms <= END_MS_MAX, `${ms} ms after its last line`);
  });

test('control: a program that something keeps alive is found', async () => {
  const { ms } = await endsByItself(`${payingProgram(library, {})}\nprocess.stdin.resume();`);
  assert.equal(ms, null);
});
