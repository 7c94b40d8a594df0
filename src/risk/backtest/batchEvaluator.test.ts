import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exampleFacts } from '../examples.ts';
import type { RiskFacts } from '../facts.ts';
import { createLists } from '../lists/lists.ts';
import type { Dimension, ListEntry, Listing } from '../ports.ts';
import { ruleBookOf } from '../ruleBook.ts';
import type { RuleSet } from '../rules.ts';
import { defaultRiskSettings, type RiskSettings } from '../settings.ts';
import { createKeyHasher, keysOf } from '../velocity/keys.ts';
import { backtest, type PastPayment, type RuleSelector, selectorOf } from './backtest.ts';
import { createBatchEvaluator } from './batchEvaluator.ts';
import { createPaymentLabels, joinTraces } from './joinTraces.ts';
import { buffersOf, createBacktestLists, createBatchWriter, type IdentifiedPayment } from './paymentBatch.ts';

const T0 = 1_790_000_000_000;
const merchantId = exampleFacts().merchantId;

const setOf = (own: Partial<RiskSettings>): RuleSet =>
  ruleBookOf({ ...defaultRiskSettings, ...own }).select({ channelId: null, serviceId: null });

const usual = setOf({});
const stricter = setOf({
  limits: { EUR: { amountMax: '80.00', cardDayMax: '150.00' }, CHF: { cardDayMax: '90.00' } },
  uniqueTransactionIds: 'report',
  thresholds: { challenge: -250, review: -50, decline: null },
  rules: [
    { id: 'own', says: 'x', when: 'count(card, 1h, declined) >= 1', gives: { verdict: 'challenge' }, mode: 'on' },
    { id: 'trial', says: 'x', when: 'amount > 30 and not listed(allow, email)', gives: { verdict: 'decline' }, mode: 'shadow' },
  ],
});

/** Shoppers and people who try out numbers, as a seed has it. */
function pastFrom(seed: number, count: number): readonly IdentifiedPayment[] {
  let state = seed;
  const below = (end: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 0) / 2 ** 32) * end);
  };
  let now = T0;
  return Array.from({ length: count }, (_, at): IdentifiedPayment => {
    const isAttack = at % 200 > 150;
    now += isAttack ? 500 : below(90_000);
    const shopper = isAttack ? 10_000 + at : below(150);
    const fields = {
      'customer.email': below(9) === 0 ? '' : `s${isAttack ? 'x' : shopper}@shop${shopper % 3}.example`,
      'customer.ip': below(9) === 0 ? '' : `10.0.${isAttack ? 9 : 1}.${shopper % 50}`,
      'shipping.country': below(5) === 0 ? 'US' : '',
      merchantTransactionId: below(20) === 0 ? '' : `o${below(count)}`,
    };
    const facts = exampleFacts(fields, {
      now,
      amount: BigInt(100 + below(9_000)),
      currency: below(4) === 0 ? 'CHF' : 'EUR',
      fingerprint: below(30) === 0 ? null : `card ${shopper}`,
      entityId: below(6) === 0 ? 'other channel' : 'channel',
    });
    const drawn = isAttack ? below(12) : below(60);
    const code = drawn < 9 ? '800.100.159' : drawn === 9 ? '800.100.155' : '000.100.110';
    const is = drawn === 10 ? 'open' : drawn === 9 ? 'unbooked' : drawn === 11 ? 'blocked' : drawn < 10 ? 'declined' : 'approved';
    return { id: `payment ${at}`, facts, is, code: is === 'open' ? null : code, isChargedBack: false };
  });
}

async function* each(payments: readonly PastPayment[]): AsyncIterable<PastPayment> {
  yield* payments;
}

const judging = (ruleSet: RuleSet, from: number): RuleSelector => ({
  sets: [ruleSet],
  select: ({ now, entityId }: RiskFacts) => (now < from || entityId !== 'channel' ? null : ruleSet),
});

type Case = {
  readonly before: RuleSet | RuleSelector;
  readonly after: RuleSet | RuleSelector;
  readonly chargedBack?: readonly string[];
  readonly limits?: { readonly keysMax: number };
};

/** The path of the two threads, without the threads: messages are copied as between threads. */
async function apart(
  payments: readonly IdentifiedPayment[],
  { before, after, chargedBack = [], limits = { keysMax: 50_000 } }: Case,
  entries: readonly ListEntry[],
) {
  const labels = createPaymentLabels();
  const sides = { before: selectorOf(before), after: selectorOf(after) };
  const writer = createBatchWriter(sides, { lists: await createBacktestLists(entries, T0) });
  const evaluateRow = createBatchEvaluator(sides, limits);
  for (let from = 0; from < payments.length; from += 70) {
    const page = payments.slice(from, from + 70);
    const batch = await writer.write(page);
    for (const [row, past] of page.entries()) if (batch.sets[row * 2] !== -1) labels.add(past);
    evaluateRow.take(structuredClone(batch, { transfer: buffersOf(batch) }));
  }
  for (const id of chargedBack) labels.chargeBack(id);
  return joinTraces(...evaluateRow.traces(), labels.labels());
}

