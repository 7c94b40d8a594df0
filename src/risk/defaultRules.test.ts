import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Assessment } from './assess.ts';
import { evaluateAttempt, recordOutcome } from './engine.ts';
import { exampleFacts } from './examples.ts';
import type { FactSources } from './facts.ts';
import { createLists } from './lists/lists.ts';
import type { ListEntry } from './ports.ts';
import { ruleBookOf } from './ruleBook.ts';
import { defaultRiskSettings, type RiskSettings } from './settings.ts';
import { createVelocity } from './velocity/windows.ts';

const T0 = 1_790_000_000_000;
const SECOND = 1_000;

/** One request: its fields, what else is known, the seconds after the first, and what the acquirer says when it is asked. */
type Request = {
  readonly fields?: Readonly<Record<string, string>>;
  readonly about?: Partial<FactSources>;
  readonly at?: number;
  readonly is?: 'approved' | 'declined' | 'open';
};

/** Judges one request after the other and records the acquirer's answers to the ones that were let through. */
async function judged(
  requests: readonly Request[],
  own: Partial<RiskSettings> = {},
  entries: readonly ListEntry[] = [],
): Promise<readonly Assessment[]> {
  const settings = { ...defaultRiskSettings, ...own };
  const set = ruleBookOf(settings).select({ channelId: null, serviceId: null });
  const memory = { velocity: createVelocity(), lists: createLists({ now: () => T0 }) };
  for (const entry of entries) await memory.lists.put(entry);
  const assessments: Assessment[] = [];
  for (const { fields = {}, about = {}, at = 0, is = 'approved' } of requests) {
    const facts = exampleFacts(fields, { now: T0 + at * SECOND, ...about });
    const assessment = await evaluateAttempt(facts, set, memory);
    assessments.push(assessment);
    if (assessment.verdict.is !== 'decline' && is !== 'open') await recordOutcome(memory.velocity, { facts, ruleSet: set, is });
  }
  return assessments;
}

const verdictText = ({ verdict }: Assessment): string => (verdict.is === 'decline' ? verdict.code : verdict.is);
const times = (count: number, of: (at: number) => Request): readonly Request[] =>
  Array.from({ length: count }, (_, at) => of(at));
/** Attempts that have nothing in common but what the case is about. */
const apart = (at: number): Request => ({
  fields: {
    merchantTransactionId: `o${at}`,
    'customer.email': `s${at}@shop.example`,
    'customer.ip': `10.0.${at >> 8}.${at & 255}`,
  },
  about: { fingerprint: `card ${at}`, instrument: null },
  at: at * 10,
});
const entry = (kind: ListEntry['kind'], value: string): ListEntry => ({
  merchantId: exampleFacts().merchantId,
  list: 'block',
  kind,
  value,
  expiresAt: null,
});
const order = (id: string) => ({ fields: { merchantTransactionId: id } });

