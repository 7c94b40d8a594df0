import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../form/check.ts';
import { decode } from '../form/decode.ts';
import { hierarchy } from '../merchants/directory.ts';
import { sandbox, sandboxRows } from '../merchants/sandbox.ts';
import { decide } from './decide.ts';
import { examplePayment } from './examples.ts';
import { type Order, orderOf } from './order.ts';
import type { Payment, Phase } from './payment.ts';
import type { Capability, Connector } from './ports.ts';
import { referencedIn } from './refusal.ts';
import { planRelease, type ReleasePlan } from './validity.ts';

/**
 * R13: every sequence of up to six captures, reversals and refunds, each approved, declined or open, on every payment of a family. What is
 * legal is said a second time here, by sums alone; states that are equal in these sums are visited once.
 */

const DEPTH = 6;
/** Hundredths, taken in parts of one or more. */
const WHOLE = 3n;
const AMOUNTS = [1n, 2n, 3n, 4n] as const;
const NOW = 1_790_000_000_000;
const VALIDITY = { days: 7 } as const;
const END = NOW + 7 * 86_400_000;
/** Nothing is released in the first day after the end, and looks are on full hours. */
const RELEASED = END + 2 * 86_400_000;

const outcomes = {
  approved: { at: 'final', code: '000.100.110' },
  declined: { at: 'final', code: '800.100.151' },
  open: { at: 'acquirer', dueAt: NOW + 60_000 },
} as const satisfies Record<string, Phase>;
type Outcome = keyof typeof outcomes;

type Type = 'PA' | 'DB' | 'CD' | 'CP' | 'RV' | 'RF';
type Node = {
  readonly type: Type;
  readonly amount: bigint;
  readonly parent: number | null;
  readonly outcome: Outcome;
  readonly isRelease?: true;
};
type State = readonly Node[];
type Step = { readonly type: 'CP' | 'RV' | 'RF'; readonly amount: bigint | null; readonly of: number };

const steps = (state: State): readonly Step[] =>
  state.flatMap((_, of) => [
    ...AMOUNTS.flatMap((amount) => (['CP', 'RV', 'RF'] as const).map((type) => ({ type, amount, of }))),
    { type: 'RV', amount: null, of } as const,
  ]);

/** What was done to a payment and counts, or may still count. */
function sumsOf(state: State, of: number): Readonly<Record<'CP' | 'RV' | 'RF', bigint>> {
  const sum = (type: Type): bigint =>
    state.reduce(
      (total, one) => (one.parent === of && one.type === type && one.outcome !== 'declined' ? total + one.amount : total),
      0n,
    );
  return { CP: sum('CP'), RV: sum('RV'), RF: sum('RF') };
}

/** The amount that moves, or null: the step is illegal. */
function legalAmount(state: State, { type, amount, of }: Step): { readonly of: number; readonly amount: bigint } | null {
  const captures = state.flatMap((one, at) => (one.parent === of && one.type === 'CP' && one.outcome !== 'declined' ? [at] : []));
  const [only] = captures;
  // A refund of an authorisation is one of its only capture.
  const about = type === 'RF' && state[of]?.type === 'PA' && captures.length === 1 && only !== undefined ? only : of;
  const target = state[about];
  if (target?.outcome !== 'approved') return null;
  const done = sumsOf(state, about);
  const left = target.amount - done.CP - done.RV - done.RF;
  const fits = (wanted: bigint) => (wanted <= left ? { of: about, amount: wanted } : null);
  switch (type) {
    case 'CP':
      return target.type === 'PA' ? fits(amount ?? left) : null;
    case 'RF':
      return ['DB', 'CD', 'CP'].includes(target.type) && done.RV === 0n ? fits(amount ?? left) : null;
    case 'RV':
      if (!['PA', 'DB', 'CD', 'CP'].includes(target.type) || left === 0n) return null;
      // Only what is authorised is reversed in parts.
      if (target.type !== 'PA' && (left !== target.amount || (amount ?? left) !== left)) return null;
      return fits(amount ?? left);
  }
}

