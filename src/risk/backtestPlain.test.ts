import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assess } from './assess.ts';
import { selectorOf } from './backtest/backtest.ts';
import { createBatchEvaluator } from './backtest/batchEvaluator.ts';
import { type Trace, verdicts } from './backtest/joinTraces.ts';
import { buffersOf, createBacktestLists, createBatchWriter, type IdentifiedPayment } from './backtest/paymentBatch.ts';
import { windowQueriesFor } from './engine.ts';
import { exampleFacts } from './examples.ts';
import { createLists } from './lists/lists.ts';
import type { ListEntry } from './ports.ts';
import { compileRuleSet, type RuleSet } from './rules.ts';
import { keysOf } from './velocity/keys.ts';
import { createWindows } from './velocity/windows.ts';

const T0 = 1_790_000_000_000;
const merchantId = exampleFacts().merchantId;

/** Every kind of question a rule can ask. */
const conditions: readonly string[] = [
  'amount > 50',
  'amount <= 20 or not (amount < 70)',
  "currency = 'CHF' and total(card, 24h, standing) > 60",
  'sum(email, 1h, failed) >= 80',
  "currency in ('USD', 'CHF')",
  'shipping.country != billing.country',
  'customer.ipCountry = card.country',
  "customer.emailDomain matches 'shop?.*'",
  "customer.email starts 's1'",
  'not known(customer.email)',
  'isHolderCustomer',
  'not isMerchantInitiated and count(card, 1h) >= 3',
  'orderHour < 9',
  'age(order) > 20m',
  'age(registration) < 1d',
  "risk.parameters[basket] = 'gift'",
  'card.expiryYear = 2030',
  'count(card, 1h, declined) >= 1',
  'count(card, 31d, approved) = 0',
  'count(ip, 10m, failed) > 2 and share(ip, 10m, failed) >= 50',
  'share(bin, 1m, open) < 90',
  'count(order, 60s, standing) > 0',
  'count(transaction, 31d) != 0',
  'count(entity, 10m, blocked) > 5',
  'count(customer, 24h, unapproved) > 1 or count(mobile, 24h) > 1',
  'distinct(card per ip, 1h) >= 2',
  'distinct(email per card, 24h) >= 2',
  'count(card+ip, 1h, failed) = count(card, 1h, failed)',
  'listed(block, email) or listed(block, ip)',
  'not listed(allow, country)',
];

const gives = fc.oneof(
  fc.record({ verdict: fc.constantFrom('accept' as const, 'challenge' as const, 'review' as const), score: fc.nat(99) }),
  fc.constant({ verdict: 'decline' as const, score: -20 }),
);
const rule = fc.record({ when: fc.constantFrom(...conditions), gives, mode: fc.constantFrom('on' as const, 'shadow' as const) });
const ruleSet = fc.array(rule, { minLength: 1, maxLength: 8 }).map((rules): RuleSet => {
  const made = compileRuleSet({
    id: 'x',
    rules: rules.map((one, at) => ({ ...one, id: `r${at}`, says: 'x' })),
    thresholds: { challenge: null, review: -10, decline: -30 },
  });
  assert.ok(made.is === 'valid');
  return made.set;
});

/** A few shoppers, so that they meet again. A field given as '' was not sent. */
const payment = fc.record({
  apartMs: fc.nat(600_000),
  shopper: fc.nat(6),
  amount: fc.nat(9_000),
  currency: fc.constantFrom('EUR', 'CHF', 'USD'),
  email: fc.constantFrom('', 's1@shop1.example', 's2@shop2.example', 's3@other.example'),
  ip: fc.constantFrom('', '203.0.113.7', '2001:db8::1', '2001:db8::2', '10.0.0.1'),
  shipping: fc.constantFrom('', 'DE', 'US'),
  mobile: fc.constantFrom('', '+43 1 234', '00431234'),
  order: fc.nat(5),
  basket: fc.constantFrom('', 'gift', 'food'),
  orderedAt: fc.constantFrom('', '2026-09-21 15:50:00', '2026-09-22 03:00:00'),
  surname: fc.constantFrom('', 'Example', 'Other'),
  has: fc.record({ card: fc.boolean(), registration: fc.boolean(), merchant: fc.boolean() }),
  is: fc.constantFrom(
    'approved' as const,
    'approved' as const,
    'declined' as const,
    'declined' as const,
    'open' as const,
    'unbooked' as const,
    'blocked' as const,
  ),
});

