import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { WebhookPayload } from '../payments/webhook/payload.ts';
import { withoutPersonalData } from '../spec/masking.ts';
import { createSingleFlight, hasLongList, stripInSlices, writeInSlices } from './prepareDispatch.ts';

const listOf = <One>(length: number, of: (at: number) => One): One[] => Array.from({ length }, (_, at) => of(at));
const items = (length: number) =>
  listOf(length, (at) => ({ name: `item ${at}`, recipient: { name: 'Ann' }, giftMessage: 'hello', tax: { rate: '7' } }));
const messageOf = (payload: Record<string, unknown>): WebhookPayload => ({ type: 'PAYMENT', payload });

const cases: readonly [what: string, payload: Record<string, unknown>, isLong: boolean][] = [
  ['a cart of a thousand items', { id: '1', customer: { name: 'Ann' }, cart: { items: items(1_001), total: '7' } }, true],
  ['a list whose last slice is short', { cart: { items: items(51) } }, true],
  ['a list of one slice', { cart: { items: items(50) } }, false],
  [
    'a long list of other means of payment',
    { cart: { items: items(60), payments: listOf(60, () => ({ brand: 'VISA' })) } },
    true,
  ],
  ['a long list within personal data', { customer: { visits: listOf(60, (at) => ({ at })) }, id: '1' }, true],
  [
    'a list of texts, an empty cart and nothing',
    { tags: { all: listOf(60, String) }, cart: {}, risk: null, list: listOf(60, String) },
    true,
  ],
];
for (const [what, payload, isLong] of cases) {
  test(`${what}: stripped in slices as in one go, ${isLong ? 'with' : 'without'} a rest`, async () => {
    const message = messageOf(payload);
    const before = JSON.stringify(message);
    let rests = 0;
    const stripped = await stripInSlices(message, async () => {
      rests += 1;
    });
    assert.equal(JSON.stringify(stripped), JSON.stringify(withoutPersonalData(message)));
    assert.equal(JSON.stringify(message), before, 'the payload itself stays');
    assert.equal(hasLongList(message), isLong);
    if (!isLong) assert.equal(rests, 0);
  });
}

const written: readonly WebhookPayload[] = [
  ...cases.map(([, payload]) => messageOf(payload)),
  {
    type: 'REGISTRATION',
    action: 'CREATED',
    payload: { risk: undefined, cart: { none: undefined, items: [...items(60), undefined] } },
  },
  messageOf({}),
];
for (const [at, message] of written.entries()) {
  test(`message ${at} is written in slices as in one go`, async () => {
    let rests = 0;
    const text = await writeInSlices(message, async () => {
      rests += 1;
    });
    assert.equal(text, JSON.stringify(message));
    assert.equal(rests > 0, hasLongList(message));
  });
}

test('a thousand items have a rest before every fifty', async () => {
  let rests = 0;
  await stripInSlices(messageOf({ cart: { items: items(1_001) } }), async () => {
    rests += 1;
  });
  assert.equal(rests, 21);
});

/** A source that counts how often it worked, and a clock that a test sets. */
function setUp(isKept: (made: string) => boolean = () => true) {
  let [now, count] = [1_000_000, 0];
  const shared = createSingleFlight<string>({ now: () => now }, isKept);
  const work = async (): Promise<string> => {
    count += 1;
    return `made ${count}`;
  };
  const pass = (ms: number): void => {
    now += ms;
  };
  return { shared, work, pass, count: () => count };
}

describe('work that is shared among deliveries', () => {
  test('is done once within a moment, and anew after it', async () => {
    const { shared, work, pass } = setUp();
    assert.deepEqual(await Promise.all([shared.get('a', work), shared.get('a', work)]), ['made 1', 'made 1']);
    pass(999);
    assert.equal(await shared.get('a', work), 'made 1');
    pass(1);
    assert.equal(await shared.get('a', work), 'made 2');
  });

  test('is done anew after the clock was set back', async () => {
    const { shared, work, pass } = setUp();
    await shared.get('a', work);
    pass(-60_000);
    assert.equal(await shared.get('a', work), 'made 2');
  });

  test('is of its own for each key', async () => {
    const { shared, work } = setUp();
    assert.deepEqual([await shared.get('a', work), await shared.get('b', work)], ['made 1', 'made 2']);
  });

  test('that is too large is shared while it is made, and not kept', async () => {
    const { shared, work } = setUp(() => false);
    assert.deepEqual(await Promise.all([shared.get('a', work), shared.get('a', work)]), ['made 1', 'made 1']);
    assert.equal(await shared.get('a', work), 'made 2');
  });

  test('that fails fails for those who wait, and is tried again', async () => {
    const { shared, work } = setUp();
    const fails = () => Promise.reject(new Error('no database'));
    const results = await Promise.allSettled([shared.get('a', fails), shared.get('a', work)]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await shared.get('a', work), 'made 1');
  });

  test('is kept for a bounded number of keys: the oldest goes first', async () => {
    const { shared, work, count } = setUp();
    for (let at = 0; at < 257; at += 1) await shared.get(`${at}`, work);
    await shared.get('1', work);
    assert.equal(count(), 257);
    await shared.get('0', work);
    assert.equal(count(), 258);
  });
});
