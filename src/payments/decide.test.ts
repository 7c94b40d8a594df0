import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { check } from '../form/check.ts';
import { decode } from '../form/decode.ts';
import type { Channel } from '../merchants/channel.ts';
import { hierarchy } from '../merchants/directory.ts';
import { sandbox, sandboxRows } from '../merchants/sandbox.ts';
import { AUTHENTICATION, RISK_CHECK } from '../spec/paymentTypes.ts';
import { balanceOf, isApproved } from './balance.ts';
import { type Decision, type DecisionContext, decide, firstPhase } from './decide.ts';
import { examplePayment } from './examples.ts';
import { type Order, orderOf, type Purpose } from './order.ts';
import type { Payment, Phase } from './payment.ts';
import type { Capability, Connector } from './ports.ts';
import { UNKNOWN_REFERENCE } from './refusal.ts';

const NOW = 1_790_000_000_000;
const APPROVED: Phase = { at: 'final', code: '000.100.110' };
const DECLINED: Phase = { at: 'final', code: '800.100.151' };
const OPEN: Phase = { at: 'acquirer', dueAt: NOW + 60_000 };

const capability: Capability = {
  redirects: false,
  types: ['PA', 'DB', 'CD', 'CP', 'RV', 'RF'],
  partialCapture: true,
  multipleCaptures: true,
  reversal: { until: '23:59', daysLater: { DB: 1, CP: 1 } },
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

const { channel: found } = hierarchy(sandboxRows(0).entities).get(sandbox.demoShop.channelId) ?? {};
const channel: Channel = { ...(found ?? assert.fail('the sandbox has no channel')), connectors: { default: 'acquirer' } };
const { entityId, merchantId } = channel;

const context = (given: Partial<DecisionContext> = {}): DecisionContext => ({
  channel,
  family: null,
  referenced: null,
  connector: (name) => (name === connector.name ? connector : null),
  now: NOW,
  ...given,
});

const card = {
  'card.number': '4200000000000000',
  'card.holder': 'Ann Example',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
};
const debit = { entityId, amount: '92.00', currency: 'EUR', paymentBrand: 'VISA', paymentType: 'DB', ...card };

function orderFrom(form: Readonly<Record<string, string>>, purpose: Purpose = 'pay', referencedId: string | null = null): Order {
  const endpoint = referencedId === null ? 'pay' : 'refer';
  const checked = check(decode(new URLSearchParams(form).toString()), {
    endpoint,
    isLenient: false,
    source: 'server',
    environment: 'test',
  });
  if (checked.is === 'faulty') return assert.fail(JSON.stringify(checked.faults));
  const order = orderOf(checked, { channel, environment: 'test', referencedId, purpose });
  return order.is === 'faulty' ? assert.fail(JSON.stringify(order.faults)) : order.order;
}

const plain = orderFrom(debit);
const root = examplePayment({ merchantId, entityId, paymentType: 'PA', amount: 10_000n, connector: 'acquirer' });

/** A reference to `of` within `payments`. */
const about = (payments: readonly Payment[], of: Payment): DecisionContext =>
  context({ family: { version: payments.length, payments }, referenced: of });

const followUp = (paymentType: 'CP' | 'RF' | 'RV', amount: bigint | null, of: Payment): Order => ({
  ...plain,
  paymentType,
  amount,
  currency: amount === null ? null : 'EUR',
  instrument: null,
  secrets: {},
  referencedId: of.id,
});

const anyAmount = fc.bigInt({ min: 1n, max: 12_000n });
const anyPhase = fc.constantFrom(APPROVED, APPROVED, OPEN, DECLINED);
const anyType = fc.constantFrom(
  ...(['PA', 'DB', 'CD', 'CP', 'RF', 'RV', 'CB', 'CR', 'RB', 'RC', 'RG', AUTHENTICATION, RISK_CHECK] as const),
);
/** Orders of all kinds, most of them with something wrong. */
const anyOrder: fc.Arbitrary<Order> = fc
  .record({
    paymentType: anyType,
    amount: fc.option(fc.bigInt({ min: 0n, max: 12_000n }), { nil: null }),
    currency: fc.constantFrom('EUR', 'USD', null),
    method: fc.constantFrom('CC' as const, 'DD' as const),
    mode: fc.constantFrom('INTERNAL' as const, 'EXTERNAL' as const),
    isTestInLive: fc.boolean(),
    refusal: fc.constantFrom(null, null, '100.150.200' as const),
    instrument: fc.constantFrom(plain.instrument, null),
    referencedId: fc.constantFrom(null, root.id, 'unknown'),
    entityId: fc.constantFrom(entityId, 'another'),
    practice: fc.constantFrom(null, 'INCREMENTAL_AUTH', 'RESUBMISSION'),
  })
  .map((given) => ({ ...plain, ...given }));

/** The family of the root after some captures and refunds of it. */
const anyFamily: fc.Arbitrary<readonly Payment[]> = fc
  .array(fc.record({ paymentType: fc.constantFrom('CP' as const, 'RV' as const), amount: anyAmount, phase: anyPhase }), {
    maxLength: 4,
  })
  .map((children) => [
    root,
    ...children.map((one, at) => examplePayment({ ...root, ...one, id: `child${at}`, familyId: root.id, referencedId: root.id })),
  ]);

const decideAmong = (order: Order, payments: readonly Payment[]): Decision =>
  decide(order, order.referencedId === root.id ? about(payments, root) : context());

const isAlone = ({ paymentType }: Order): boolean => paymentType === AUTHENTICATION || paymentType === RISK_CHECK;
const isRecord = ({ paymentType }: Order): boolean => ['CB', 'CR', 'RB', 'RC'].includes(paymentType);

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

test('an order that is right in itself has a route and its own amount', () => {
  assert.deepEqual(decide(plain, context()), { route: { connector, capability }, amount: 9_200n, refusal: null });
});

test('a decision is a refusal without a route, or a route without a refusal; only what no acquirer takes has neither', () => {
  fc.assert(
    fc.property(anyOrder, anyFamily, (order, family) => {
      const { route, refusal } = decideAmong(order, family);
      if (refusal !== null) assert.equal(route, null);
      else assert.equal(route === null, isAlone(order) || isRecord(order));
    }),
  );
});

test('the same order on the same family is decided in the same way, and nothing is changed by it', () => {
  fc.assert(
    fc.property(anyOrder, anyFamily, (order, family) => {
      freeze(family);
      freeze(order.fields);
      assert.deepEqual(decideAmong(order, family), decideAmong(order, family));
    }),
  );
});

test('testMode in live comes before every other refusal, and a refusal that the order brings before the rest', () => {
  fc.assert(
    fc.property(anyOrder, anyFamily, (order, family) => {
      assert.equal(decideAmong({ ...order, isTestInLive: true }, family).refusal, '600.200.701');
      const brought: Order = { ...order, isTestInLive: false, refusal: '100.150.200' };
      assert.equal(decideAmong(brought, family).refusal, '100.150.200');
    }),
  );
});

for (const paymentType of ['CP', 'RV', 'RF'] as const) {
  test(`${paymentType} of a payment that is not there is refused by a code of its own`, () => {
    const order = { ...followUp(paymentType, 100n, root), referencedId: 'unknown' };
    assert.equal(decide(order, context()).refusal, UNKNOWN_REFERENCE[paymentType]);
  });
}

/** Follow-ups one after the other, each decided on what those before it left. */
function play(
  of: Payment,
  steps: readonly (readonly [type: 'CP' | 'RF' | 'RV', amount: bigint, phase: Phase])[],
): readonly Payment[] {
  const payments = [of];
  for (const [at, [paymentType, amount, phase]] of steps.entries()) {
    const decision = decide(followUp(paymentType, amount, of), about(payments, of));
    if (decision.refusal !== null) continue;
    assert.equal(decision.amount, amount);
    payments.push(examplePayment({ ...of, id: `step${at}`, familyId: of.id, referencedId: of.id, paymentType, amount, phase }));
  }
  return payments;
}

test('captures and reversals of an authorisation never take more than it holds, whatever the open ones come to', () => {
  const step = fc.tuple(fc.constantFrom('CP' as const, 'RV' as const), anyAmount, anyPhase);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const { captured, reversed } = balanceOf(play(root, steps), root);
      assert.ok(captured.most + reversed.most <= root.amount);
    }),
  );
});