/** The verdict on the last request. */
const cases: [
  what: string,
  requests: readonly Request[],
  verdict: string,
  own?: Partial<RiskSettings>,
  entries?: readonly ListEntry[],
][] = [
  ['the first payment of a shopper', [{}], 'accept'],
  ['a double click', [{}, { at: 1 }], '800.110.100'],
  ['a double click before the first answer', [{ is: 'open' }, { at: 1 }], '800.110.100'],
  ['a second try after a decline', [{ is: 'declined' }, { at: 1 }], 'accept'],
  ['the same again after a minute', [{}, { at: 62 }], 'accept'],
  ['the same again within an own window', [{}, { at: 62 }], '800.110.100', { duplicateSeconds: 120 }],
  ['the same again without a window', [{}, { at: 1 }], 'accept', { duplicateSeconds: 0 }],
  ['another order at once', [order('a'), order('b')], 'accept'],
  ['a transaction id for a second time', [{}, { at: 600, about: { amount: 1n } }], 'accept'],
  ['the same where ids are unique', [{}, { at: 600, about: { amount: 1n } }], '800.130.100', { uniqueTransactionIds: 'on' }],
  [
    'ids that are unique, after a decline',
    [{ is: 'declined' }, { at: 600, about: { amount: 1n } }],
    'accept',
    { uniqueTransactionIds: 'on' },
  ],
  ['a card on the block list', [{}], '800.200.160', {}, [entry('card', 'fingerprint-of-a-card')]],
  ['a customer on it', [{}], '800.300.101', {}, [entry('customer', 'c-1')]],
  ['a country on it', [{}], '800.300.102', {}, [entry('country', 'AT')]],
  ['an e-mail domain on it', [{}], '800.300.200', {}, [entry('emailDomain', 'shop.example')]],
  ['a network on it', [{}], '800.300.301', {}, [entry('ip', '203.0.113.0/24')]],
  ['a BIN on it', [{}], '800.300.401', {}, [entry('bin', '420000')]],
  ['lists that are off', [{}], 'accept', { lists: 'off' }, [entry('bin', '420000')]],
  ['the 20th attempt of a card in an hour', times(20, (at) => ({ ...order(`${at}`), at })), 'accept'],
  ['the 21st', times(21, (at) => ({ ...order(`${at}`), at })), '800.120.101'],
  ['the 21st where velocity is off', times(21, (at) => ({ ...order(`${at}`), at })), 'accept', { velocity: 'off' }],
  [
    'the 21st by the merchant himself',
    times(21, (at) => ({ ...order(`${at}`), at, about: { isMerchantInitiated: true } })),
    'accept',
  ],
  [
    'the 31st under one e-mail address',
    times(31, (at) => ({ fields: order(`${at}`).fields, at, about: { fingerprint: `card ${at % 2}` } })),
    '800.120.103',
    { cardTesting: 'off', rules: [{ ...offRule('velocity.card') }] },
  ],
  ['a ninth card under one e-mail address', times(9, (at) => ({ at, about: { fingerprint: `card ${at}` } })), '800.140.113'],
  [
    'a ninth address for one card',
    times(9, (at) => ({ at, fields: { merchantTransactionId: `${at}`, 'customer.email': `s${at}@shop.example` } })),
    '800.140.112',
  ],
  [
    'a ninth card with one mobile number',
    times(9, (at) => ({ ...apart(at), fields: { ...apart(at).fields, 'customer.mobile': '+43 1' } })),
    '800.140.111',
  ],
  [
    'a ninth mobile number for one card',
    times(9, (at) => ({ at, fields: { merchantTransactionId: `${at}`, 'customer.mobile': `+43 ${at}` } })),
    '800.140.110',
  ],
  ['an amount at the limit', [{}], 'accept', { limits: { EUR: { amountMax: '92.00' } } }],
  ['an amount above it', [{}], '800.120.200', { limits: { EUR: { amountMax: '91.99' } } }],
  ['an amount in another currency', [{}], 'accept', { limits: { USD: { amountMax: '1.00' } } }],
  ['a day of a card up to the limit', [order('a'), order('b')], 'accept', { limits: { EUR: { cardDayMax: '184.00' } } }],
  ['a day of a card above the limit', [order('a'), order('b')], '800.120.201', { limits: { EUR: { cardDayMax: '183.99' } } }],
  [
    'what was declined is not spent',
    [{ ...order('a'), is: 'declined' }, order('b')],
    'accept',
    { limits: { EUR: { cardDayMax: '100' } } },
  ],
  ['a card from one country, a line from another', [{}], 'accept'],
  ['every country another', [{ fields: { 'billing.country': 'FR', 'shipping.country': 'IT' } }], 'challenge'],
  [
    'every country another, where it does not matter',
    [{ fields: { 'billing.country': 'FR', 'shipping.country': 'IT' } }],
    'accept',
    { countryMismatch: 'off' },
  ],
  ['the card of another person', [{ fields: { 'customer.surname': 'Other' } }], 'accept'],
  ['the same where it matters', [{ fields: { 'customer.surname': 'Other' } }], '800.150.100', { holderMismatch: 'on' }],
  ['one without a customer name', [{ fields: { 'customer.surname': '' } }], 'accept', { holderMismatch: 'on' }],
  ['a card that failed twice at one address', times(3, (at) => ({ ...order(`${at}`), at, is: 'declined' })), 'accept'],
  ['a card that failed three times', times(4, (at) => ({ ...order(`${at}`), at, is: 'declined' })), '800.120.101'],
  [
    'an hour later',
    [...times(3, (at) => ({ ...order(`${at}`), at, is: 'declined' as const })), { ...order('x'), at: 3_700 }],
    'accept',
  ],
  [
    'by the merchant himself',
    times(4, (at) => ({ ...order(`${at}`), at, is: 'declined', about: { isMerchantInitiated: true } })),
    'accept',
  ],
  [
    'a card that failed six times at six addresses',
    times(7, (at) => ({ fields: { merchantTransactionId: `${at}`, 'customer.ip': `10.0.0.${at}` }, at, is: 'declined' })),
    '800.120.101',
  ],
  [
    'a tenth attempt in a checkout',
    times(10, (at) => ({ ...apart(at), is: 'declined', about: { ...apart(at).about, checkoutId: 'c' } })),
    'accept',
  ],
  [
    'an eleventh',
    times(11, (at) => ({ ...apart(at), is: 'declined', about: { ...apart(at).about, checkoutId: 'c' } })),
    '800.120.101',
  ],
  [
    'an eleventh while ten are open',
    times(11, (at) => ({ ...apart(at), is: 'open', about: { ...apart(at).about, checkoutId: 'c' } })),
    '800.120.101',
  ],
  [
    'an eleventh after ten that were approved',
    times(11, (at) => ({ ...apart(at), about: { ...apart(at).about, checkoutId: 'c' } })),
    'accept',
  ],
  [
    'a seventh card at an address where all fail',
    times(7, (at) => ({ ...apart(at), is: 'declined', fields: { ...apart(at).fields, 'customer.ip': '10.0.0.1' } })),
    '800.120.102',
  ],
  [
    'a seventh card at an address where all pay',
    times(7, (at) => ({ ...apart(at), fields: { ...apart(at).fields, 'customer.ip': '10.0.0.1' } })),
    'accept',
  ],
  [
    'a fifth card under an e-mail address where all fail',
    times(5, (at) => ({ ...apart(at), is: 'declined', fields: { ...apart(at).fields, 'customer.email': 'x@shop.example' } })),
    '800.140.113',
  ],
  ['a channel on which all fail', times(51, (at) => ({ ...apart(at), is: 'declined' })), 'challenge'],
  ['everything, reported only', [{}, { at: 1 }], 'accept', { mode: 'report' }],
  ['everything off', [{}, { at: 1 }], 'accept', { mode: 'off' }],
];
for (const [what, requests, verdict, own, entries] of cases) {
  test(`${what}: ${verdict}`, async () => {
    const last = (await judged(requests, own, entries)).at(-1);
    assert.equal(last && verdictText(last), verdict);
  });
}

