import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRiskEngine } from '../../risk/engine.ts';
import { createLists } from '../../risk/lists/lists.ts';
import { createVelocity } from '../../risk/velocity/windows.ts';
import type { Clock } from '../../spec/time.ts';
import { createMemoryStore, type MemoryStore } from '../../store/memory/memoryStore.ts';
import { exampleCommit, examplePayment } from '../examples.ts';
import type { Payment } from '../payment.ts';
import type { World } from '../ports.ts';
import { factsAbout, outcomeOf } from '../screen.ts';
import { createCountedEvents } from './countedEvents.ts';
import { createRiskMemory } from './riskMemory.ts';

const T0 = 1_790_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const BIN = '420000';
const channel = { timeZone: 'Europe/Vienna', risk: {} } as NonNullable<ReturnType<World['channel']>>;

function startNode(store: MemoryStore, clock: Clock, isFollowing: boolean) {
  const timers = { within: <T>(_ms: number, promise: Promise<T>) => promise };
  const lookups = { issuer: () => null, country: () => null };
  const engine = createRiskEngine({
    velocity: createVelocity(),
    lists: createLists(clock),
    lookups,
    timers,
    screening: () => null,
  });
  const countedEvents = createCountedEvents(clock);
  const world = { clock, risk: engine, channel: () => channel, store };
  return {
    engine,
    countedEvents,
    memory: createRiskMemory({
      world,
      history: store,
      countedEvents: countedEvents,
      isAlone: !isFollowing,
      rest: async () => {},
    }),
  };
}
type Node = ReturnType<typeof startNode>;

const keep = (store: MemoryStore, payment: Payment, version: number) => {
  const message = { id: `${payment.id} ${payment.revision}`, type: 'PAYMENT', action: null, code: '000.100.110' } as const;
  return store.commit(exampleCommit(payment, { version, event: message }));
};

type Attempt = {
  readonly at: number;
  readonly payment: Payment;
  readonly isAttack: boolean;
  readonly isGood: boolean;
  readonly node: number;
};

const idOf = (number: number) => number.toString(16).padStart(32, '0');
const cardOf = (bin: string) =>
  ({ kind: 'card', bin, last4Digits: '0000', holder: 'Ann Example', expiryMonth: '05', expiryYear: '2034' }) as const;

/** Numbers of one BIN from fifty addresses, now to one node, now to the other; one in thirty is good. */
const attackOf = (count: number, ms: number): readonly Attempt[] =>
  Array.from({ length: count }, (_, number) => {
    const at = T0 + Math.floor((number / count) * ms);
    const fields = { 'customer.email': `x${number}@attack.example`, 'customer.ip': `198.51.100.${number % 50}` };
    const payment = examplePayment({
      id: idOf(number + 1),
      fingerprint: `tried ${number}`,
      instrument: cardOf(BIN),
      createdAt: at,
      fields,
    });
    return { at, payment, isAttack: true, isGood: number % 30 === 0, node: number % 2 };
  });

/** Strangers with other cards, and a few of the same BIN, to either node. */
const shoppersOf = (count: number): readonly Attempt[] =>
  Array.from({ length: count }, (_, number) => {
    const at = T0 - 10 * MINUTE + Math.floor((number / count) * 20 * MINUTE);
    const fields = { 'customer.email': `s${number}@mail.example`, 'customer.ip': `10.0.${number % 4}.${number % 199}` };
    const bin = number % 100 === 0 ? BIN : `5${10_000 + (number % 100)}`;
    const payment = examplePayment({
      id: idOf(1_000_000 + number),
      fingerprint: `good ${number}`,
      instrument: cardOf(bin),
      createdAt: at,
      fields,
    });
    return { at, payment, isAttack: false, isGood: number % 12 !== 0, node: Math.floor(number / 2) % 2 };
  });

type Run = { readonly passed: readonly number[]; readonly blocked: number };

