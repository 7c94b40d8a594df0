import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNegative, type ResultCode, resultCodes } from '../spec/resultCodes.ts';
import { HOUR_MS } from '../spec/time.ts';
import { type ChargeOutcome, defaultRetryPolicy, type Retry, retryAfter } from './retry.ts';

const NOW = Date.UTC(2026, 5, 1, 7, 0, 0);

const FUNDS: ResultCode = '800.100.203';
const CREDIT: ResultCode = '800.100.155';
const HONOUR: ResultCode = '800.100.152';
const charged = (parts: Partial<ChargeOutcome>): ChargeOutcome => ({
  code: FUNDS,
  adviceCode: null,
  tries: 1,
  firstTriedAt: NOW,
  now: NOW,
  nextRegularAt: null,
  ...parts,
});

/** A retry as hours from now, a stop as its reason. */
const said = (retry: Retry): number | string => (retry.is === 'retry' ? (retry.at - NOW) / HOUR_MS : retry.why);

const byAdvice: readonly (readonly [code: ResultCode, advice: string | null, expected: number | string])[] = [
  [HONOUR, '01', 'new data needed'],
  [HONOUR, '02', 72],
  [HONOUR, '2', 72],
  [FUNDS, '03', 'never'],
  [FUNDS, '04', 'token required'],
  [FUNDS, '21', 'recurring cancelled'],
  [FUNDS, '22', 'no instalments'],
  [HONOUR, '24', 1],
  [HONOUR, '25', 24],
  [HONOUR, '26', 48],
  [HONOUR, '27', 96],
  [HONOUR, '28', 144],
  [HONOUR, '29', 192],
  [HONOUR, '30', 240],
  // A code that only tells about the card leaves the decision to the result code.
  [FUNDS, '40', 24],
  [HONOUR, '43', 'never'],
  [FUNDS, '99', 24],
  [FUNDS, 'constructor', 24],
  // Soft declines without advice.
  [FUNDS, null, 24],
  ['800.100.155', null, 24],
  ['900.100.400', null, 24],
  ['900.100.600', null, 24],
  ['900.100.301', null, 24],
  ['800.500.110', null, 24],
  // Hard ones, whatever the advice.
  [HONOUR, null, 'never'],
  ['800.100.159', '02', 'never'],
  ['800.100.165', null, 'never'],
  ['800.100.151', '24', 'never'],
  ['800.100.202', '24', 'never'],
  ['800.100.170', '24', 'never'],
  ['800.200.159', null, 'never'],
  ['800.100.500', null, 'recurring cancelled'],
  ['800.100.501', '24', 'recurring cancelled'],
  // Somebody has to do something first.
  ['300.100.100', null, 'new data needed'],
  ['800.100.157', null, 'new data needed'],
  ['100.100.303', null, 'never'],
  ['800.100.190', null, 'set-up wrong'],
  // The gateway's own retry control carries the advice in its code.
  ['700.600.024', null, 1],
  ['700.600.002', null, 72],
  ['700.601.001', null, 'new data needed'],
  ['700.601.003', null, 'never'],
  // No decline, or not known to be one.
  ['000.100.110', null, 'not declined'],
  ['000.200.000', null, 'outcome open'],
  ['900.100.300', '24', 'outcome open'],
];

for (const [code, adviceCode, expected] of byAdvice) {
  test(`${code} with advice ${adviceCode}: ${expected}`, () => {
    assert.equal(said(retryAfter(charged({ code, adviceCode }))), expected);
  });
}

test('every code of the catalogue has an answer, and only declines are tried again', () => {
  for (const code of Object.keys(resultCodes) as ResultCode[]) {
    const retry = retryAfter(charged({ code }));
    if (retry.is === 'retry') assert.ok(isNegative(code) && retry.at > NOW, code);
  }
});

test('five tries, the first one included', () => {
  assert.equal(said(retryAfter(charged({ code: CREDIT, tries: 4 }))), 24);
  assert.equal(said(retryAfter(charged({ code: CREDIT, tries: 5 }))), 'tries used up');
  assert.equal(said(retryAfter(charged({ tries: 1 }), { ...defaultRetryPolicy, triesMax: 1 })), 'tries used up');
});

test('no more tries than the schemes allow, whatever the policy', () => {
  const policy = { ...defaultRetryPolicy, triesMax: 100, days: 365 };
  assert.equal(said(retryAfter(charged({ code: CREDIT, tries: 14 }), policy)), 24);
  assert.equal(said(retryAfter(charged({ code: CREDIT, tries: 15 }), policy)), 'tries used up');
  // A direct debit is collected twice more, and not on the same day.
  assert.equal(said(retryAfter(charged({ tries: 2 }), { ...policy, waitHoursDefault: 6 })), 24);
  assert.equal(said(retryAfter(charged({ tries: 3 }), policy)), 'tries used up');
});

test('within twenty days of the first try', () => {
  const daysAgo = (days: number) => NOW - days * 24 * HOUR_MS;
  assert.equal(said(retryAfter(charged({ tries: 2, firstTriedAt: daysAgo(19) }))), 24);
  assert.equal(said(retryAfter(charged({ tries: 2, firstTriedAt: daysAgo(19) - 1 }))), 'time used up');
  assert.equal(
    said(retryAfter(charged({ tries: 2, firstTriedAt: daysAgo(11), code: HONOUR, adviceCode: '30' }))),
    'time used up',
  );
});

test('the next regular run is the retry when it comes first', () => {
  assert.equal(said(retryAfter(charged({ nextRegularAt: NOW + 24 * HOUR_MS + 1 }))), 24);
  assert.equal(said(retryAfter(charged({ nextRegularAt: NOW + 24 * HOUR_MS }))), 'next run is sooner');
});

test('a policy of its own', () => {
  const policy = { triesMax: 9, days: 60, waitHoursDefault: 6, waitHoursByAdvice: { '02': 100 } };
  assert.equal(said(retryAfter(charged({ code: CREDIT, tries: 7 }), policy)), 6);
  assert.equal(said(retryAfter(charged({ code: HONOUR, adviceCode: '02' }), policy)), 100);
  assert.equal(said(retryAfter(charged({ code: HONOUR, adviceCode: '24' }), policy)), 'never');
});
