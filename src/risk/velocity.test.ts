import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { windowEvent, windowQueriesFor } from './engine.ts';
import { exampleFacts } from './examples.ts';
import type { RiskFacts } from './facts.ts';
import type { Velocity, WindowAnswer } from './ports.ts';
import { ruleBookOf } from './ruleBook.ts';
import { defaultRiskSettings } from './settings.ts';
import { createAgedVelocity } from './velocity/agedVelocity.ts';
import { keysOf } from './velocity/keys.ts';
import { createVelocity } from './velocity/windows.ts';

const T0 = 1_790_000_000_000;
const set = ruleBookOf({ ...defaultRiskSettings, limits: { EUR: { cardDayMax: '1000.00' } } }).select({
  channelId: null,
  serviceId: null,
});

const drawn = fc.record({
  ageMs: fc.oneof(fc.constant(0), fc.nat(50_000), fc.nat(90 * 60_000), fc.nat(3 * 86_400_000)),
  card: fc.constantFrom('a', 'b', 'c'),
  ip: fc.constantFrom('', '10.0.0.1', '2001:db8::1'),
  email: fc.constantFrom('', 'a@shop.example', 'b@shop.example'),
  amount: fc.nat(5_000),
  isDeclined: fc.boolean(),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer One> ? One : never;

const factsOf = ({ ageMs, card, ip, email, amount }: Drawn): RiskFacts =>
  exampleFacts(
    { 'customer.ip': ip, 'customer.email': email },
    { now: T0 - ageMs, amount: BigInt(amount), fingerprint: card, checkoutId: `checkout of ${card}` },
  );

/** In one breath, every answer taken. */
async function visited(velocity: Velocity, one: Drawn): Promise<readonly WindowAnswer[]> {
  const facts = factsOf(one);
  let answers: readonly WindowAnswer[] = [];
  const verdict = { is: one.isDeclined ? 'decline' : 'accept' };
  const evaluated = await velocity.attempt(windowEvent(facts, set, velocity.keysOf(facts)), (windows) => {
    answers = set.windows.map((_, slot) => windows.at(slot) ?? null);
    return { verdict };
  });
  assert.equal(evaluated.verdict, verdict);
  return answers;
}

/** Step by step and with keys as texts. */
async function stepped(velocity: Velocity, one: Drawn): Promise<readonly WindowAnswer[]> {
  const facts = factsOf(one);
  const event = windowEvent(facts, set, keysOf(facts));
  const answers = await velocity.query(windowQueriesFor(facts, set, keysOf(facts)));
  await velocity.record({ ...event, is: 'attempt' });
  if (one.isDeclined) await velocity.record({ ...event, is: 'blocked' });
  return answers;
}

const memories: readonly (readonly [what: string, make: () => Velocity])[] = [
  ['the memory', () => createVelocity()],
  ['a memory that receives events late', () => createAgedVelocity(createVelocity(), { now: () => T0 })],
  ['a small memory', () => createVelocity({ keysMax: 4 })],
];
for (const [what, make] of memories) {
  test(`${what} answers and remembers in one breath what it does step by step`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { maxLength: 30 }), async (attempts) => {
        const [one, other] = [make(), make()];
        for (const attempt of attempts) assert.deepEqual(await visited(one, attempt), await stepped(other, attempt));
      }),
      { numRuns: 60 },
    );
  });
}

test('of a hundred attempts at once each sees those before it', async () => {
  const velocity = createVelocity();
  const slot = set.windows.findIndex(({ measure, per, outcome }) => measure === 'count' && per === 'card' && outcome === 'any');
  const facts = exampleFacts({}, { now: T0 });
  const seen = await Promise.all(
    Array.from({ length: 100 }, () =>
      velocity.attempt(windowEvent(facts, set, velocity.keysOf(facts)), (windows) => ({
        verdict: { is: 'accept' },
        count: windows.at(slot),
      })),
    ),
  );
  assert.deepEqual(
    seen.map(({ count }) => count),
    Array.from({ length: 100 }, (_, at) => at),
  );
});
