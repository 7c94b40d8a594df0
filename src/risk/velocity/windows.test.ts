import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { windowQueriesFor } from '../engine.ts';
import { exampleFacts } from '../examples.ts';
import type { Dimension, Outcome, Window, WindowAnswer, WindowEvent } from '../ports.ts';
import { ruleBookOf } from '../ruleBook.ts';
import { defaultRiskSettings } from '../settings.ts';
import { countOf, createKeyCache, increment } from './counterArena.ts';
import { keysOf } from './keys.ts';
import { tierOf, tiers } from './tiers.ts';
import { createVelocity, createWindows, type Windows } from './windows.ts';

const T0 = 1_790_000_000_000;
const MINUTE = 60_000;

const windowOf = (given: Partial<Window> = {}): Window => ({
  measure: 'count',
  per: 'card',
  what: null,
  ms: 10 * MINUTE,
  outcome: 'any',
  ...given,
});

type Happened = {
  readonly is?: WindowEvent['is'];
  readonly at?: number;
  readonly amount?: bigint;
  readonly currency?: string;
} & Partial<Record<'card' | 'ip' | 'merchantId', string>>;

/** Tells the windows what happened, each attempt at its time after T0, and its outcome where one is named. */
function noted(windows: Windows, watched: readonly Window[], happened: readonly Happened[]): void {
  for (const {
    is = 'attempt',
    at = 0,
    amount = 100n,
    currency = 'EUR',
    card = 'a',
    ip = '10.0.0.1',
    merchantId = 'm',
  } of happened) {
    const keys = keysOf(exampleFacts({ 'customer.ip': ip }, { fingerprint: card, merchantId }));
    const event = { at: T0 + at, keys, amount, currency, windows: watched };
    windows.record({ ...event, is: 'attempt' });
    if (is !== 'attempt') windows.record({ ...event, is });
  }
}

function answer(
  window: Window,
  happened: readonly Happened[],
  queried: { at?: number; card?: string; ip?: string; merchantId?: string; currency?: string } = {},
): WindowAnswer {
  const windows = createWindows();
  const watched = [window];
  noted(windows, watched, happened);
  const { card = 'a', ip = '10.0.0.1', merchantId = 'm', currency = 'EUR', at = 0 } = queried;
  const keys = keysOf(exampleFacts({ 'customer.ip': ip }, { fingerprint: card, merchantId }));
  return windows.query([{ window, key: keys[window.per], currency, now: T0 + at }])[0] ?? null;
}

const all: readonly Happened[] = [
  { is: 'approved' },
  { is: 'approved' },
  { is: 'approved' },
  { is: 'declined' },
  { is: 'declined' },
  { is: 'blocked' },
  { is: 'unbooked' },
  { is: 'unbooked' },
  { is: 'unbooked' },
  {},
];
const outcomes: [outcome: Outcome, count: number, share: number, sum: bigint][] = [
  ['any', 10, 100, 1_000n],
  ['approved', 3, 30, 300n],
  ['declined', 2, 20, 200n],
  ['blocked', 1, 10, 100n],
  ['failed', 3, 30, 300n],
  ['open', 1, 10, 100n],
  ['unapproved', 7, 70, 700n],
  ['standing', 4, 40, 400n],
];
for (const [outcome, count, share, sum] of outcomes) {
  test(`of three approved, two declined, one blocked, three that booked nothing and one open, ${count} are ${outcome}`, () => {
    assert.equal(answer(windowOf({ outcome }), all), count);
    assert.equal(answer(windowOf({ outcome, measure: 'share' }), all), share);
    assert.equal(answer(windowOf({ outcome, measure: 'sum' }), all), sum);
  });
}

const kept: [
  what: string,
  window: Partial<Window>,
  happened: readonly Happened[],
  queried: Parameters<typeof answer>[2],
  is: WindowAnswer,
][] = [
  ['what was never seen is counted as 0', {}, [], {}, 0],
  ['its sum is 0', { measure: 'sum' }, [], {}, 0n],
  ['no share is taken of nothing', { measure: 'share', outcome: 'failed' }, [], {}, null],
  ['other cards do not count', {}, [{ card: 'b' }], {}, 0],
  ['nor those of other merchants', {}, [{ merchantId: 'n' }], {}, 0],
  ['nor what is over', {}, [{}], { at: 11 * MINUTE }, 0],
  ['what is still in the window does', {}, [{}], { at: 10 * MINUTE }, 1],
  ['nor what is still to come', {}, [{ at: 11 * MINUTE }], {}, 0],
  ['sums are of one currency', { measure: 'sum' }, [{}, { currency: 'CHF' }, {}], {}, 200n],
  ['asked in another one, of that', { measure: 'sum' }, [{}, { currency: 'CHF' }, {}], { currency: 'CHF' }, 100n],
  ['sums are exact beyond 2^53', { measure: 'sum' }, [{ amount: 2n ** 60n }, { amount: 1n }], {}, 2n ** 60n + 1n],
  [
    'cards of one address are told apart',
    { measure: 'distinct', what: 'card', per: 'ip' },
    [{ card: 'a' }, { card: 'b' }, { card: 'a' }],
    {},
    2,
  ],
  ['by address', { measure: 'distinct', what: 'card', per: 'ip' }, [{ card: 'a' }, { card: 'b', ip: '10.0.0.2' }], {}, 1],
  [
    'in time',
    { measure: 'distinct', what: 'card', per: 'ip' },
    [{ card: 'a' }, { card: 'b', at: MINUTE }],
    { at: 10 * MINUTE + 1_000 },
    1,
  ],
  [
    'by when they were seen last',
    { measure: 'distinct', what: 'card', per: 'ip' },
    [{ card: 'a' }, { card: 'a', at: MINUTE }],
    { at: 10 * MINUTE + 1_000 },
    1,
  ],
];
for (const [what, window, happened, queried, is] of kept) {
  test(what, () => assert.equal(answer(windowOf(window), happened, queried), is));
}

