import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AcquirerAct, Scenario } from '../../src/spec/scenarios/language.ts';
import { answerTo, draw } from '../../src/spec/scenarios/played.ts';
import { readyScenario } from '../../src/spec/scenarios/ready.ts';
import { anyAnswer, anyBank, anySeed } from './anyScenario.ts';
import { run } from './runs.ts';

/** The same scenario with the same seed, played against simulators that know nothing of each other. */

const RUNS = 60;
const story = (acts: Partial<Scenario>): Scenario => ({ name: 'any-story', says: 'A story by chance.', ...acts });
const attempts = fc.array(anyAnswer, { minLength: 1, maxLength: 3 });
const anyAttempt = fc.integer({ min: 1, max: 3 });

/** How an attempt ends, by the words of the language alone. */
function endOf(act: AcquirerAct | undefined): string {
  if (act?.goes === 'lost-request' || act?.goes === 'down') return '900.100.301';
  if (act?.says === 'declined') return act.code ?? '800.100.151';
  return act?.code ?? '000.100.110';
}

test('two runs hear the same, byte for byte, and so does one whose simulator forgets everything on the way', async () => {
  await fc.assert(
    fc.asyncProperty(
      attempts,
      anySeed,
      anyAttempt,
      fc.integer({ min: 0, max: 4 }),
      async (acquirer, seed, attempt, restartAfter) => {
        const scenario = story({ acquirer });
        const [one, other, restarted] = await Promise.all([
          run(scenario, { seed, attempt }),
          run(structuredClone(scenario), { seed, attempt }),
          run(scenario, { seed, attempt, restartAfter }),
        ]);
        assert.equal(other.log, one.log);
        assert.equal(restarted.log, one.log);
        const { phase } = one.payment;
        assert.equal(phase.at === 'final' ? phase.code : phase.at, endOf(answerTo({ acts: draw(scenario, seed), attempt })));
      },
    ),
    { numRuns: RUNS },
  );
});

test('a shopper who decides by himself does the same in every run, and ends the same when nobody remembers him', async () => {
  await fc.assert(
    fc.asyncProperty(anyBank, anySeed, fc.integer({ min: 0, max: 3 }), async (bank, seed, restartAfter) => {
      const scenario = story({ bank: { ...bank, ...(bank.after && { after: bank.after.replace(/^\d+m$/, '9m') }) } });
      const how = { seed, attempt: 1, isAway: true };
      const [one, other, restarted] = await Promise.all([
        run(scenario, how),
        run(scenario, how),
        run(scenario, { ...how, restartAfter }),
      ]);
      assert.equal(other.log, one.log);
      assert.deepEqual(restarted.payment.phase, one.payment.phase);
      assert.match(one.log, /^\{"at":0,"does":"sends","hears":"redirected"\}\n/);
    }),
    { numRuns: RUNS },
  );
});

test('another seed is another run where chance is used', async () => {
  const scenario = story({ acquirer: [{ says: 'pending', for: '1s..5h' }] });
  const logs = await Promise.all([1, 2, 3, 4, 5].map((seed) => run(scenario, { seed, attempt: 1 })));
  assert.ok(new Set(logs.map(({ log }) => log)).size > 1);
});

const stories: readonly (readonly [name: string, isAway: boolean, heard: RegExp])[] = [
  ['bank-confirms-twice', true, /(?:.*"does":"is told","hears":"approved"\}\n){2}/],
  ['bank-never-confirms', true, /^(?!.*is told)[\s\S]*"does":"asks","hears":"approved"\}\n$/],
  ['shopper-cancels', true, /"at":2000,"does":"is told","hears":"declined","code":"100\.396\.101"/],
  ['slow-answer', false, /^\{"at":(?:[5-9]\d\d|1\d\d\d|20[01]\d),"does":"sends","hears":"approved"/],
  ['booked-too-late', false, /"hears":"waiting"[\s\S]*"does":"asks","hears":"approved"\}\n$/],
  ['acquirer-down', false, /^(?:.*"hears":"silence"\}\n)+.*"hears":"absent"\}\n.*"does":"cancels","hears":"cancelled"\}\n$/],
];
for (const [name, isAway, heard] of stories) {
  test(`${name} is heard as it is told`, async () => {
    const scenario = readyScenario(name);
    assert.ok(scenario);
    assert.match((await run(scenario, { seed: 3, attempt: 1, isAway })).log, heard);
  });
}
