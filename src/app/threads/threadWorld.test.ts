import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { examplePayment } from '../../payments/examples.ts';
import type { Payment } from '../../payments/payment.ts';
import type { Attempt, World } from '../../payments/ports.ts';
import { createCountedEvents } from '../../payments/riskMemory/countedEvents.ts';
import { factsAbout, noteOutcome } from '../../payments/screen.ts';
import { createPendingSecrets } from '../../payments/threeDS/startAuthentication.ts';
import { createBareRiskEngine } from '../../risk/engine.ts';
import { createMemoryStore } from '../../store/memory/memoryStore.ts';
import type { MainCalls, ThreadCalls } from './calls.ts';
import { createLink, type Link } from './link.ts';
import { adaptMainWorld, createMainCalls, type MainParts } from './mainThread.ts';
import { adaptThreadWorld } from './threadWorld.ts';

const T0 = 1_790_000_000_000;
const clock = { now: () => T0 };
const timers = { within: <T>(_ms: number, promise: Promise<T>) => promise };

/** A main thread and two others, with messages between them as in a running gateway. */
function startThreads(when: string) {
  const rule = { id: 'limit', says: 'limit', when, gives: { verdict: 'decline' }, mode: 'on' };
  const risk = { mode: 'on', duplicateSeconds: 0, velocity: 'off', cardTesting: 'off', rules: [rule] };
  const channel = { timeZone: 'Europe/Vienna', risk };
  const links: Link<ThreadCalls>[] = [];
  const drain = () => {
    for (const link of links) link.drain();
  };
  const worldOf = () =>
    ({
      clock,
      timers,
      store: createMemoryStore(),
      risk: createBareRiskEngine(clock, timers),
      countedEvents: createCountedEvents(clock),
      pendingSecrets: createPendingSecrets(clock),
      channel: () => channel,
      threeDS: null,
    }) as unknown as World;
  const main = adaptMainWorld(drain)(worldOf());
  const threads = [1, 2].map(() => {
    const { port1, port2 } = new MessageChannel();
    const link: Link<ThreadCalls> = createLink<ThreadCalls>(
      port1,
      createMainCalls({ world: main } as unknown as MainParts, () => link),
    );
    links.push(link);
    return adaptThreadWorld(createLink<MainCalls>(port2, {}), 'test')(worldOf());
  });
  const attempt = (world: World, payment: Payment) =>
    world.risk.evaluate(factsAbout(world, payment, channel.timeZone), channel.risk, 'attempt', payment.id);
  return { main, threads, all: [main, ...threads], attempt, stop: () => links.map((link) => link.close()) };
}

let made = 0;
const payment = (more: Partial<Payment> = {}): Payment => {
  made += 1;
  return examplePayment({ id: made.toString(16).padStart(32, '0'), fingerprint: 'one card', createdAt: T0, ...more });
};

test('of attempts by three threads at once exactly as many pass as the rule allows', async (t) => {
  const { all, attempt, stop } = startThreads('count(card, 1h) >= 11');
  t.after(stop);
  const verdicts = await Promise.all(
    Array.from({ length: 60 }, async (_, at) => (await attempt(all[at % 3] as World, payment()))?.verdict.is),
  );
  assert.deepEqual(
    ['accept', 'decline'].map((is) => verdicts.filter((one) => one === is).length),
    [11, 49],
  );
});

test('an outcome that a thread has told counts for the next attempt at the main thread, without a turn in between', async (t) => {
  const { main, threads, attempt, stop } = startThreads('count(card, 1h, open) >= 3');
  t.after(stop);
  const [one] = threads as [World];
  const open = [payment(), payment(), payment()];
  for (const each of open) assert.equal((await attempt(one, each))?.verdict.is, 'accept');
  assert.equal((await attempt(main, payment()))?.verdict.is, 'decline');
  const risk = { verdict: { is: 'accept' }, score: 0, shadow: [], rules: [] } as unknown as Payment['risk'];
  // Whoever replies has awaited this.
  await noteOutcome(one, { ...(open[0] as Payment), risk, phase: { at: 'final', code: '000.100.110' } });
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });
  const next = await attempt(main, payment());
  assert.deepEqual([next?.verdict.is, hasTurned], ['accept', false]);
});

test('an attempt and its outcome are counted once, whoever tells them', async (t) => {
  const { main, threads, attempt, stop } = startThreads('count(card, 1h) >= 99');
  t.after(stop);
  const [one] = threads as [World];
  const taken = payment();
  await attempt(one, taken);
  assert.equal(main.countedEvents.attempt(taken.id), false, 'the store would show it to the main thread too');
});

test('the secrets of an authentication are at the main thread before the request thread replies', (t) => {
  const { main, threads, stop } = startThreads('count(card, 1h) >= 99');
  t.after(stop);
  const [one] = threads as [World];
  const begun = payment();
  const attempt = {
    payment: begun,
    secrets: { cvv: '123' },
    referenced: null,
    registration: null,
    series: null,
  } as unknown as Attempt;
  one.pendingSecrets.put(begun.id, attempt, T0 + 1_000);
  assert.equal(main.pendingSecrets.get(begun.id)?.secrets.cvv, '123');
  one.pendingSecrets.drop(begun.id);
  assert.equal(main.pendingSecrets.get(begun.id), null);
});

test('a rule about the parameters of a request decides for every thread alike', async (t) => {
  const { all, attempt, stop } = startThreads("risk.parameters[device] = 'shared'");
  t.after(stop);
  const fields = { 'risk.parameters[device]': 'shared' };
  for (const world of all) {
    const verdicts = [await attempt(world, payment({ fields })), await attempt(world, payment())].map((one) => one?.verdict.is);
    assert.deepEqual(verdicts, ['decline', 'accept']);
  }
});
