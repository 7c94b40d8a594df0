import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { runAcquirerAway } from './acquirerAway.ts';

const PAYMENTS = sized({ quick: 6, assure: 100, reliability: 500 });
const HOUR_MS = 3_600_000;
const AWAY_MS = 6 * HOUR_MS;
const TWO_MINUTES_MS = 120_000;

type Run = Awaited<ReturnType<typeof runAcquirerAway>>;

/** What is wrong with the end of a run. */
async function faultsOf({ acquirer, ended, store }: Run): Promise<readonly string[]> {
  const { booked, takenBack } = acquirer;
  const events = await store.pendingEvents(allMerchants, 10 * PAYMENTS);
  return ended.flatMap((payment) => {
    if (!payment) return ['a payment is gone'];
    const { id, phase } = payment;
    const isFailed = phase.at === 'final' && phase.code === '900.100.301';
    const said = events.filter(({ subjectId }) => subjectId === id).map(({ code }) => code);
    return [
      ...(isFailed ? [] : [`${id} is ${phase.at}`]),
      ...(booked.has(id) || takenBack.get(id)?.times !== 1 ? [`${id} was not taken back once`] : []),
      ...(said.join() === (isFailed ? '000.200.000,900.100.301' : '000.200.000') ? [] : [`the events of ${id} are ${said}`]),
    ];
  });
}

test('R8: an acquirer is away for six hours and nodes die: every reversal is kept, repeated with growing pauses, alarmed, taken once', async () => {
  const run = await runAcquirerAway({ payments: PAYMENTS, awayMs: AWAY_MS });
  assert.deepEqual(await faultsOf(run), []);
  const { acquirer, alarms, backAt, leftAt, kills } = run;
  assert.ok(kills >= 20, `${kills} kills`);
  const pauses = [...acquirer.tries.values()].map((tries) => tries.slice(1).map((at, i) => at - (tries[i] as number)));
  for (const waits of pauses) {
    // A death repeats a try whose outcome is not recorded, and its claim delays the next one; neither makes a storm.
    assert.ok(waits.length <= AWAY_MS / 30_000, `${waits.length} tries`);
    assert.ok(waits.length >= AWAY_MS / TWO_MINUTES_MS, `${waits.length} tries`);
    const [early, late] = [waits.slice(0, 5), waits.slice(-50)].map((part) => Math.max(...part));
    assert.ok((early as number) < (late as number), waits.join());
  }
  assert.ok(new Set(pauses.map((waits) => waits.slice(20, 60).join())).size > 1, 'no jitter: all are repeated together');
  for (const payment of run.ended) {
    const told = alarms.filter(({ paymentId }) => paymentId === payment?.id).map(({ at }) => at - leftAt);
    assert.ok(told.length >= 1 && told.length <= 3 && (told[0] as number) <= 10 * 60_000, `alarms after ${told}`);
  }
  const latest = Math.max(...[...acquirer.takenBack.values()].map(({ at }) => at));
  assert.ok(latest - backAt <= TWO_MINUTES_MS, `${latest - backAt} ms after the return`);
  reportFigure('R8', 'reversals', PAYMENTS);
  const tries = [...acquirer.tries.values()].reduce((sum, { length }) => sum + length, 0);
  reportFigure('R8', 'tries', tries);
  reportFigure('R8', 'kills', kills);
  reportFigure('R8', 'lost', 0);
});

test('control: where claims of dead nodes do not end, reversals are lost, and that is found', async () => {
  const run = await runAcquirerAway({
    payments: PAYMENTS,
    awayMs: HOUR_MS / 2,
    plant: (store) => ({ claimDue: (query) => store.claimDue({ ...query, until: Number.MAX_SAFE_INTEGER }) }),
  });
  assert.notDeepEqual(await faultsOf(run), []);
});
