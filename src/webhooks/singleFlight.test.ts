import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSingleFlight } from './singleFlight.ts';

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
