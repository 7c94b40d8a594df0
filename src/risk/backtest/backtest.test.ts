import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leastCpuMs, threadCpuMs } from '../../../test/work.ts';
import type { ResultCode } from '../../spec/resultCodes.ts';
import { exampleFacts } from '../examples.ts';
import { createLists } from '../lists/lists.ts';
import { ruleBookOf } from '../ruleBook.ts';
import { compileRuleSet, type Rule, type RuleSet } from '../rules.ts';
import { defaultRiskSettings, type RiskSettings } from '../settings.ts';
import { backtest, type PastPayment, type Progress, worthOf } from './backtest.ts';

const T0 = 1_790_000_000_000;

type PastOutcome = Partial<Pick<PastPayment, 'is' | 'code' | 'isChargedBack'>> & {
  readonly amount?: bigint;
  readonly card?: string;
  readonly currency?: string;
};

/** Payments a minute apart. */
async function* pastOf(payments: readonly PastOutcome[]): AsyncIterable<PastPayment> {
  for (const [
    at,
    { is = 'approved', code = null, isChargedBack = false, amount = 1_000n, card = `card ${at}`, currency = 'EUR' },
  ] of payments.entries()) {
    const facts = exampleFacts(
      { merchantTransactionId: `${at}` },
      { now: T0 + at * 60_000, amount, fingerprint: card, currency },
    );
    yield { facts, is, code, isChargedBack };
  }
}

function setOf(rules: readonly Pick<Rule, 'id' | 'when' | 'gives'>[], mode: Rule['mode'] = 'on'): RuleSet {
  const made = compileRuleSet({
    id: 'x',
    rules: rules.map((rule) => ({ says: 'x', mode, ...rule })),
    thresholds: { challenge: null, review: null, decline: null },
  });
  assert.ok(made.is === 'valid');
  return made.set;
}

const none = setOf([]);
const large = setOf([{ id: 'large', when: 'amount > 50', gives: { verdict: 'decline' } }]);
const often = setOf([{ id: 'often', when: 'count(card, 1h, declined) >= 2', gives: { verdict: 'decline' } }]);

const worths: [what: string, is: PastPayment['is'], code: ResultCode | null, isChargedBack: boolean, worth: string][] = [
  ['approved', 'approved', '000.000.000', false, 'good'],
  ['charged back', 'approved', '000.000.000', true, 'bad'],
  ['declined as stolen', 'declined', '800.100.159', false, 'bad'],
  ['declined for want of money', 'declined', '800.100.155', false, 'other'],
  ['denied by a screening', 'declined', '100.400.142', false, 'bad'],
  ['blocked by a rule of its day', 'blocked', '800.120.101', false, 'other'],
  ['blocked as stolen by a rule of its day', 'blocked', '800.200.159', false, 'other'],
];
for (const [what, is, code, isChargedBack, worth] of worths) {
  test(`a payment that was ${what} is ${worth}`, () =>
    assert.equal(worthOf({ facts: exampleFacts(), is, code, isChargedBack }), worth));
}

test('a report has the payments and amounts that a changed rule set would have blocked, and those that the old one did', async () => {
  const payments: PastOutcome[] = [
    { amount: 1_000n },
    { amount: 9_000n },
    { amount: 9_500n, currency: 'CHF' },
    { amount: 8_000n, isChargedBack: true },
    { amount: 7_000n, is: 'declined', code: '800.100.155' },
    { amount: 100n, isChargedBack: true },
  ];
  const report = await backtest(pastOf(payments), { before: none, after: large });
  assert.deepEqual(report.all, {
    good: { count: 3, money: { EUR: 10_000n, CHF: 9_500n } },
    bad: { count: 2, money: { EUR: 8_100n } },
    other: { count: 1, money: { EUR: 7_000n } },
  });
  const blocked = {
    good: { count: 2, money: { EUR: 9_000n, CHF: 9_500n } },
    bad: { count: 1, money: { EUR: 8_000n } },
    other: { count: 1, money: { EUR: 7_000n } },
  };
  const nobody = { count: 0, money: {} };
  assert.deepEqual([report.after.blocked, report.blockedNow], [blocked, blocked]);
  assert.deepEqual(
    [report.before.blocked, report.freedNow],
    [
      { good: nobody, bad: nobody, other: nobody },
      { good: nobody, bad: nobody, other: nobody },
    ],
  );
  assert.deepEqual(report.after.rules, { large: { good: 2, bad: 1, other: 1 } });
  const back = await backtest(pastOf(payments), { before: large, after: none });
  assert.deepEqual([back.freedNow, back.before.blocked], [blocked, blocked]);
});