function offRule(id: string) {
  return { id, says: 'Not here.', when: 'amount < 0', gives: { verdict: 'accept' as const }, mode: 'off' as const };
}

test('only the last of these was stopped, none before it', async () => {
  for (const [what, requests, verdict, own, entries] of cases.filter(([, all]) => all.length > 2)) {
    const before = (await judged(requests, own, entries)).slice(0, -1).map(verdictText);
    assert.deepEqual(
      before.filter((one) => one !== 'accept'),
      [],
      `${what}: ${verdict}`,
    );
  }
});

test('a duplicate that was blocked is no payment that another could be a duplicate of', async () => {
  const all = await judged([{}, { at: 1 }, { at: 61.5 }]);
  assert.deepEqual(all.map(verdictText), ['accept', '800.110.100', 'accept']);
});

test('in report mode the assessment has the verdict that would have applied', async () => {
  const [, second] = await judged([{}, { at: 1 }], { mode: 'report' });
  assert.deepEqual([second?.verdict.is, second?.score, second?.fired.length], ['accept', 0, 0]);
  assert.deepEqual(
    second?.shadow.map(({ rule }) => rule),
    ['repeat.duplicate', 'country.line'],
  );
});

test('velocity by address is on trial, because shops send the address of their server', async () => {
  const all = await judged(times(61, (at) => ({ ...apart(at), at, fields: { ...apart(at).fields, 'customer.ip': '10.0.0.1' } })));
  assert.deepEqual(
    all.map(verdictText).filter((one) => one !== 'accept'),
    [],
  );
  assert.deepEqual(
    all.at(-1)?.shadow.map(({ rule }) => rule),
    ['velocity.ip'],
  );
});