const capability: Capability = {
  redirects: false,
  types: ['PA', 'DB', 'CD', 'CP', 'RV', 'RF'],
  partialCapture: true,
  multipleCaptures: true,
  // Longer than an authorisation is valid.
  reversal: { until: '23:59', daysLater: { DB: 60, CD: 60, CP: 60 } },
};
const far = (): never => assert.fail('a decision asks nobody');
const connector: Connector = {
  name: 'acquirer',
  modes: ['INTERNAL'],
  supports: { CC: capability },
  answerMsMax: 1_000,
  uncertainty: { learnedBy: 'id', lateMs: 0, cancelBindsLate: true, absenceIsProof: true },
  send: far,
  inquire: far,
  cancel: far,
};
const found = hierarchy(sandboxRows(0).entities).get(sandbox.demoShop.channelId)?.channel;
const channel = { ...(found ?? assert.fail('the sandbox has no channel')), connectors: { default: 'acquirer' } };
const { entityId, merchantId } = channel;

function plainOrder(): Order {
  const form = {
    entityId,
    amount: '92.00',
    currency: 'EUR',
    paymentBrand: 'VISA',
    paymentType: 'DB',
    'card.number': '4200000000000000',
  };
  const fields = new URLSearchParams({ ...form, 'card.expiryMonth': '05', 'card.expiryYear': '2034' }).toString();
  const checked = check(decode(fields), { endpoint: 'pay', isLenient: false, source: 'server', environment: 'test' });
  if (checked.is === 'faulty') return assert.fail(JSON.stringify(checked.faults));
  const order = orderOf(checked, { channel, environment: 'test', referencedId: null, purpose: 'pay' });
  return order.is === 'faulty' ? assert.fail(JSON.stringify(order.faults)) : order.order;
}
const plain = plainOrder();

const idOf = (at: number): string => `payment${at}`;
const paymentsOf = (state: State): readonly Payment[] =>
  state.map(({ type, amount, parent, outcome, isRelease }, at) =>
    examplePayment({
      merchantId,
      entityId,
      connector: 'acquirer',
      id: idOf(at),
      familyId: idOf(0),
      referencedId: parent === null ? null : idOf(parent),
      paymentType: type,
      amount,
      phase: outcomes[outcome],
      createdAt: NOW,
      movedAt: NOW,
      ...(type === 'PA' && { validity: VALIDITY }),
      ...(isRelease && { details: { isRelease } }),
    }),
  );

/** Whether the program goes ahead, and with which amount. */
function decided(state: State, { type, amount, of }: Step, now = NOW): bigint | null {
  const order: Order = {
    ...plain,
    paymentType: type,
    amount,
    currency: amount === null ? null : 'EUR',
    instrument: null,
    secrets: {},
    referencedId: idOf(of),
  };
  const family = { version: state.length, payments: paymentsOf(state) };
  const context = { channel, family, referenced: referencedIn(family, order), connector: () => connector, now };
  const { refusal, amount: moved } = decide(order, context);
  return refusal === null ? moved : null;
}

/** The same for states that differ only in the order of what was done, and in declines. */
function keyOf(state: State): string {
  const below = (parent: number | null): string =>
    state
      .flatMap((one, at) =>
        one.parent === parent && one.outcome !== 'declined' ? [`${one.type}${one.amount}${one.outcome}(${below(at)})`] : [],
      )
      .sort()
      .join(',');
  return below(null);
}

function explore(
  root: Type,
  legal: typeof legalAmount,
  most: number = DEPTH,
): {
  readonly states: number;
  readonly pairs: number;
  readonly wrong: readonly string[];
  readonly all: readonly State[];
} {
  let level: State[] = [[{ type: root, amount: WHOLE, parent: null, outcome: 'approved' }]];
  const seen = new Set(level.map(keyOf));
  const all: State[] = [...level];
  let pairs = 0;
  const wrong: string[] = [];
  for (let depth = 0; depth <= most; depth += 1) {
    const next: State[] = [];
    for (const state of level) {
      for (const step of steps(state)) {
        pairs += 1;
        const expected = legal(state, step);
        const got = decided(state, step);
        if (got !== (expected?.amount ?? null))
          wrong.push(`${keyOf(state)}: ${step.type} ${step.amount} of ${step.of} is ${got}`);
        if (!expected) continue;
        for (const outcome of Object.keys(outcomes) as Outcome[]) {
          const after: State = [...state, { type: step.type, amount: expected.amount, parent: expected.of, outcome }];
          const key = keyOf(after);
          if (seen.has(key)) continue;
          seen.add(key);
          next.push(after);
          all.push(after);
        }
      }
    }
    level = next;
  }
  return { states: seen.size, pairs, wrong, all };
}

for (const root of ['PA', 'DB', 'CD'] as const) {
  test(`R13: every sequence of up to ${DEPTH} follow-ups of a ${root} goes ahead or is refused as the sums say`, (context) => {
    const { states, pairs, wrong } = explore(root, legalAmount);
    context.diagnostic(`${states} states, ${pairs} pairs`);
    assert.deepEqual(wrong.slice(0, 5), []);
    assert.ok(states >= 5, `${states} states`);
  });
}

