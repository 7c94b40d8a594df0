import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRiskEngine, type RiskEngine } from '../../risk/engine.ts';
import { createLists } from '../../risk/lists/lists.ts';
import type { Velocity, WindowEvent } from '../../risk/ports.ts';
import { keysOf } from '../../risk/velocity/keys.ts';
import { createVelocity } from '../../risk/velocity/windows.ts';
import { createMemoryStore, type MemoryStore } from '../../store/memory/memoryStore.ts';
import { exampleCommit, examplePayment } from '../examples.ts';
import type { Payment, Phase } from '../payment.ts';
import type { World } from '../ports.ts';
import { factsAbout, outcomeOf } from '../screen.ts';
import { type CountedEventLog, createCountedEvents } from './countedEvents.ts';
import { createRiskMemory, type RiskMemory } from './riskMemory.ts';

const T0 = 1_790_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const channel = { timeZone: 'Europe/Vienna', risk: {} } as NonNullable<ReturnType<World['channel']>>;

/** How often the windows of a node were told what, by payment. */
type Tally = Map<string, string[]>;
type Clock = { now(): number; at: number };
type Node = {
  readonly engine: RiskEngine;
  readonly countedEvents: CountedEventLog;
  readonly memory: RiskMemory;
  readonly tally: Tally;
};

const clockAt = (at: number): Clock => {
  const clock = { at, now: () => clock.at };
  return clock;
};

/** A process that has just been started on the store. */
function startNode(store: MemoryStore, clock: Clock, isAlone = false): Node {
  const [windows, tally] = [createVelocity(), new Map<string, string[]>()];
  const count = ({ keys }: Pick<WindowEvent, 'keys'>, is: WindowEvent['is']): void => {
    const id = String(keys.transaction).split(' ').at(-1) ?? '';
    tally.set(id, [...(tally.get(id) ?? []), is]);
  };
  const velocity: Velocity = {
    keysOf,
    query: windows.query,
    record: async (event) => {
      count(event, event.is);
      await windows.record(event);
    },
    attempt: async (event, judge) => {
      count(event, 'attempt');
      const judged = await windows.attempt(event, judge);
      if (judged.verdict.is === 'decline') count(event, 'blocked');
      return judged;
    },
  };
  const timers = { within: <T>(_ms: number, promise: Promise<T>) => promise };
  const lookups = { issuer: () => null, country: () => null };
  const engine = createRiskEngine({ velocity, lists: createLists(clock), lookups, timers, screening: () => null });
  const countedEvents = createCountedEvents(clock);
  const world = { clock, risk: engine, channel: () => channel, store };
  return {
    engine,
    countedEvents,
    tally,
    memory: createRiskMemory({ world, history: store, countedEvents, isAlone, rest: turn }),
  };
}

const message = (payment: Payment) =>
  ({ id: `${payment.id} ${payment.revision}`, type: 'PAYMENT', action: null, code: '000.100.110' }) as const;
const keep = (store: MemoryStore, payment: Payment, version: number) =>
  store.commit(exampleCommit(payment, { version, event: message(payment) }));

let made = 0;
const newId = () => {
  made += 1;
  return made.toString(16).padStart(32, '0');
};
const OPEN: Phase = { at: 'acquirer', dueAt: T0 };

/** What the core does with a payment: judge it, say whose it is, write it down. */
async function take(node: Node, given: Partial<Payment>): Promise<Payment> {
  const id = newId();
  const drafted = examplePayment({ id, fingerprint: id, merchantTransactionId: id, phase: OPEN, ...given });
  const risk = await node.engine.evaluate(factsAbout({ risk: node.engine }, drafted, channel.timeZone), channel.risk, 'attempt');
  const payment: Payment = {
    ...drafted,
    risk,
    ...(risk?.verdict.is === 'decline' && { phase: { at: 'final', code: risk.verdict.code } }),
  };
  node.countedEvents.attempt(id);
  return payment;
}

async function finish(node: Node, store: MemoryStore, payment: Payment): Promise<void> {
  const outcome = await keep(store, payment, payment.revision - 1);
  if (outcome.is === 'kept') await tellOutcome(node, payment);
}

async function tellOutcome(node: Node, payment: Payment): Promise<void> {
  const is = outcomeOf(payment);
  if (is && node.countedEvents.outcome(payment.id)) {
    await node.engine.record(factsAbout({ risk: node.engine }, payment, channel.timeZone), channel.risk, is);
  }
}

