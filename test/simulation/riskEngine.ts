import { AsyncLocalStorage } from 'node:async_hooks';
import { createRiskEngine, type RiskEngine } from '../../src/risk/engine.ts';
import { createLists } from '../../src/risk/lists/lists.ts';
import type { Velocity } from '../../src/risk/ports.ts';
import { createVelocity } from '../../src/risk/velocity/windows.ts';

/** The windows of the life in which the code that is running now lives. */
const windows = new AsyncLocalStorage<Velocity>();

function own(): Velocity {
  const velocity = windows.getStore();
  if (!velocity) throw new Error('somebody is judged outside of any life');
  return velocity;
}

/** One risk engine for all runs, because making the rules ready takes longer than all that they are asked in a run. */
const engine = createRiskEngine({
  velocity: {
    keysOf: (facts) => own().keysOf(facts),
    query: (asked) => own().query(asked),
    record: (event) => own().record(event),
    attempt: (event, judge) => own().attempt(event, judge),
  },
  lists: createLists({ now: () => 0 }),
  lookups: { issuer: () => null, country: () => null },
  timers: { within: (_ms, promise) => promise },
  screening: () => null,
});

/** `World.risk` of one life: its windows remember nothing of an earlier one. */
export function createLifesDesk(): RiskEngine {
  const velocity = createVelocity();
  return {
    lookups: engine.lookups,
    evaluate: (facts, settings, as) => windows.run(velocity, () => engine.evaluate(facts, settings, as)),
    record: (facts, settings, is) => windows.run(velocity, () => engine.record(facts, settings, is)),
    unchallenged: (settings) => engine.unchallenged(settings),
  };
}