const entries: readonly ListEntry[] = [
  { merchantId, list: 'block', kind: 'email', value: 's7@shop1.example', expiresAt: T0 + 3_600_000 },
  { merchantId, list: 'allow', kind: 'emailDomain', value: 'shop2.example', expiresAt: null },
];
const middle = pastFrom(1, 2_000)[900]?.facts.now ?? 0;

const cases: readonly (readonly [what: string, given: Case, entries: readonly ListEntry[]])[] = [
  ['the usual rules and stricter ones', { before: usual, after: stricter }, []],
  ['stricter rules and the usual ones', { before: stricter, after: usual }, []],
  ['entries on the lists', { before: usual, after: stricter }, entries],
  ['a memory that is too small for all cards', { before: usual, after: stricter, limits: { keysMax: 40 } }, []],
  ['the same rules twice', { before: usual, after: usual }, entries],
  ['one channel from a day on', { before: judging(usual, middle), after: judging(stricter, middle) }, entries],
  [
    'payments that were charged back later',
    { before: usual, after: stricter, chargedBack: ['payment 3', 'payment 1999', 'payment 90000'] },
    [],
  ],
];
for (const [what, given, listed] of cases) {
  test(`sheets report what the reference reports: ${what}`, async () => {
    for (const seed of [1, 2]) {
      const payments = pastFrom(seed, 2_000);
      const lists = createLists({ now: () => T0 });
      for (const entry of listed) await lists.put(entry);
      const known = payments.map((past) => ({ ...past, isChargedBack: given.chargedBack?.includes(past.id) ?? false }));
      const reference = await backtest(each(known), { ...given, lists });
      const report = await apart(payments, given, listed);
      assert.deepEqual(report, reference);
      assert.ok(report.after.blocked.bad.count + report.before.blocked.bad.count > 5, 'something happens in it');
    }
  });
}

test('a ledger of other payments makes no report', async () => {
  const sides = { before: selectorOf(usual), after: selectorOf(usual) };
  const labels = createPaymentLabels();
  for (const past of pastFrom(1, 3)) labels.add(past);
  assert.throws(
    () => joinTraces(...createBatchEvaluator(sides).traces(), labels.labels()),
    /of 3 payments 0 and 0 were evaluated/,
  );
});

test('the hashes tell apart what the keys tell apart, and nothing else', () => {
  const hash = createKeyHasher(1);
  const seen = new Map<number, string>();
  const texts = new Map<string, number>();
  for (const { facts } of pastFrom(5, 3_000)) {
    const [keys, hashes] = [keysOf(facts), hash(facts)];
    for (const dimension of Object.keys(keys) as Dimension[]) {
      const [key, own] = [keys[dimension], hashes[dimension]];
      assert.equal(own === null, key === null, dimension);
      if (own === null || key === null) continue;
      assert.ok(Number.isSafeInteger(own) && own >= 0);
      assert.equal(seen.get(own) ?? key, key);
      assert.equal(texts.get(key) ?? own, own);
      seen.set(own, key);
      texts.set(key, own);
    }
  }
  assert.ok(seen.size > 1_000);
});

const listings: readonly Listing[] = (['block', 'allow'] as const).flatMap((list) =>
  (['card', 'bin', 'email', 'ip', 'country', 'customer'] as const).map((subject) => ({ list, subject })),
);
const entry = fc.record({
  merchantId: fc.constant(merchantId),
  list: fc.constantFrom('block' as const, 'allow' as const),
  kind: fc.constantFrom('card', 'bin', 'email', 'emailDomain', 'ip', 'country', 'customer'),
  which: fc.boolean(),
  expiresAt: fc.constantFrom(null, T0 - 1, T0 + 1),
});
const values = {
  card: ['fingerprint-of-a-card', 'x'],
  bin: ['420000', '510000'],
  email: ['ann@shop.example', 'bob@shop.example'],
  emailDomain: ['shop.example', 'b.example'],
  ip: ['203.0.113.0/24', '10.0.0.1'],
  country: ['DE', 'FR'],
  customer: ['c-1', 'c-2'],
} as const;

test('the lists of a back-test answer like the lists of the gateway', async () => {
  const facts = fc.record({
    'customer.email': fc.constantFrom('', 'ann@shop.example', 'bob@b.example'),
    'customer.ip': fc.constantFrom('', '203.0.113.7', '10.0.0.1'),
    'customer.merchantCustomerId': fc.constantFrom('', 'c-1'),
    'billing.country': fc.constantFrom('', 'FR'),
  });
  const about = fc.constantFrom({}, { fingerprint: null, instrument: null, issuer: null, ipCountry: null });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 4 }), facts, about, async (drawn, fields, rest) => {
      const made = drawn.map(({ which, kind, ...others }): ListEntry => {
        const of = kind as keyof typeof values;
        return { ...others, kind: of, value: values[of][which ? 0 : 1] };
      });
      const lists = createLists({ now: () => T0 });
      for (const one of made) await lists.put(one);
      const request = exampleFacts(fields, { now: T0, ...rest });
      const answers = await (await createBacktestLists(made, T0)).answer(listings, [request]);
      assert.deepEqual(answers.flat(), await lists.listed(listings, request));
    }),
  );
});