const ended = (payment: Payment, isGood: boolean, at: number): Payment => ({
  ...payment,
  revision: payment.revision + 1,
  movedAt: at,
  phase: { at: 'final', code: isGood ? '000.100.110' : '800.100.151' },
});

const expectedOf = (payment: Payment): string[] => {
  const outcome = payment.risk?.verdict.is === 'decline' ? 'blocked' : outcomeOf(payment);
  return outcome === null ? ['attempt'] : ['attempt', outcome];
};

async function everybodyKnows(nodes: readonly Node[], payments: readonly Payment[]): Promise<void> {
  for (const { tally } of nodes) {
    for (const payment of payments) {
      assert.deepEqual((tally.get(payment.id) ?? []).toSorted(), expectedOf(payment).toSorted(), payment.id);
    }
  }
}

test('what four nodes took is counted by all of them within a second', async () => {
  const [store, clock] = [createMemoryStore(), clockAt(T0)];
  const nodes = Array.from({ length: 4 }, () => startNode(store, clock));
  for (const { memory } of nodes) await memory.run();
  const taken: Payment[] = [];
  for (let step = 0; step < 40; step += 1) {
    const [node, at] = [nodes[step % nodes.length] as Node, clock.at];
    const payment = await take(node, { createdAt: at, movedAt: at });
    // Some commits take a while.
    clock.at += step % 3 === 0 ? 150 : 10;
    await finish(node, store, ended({ ...payment, revision: 0 }, true, clock.at));
    taken.push(ended({ ...payment, revision: 0 }, true, clock.at));
    // The job runs every half second, on each node at another instant.
    for (const [number, { memory }] of nodes.entries()) if (step % 4 === number) await memory.run();
  }
  clock.at += 500;
  for (const { memory } of nodes) await memory.run();
  await everybodyKnows(nodes, taken);
  // The second and the last reading count nothing twice.
  for (const later of [3 * SECOND, 3 * MINUTE]) {
    clock.at += later;
    for (const { memory } of nodes) await memory.run();
    await everybodyKnows(nodes, taken);
  }
});

test('a node that believes to be alone does not count what others take', async () => {
  const [store, clock] = [createMemoryStore(), clockAt(T0)];
  const [one, alone] = [startNode(store, clock), startNode(store, clock, true)];
  await alone.memory.run();
  const payment = await take(one, { createdAt: T0, movedAt: T0 });
  await keep(store, payment, 0);
  clock.at += SECOND;
  await alone.memory.run();
  assert.equal(alone.tally.get(payment.id), undefined);
});

test('what another node took is known at once, and what became of it', async () => {
  const [store, clock] = [createMemoryStore(), clockAt(T0)];
  const [one, two] = [startNode(store, clock), startNode(store, clock)];
  await two.memory.run();
  const open = await take(one, { createdAt: T0, movedAt: T0 });
  await keep(store, open, 0);
  clock.at += SECOND;
  await two.memory.run();
  assert.deepEqual(two.tally.get(open.id), ['attempt']);
  await finish(one, store, ended(open, true, clock.at));
  clock.at += 6 * SECOND;
  await two.memory.run();
  assert.deepEqual(two.tally.get(open.id), ['attempt', 'approved']);
  assert.deepEqual(one.tally.get(open.id), ['attempt', 'approved']);
});

test('what another node recorded of an own payment is told too, and once', async () => {
  const [store, clock] = [createMemoryStore(), clockAt(T0)];
  const [one, two] = [startNode(store, clock), startNode(store, clock)];
  for (const { memory } of [one, two]) await memory.run();
  const open = await take(one, { createdAt: T0, movedAt: T0 });
  await keep(store, open, 0);
  clock.at += SECOND;
  await finish(two, store, ended(open, false, clock.at));
  assert.deepEqual(two.tally.get(open.id), ['declined'], 'before the attempt was read');
  for (let second = 0; second < 300; second += 1) {
    clock.at += SECOND;
    for (const { memory } of [one, two]) await memory.run();
  }
  await everybodyKnows([one, two], [ended(open, false, clock.at)]);
});

test('a payment that was written down long after it began is found', async () => {
  const [store, clock] = [createMemoryStore(), clockAt(T0)];
  const [one, two] = [startNode(store, clock), startNode(store, clock)];
  await two.memory.run();
  const late = await take(one, { createdAt: T0, movedAt: T0, phase: { at: 'final', code: '000.100.110' } });
  clock.at += 30 * SECOND;
  await two.memory.run();
  await finish(one, store, late);
  clock.at += 100 * SECOND;
  await two.memory.run();
  assert.deepEqual(two.tally.get(late.id), ['attempt', 'approved']);
});

