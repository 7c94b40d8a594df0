import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluateAttempt, recordOutcome } from './engine.ts';
import { exampleFacts } from './examples.ts';
import type { RiskFacts } from './facts.ts';
import { createLists } from './lists/lists.ts';
import { ruleBookOf } from './ruleBook.ts';
import { defaultRiskSettings, type RiskSettings } from './settings.ts';
import { createVelocity } from './velocity/windows.ts';

const T0 = 1_790_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const BIN = '420000';

/** Numbers between 0 and 1 that are the same in every run. */
function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Attempt = {
  readonly at: number;
  readonly facts: RiskFacts;
  readonly isAttack: boolean;
  readonly is: 'approved' | 'declined';
};
type Shopper = { readonly bin: string; readonly card: string; readonly email: string; readonly ip: string };

function attemptOf(at: number, { bin, card, email, ip }: Shopper, rest: Pick<Attempt, 'is' | 'isAttack'>): Attempt {
  const about = {
    now: at,
    fingerprint: card,
    instrument: { kind: 'card', bin, last4Digits: '0000', holder: 'Ann Example', expiryMonth: '05', expiryYear: '2034' } as const,
  };
  const fields = {
    'customer.email': email,
    'customer.ip': ip,
    merchantTransactionId: `${card} ${at}`,
    'customer.merchantCustomerId': '',
  };
  return { at, facts: exampleFacts(fields, about), ...rest };
}

type Attack = {
  readonly count: number;
  readonly ms: number;
  readonly addresses: number;
  /** How the attacker names himself: anew each time, always the same, or not at all. */
  readonly email: 'new' | 'same' | 'none';
  /** How many of the numbers are good. */
  readonly good: number;
};

function attackOf({ count, ms, addresses, email, good }: Attack, chance: () => number): readonly Attempt[] {
  return Array.from({ length: count }, (_, at) => {
    const emails = { new: `x${at}@attack.example`, same: 'x@attack.example', none: '' };
    const tester = {
      bin: BIN,
      card: `tried ${at}`,
      email: emails[email],
      ip: addresses === 0 ? '' : `198.51.${(at % addresses) >> 8}.${(at % addresses) & 255}`,
    };
    return attemptOf(T0 + Math.floor((at / count) * ms), tester, {
      isAttack: true,
      is: chance() < good ? 'approved' : 'declined',
    });
  });
}

/**
 * Honest shoppers, who are there ten minutes before the attack: 100 BINs, the attacked one of average size; every second shopper has
 * bought here before; one in twelve is declined and tries again after half a minute. Many share the addresses of their companies.
 */
function shoppersOf(count: number, ms: number, chance: () => number): readonly Attempt[] {
  return Array.from({ length: count }, (_, at) => {
    const bin = at % 100 === 0 ? BIN : `5${10_000 + (at % 100)}`;
    const shopper = {
      bin,
      card: `good ${at}`,
      email: `s${at}@mail.example`,
      ip: `10.0.${Math.floor(chance() * 4)}.${Math.floor(chance() * 200)}`,
    };
    const when = T0 + Math.floor(chance() * (ms + 10 * MINUTE)) - 10 * MINUTE;
    const before =
      chance() < 0.5 ? [attemptOf(T0 - DAY - Math.ceil(chance() * 20 * DAY), shopper, { isAttack: false, is: 'approved' })] : [];
    if (chance() >= 1 / 12) return [...before, attemptOf(when, shopper, { isAttack: false, is: 'approved' })];
    const again = attemptOf(when + 30 * SECOND, shopper, { isAttack: false, is: 'approved' });
    return [...before, attemptOf(when, shopper, { isAttack: false, is: 'declined' }), again];
  }).flat();
}

/** When attempts of the attack got through, how many good shoppers there were during it, and how many of them were blocked. */
type Run = {
  readonly passed: readonly number[];
  readonly goodBlocked: number;
  readonly good: number;
  readonly shadowed: number;
  readonly codes: ReadonlySet<string>;
};

