import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { reportFigure } from '../figures.ts';
import { isReliability, sized } from '../long.ts';
import { type Campaign, campaign } from './campaign.ts';
import { simulate } from './simulate.ts';

/** R1 and R3 of the list of requirements. */
const SEEDS = sized({ quick: 1_000, assure: 10_000, reliability: 100_000 });
/** Rare faults meet rare operations in long runs only. */
const EMPTY_MAX = sized({ quick: 12, assure: 2, reliability: 0 });
/** As often every fault should meet every operation in a long run; the figures say how far it is. */
const HITS_ASKED = 100;
let done: Campaign;
let said = 0;

before(async () => {
  done = await campaign({ from: 1, seeds: SEEDS, failuresMax: 3, onSeed: isReliability ? say : undefined });
});

/** A run of an hour says how far it is, and what it found as soon as it has. */
function say(seeds: number, failures: readonly string[]): void {
  for (const failure of failures.slice(said)) process.stderr.write(`${failure}\n`);
  said = failures.length;
  if (seeds % 1_000 === 0) process.stderr.write(`${seeds} of ${SEEDS} seeds, ${said} failures\n`);
}

test(`${SEEDS} seeds break no invariant and replay to the last event`, () => {
  assert.equal(done.failures.length, 0, done.failures.join('\n\n'));
  assert.equal(done.seeds, SEEDS);
  assert.equal(done.replays, SEEDS / 50);
  reportFigure('R1', 'seeds', done.seeds);
  reportFigure('R1', 'payments', done.payments);
  reportFigure('R1', 'replays', done.replays);
});

test('the runs were full of payments and of trouble', (t) => {
  assert.ok(done.payments >= SEEDS * 15, `only ${done.payments} payments`);
  assert.ok(done.events >= SEEDS * 100, `only ${done.events} events`);
  const empty = done.tally.empty();
  assert.ok(empty.length <= EMPTY_MAX, `of at most ${EMPTY_MAX}, faults and operations that never met: ${empty.join('; ')}`);
  const rare = done.tally.below(HITS_ASKED);
  t.diagnostic(
    `fewest hits: ${rare
      .slice(0, 10)
      .map(([cell, hits]) => `${cell} ${hits}`)
      .join('; ')}`,
  );
  reportFigure('R3', 'empty cells', empty.length);
  reportFigure('R3', 'cells below 100 hits', rare.length);
  reportFigure('R3', 'fewest hits of a cell', rare[0]?.[1] ?? HITS_ASKED);
});

test('after the healing everything comes to rest: most within half an hour, all within two hours', () => {
  const { rests } = done;
  assert.ok((rests[Math.floor(rests.length * 0.8)] ?? 0) <= 30 * 60_000);
  assert.ok((rests.at(-1) ?? 0) <= 2 * 60 * 60_000, `the longest took ${rests.at(-1)} ms`);
});

test('another seed is another run', async () => {
  const hashes = new Set<string>();
  for (const seed of [11, 12, 13]) hashes.add((await simulate(seed)).hash);
  assert.equal(hashes.size, 3);
});