test('a capture is refused exactly when it would take more than is left', () => {
  fc.assert(
    fc.property(anyFamily, anyAmount, (family, amount) => {
      const { captured, reversed } = balanceOf(family, root);
      const isTooMuch = captured.most + reversed.most + amount > root.amount;
      assert.equal(decide(followUp('CP', amount, root), about(family, root)).refusal, isTooMuch ? '700.400.100' : null);
    }),
  );
});

test('refunds of a debit never give back more than it took', () => {
  const paid = examplePayment({ ...root, paymentType: 'DB', familyId: root.id });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constant('RF' as const), anyAmount, anyPhase), { maxLength: 8 }), (steps) => {
      assert.ok(balanceOf(play(paid, steps), paid).refunded.most <= paid.amount);
    }),
  );
});

test('a reversal without an amount takes back all that no capture has taken, and nothing once nothing is left', () => {
  fc.assert(
    fc.property(anyFamily, (family) => {
      const { captured, reversed } = balanceOf(family, root);
      const rest = root.amount - captured.most - reversed.most;
      const { amount, refusal } = decide(followUp('RV', null, root), about(family, root));
      if (rest > 0n) assert.deepEqual([amount, refusal], [rest, null]);
      else assert.equal(refusal, '700.400.300');
    }),
  );
});