test('control: sums that forget what is open are found', () => {
  const forgetful: typeof legalAmount = (state, step) =>
    legalAmount(
      state.map((one, at) => (at > 0 && one.outcome === 'open' ? { ...one, outcome: 'declined' } : one)),
      step,
    );
  assert.notDeepEqual(explore('PA', forgetful, 2).wrong, []);
});

/** What is still reserved of an authorisation, by sums alone; null: something of it is open. */
function reserved(state: State): bigint | null {
  const parts = state.filter(({ parent, type, outcome }) => parent === 0 && type !== 'RF' && outcome !== 'declined');
  if (parts.some(({ outcome }) => outcome === 'open')) return null;
  return parts.reduce((rest, { amount }) => rest - amount, WHOLE);
}

type Plan = (state: State, now: number) => ReleasePlan;
const plan: Plan = (state, now) => {
  const family = paymentsOf(state);
  return planRelease(family, family[0] ?? assert.fail('there is no authorisation'), now);
};

/** Plays the end of an authorisation in every state that captures and reversals lead to; answers what is wrong. */
function afterTheEnd(states: readonly State[], planned: Plan): readonly string[] {
  const wrong: string[] = [];
  const say = (state: State, what: string) => wrong.push(`${keyOf(state)}: ${what}`);
  const legalThen = (state: State, step: Step) => {
    const legal = legalAmount(state, step);
    // Nothing more of the authorisation itself is captured or reversed; captured money is refunded and reversed as before.
    return legal?.of === 0 && step.type !== 'RF' ? null : (legal?.amount ?? null);
  };
  for (const state of states) {
    for (const now of [END - 1, END, RELEASED]) {
      const isOver = now >= END;
      for (const step of steps(state)) {
        const expected = isOver ? legalThen(state, step) : (legalAmount(state, step)?.amount ?? null);
        const got = decided(state, step, now);
        if (got !== expected) say(state, `${step.type} ${step.amount} of ${step.of} is ${got} at ${now - END}`);
      }
      if (now < RELEASED && planned(state, now).is !== 'wait') say(state, `it is released at ${now - END}`);
    }
    const rest = reserved(state);
    const last = planned(state, RELEASED);
    if (rest === null && last.is !== 'wait') say(state, `it is ${last.is} while something is open`);
    if (rest === 0n && last.is !== 'done') say(state, `it is ${last.is} although nothing is left`);
    if (rest === null || rest === 0n) continue;
    if (last.is !== 'release' || last.amount !== rest) {
      say(state, `${rest} are left and it is ${last.is}`);
      continue;
    }
    const release: Node = { type: 'RV', amount: rest, parent: 0, outcome: 'approved', isRelease: true };
    const after: State = [...state, release];
    if (reserved(after) !== 0n) say(after, 'something is still reserved');
    if (planned(after, RELEASED).is !== 'done') say(after, 'it is released twice');
    // What was released stays released, also by a clock that was put back.
    for (const step of steps(after).filter(({ type, of }) => of === 0 && type !== 'RF'))
      if (decided(after, step, NOW) !== null) say(after, `${step.type} ${step.amount} goes ahead after the release`);
  }
  return wrong;
}

test('R13: after its end every authorisation is closed, and its rest is released once, in every state of its family', (context) => {
  const { all } = explore('PA', legalAmount, 3);
  context.diagnostic(`${all.length} states`);
  assert.ok(all.length > 100, `${all.length} states`);
  assert.deepEqual(afterTheEnd(all, plan).slice(0, 5), []);
});

const releases: readonly (readonly [fault: string, plan: Plan])[] = [
  ['never', (state, now) => (plan(state, now).is === 'release' ? { is: 'done' } : plan(state, now))],
  ['twice', (state, now) => plan(now < RELEASED ? state : state.filter(({ isRelease }) => !isRelease), now)],
  [
    'while a capture is open',
    (state, now) => plan(now < RELEASED ? state : state.filter(({ outcome }) => outcome !== 'open'), now),
  ],
  ['too early', (state) => plan(state, RELEASED)],
  ['too much', (state, now) => plan(now < RELEASED ? state : state.slice(0, 1), now)],
];
for (const [fault, planned] of releases)
  test(`control: a rest that is released ${fault} is found`, () =>
    assert.notDeepEqual(afterTheEnd(explore('PA', legalAmount, 2).all, planned), []));