test('each rule set has windows of its own: what one blocked did not fail there', async () => {
  const payments: PastOutcome[] = Array.from({ length: 6 }, () => ({
    card: 'one',
    amount: 9_000n,
    is: 'declined' as const,
    code: '800.100.155' as const,
  }));
  const both = setOf([
    { id: 'large', when: 'amount > 50', gives: { verdict: 'decline' } },
    { id: 'often', when: 'count(card, 1h, declined) >= 2', gives: { verdict: 'decline' } },
  ]);
  const report = await backtest(pastOf(payments), { before: often, after: both });
  // Before, two declines and then four blocks; after, all are blocked, and so none is ever declined.
  assert.deepEqual(report.before.rules, { often: { good: 0, bad: 0, other: 4 } });
  assert.deepEqual(report.after.rules, { large: { good: 0, bad: 0, other: 6 } });
  const turned = await backtest(pastOf(payments), { before: both, after: often });
  assert.deepEqual([turned.before.rules, turned.after.rules], [report.after.rules, report.before.rules]);
});

test('challenges, reviews and report-only rules are counted apart and block nothing', async () => {
  const asking = setOf([
    { id: 'c', when: 'amount > 50', gives: { verdict: 'challenge' } },
    { id: 'r', when: 'amount <= 50', gives: { verdict: 'review' } },
  ]);
  const trial = setOf([{ id: 'large', when: 'amount > 50', gives: { verdict: 'decline' } }], 'shadow');
  const report = await backtest(pastOf([{ amount: 9_000n }, { amount: 1_000n }, { amount: 1_000n }]), {
    before: trial,
    after: asking,
  });
  assert.deepEqual(
    [report.after.challenged.good.count, report.after.reviewed.good.count, report.after.blocked.good.count],
    [1, 2, 0],
  );
  assert.deepEqual([report.before.shadow, report.before.rules], [{ large: { good: 1, bad: 0, other: 0 } }, {}]);
});

test('lists are looked at as they are, at the time of each payment', async () => {
  const lists = createLists({ now: () => T0 });
  await lists.put({
    merchantId: exampleFacts().merchantId,
    list: 'block',
    kind: 'email',
    value: 'ann@shop.example',
    expiresAt: T0 + 90_000,
  });
  const after = setOf([{ id: 'listed', when: 'listed(block, email)', gives: { verdict: 'decline' } }]);
  const report = await backtest(pastOf([{}, {}, {}]), { before: none, after, lists });
  assert.equal(report.after.blocked.good.count, 2);
});

test('progress is reported every 10,000 payments and at the end, and awaited', async () => {
  const seen: Progress[] = [];
  let isOver = true;
  const onProgress = async (progress: Progress) => {
    assert.ok(isOver, 'it went on before the progress call was over');
    isOver = false;
    await new Promise((resolve) => setImmediate(resolve));
    isOver = true;
    seen.push(progress);
  };
  await backtest(pastOf(Array.from({ length: 20_500 }, () => ({}))), { before: none, after: none, total: 20_500, onProgress });
  assert.deepEqual(
    seen.map(({ done }) => done),
    [10_000, 20_000, 20_500],
  );
  assert.equal(seen[0]?.total, 20_500);
});

/**
 * A guard against a slip by the factor of three; decisions/0014 has the measured figure for a million. The yardstick is what reading a
 * kilobyte of JSON costs in the same moment, so that the machine and what else it does cancel out.
 */
const READINGS_MAX = 18;
test(`a payment costs less than reading ${READINGS_MAX} kilobytes of JSON`, async () => {
  const select = (own: Partial<RiskSettings>) =>
    ruleBookOf({ ...defaultRiskSettings, ...own }).select({ channelId: null, serviceId: null });
  const given = { before: select({}), after: select({ limits: { EUR: { amountMax: '500.00' } } }) };
  const payments = Array.from({ length: 10_000 }, (_, at): PastOutcome => ({ card: `card ${at % 5_000}` }));
  const kilobyte = JSON.stringify(
    Array.from({ length: 24 }, (_, at) => ({ id: `entry ${at}`, amount: at * 100, tags: ['a', 'b'] })),
  );
  assert.ok(kilobyte.length > 1_000 && kilobyte.length < 1_200, `${kilobyte.length} bytes`);
  const [costs, yardsticks]: [number[], number[]] = [[], []];
  for (let tries = 0; tries < 5; tries += 1) {
    const before = threadCpuMs();
    await backtest(pastOf(payments), given);
    costs.push((threadCpuMs() - before) * 1_000);
    yardsticks.push(leastCpuMs(() => payments.map(() => JSON.parse(kilobyte)), 1) * 1_000);
  }
  const readings = Math.min(...costs) / Math.min(...yardsticks);
  assert.ok(readings < READINGS_MAX, `${readings.toFixed(1)} of ${READINGS_MAX}`);
});