/** Lets everything happen in its order. The acquirer answers after `answerMs`. */
async function run(attempts: readonly Attempt[], answerMs: number, own: Partial<RiskSettings> = {}): Promise<Run> {
  const ruleSet = ruleBookOf({ ...defaultRiskSettings, ...own }).select({ channelId: null, serviceId: null });
  const memory = { velocity: createVelocity(), lists: createLists({ now: () => T0 }) };
  const passed: number[] = [];
  const waiting: Attempt[] = [];
  const [good, blocked] = [new Set<string | null>(), new Set<string | null>()];
  let shadowed = 0;
  const codes = new Set<string>();
  for (const attempt of attempts.toSorted((one, other) => one.at - other.at)) {
    while (waiting[0] && waiting[0].at + answerMs <= attempt.at) {
      const { facts, is } = waiting.shift() as Attempt;
      await recordOutcome(memory.velocity, { facts, ruleSet, is });
    }
    const { verdict, shadow } = await evaluateAttempt(attempt.facts, ruleSet, memory);
    if (verdict.is !== 'decline') waiting.push(attempt);
    else codes.add(verdict.code);
    if (attempt.isAttack && verdict.is !== 'decline') passed.push(attempt.at);
    if (!attempt.isAttack && attempt.at >= T0) good.add(attempt.facts.fingerprint);
    if (!attempt.isAttack && verdict.is === 'decline') blocked.add(attempt.facts.fingerprint);
    if (attempt.isAttack && shadow.some(({ rule }) => rule === 'cardTesting.bin')) shadowed += 1;
  }
  return { passed, goodBlocked: blocked.size, good: good.size, shadowed, codes };
}

/** The most attempts that got through in any ten minutes. */
const mostIn = (passed: readonly number[]): number =>
  Math.max(0, ...passed.map((from) => passed.filter((at) => at >= from && at < from + 10 * MINUTE).length));

const usual: Attack = { count: 1_000, ms: 10 * MINUTE, addresses: 50, email: 'new', good: 0.03 };
const attacks: [what: string, attack: Attack, shoppers: number, answerMs: number][] = [
  ['R41: 1,000 numbers of one BIN from 50 addresses in 10 minutes', usual, 2_000, SECOND],
  ['the same in a shop with few other customers', usual, 60, SECOND],
  ['the same in a busy shop', usual, 16_000, SECOND],
  ['the same with an acquirer that takes five seconds', usual, 2_000, 5 * SECOND],
  ['the same from a thousand addresses', { ...usual, addresses: 1_000 }, 2_000, SECOND],
  ['the same without addresses', { ...usual, addresses: 0 }, 2_000, SECOND],
  ['the same without e-mail addresses', { ...usual, email: 'none' }, 2_000, SECOND],
  ['the same under one e-mail address', { ...usual, email: 'same' }, 2_000, SECOND],
  ['under one e-mail address, every fifth number is good', { ...usual, email: 'same', good: 0.2 }, 500, SECOND],
  ['every fifth number is good', { ...usual, good: 0.2 }, 2_000, SECOND],
  ['all in 20 seconds', { ...usual, ms: 20 * SECOND }, 2_000, SECOND],
  ['all at once, before any answer', { ...usual, ms: 0 }, 2_000, SECOND],
  ['3,000 numbers over half an hour', { ...usual, count: 3_000, ms: 30 * MINUTE }, 3_000, SECOND],
];
for (const [what, attack, shoppers, answerMs] of attacks) {
  test(`${what}: cut after 20 attempts in any ten minutes, and at most 1 % of good shoppers blocked`, async () => {
    const chance = chanceOf(41);
    const everybody = [...attackOf(attack, chance), ...shoppersOf(shoppers, Math.max(attack.ms, 10 * MINUTE), chance)];
    const { passed, goodBlocked, good, codes } = await run(everybody, answerMs);
    assert.ok(codes.has('800.120.401'), `declined with ${[...codes].join(', ')}`);
    assert.ok(mostIn(passed) <= 20, `${mostIn(passed)} got through`);
    assert.ok(passed.length > 0, 'nothing got through: this is no test of the guard');
    assert.ok(goodBlocked <= good / 100, `${goodBlocked} of ${good} blocked`);
  });
}