test('of a past of a month the last minute is told first and everything once; questions and unjudged ones are not', async () => {
  const [store, clock] = [createMemoryStore(), clockAt(T0)];
  const taker = startNode(store, clock);
  const ages = [SECOND, 5 * MINUTE, 30 * MINUTE, 5 * HOUR, 23 * HOUR, 5 * DAY, 30 * DAY];
  const past: Payment[] = [];
  for (const age of [...ages, 40 * DAY]) {
    const payment = await take(taker, {
      createdAt: T0 - age,
      movedAt: T0 - age,
      phase: { at: 'final', code: '000.100.110' },
    });
    await keep(store, payment, 0);
    past.push(payment);
  }
  const others = [
    examplePayment({ id: newId() }),
    examplePayment({ id: newId(), paymentType: 'RI', risk: past[0]?.risk ?? null }),
  ];
  for (const payment of others) await keep(store, { ...payment, createdAt: T0 - SECOND, merchantTransactionId: payment.id }, 0);
  const fresh = startNode(store, clock);
  assert.equal(fresh.memory.isComplete(), false);
  for (let run = 0; run < 3; run += 1) {
    clock.at += SECOND;
    await fresh.memory.run();
  }
  assert.equal(fresh.memory.isComplete(), true);
  assert.deepEqual(
    [...fresh.tally.keys()],
    past.slice(0, ages.length).map(({ id }) => id),
  );
  await everybodyKnows([fresh], past.slice(0, ages.length));
});

test('nothing is kept for ever: an hour later only the windows remember', async () => {
  const [store, clock] = [createMemoryStore(), clockAt(T0)];
  const [one, two] = [startNode(store, clock), startNode(store, clock)];
  for (let at = 0; at < 200; at += 1) {
    const payment = await take(one, { createdAt: clock.at, movedAt: clock.at });
    await keep(store, payment, 0);
    if (at % 2 === 0) await finish(one, store, ended(payment, true, clock.at));
    clock.at += 100;
  }
  for (let minute = 0; minute < 70; minute += 1) {
    for (const { memory } of [one, two]) await memory.run();
    clock.at += MINUTE;
  }
  assert.deepEqual([one.countedEvents.size(), two.countedEvents.size()], [0, 0]);
});

test('alone there is nobody to follow, and only the past is read', async () => {
  const [store, clock] = [createMemoryStore(), clockAt(T0)];
  const [before, other] = [startNode(store, clock), startNode(store, clock)];
  const old = await take(before, { createdAt: T0 - HOUR, movedAt: T0 - HOUR });
  await keep(store, old, 0);
  const alone = startNode(store, clock, true);
  await alone.memory.run();
  const open = await take(other, { createdAt: T0 + SECOND, movedAt: T0 + SECOND });
  await keep(store, open, 0);
  await finish(alone, store, ended(old, true, clock.at));
  for (let second = 0; second < 300; second += 1) {
    clock.at += SECOND;
    await alone.memory.run();
  }
  assert.deepEqual([alone.tally.get(old.id), alone.tally.get(open.id)], [['attempt', 'approved'], undefined]);
  assert.equal(alone.countedEvents.size(), 0);
});

type Step =
  | { readonly does: 'take'; readonly node: number; readonly isFinal: boolean; readonly isGood: boolean; readonly late: number }
  | { readonly does: 'finish'; readonly node: number; readonly which: number; readonly isGood: boolean }
  | { readonly does: 'run' | 'restart'; readonly node: number }
  | { readonly does: 'wait'; readonly ms: number };

const node = fc.nat(1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('take' as const),
      node,
      isFinal: fc.boolean(),
      isGood: fc.boolean(),
      late: fc.nat(3),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('finish' as const), node, which: fc.nat(20), isGood: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('run' as const), node }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restart' as const), node }) },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.constantFrom(0, 1, 900, 2_001, 7_000, 25_000) }),
  },
);

