import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createCountedEvents, createRecentFlags } from './countedEvents.ts';

const T0 = 1_790_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const clockAt = (at: number) => {
  const clock = { at, now: () => clock.at };
  return clock;
};
const payment = (id: string) => ({ id, merchantId: 'm' });

test('only the first may tell, of attempt and outcome each', () => {
  const counted = createCountedEvents(clockAt(T0));
  assert.deepEqual(
    [counted.attempt('a'), counted.attempt('a'), counted.outcome('a'), counted.outcome('a')],
    [true, false, true, false],
  );
  assert.deepEqual([counted.outcome('b'), counted.attempt('b')], [true, true]);
});

test('an open payment is looked at often in a minute, after 5 and 15 minutes and an hour, and then given up', () => {
  const clock = clockAt(T0);
  const counted = createCountedEvents(clock);
  counted.watch(payment('a'));
  const looks: number[] = [];
  for (; clock.at < T0 + 120 * MINUTE; clock.at += SECOND) if (counted.due(10).length > 0) looks.push((clock.at - T0) / SECOND);
  assert.deepEqual(looks, [1, 2, 3, 4, 5, 7, 9, 12, 15, 20, 25, 30, 40, 50, 60, 300, 900, 3_600]);
});

test('an outcome ends the watch, and is remembered while anybody may still ask', () => {
  const clock = clockAt(T0);
  const counted = createCountedEvents(clock);
  counted.attempt('a');
  counted.watch(payment('a'));
  clock.at += 40 * MINUTE;
  counted.forget(clock.at - MINUTE);
  assert.equal(counted.attempt('a'), false, 'what is watched is not forgotten');
  assert.equal(counted.outcome('a'), true);
  counted.forget(clock.at - MINUTE);
  assert.deepEqual([counted.outcome('a'), counted.due(10).length], [false, 0]);
  clock.at += 2 * MINUTE;
  counted.forget(clock.at - MINUTE);
  assert.equal(counted.size(), 0);
});

test('what has an outcome is not watched', () => {
  const clock = clockAt(T0);
  const counted = createCountedEvents(clock);
  counted.outcome('a');
  counted.watch(payment('a'));
  clock.at += MINUTE;
  assert.equal(counted.due(10).length, 0);
});

test('a flood pushes out the oldest', () => {
  const counted = createCountedEvents(clockAt(T0), { entriesMax: 100, watchedMax: 50 });
  for (let at = 0; at < 1_000; at += 1) {
    counted.attempt(`${at}`);
    if (at % 2 === 0) counted.watch(payment(`${at}`));
  }
  assert.equal(counted.size(), 150);
  assert.deepEqual([counted.attempt('999'), counted.attempt('998'), counted.attempt('0')], [false, false, true]);
});

test('no more are looked at than are asked for, and the others next time', () => {
  const clock = clockAt(T0);
  const counted = createCountedEvents(clock);
  for (let at = 0; at < 30; at += 1) counted.watch(payment(`${at}`));
  clock.at += 6 * SECOND;
  const seen = [...counted.due(20), ...counted.due(20), ...counted.due(20)].map(({ id }) => id);
  assert.equal(new Set(seen).size, 30);
  assert.equal(seen.length, 30);
});

/** A guard against a slip by the factor of ten. */
test('in a full book a payment costs less than 25 microseconds of the processor, however many were forgotten', () => {
  const counted = createCountedEvents(clockAt(T0));
  const tell = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) counted.attempt(at.toString(16).padStart(32, '0'));
  };
  tell(0, 350_000);
  const before = process.cpuUsage();
  tell(350_000, 370_000);
  const micros = process.cpuUsage(before).user / 20_000;
  assert.ok(micros < 25, `${micros} µs`);
});

const MAX = 20;

const step = fc.record({ id: fc.nat({ max: 60 }).map(String), flags: fc.nat({ max: 3 }) });

test('an id keeps its flags until half of the bound are new behind it, and never has those of another', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (steps) => {
      const kept = createRecentFlags(MAX);
      const known = new Map<string, number>();
      /** The ids in the order in which they were new. */
      const added: string[] = [];
      for (const [at, { id, flags }] of steps.entries()) {
        const isAdded = kept.get(id) === 0;
        kept.set(id, flags, at);
        known.set(id, flags);
        if (isAdded && flags !== 0) added.push(id);
        assert.equal(kept.get(id), flags);
        for (const other of added.slice(-MAX / 2)) assert.equal(kept.get(other), known.get(other));
        for (const [other, last] of known) assert.ok([0, last].includes(kept.get(other)), other);
        assert.ok(kept.size() <= MAX);
      }
    }),
  );
});

test('what had no new id since an instant is forgotten', () => {
  const kept = createRecentFlags(MAX);
  for (let at = 0; at < 15; at += 1) kept.set(`${at}`, 1, at);
  kept.forget(10);
  assert.deepEqual([kept.get('9'), kept.get('10'), kept.size()], [0, 1, 5]);
  kept.forget(15);
  assert.equal(kept.size(), 0);
});