type Drawn = typeof payment extends fc.Arbitrary<infer One> ? One : never;

function pastOf(drawn: readonly Drawn[]): readonly IdentifiedPayment[] {
  let now = T0;
  return drawn.map((one, at): IdentifiedPayment => {
    now += one.apartMs;
    const fields = {
      'customer.email': one.email,
      'customer.ip': one.ip,
      'customer.mobile': one.mobile,
      'customer.surname': one.surname,
      'shipping.country': one.shipping,
      merchantTransactionId: one.order === 0 ? '' : `o${one.order}`,
      'risk.parameters[basket]': one.basket,
      'risk.orderTimestamp': one.orderedAt,
    };
    const facts = exampleFacts(fields, {
      now,
      amount: BigInt(one.amount),
      currency: one.currency,
      fingerprint: one.has.card ? `card ${one.shopper}` : null,
      registration: one.has.registration ? { id: 'r', createdAt: T0 } : null,
      isMerchantInitiated: one.has.merchant,
      ipCountry: one.ip === '10.0.0.1' ? 'DE' : null,
    });
    return { id: `payment ${at}`, facts, is: one.is, code: null, isChargedBack: false };
  });
}

const entries: readonly ListEntry[] = [
  { merchantId, list: 'block', kind: 'email', value: 's3@other.example', expiresAt: T0 + 9_000_000 },
  { merchantId, list: 'block', kind: 'ip', value: '2001:db8::/64', expiresAt: null },
  { merchantId, list: 'allow', kind: 'country', value: 'US', expiresAt: null },
];

type Verdict = { readonly verdict: string; readonly fired: readonly string[] };

/** One rule set and one payment after the other: ask, judge, note. Nothing is shared, hashed or put off. */
async function plainly(payments: readonly IdentifiedPayment[], set: RuleSet): Promise<readonly Verdict[]> {
  const windows = createWindows();
  const lists = createLists({ now: () => T0 });
  for (const entry of entries) await lists.put(entry);
  const found: Verdict[] = [];
  for (const { facts, is } of payments) {
    const keys = keysOf(facts);
    const answers = {
      windows: windows.query(windowQueriesFor(facts, set, keys)),
      listed: await lists.listed(set.listings, facts),
    };
    const { verdict, fired, shadow } = assess(facts, set, answers);
    const event = { at: facts.now, keys, amount: facts.amount, currency: facts.currency, windows: set.windows };
    windows.record({ ...event, is: 'attempt' });
    const outcome = verdict.is === 'decline' ? 'blocked' : is;
    if (outcome !== 'open') windows.record({ ...event, is: outcome });
    found.push({ verdict: verdict.is, fired: [...fired.map(({ rule }) => rule), ...shadow.map(({ rule }) => `?${rule}`)] });
  }
  return found;
}

function verdictsOf({ verdicts: found, fired, rules }: Trace): readonly Verdict[] {
  const names = Array.from(found, (): string[] => []);
  for (let at = 0; at < fired.length; at += 2) {
    const one = rules[fired[at + 1] as number];
    names[fired[at] as number]?.push(`${one?.isShadow ? '?' : ''}${one?.id}`);
  }
  return Array.from(found, (verdict, at) => ({ verdict: verdicts[verdict] as string, fired: names[at] ?? [] }));
}

test('any rules say of any payments in sheets what they say of one after the other', async () => {
  const page = fc.array(payment, { minLength: 100, maxLength: 200 });
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(ruleSet, ruleSet, page, async (before, after, drawn) => {
      const payments = pastOf(drawn);
      const sides = { before: selectorOf(before), after: selectorOf(after) };
      const writer = createBatchWriter(sides, { lists: await createBacktestLists(entries, T0) });
      const judge = createBatchEvaluator(sides);
      for (let from = 0; from < payments.length; from += 64) {
        const sheet = await writer.write(payments.slice(from, from + 64));
        judge.take(structuredClone(sheet, { transfer: buffersOf(sheet) }));
      }
      const traces = judge.traces();
      assert.deepEqual(verdictsOf(traces[0]), await plainly(payments, before));
      assert.deepEqual(verdictsOf(traces[1]), await plainly(payments, after));
      for (const { verdict } of traces.flatMap(verdictsOf)) seen.add(verdict);
    }),
    { numRuns: 50 },
  );
  assert.deepEqual([...seen].sort(), [...verdicts].sort());
});
