import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judged } from './fuzz.ts';
import { registerReplays } from './replays.ts';
import { targets } from './targets.ts';

/** The inputs that earlier searches found are tried again in every run; the search itself is a long test. */
await registerReplays(Object.values(targets).filter(({ needsGateway }) => !needsGateway));

test('an input that is slow once is tried again, and the further tries are not its work', () => {
  let [work, calls] = [0, 0];
  const judge = () => {
    work += 10;
    calls += 1;
    for (const until = performance.now() + 60; calls === 1 && performance.now() < until; );
  };
  assert.equal(
    judged(judge, Buffer.alloc(1), () => (work > 10 ? `runs through ${work}` : null)),
    null,
  );
  assert.equal(calls, 6);
  assert.equal(
    judged(judge, Buffer.alloc(1), () => (work > 10 ? 'too much' : null)),
    'too much',
  );
});
