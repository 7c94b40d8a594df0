import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exampleFacts } from '../examples.ts';
import type { Velocity, Window, WindowEvent } from '../ports.ts';
import { createAgedVelocity } from './agedVelocity.ts';
import { keysOf } from './keys.ts';
import { type Tier, tierOf, tiers } from './tiers.ts';
import { createVelocity } from './windows.ts';

const T0 = 1_790_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const windowOf = (per: Window['per'], ms: number, outcome: Window['outcome'] = 'any'): Window => ({
  measure: 'count',
  per,
  what: null,
  ms,
  outcome,
});
const windows = [windowOf('order', MINUTE), windowOf('bin', 10 * MINUTE), windowOf('ip', HOUR), windowOf('card', 31 * DAY)];

const eventAt = (at: number, card: string): WindowEvent => {
  const facts = exampleFacts({ merchantTransactionId: `${card} ${at}` }, { now: at, fingerprint: card });
  return { is: 'attempt', at, keys: keysOf(facts), amount: 100n, currency: 'EUR', windows };
};

const ask = (velocity: Velocity, { keys }: WindowEvent, now: number) =>
  velocity.query(windows.map((window) => ({ window, key: keys[window.per], currency: 'EUR', now })));

test('old attempts that arrive late do not displace those of the last minute', async () => {
  const clock = { now: () => T0 };
  const [plain, aged] = [createVelocity({ keysMax: 100 }), createAgedVelocity(createVelocity({ keysMax: 100 }), clock)];
  const last = eventAt(T0 - 10_000, 'the last one');
  for (const velocity of [plain, aged]) {
    await velocity.record(last);
    for (let day = 0; day < 200; day += 1) await velocity.record(eventAt(T0 - 5 * DAY - day, `card ${day % 40}`));
  }
  assert.equal((await ask(aged, last, T0))[0], 1);
  assert.equal((await ask(plain, last, T0))[0], 0);
});

test('only what can count is stored: the counts equal those of a memory that has everything', async () => {
  const howOld = fc.oneof(fc.nat(2 * MINUTE), fc.nat(15 * MINUTE), fc.nat(2 * HOUR), fc.nat(35 * DAY));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(howOld, fc.constantFrom('a', 'b')), { maxLength: 40 }),
      fc.nat(HOUR),
      async (events, later) => {
        const [plain, aged] = [createVelocity(), createAgedVelocity(createVelocity(), { now: () => T0 })];
        for (const [ms, card] of events) for (const velocity of [plain, aged]) await velocity.record(eventAt(T0 - ms, card));
        // A window reaches back to the beginning of its first bucket, and what lies there may be left out.
        const isClear = windows.map(({ ms }) => {
          const { widthMs } = tiers[tierOf(ms)] as Tier;
          return events.every(([age]) => age <= ms || age > ms + widthMs);
        });
        for (const [ms, card] of events) {
          const event = eventAt(T0 - ms, card);
          const [own, whole] = [await ask(aged, event, T0 + later), await ask(plain, event, T0 + later)];
          assert.deepEqual(
            own.filter((_, at) => isClear[at]),
            whole.filter((_, at) => isClear[at]),
          );
        }
      },
    ),
  );
});