test('a request without the thing in question has no answer', () => {
  assert.deepEqual(createWindows().query([{ window: windowOf(), key: null, currency: 'EUR', now: T0 }]), [null]);
});

test('an outcome counts at the time of its attempt', () => {
  const windows = createWindows();
  const window = windowOf({ outcome: 'open', ms: MINUTE });
  const { keys } = { keys: keysOf(exampleFacts({}, { fingerprint: 'a', merchantId: 'm' })) };
  const event = { keys, amount: 1n, currency: 'EUR', windows: [window] };
  windows.record({ ...event, at: T0, is: 'attempt' });
  windows.record({ ...event, at: T0 + 30_000, is: 'attempt' });
  windows.record({ ...event, at: T0, is: 'declined' });
  const open = (now: number) => windows.query([{ window, key: keys.card, currency: 'EUR', now }])[0];
  assert.equal(open(T0 + 40_000), 1);
  assert.equal(open(T0 + 80_000), 1);
  assert.equal(open(T0 + 95_000), 0);
});

test('an outcome whose attempt was forgotten makes no negative count', () => {
  const windows = createWindows();
  const window = windowOf({ outcome: 'open' });
  const keys = keysOf(exampleFacts());
  windows.record({ at: T0, keys, amount: 1n, currency: 'EUR', windows: [window], is: 'declined' });
  assert.deepEqual(windows.query([{ window, key: keys.card, currency: 'EUR', now: T0 }]), [0]);
});

/** Nothing in the window is missed, and nothing older than one bucket before it is counted, in whatever order things are told. */
test('the error of a window is less than one bucket', () => {
  const spans = fc.constantFrom(
    1_000,
    30_000,
    MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    60 * MINUTE,
    24 * 60 * MINUTE,
    31 * 24 * 60 * MINUTE,
  );
  fc.assert(
    fc.property(
      spans,
      fc.array(fc.double({ min: 0, max: 1.2, noNaN: true }), { maxLength: 60 }),
      fc.nat(),
      (ms, ages, offset) => {
        const now = T0 + offset;
        const times = ages.map((age) => now - Math.floor(age * ms));
        const windows = createWindows();
        const window = windowOf({ ms });
        const keys = keysOf(exampleFacts());
        const watched = [window];
        for (const at of times) windows.record({ at, keys, amount: 1n, currency: 'EUR', windows: watched, is: 'attempt' });
        const [count] = windows.query([{ window, key: keys.card, currency: 'EUR', now }]) as [number];
        const width = tiers[tierOf(ms)]?.widthMs ?? 0;
        const within = (reach: number) => times.filter((at) => at >= now - reach).length;
        assert.ok(count >= within(ms) && count <= within(ms + width), `${count}, not ${within(ms)} to ${within(ms + width)}`);
      },
    ),
    { numRuns: 1_000 },
  );
});

const widths: [ms: number, error: number][] = [
  [MINUTE, 1 / 60],
  [10 * MINUTE, 1 / 60],
  [60 * MINUTE, 1 / 60],
  [24 * 60 * MINUTE, 1 / 96],
  [31 * 24 * 60 * MINUTE, 1 / 124],
];
for (const [ms, error] of widths) {
  test(`a window of ${ms / MINUTE} minutes is at most ${error * 100} % too long`, () => {
    assert.equal((tiers[tierOf(ms)]?.widthMs ?? 0) / ms, error);
  });
}

test('memory is bounded: the keys that were not touched for longest are forgotten', () => {
  const windows = createWindows({ keysMax: 100 });
  const watched = [windowOf(), windowOf({ per: 'ip' }), windowOf({ measure: 'distinct', what: 'card', per: 'ip' })];
  const many = Array.from(
    { length: 5_000 },
    (_, at): Happened => ({ card: `card ${at}`, ip: `10.0.${at >> 8}.${at & 255}`, at }),
  );
  // One card comes again and again and must not be lost among cards that come once.
  noted(
    windows,
    watched,
    many.flatMap((one) => (one.at! % 20 === 0 ? [one, { at: one.at!, card: 'faithful' }] : [one])),
  );
  assert.ok(windows.size() <= 300, `${windows.size()} keys`);
  const count = (card: string) =>
    windows.query([
      {
        window: watched[0]!,
        key: keysOf(exampleFacts({}, { fingerprint: card, merchantId: 'm' })).card,
        currency: 'EUR',
        now: T0 + 5_000,
      },
    ])[0];
  assert.deepEqual([count('card 0'), count('card 4999'), count('faithful')], [0, 1, 250]);
});

