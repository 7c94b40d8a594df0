import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgressBar, describeProgress, type Progress } from './output.ts';

const cases: readonly (readonly [at: Progress, ms: number, says: string])[] = [
  [{ phase: 'resealing', done: 250, total: 1_000 }, 0, 'sealing anew 25 %, 250 of 1000'],
  [{ phase: 'resealing', done: 250, total: 1_000 }, 5_000, 'sealing anew 25 %, 250 of 1000, 50/s, 15 s left'],
  [{ phase: 'resealing', done: 1_000, total: 1_000 }, 5_000, 'sealing anew 100 %, 1000 of 1000, 200/s'],
  [{ phase: 'resealing', done: 500, total: null }, 2_000, 'sealing anew, 500, 250/s'],
  [{ phase: 'resealing', done: 10, total: 100_000 }, 10_000, 'sealing anew 0 %, 10 of 100000, 1/s, 28 h left'],
  [{ phase: 'rewrapping', done: 0, total: 0 }, 0, 'wrapping keys 0 %, 0 of 0'],
  [{ phase: 'moving', done: 0, total: 86_400_000 }, 5_000, 'moving the clock 0 %'],
  [{ phase: 'moving', done: 43_200_000, total: 86_400_000 }, 5_000, 'moving the clock 50 %, 5 s left'],
  [{ phase: 'judging', done: 250, total: 1_000 }, 5_000, 'judging payments 25 %, 250 of about 1000, 50/s, 15 s left'],
  [
    { phase: 'outliving', done: 0, total: 1_860_000 },
    0,
    'waiting until the last checkouts under the old keys are over 0 %, 31 min left',
  ],
  [{ phase: 'waiting', done: 30_000, total: 90_000 }, 30_000, 'waiting until every node uses them 33 %, 60 s left'],
];
for (const [at, ms, says] of cases) test(says, () => assert.equal(describeProgress(at, ms), says));

function written(isTerminal: boolean) {
  const clock = { at: 0 };
  const texts: string[] = [];
  const bar = createProgressBar({ isTerminal, columns: () => 80, write: (text) => texts.push(text), now: () => clock.at });
  return { clock, texts, bar };
}

test('a terminal sees a bar that is drawn over and cleared away', () => {
  const { clock, texts, bar } = written(true);
  for (let done = 0; done <= 1_000; done += 1) {
    bar.show({ phase: 'resealing', done, total: 1_000 });
    clock.at += 10;
  }
  assert.ok(texts.length > 50 && texts.length < 150, `${texts.length}`);
  assert.match(texts[50] ?? '', /^\r.*\[#+\.+\] sealing anew \d+ %, \d+ of 1000, 100\/s, \d+ s left$/);
  assert.match(texts.at(-1) ?? '', /\[#+\] sealing anew 100 %/);
  assert.ok(texts.every((text) => text.length < 90 && !text.includes('\n')));
  bar.clear();
  bar.clear();
  assert.equal(texts.at(-1), '\r\u001b[K');
});

test('a log gets a line every few seconds', () => {
  const { clock, texts, bar } = written(false);
  for (let done = 0; done <= 1_000; done += 1) {
    bar.show({ phase: 'resealing', done, total: 1_000 });
    clock.at += 20;
  }
  bar.clear();
  assert.equal(texts.length, 5);
  assert.ok(texts.every((text) => text.endsWith('\n') && !text.includes('\r')));
});