for (const seed of [1, 2]) {
  test(`R41 with other chances, seed ${seed}`, async () => {
    const chance = chanceOf(seed);
    const { passed, goodBlocked, good } = await run(
      [...attackOf(usual, chance), ...shoppersOf(2_000, 10 * MINUTE, chance)],
      SECOND,
    );
    assert.ok(mostIn(passed) <= 20, `${mostIn(passed)} got through`);
    assert.ok(goodBlocked <= good / 100, `${goodBlocked} of ${good} blocked`);
  });
}

test('an e-mail address that paid once earns no trust for numbers that fail, also where no other rule would notice', async () => {
  const tester = { bin: BIN, card: 'a good one', email: 'x@attack.example', ip: '198.51.100.1' };
  const before = attemptOf(T0 - DAY, tester, { isAttack: false, is: 'approved' });
  const attack = attackOf({ ...usual, email: 'same', good: 0 }, chanceOf(41));
  const { passed } = await run([before, ...attack], SECOND, { velocity: 'off' });
  assert.ok(mostIn(passed) <= 20, `${mostIn(passed)} got through`);
});

test('without an attack nothing is blocked', async () => {
  const { goodBlocked, good } = await run(shoppersOf(3_000, 10 * MINUTE, chanceOf(7)), 2 * SECOND);
  assert.ok(good > 1_000);
  assert.equal(goodBlocked, 0);
});

for (const mode of ['off', 'report'] as const) {
  test(`with the guard ${mode === 'off' ? 'off' : 'only reporting'} the attack goes through`, async () => {
    const { passed, shadowed } = await run(attackOf(usual, chanceOf(1)), SECOND, { cardTesting: mode });
    assert.equal(passed.length, 1_000);
    assert.equal(shadowed > 900, mode === 'report');
  });
}

test('one checkout with 60 attempts: at most 10 are declined by the acquirer', async () => {
  const ruleSet = ruleBookOf(defaultRiskSettings).select({ channelId: null, serviceId: null });
  const memory = { velocity: createVelocity(), lists: createLists({ now: () => T0 }) };
  let declined = 0;
  for (let at = 0; at < 60; at += 1) {
    const facts = exampleFacts(
      { merchantTransactionId: `${at}`, 'customer.ip': `10.0.0.${at}`, 'customer.email': '' },
      { now: T0 + at * SECOND, fingerprint: `card ${at}`, instrument: null, checkoutId: 'c' },
    );
    if ((await evaluateAttempt(facts, ruleSet, memory)).verdict.is === 'decline') continue;
    declined += 1;
    await recordOutcome(memory.velocity, { facts, ruleSet, is: 'declined' });
  }
  assert.equal(declined, 10);
});

test('sixty attempts of one checkout at the same moment: each sees those before it', async () => {
  const ruleSet = ruleBookOf(defaultRiskSettings).select({ channelId: null, serviceId: null });
  const memory = { velocity: createVelocity(), lists: createLists({ now: () => T0 }) };
  const all = Array.from({ length: 60 }, (_, at) =>
    exampleFacts({ merchantTransactionId: `${at}` }, { now: T0, fingerprint: `card ${at}`, instrument: null, checkoutId: 'c' }),
  );
  const verdicts = await Promise.all(all.map((facts) => evaluateAttempt(facts, ruleSet, memory)));
  assert.equal(verdicts.filter(({ verdict }) => verdict.is !== 'decline').length <= 10, true);
});