test('a flood of addresses pushes out addresses, not cards', () => {
  const windows = createWindows({ keysMax: 100 });
  const watched = [windowOf(), windowOf({ per: 'ip' })];
  noted(windows, watched, [{ card: 'good' }]);
  noted(
    windows,
    watched,
    Array.from({ length: 1_000 }, (_, at) => ({ ip: `10.0.${at >> 8}.${at & 255}` })),
  );
  assert.equal(
    windows.query([
      {
        window: watched[0]!,
        key: keysOf(exampleFacts({}, { fingerprint: 'good', merchantId: 'm' })).card,
        currency: 'EUR',
        now: T0,
      },
    ])[0],
    1,
  );
});

for (const count of [9, 10, 11, 12, 50]) {
  test(`of ${count} different values one key keeps no more than the limit of 10`, () => {
    const windows = createWindows({ distinctMax: 10 });
    const watched = [windowOf({ measure: 'distinct', what: 'card', per: 'ip', ms: 24 * 60 * MINUTE })];
    noted(
      windows,
      watched,
      Array.from({ length: count }, (_, at) => ({ card: `card ${at}`, at })),
    );
    const key = keysOf(exampleFacts({ 'customer.ip': '10.0.0.1' }, { merchantId: 'm' })).ip;
    assert.equal(windows.query([{ window: watched[0]!, key, currency: 'EUR', now: T0 + 100 }])[0], Math.min(count, 10));
  });
}

test('one key keeps no more than the buckets of its tier, however long it lives', () => {
  const cache = createKeyCache({ keysMax: 10, hasAmounts: true, seed: 1 });
  const row = cache.touch('entity');
  for (let bucket = 0; bucket < 10_000; bucket += 1) increment(row, { list: 2, bucket, kept: 61, columns: [0], amount: 1n });
  assert.ok(row.arena.cellsUsed <= 64, `${row.arena.cellsUsed} cells`);
});

test('a key cache never holds more than its bound, and a key that is used in time keeps its counters', () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 20 }), fc.array(fc.nat({ max: 40 }), { maxLength: 300 }), (keysMax, keys) => {
      const cache = createKeyCache({ keysMax, hasAmounts: false, seed: 1 });
      const counted = { list: 2, kept: 61, columns: [0], amount: 0n };
      keys.forEach((key, at) => {
        increment(cache.touch('faithful'), { ...counted, bucket: at });
        increment(cache.touch(`${key}`), { ...counted, bucket: at });
        assert.ok(cache.size() <= keysMax);
        const row = cache.find('faithful');
        assert.ok(row && cache.find(`${key}`));
        const range = { list: 2, first: at - 60, last: at };
        assert.equal(countOf(row, range, { weights: [1, 0, 0, 0, 0], variant: 0 }), Math.min(at + 1, 61));
      });
    }),
  );
});

test('behind the interface it is the same memory', async () => {
  const velocity = createVelocity();
  const window = windowOf();
  const keys = keysOf(exampleFacts());
  await velocity.record({ at: T0, keys, amount: 1n, currency: 'EUR', windows: [window], is: 'attempt' });
  assert.deepEqual(await velocity.query([{ window, key: keys.card, currency: 'EUR', now: T0 }]), [1]);
});

test('all windows of the usual rules are read and noted in far less than a millisecond', () => {
  const windows = createWindows();
  const set = ruleBookOf({ ...defaultRiskSettings, limits: { EUR: { cardDayMax: '1000.00' } } }).select({
    channelId: null,
    serviceId: null,
  });
  const dimension: Dimension[] = [...new Set(set.windows.map(({ per }) => per))];
  assert.ok(set.windows.length >= 20 && dimension.length >= 8, `${set.windows.length} windows`);
  const times: number[] = [];
  for (let at = 0; at < 20_000; at += 1) {
    const facts = exampleFacts(
      { 'customer.email': `s${at % 3_000}@shop.example`, 'customer.ip': `10.0.${at % 90}.${at % 200}` },
      { now: T0 + at * 50, fingerprint: `card ${at % 4_000}`, checkoutId: `c${at}` },
    );
    const before = performance.now();
    const keys = keysOf(facts);
    windows.query(windowQueriesFor(facts, set, keys));
    const event = { at: facts.now, keys, amount: facts.amount, currency: facts.currency, windows: set.windows };
    windows.record({ ...event, is: 'attempt' });
    windows.record({ ...event, is: 'approved' });
    times.push(performance.now() - before);
  }
  const p50 = times.sort((one, other) => one - other)[10_000] as number;
  assert.ok(p50 <= 1, `${p50} ms`);
});