/** Two nodes on one store, whose steps run into each other: nothing is waited for unless the step itself must. */
async function live(steps: readonly Step[]) {
  const [store, clock] = [createMemoryStore(), clockAt(T0)];
  const nodes: [Node, Node] = [startNode(store, clock), startNode(store, clock)];
  const running: Promise<unknown>[] = [];
  const runs = new Map<Node, Promise<void>>();
  const kept = new Map<string, Payment>();
  const run = (of: Node) => {
    const next = (runs.get(of) ?? Promise.resolve()).then(() => of.memory.run());
    runs.set(of, next);
    return next;
  };
  const begin = async (of: Node, { isFinal, isGood, late }: Extract<Step, { does: 'take' }>) => {
    const at = clock.at;
    const drafted = await take(of, { createdAt: at, movedAt: at });
    // Screening and authentication come before the first commit; whoever is restarted meanwhile never writes it.
    for (let wait = 0; wait < late; wait += 1) await turn();
    if (!nodes.includes(of)) return;
    const payment = isFinal && drafted.phase.at !== 'final' ? { ...ended(drafted, isGood, at), revision: 1 } : drafted;
    kept.set(payment.id, payment);
    await finish(of, store, payment);
  };
  const end = async (of: Node, payment: Payment, isGood: boolean) => {
    const moved = ended(payment, isGood, clock.at);
    await turn();
    const outcome = await keep(store, moved, 1);
    if (outcome.is !== 'kept') return;
    kept.set(moved.id, moved);
    await turn();
    await tellOutcome(of, moved);
  };
  const opens = () => [...kept.values()].filter(({ phase }) => phase.at !== 'final');
  for (const one of steps) {
    if (one.does === 'wait') clock.at += one.ms;
    else if (one.does === 'restart') nodes[one.node as 0 | 1] = startNode(store, clock);
    else {
      const of = nodes[one.node as 0 | 1];
      if (one.does === 'take') running.push(begin(of, one));
      if (one.does === 'run') running.push(run(of));
      const open = one.does === 'finish' && opens()[one.which % Math.max(1, opens().length)];
      if (one.does === 'finish' && open) running.push(end(of, open, one.isGood));
    }
    await turn();
  }
  await Promise.all(running);
  // By then both readers are past them: only looking again can tell.
  clock.at += 4 * MINUTE;
  for (const of of nodes) await run(of);
  for (const [at, open] of opens().entries()) await end(nodes[(at % 2) as 0 | 1], open, at % 3 === 0);
  for (let passed = 0; passed < 2 * HOUR; passed += passed < 5 * MINUTE ? 10 * SECOND : 10 * MINUTE) {
    clock.at += passed < 5 * MINUTE ? 10 * SECOND : 10 * MINUTE;
    for (const of of nodes) await run(of);
  }
  return { nodes, kept };
}

test('every attempt and every outcome is told once on each node, whatever runs into what', async () => {
  const seen = { payments: 0, blocked: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120, size: 'max' }), async (steps) => {
      const { nodes, kept } = await live(steps);
      await everybodyKnows(nodes, [...kept.values()]);
      seen.payments += kept.size;
      seen.blocked += [...kept.values()].filter(({ risk }) => risk?.verdict.is === 'decline').length;
    }),
    { numRuns: 60 },
  );
  assert.ok(seen.payments > 500 && seen.blocked > 20, JSON.stringify(seen));
});

test('a run that takes over from one that hangs tells everything once, and the late answer changes nothing', async () => {
  const store = createMemoryStore();
  const clock = clockAt(T0);
  const other = startNode(store, clock);
  const payments: Payment[] = [];
  for (let at = 0; at < 5; at += 1) {
    const payment = await take(other, { createdAt: T0 - MINUTE + at, movedAt: T0 - MINUTE + at });
    payments.push(payment);
    await keep(store, payment, 0);
  }
  const answers: (() => void)[] = [];
  const slow: MemoryStore = {
    ...store,
    history: async (asked) => {
      const page = await store.history(asked);
      if (answers.length === 0) await new Promise<void>((resolve) => answers.push(resolve));
      return page;
    },
  };
  const node = startNode(slow, clock);
  const hanging = node.memory.run();
  await turn();
  assert.equal(answers.length, 1, 'the first run waits for the store');
  for (let runs = 0; runs < 3; runs += 1) {
    clock.at += SECOND;
    await node.memory.run();
  }
  const before = new Map(node.tally);
  assert.deepEqual(new Set(before.keys()), new Set(payments.map(({ id }) => id)));
  answers[0]?.();
  await assert.rejects(hanging, /a later run has taken over/);
  assert.deepEqual(node.tally, before);
  assert.ok(
    [...node.tally.values()].every((countedEvents) => countedEvents.length === new Set(countedEvents).size),
    'once',
  );
});