/** Lets everything happen in its order. The acquirer answers after a second; the memories run every second, not at the same moment. */
async function happen(attempts: readonly Attempt[], isFollowing: boolean): Promise<Run> {
  const store = createMemoryStore();
  const clock = { at: T0 - 11 * MINUTE, now: () => clock.at };
  const nodes = [startNode(store, clock, isFollowing), startNode(store, clock, isFollowing)] as const;
  const waiting: { readonly at: number; readonly payment: Payment; readonly node: Node }[] = [];
  const passed: number[] = [];
  let blocked = 0;
  const settle = async (until: number) => {
    while (waiting[0] && waiting[0].at <= until) {
      const { at, payment, node } = waiting.shift() as (typeof waiting)[number];
      clock.at = at;
      await keep(store, payment, 1);
      const is = outcomeOf(payment);
      if (is && node.countedEvents.outcome(payment.id))
        await node.engine.record(factsAbout({ risk: node.engine }, payment, channel.timeZone), channel.risk, is);
    }
  };
  let ticks = 0;
  for (const attempt of attempts.toSorted((one, other) => one.at - other.at)) {
    for (; T0 - 11 * MINUTE + ticks * 500 <= attempt.at; ticks += 1) {
      await settle(T0 - 11 * MINUTE + ticks * 500);
      clock.at = T0 - 11 * MINUTE + ticks * 500;
      await nodes[(ticks % 2) as 0 | 1].memory.run();
    }
    await settle(attempt.at);
    clock.at = attempt.at;
    const node = nodes[attempt.node as 0 | 1];
    const risk = await node.engine.evaluate(
      factsAbout({ risk: node.engine }, attempt.payment, channel.timeZone),
      channel.risk,
      'attempt',
    );
    const isDeclined = risk?.verdict.is === 'decline';
    const drafted: Payment = { ...attempt.payment, risk, movedAt: attempt.at };
    const phase =
      risk?.verdict.is === 'decline'
        ? ({ at: 'final', code: risk.verdict.code } as const)
        : ({ at: 'acquirer', dueAt: attempt.at } as const);
    node.countedEvents.attempt(drafted.id);
    await keep(store, { ...drafted, phase }, 0);
    if (attempt.isAttack && !isDeclined) passed.push(attempt.at);
    if (!attempt.isAttack && isDeclined) blocked += 1;
    const at = attempt.at + SECOND;
    const code = attempt.isGood ? '000.100.110' : '800.100.151';
    if (!isDeclined) waiting.push({ at, node, payment: { ...drafted, revision: 2, movedAt: at, phase: { at: 'final', code } } });
  }
  return { passed, blocked };
}

const mostIn = (passed: readonly number[]): number =>
  Math.max(0, ...passed.map((from) => passed.filter((at) => at >= from && at < from + 10 * MINUTE).length));

/**
 * An attack that is over before one node can have heard of the other, some three seconds, is up to each of them alone: 16 that are open,
 * and as many again. Of one that lasts longer each knows what the other saw.
 */
const attacks: [what: string, count: number, ms: number, most: number][] = [
  ['1,000 numbers in ten minutes', 1_000, 10 * MINUTE, 20],
  ['100 numbers in ten minutes', 100, 10 * MINUTE, 20],
  ['1,000 numbers in 20 seconds', 1_000, 20 * SECOND, 32],
  ['1,000 numbers at once', 1_000, 0, 32],
];
for (const [what, count, ms, most] of attacks) {
  test(`${what}, now to one node and now to the other: at most ${most} get through, and 1 % of the shoppers are blocked`, async () => {
    const { passed, blocked } = await happen([...attackOf(count, ms), ...shoppersOf(800)], true);
    assert.ok(mostIn(passed) <= most && passed.length > 0, `${mostIn(passed)} got through`);
    assert.ok(blocked <= 8, `${blocked} shoppers blocked`);
  });
}

test('without following each other the nodes let more through', async () => {
  const [together, apart] = await Promise.all(
    [true, false].map((isFollowing) => happen(attackOf(100, 10 * MINUTE), isFollowing)),
  );
  assert.ok(mostIn(together?.passed ?? []) < mostIn(apart?.passed ?? []));
});