test('what was declined or is still open carries no capture', () => {
  for (const phase of [DECLINED, OPEN]) {
    const of = examplePayment({ ...root, phase });
    assert.equal(isApproved(of), false);
    assert.notEqual(decide(followUp('CP', 100n, of), about([of], of)).refusal, null);
  }
});

test('storing an instrument follows no payment', () => {
  const order: Order = { ...plain, paymentType: 'RG', amount: 0n, currency: null, referencedId: root.id };
  assert.equal(decide(order, about([root], root)).refusal, '700.100.700');
});

test('nothing is charged for nothing, but a card may be verified by a preauthorization of 0.00', () => {
  const nothing = { ...plain, amount: 0n };
  assert.equal(decide(nothing, context()).refusal, '100.550.300');
  assert.equal(decide({ ...nothing, paymentType: 'PA' }, context()).refusal, null);
});

test('risk can be checked without an instrument, and a cardholder cannot be authenticated without one', () => {
  const bare = { ...plain, instrument: null, secrets: {} };
  assert.equal(decide({ ...bare, paymentType: RISK_CHECK }, context()).refusal, null);
  assert.equal(decide({ ...bare, paymentType: AUTHENTICATION }, context()).refusal, '100.150.100');
});

test('a payment begins refused, or waiting for the acquirer; storing alone is done where the connector does not ask', () => {
  fc.assert(
    fc.property(anyOrder, anyFamily, (order, family) => {
      const decision = decideAmong(order, family);
      const phase = firstPhase(order, decision, NOW);
      if (decision.refusal !== null) assert.deepEqual(phase, { at: 'final', code: decision.refusal });
      else if (order.paymentType === AUTHENTICATION) assert.equal(phase.at, 'authentication');
      else assert.equal(phase.at === 'acquirer', decision.route !== null && order.paymentType !== 'RG');
    }),
  );
});

const CAPTURED_TWICE: readonly Payment[] = [
  root,
  examplePayment({ ...root, id: 'part', familyId: root.id, referencedId: root.id, paymentType: 'CP', amount: 1_000n }),
];
const lacking: readonly [
  what: string,
  supports: Connector['supports'],
  order: Order,
  family: readonly Payment[] | null,
  code: string,
][] = [
  ['the method', {}, plain, null, '600.200.201'],
  ['the payment type', { CC: { ...capability, types: ['PA'] } }, plain, null, '600.200.202'],
  ['captures of a part', { CC: { ...capability, partialCapture: false } }, followUp('CP', 9_999n, root), [root], '700.400.101'],
  [
    'a second capture',
    { CC: { ...capability, multipleCaptures: false } },
    followUp('CP', 1n, root),
    CAPTURED_TWICE,
    '700.400.100',
  ],
];
for (const [what, supports, order, family, code] of lacking) {
  test(`a connector without ${what}: refused with ${code} before it is asked`, () => {
    const able = family === null ? context() : about(family, root);
    assert.equal(decide(order, able).refusal, null);
    assert.equal(decide(order, { ...able, connector: () => ({ ...connector, supports }) }).refusal, code);
  });
}
