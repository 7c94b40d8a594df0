import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Assessment, Verdict } from './assess.ts';
import { exampleFacts } from './examples.ts';
import type { ScreeningProvider } from './ports.ts';
import { screenWithin, withScreening } from './screening.ts';

/** A clock that is always over: an answer that is not settled immediately is late. */
const timers = {
  within: <T>(_ms: number, promise: Promise<T>): Promise<T> =>
    Promise.race([promise, new Promise<T>((_resolve, reject) => setImmediate(() => reject(new Error('late'))))]),
};

const said = (verdict: Verdict): string => (verdict.is === 'decline' ? verdict.code : verdict.is);

/** A provider's behaviour, and its effect. Silence is declined in these cases. */
const heard: [what: string, ask: () => unknown, verdict: string, score: number, isSilent: boolean][] = [
  ['accepts', async () => ({ is: 'accept', score: 7 }), 'accept', 7, false],
  ['challenges', async () => ({ is: 'challenge' }), 'challenge', 0, false],
  ['wants a review', async () => ({ is: 'review' }), 'review', 0, false],
  ['declines', async () => ({ is: 'decline' }), '100.400.142', 0, false],
  ['declines with a code', async () => ({ is: 'decline', code: '100.400.242' }), '100.400.242', 0, false],
  ['declines with a code that is a yes', async () => ({ is: 'decline', code: '000.100.110' }), '100.400.142', 0, false],
  ['rejects', async () => Promise.reject(new Error('down')), '100.400.325', 0, true],
  ['throws', () => assert.fail('broken'), '100.400.325', 0, true],
  ['never answers', () => new Promise(() => {}), '100.400.325', 0, true],
  ['says nothing', async () => null, '100.400.325', 0, true],
  ['answers with an unknown word', async () => ({ is: 'toString' }), '100.400.325', 0, true],
  ['scores out of range', async () => ({ is: 'accept', score: 1e9 }), '100.400.325', 0, true],
];
for (const [what, ask, verdict, score, isSilent] of heard) {
  test(`a provider that ${what}: ${verdict}`, async () => {
    const screening = { name: 'shield', screen: ask } as ScreeningProvider;
    const screened = await screenWithin(screening, exampleFacts(), { silence: 'decline', waitMs: 10, timers });
    assert.deepEqual([said(screened.verdict), screened.score, screened.isSilent], [verdict, score, isSilent]);
  });
}

for (const silence of ['accept', 'review', 'decline'] as const) {
  test(`silence means ${silence} where the merchant wants it so`, async () => {
    const screening: ScreeningProvider = { name: 'shield', screen: async () => Promise.reject(new Error('down')) };
    const { verdict } = await screenWithin(screening, exampleFacts(), { silence, waitMs: 10, timers });
    assert.equal(verdict.is, silence);
  });
}

const own = (verdict: Verdict): Assessment => ({
  ruleSet: 'x',
  verdict,
  asksReview: verdict.is === 'review',
  score: -99_990,
  fired: [],
  shadow: [],
});
const pairs: [own: Verdict, other: Verdict, verdict: string, asksReview: boolean][] = [
  [{ is: 'accept' }, { is: 'accept' }, 'accept', false],
  [{ is: 'accept' }, { is: 'review' }, 'review', true],
  [{ is: 'review' }, { is: 'accept' }, 'review', true],
  [{ is: 'review' }, { is: 'challenge' }, 'challenge', true],
  [{ is: 'challenge' }, { is: 'review' }, 'challenge', true],
  [{ is: 'challenge' }, { is: 'decline', code: '100.400.142' }, '100.400.142', false],
  [{ is: 'decline', code: '800.110.100' }, { is: 'accept' }, '800.110.100', false],
  [{ is: 'decline', code: '800.110.100' }, { is: 'decline', code: '100.400.142' }, '800.110.100', false],
];
for (const [ours, theirs, verdict, asksReview] of pairs) {
  test(`our ${said(ours)} and their ${said(theirs)} is ${verdict}`, () => {
    const both = withScreening(own(ours), { provider: 'shield', isSilent: false, verdict: theirs, score: -20 });
    assert.deepEqual([said(both.verdict), both.asksReview, both.score], [verdict, asksReview, -99_999]);
    assert.deepEqual(
      both.fired.map(({ rule, score }) => [rule, score]),
      [['screening.shield', -20]],
    );
  });
}
