import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import { createClient, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { ORDER, postCases } from './postCases.ts';

/** `Idempotency-Key` on every POST of a merchant: the same request again gets the first reply. */

let gateway: TestGateway;
let shop: ReturnType<typeof createClient>;
before(async () => {
  gateway = await startGateway();
  shop = createClient(gateway.url);
});
after(() => gateway.close());

const prepared = async () => (await shop.send('POST', '/v1/checkouts', ORDER)).id;
/** Asked of the shop when a test runs. */
const cases = postCases({
  send: (...asked) => shop.send(...asked),
  pay: (...asked) => shop.pay(...asked),
} as ReturnType<typeof createClient>);

/** Schedules have tests of their own. */
const isOfPlans = (path: string): boolean => path.startsWith('/scheduling/');

test('the table has every POST of a merchant', () => {
  const posts = Object.entries(endpoints)
    .filter(([, { method, access, path }]) => method === 'POST' && access === 'token' && !isOfPlans(path))
    .map(([name]) => name);
  assert.deepEqual(Object.keys(cases).sort(), posts.sort());
});

const nameOf = ({ id, code, body }: Reply) => ({ id, code, integrity: body.integrity });

for (const [name, { fields, named, other }] of Object.entries(cases)) {
  const { path } = endpoints[name as EndpointName];
  const pathFor = async () => path.replace('{id}', (await named?.()) ?? '');

  test(`${name}: the same key and body again is the same answer, another body is refused`, async () => {
    const to = await pathFor();
    const key = { 'idempotency-key': `${name} once` };
    const first = await shop.send('POST', to, fields, key);
    assert.match(first.code, /^000\./, JSON.stringify(first.body));
    for (let times = 0; times < 2; times += 1) {
      const again = await shop.send('POST', to, fields, key);
      assert.deepEqual(nameOf(again), nameOf(first));
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
    }
    assert.equal(first.headers.get('idempotency-replayed'), null);
    const changed = await shop.send('POST', to, { ...fields, ...other }, key);
    assert.deepEqual([changed.status, changed.code], [400, '200.200.107']);
    assert.equal(changed.body.result.description, 'Idempotency-Key was already used with another request');
    assert.equal(changed.headers.get('idempotency-replayed'), null);
    assert.deepEqual(
      changed.body.result.parameterErrors.map((fault: { name: string }) => fault.name),
      ['Idempotency-Key'],
    );
    const elsewhere = await shop.pay({ amount: '1.23' }, key);
    assert.equal(elsewhere.status, 400, 'a key is of one request, wherever it was sent');
  });

  test(`${name}: eight at once with one key are one`, async () => {
    const to = await pathFor();
    const key = { 'idempotency-key': `${name} at once` };
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.send('POST', to, fields, key)));
    assert.equal(new Set(answers.map(({ id }) => id)).size, 1, JSON.stringify(answers.map(nameOf)));
    for (const answer of answers) assert.match(answer.code, /^000\./);
    assert.equal(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1);
  });

  test(`${name}: a malformed key is refused`, async () => {
    const answer = await shop.send('POST', await pathFor(), fields, { 'idempotency-key': 'k'.repeat(256) });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.result.parameterErrors[0].name, 'Idempotency-Key');
  });
}

test('faults of key and form come together, and a refused request leaves its key free', async () => {
  const wrong = await shop.send('POST', '/v1/checkouts', { ...ORDER, amount: 'x' }, { 'idempotency-key': 'k'.repeat(256) });
  assert.deepEqual(
    wrong.body.result.parameterErrors.map((fault: { name: string }) => fault.name),
    ['Idempotency-Key', 'amount'],
  );
  const key = { 'idempotency-key': 'mended' };
  assert.equal((await shop.send('POST', '/v1/checkouts', { ...ORDER, amount: 'x' }, key)).status, 400);
  assert.equal((await shop.send('POST', '/v1/checkouts', ORDER, key)).code, '000.200.100');
});

test('an update that is sent again does not undo the one behind it', async () => {
  const id = await prepared();
  const update = (amount: string, key: string) =>
    shop.send('POST', `/v1/checkouts/${id}`, { amount }, { 'idempotency-key': key });
  await update('10.00', 'first change');
  await update('20.00', 'second change');
  assert.equal((await update('10.00', 'first change')).code, '000.200.101');
  assert.equal((await gateway.services.checkouts.store.checkout(id))?.fields.amount, '20.00');
});

test('the key of a checkout outlives it: repeated for a day, then said to be over, and free after a month', async () => {
  const key = { 'idempotency-key': 'for a month' };
  const first = await shop.send('POST', '/v1/checkouts', ORDER, key);
  gateway.pass(40 * 60_000);
  assert.equal((await shop.send('POST', '/v1/checkouts', ORDER, key)).id, first.id);
  gateway.pass(2 * 86_400_000);
  await gateway.services.checkouts.store.deleteCheckouts(gateway.world.clock.now() - 86_400_000);
  const over = await shop.send('POST', '/v1/checkouts', ORDER, key);
  assert.deepEqual([over.status, over.code], [400, '200.300.404']);
  assert.match(over.body.result.description, /No payment session found/);
  gateway.pass(36 * 86_400_000);
  await gateway.work('delete expired idempotency keys');
  const anew = await shop.send('POST', '/v1/checkouts', ORDER, key);
  assert.equal(anew.code, '000.200.100');
  assert.notEqual(anew.id, first.id);
});
