import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BreakerState, createBreaker } from './breaker.ts';
import type { ExchangeRequest, ExchangeResult } from './ports.ts';

const REQUEST: ExchangeRequest = { method: 'POST', url: 'https://api.example.com', books: true, withinMs: 1_000 };
const PROBE: ExchangeRequest = { ...REQUEST, method: 'GET', books: false };
const OK: ExchangeResult = { is: 'replied', status: 200, headers: {}, body: '{}' };
const SILENT: ExchangeResult = { is: 'unanswered', reason: 'no answer in time' };

function openBreaker({ hasProbe = true } = {}) {
  const limits = { atOnceMax: 2, waitingMax: 2, failuresMax: 3, openMs: 1_000 };
  const time = { now: 0 };
  const states: BreakerState[] = [];
  const acquirer = { answer: OK, sent: 0, probed: 0, held: null as null | (() => void)[] };
  const within = <T>(ms: number, promise: Promise<T>): Promise<T> =>
    ms < 10 ? Promise.race([promise, new Promise<T>((_, late) => setImmediate(() => late(new Error('late'))))]) : promise;
  const { exchange, isAway } = createBreaker(
    async (request) => {
      if (request.books) acquirer.sent += 1;
      else acquirer.probed += 1;
      const { held } = acquirer;
      if (held) await new Promise<void>((go) => held.push(go));
      return acquirer.answer;
    },
    { now: () => time.now, within, probe: hasProbe ? async () => PROBE : null, onChange: (state) => states.push(state), limits },
  );
  return { time, states, acquirer, isAway, ask: (given = {}) => exchange({ ...REQUEST, ...given }) };
}

test('an acquirer that does not answer is asked no more, and again after a pause, by one request', async () => {
  const { time, states, acquirer, ask } = openBreaker();
  acquirer.answer = SILENT;
  for (let tries = 0; tries < 5; tries += 1) await ask();
  assert.equal(acquirer.sent, 3);
  assert.deepEqual(states, ['open']);
  assert.deepEqual(await ask(), { is: 'notSent', reason: 'the acquirer does not answer' });
  time.now = 1_000;
  acquirer.held = [];
  const trial = ask();
  assert.equal((await ask()).is, 'notSent');
  acquirer.held.shift()?.();
  await trial;
  assert.equal(acquirer.sent, 4);
  assert.deepEqual(states, ['open', 'trying', 'open']);
  [time.now, acquirer.held, acquirer.answer] = [2_000, null, OK];
  assert.deepEqual(await ask(), OK);
  assert.deepEqual(await ask(), OK);
  assert.deepEqual(states, ['open', 'trying', 'open', 'trying', 'closed']);
});

test('an answer between failures starts the count anew, and an error of the acquirer is an answer', async () => {
  const { states, acquirer, ask } = openBreaker();
  const answers = [SILENT, SILENT, { ...OK, status: 500 }, SILENT, SILENT, OK, SILENT, SILENT, { ...OK, status: 402 }];
  for (const answer of answers) {
    acquirer.answer = answer;
    await ask();
  }
  assert.deepEqual([acquirer.sent, states], [answers.length, []]);
  acquirer.answer = { ...OK, status: 503 };
  for (let tries = 0; tries < 3; tries += 1) await ask();
  assert.deepEqual(states, ['open']);
});

test('an account holds a bounded number of requests; what is beyond is not sent', async () => {
  const { acquirer, ask } = openBreaker();
  acquirer.held = [];
  const asked = [ask(), ask(), ask(), ask()];
  assert.deepEqual(await ask(), { is: 'notSent', reason: 'too many requests wait for the acquirer' });
  assert.equal(acquirer.sent, 2);
  for (let left = asked.length; left > 0; ) {
    const go = acquirer.held.shift();
    if (go) left -= 1;
    go?.();
    await new Promise((done) => setImmediate(done));
  }
  assert.deepEqual(await Promise.all(asked), [OK, OK, OK, OK]);
  assert.equal(acquirer.sent, 4);
});

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

test('with an alternative no payment tries: a probe does, once after each pause', async () => {
  const { time, states, acquirer, ask, isAway } = openBreaker();
  assert.equal(isAway(), false);
  acquirer.answer = SILENT;
  for (let tries = 0; tries < 3; tries += 1) await ask();
  assert.equal(isAway(), true);
  await turn();
  assert.deepEqual([acquirer.probed, states], [0, ['open']]);
  time.now = 1_000;
  for (let asked = 0; asked < 5; asked += 1) assert.equal(isAway(), true);
  await turn();
  assert.deepEqual([acquirer.probed, states], [1, ['open', 'trying', 'open']]);
  [time.now, acquirer.answer] = [2_000, OK];
  assert.equal(isAway(), true);
  await turn();
  assert.equal(isAway(), false);
  assert.deepEqual([acquirer.sent, acquirer.probed], [3, 2]);
});

test('without a probe a payment tries after the pause', async () => {
  const { time, acquirer, ask, isAway } = openBreaker({ hasProbe: false });
  acquirer.answer = SILENT;
  for (let tries = 0; tries < 3; tries += 1) await ask();
  assert.equal(isAway(), true);
  [time.now, acquirer.answer] = [1_000, OK];
  assert.equal(isAway(), false);
  assert.deepEqual(await ask(), OK);
});

test('a request waits for its turn as long as it may stay unsent, and leaves nothing behind', async () => {
  const { acquirer, ask } = openBreaker();
  acquirer.held = [];
  const hanging = [ask(), ask()];
  assert.equal((await ask({ unsentMs: 5 })).is, 'notSent');
  assert.equal((await ask({ unsentMs: 5 })).is, 'notSent');
  assert.equal(acquirer.sent, 2);
  const next = ask({ unsentMs: 60_000 });
  for (const go of acquirer.held.splice(0)) go();
  await Promise.all(hanging);
  await turn();
  for (const go of acquirer.held) go();
  assert.deepEqual(await next, OK);
  assert.equal(acquirer.sent, 3);
});
