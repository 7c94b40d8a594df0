import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { approved, chargeback, pending } from './resultCodes/accepted.ts';
import { declined } from './resultCodes/declined.ts';
import { refused } from './resultCodes/refused.ts';
import { countsAs, retryRows } from './resultCodes/retryRules.ts';
import { isApproval, isNegative, isResultCode, type ResultCode, resultCodes, resultGroups } from './resultCodes.ts';

const codes = Object.keys(resultCodes) as ResultCode[];

const tables = { approved, pending, declined, refused, chargeback };

for (const [name, table] of Object.entries(tables)) {
  test(`the rows of resultCodes/${name}.ts stand in the order of their codes`, () => {
    const names = Object.keys(table);
    assert.deepEqual(names, names.toSorted());
  });
}

const published = join(import.meta.dirname, '../../../shared/facts/result-codes.tsv');
test('every published code is in the catalogue', { skip: !existsSync(published) && 'no facts beside the project' }, () => {
  const rows = readFileSync(published, 'utf8').trim().split('\n');
  const known: ReadonlySet<string> = new Set(codes);
  assert.deepEqual(
    rows.map((row) => row.split('\t', 1)[0] ?? '').filter((code) => !known.has(code)),
    [],
  );
});

test('the catalogue holds every code once, each with a text that fits the wire', () => {
  assert.equal(
    codes.length,
    Object.values(tables).reduce((sum, table) => sum + Object.keys(table).length, 0),
  );
  for (const code of codes) {
    assert.match(code, /^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/);
    assert.match(resultCodes[code].text, /^\S.{3,253}\S$/, code);
  }
});

test('texts that clients compare are spelt as they expect', () => {
  const wire: readonly (readonly [ResultCode, string])[] = [
    ['000.000.000', 'Transaction succeeded'],
    ['000.000.100', 'successful request'],
    ['000.100.110', "Request successfully processed in 'Merchant in Integrator Test Mode'"],
    ['000.100.112', "Request successfully processed in 'Merchant in Connector Test Mode'"],
    ['000.200.000', 'transaction pending'],
    ['000.200.100', 'successfully created checkout'],
    ['000.200.101', 'successfully updated checkout'],
    ['100.100.101', 'invalid creditcard, bank account number or bank name'],
    ['200.300.404', 'invalid or missing parameter'],
    ['600.200.100', 'invalid Payment Method'],
    ['700.400.580', 'cannot find transaction'],
    ['800.100.151', 'transaction declined (invalid card)'],
    ['800.900.300', 'invalid authentication information'],
  ];
  for (const [code, text] of wire) assert.equal(resultCodes[code].text, text);
  assert.ok(resultCodes['600.200.500'].text.startsWith('Invalid payment data'));
  assert.ok(resultCodes['700.400.510'].text.startsWith('capture needs at least one successful transaction'));
  assert.ok(resultCodes['700.400.530'].text.startsWith('reversal needs at least one successful transaction'));
});

test('no code is in two groups, and only two are in none', () => {
  const groupsOf = (code: string) => Object.values(resultGroups).filter((pattern) => pattern.test(code)).length;
  assert.deepEqual(
    codes.filter((code) => groupsOf(code) > 1),
    [],
  );
  assert.deepEqual(
    codes.filter((code) => resultCodes[code].group === null),
    ['000.500.000', '000.500.100'],
  );
});

test('meaning and group tell the same story', () => {
  const expected = {
    success: 'approved',
    'success-manual-review': 'approved',
    pending: 'pending',
    'pending-long': 'pending',
    chargeback: 'chargeback',
  } as const;
  for (const code of codes) {
    const { group, means } = resultCodes[code];
    const wanted = group && group in expected ? expected[group as keyof typeof expected] : null;
    if (wanted) assert.equal(means, wanted, code);
    else if (group) assert.ok(isNegative(code), code);
    assert.equal(isApproval(code), means === 'approved');
  }
});

const cases: readonly (readonly [ResultCode, means: string, http: number, advice: string])[] = [
  ['000.000.000', 'approved', 200, 'none'],
  ['000.400.090', 'approved', 200, 'none'],
  ['000.500.100', 'approved', 200, 'none'],
  ['000.200.000', 'pending', 200, 'wait'],
  ['000.200.100', 'pending', 200, 'none'],
  ['800.400.500', 'pending', 200, 'wait'],
  ['000.100.220', 'chargeback', 200, 'do not retry'],
  ['000.400.030', 'declined', 400, 'contact support'],
  ['000.400.102', 'declined', 400, 'other instrument'],
  ['100.380.401', 'declined', 400, 'ask shopper'],
  ['300.100.100', 'declined', 400, 'ask shopper'],
  ['800.100.152', 'declined', 400, 'other instrument'],
  ['800.100.203', 'declined', 400, 'retry later'],
  ['800.300.101', 'declined', 400, 'do not retry'],
  ['900.100.300', 'declined', 400, 'wait'],
  ['999.999.999', 'declined', 400, 'contact support'],
  ['100.100.101', 'refused', 400, 'fix data'],
  ['200.300.404', 'refused', 400, 'fix data'],
  ['600.200.701', 'refused', 400, 'fix data'],
  ['700.400.200', 'refused', 400, 'do not retry'],
  ['700.400.570', 'refused', 400, 'wait'],
  ['700.400.580', 'refused', 404, 'fix data'],
  ['800.120.100', 'refused', 429, 'retry later'],
  ['800.900.300', 'refused', 403, 'fix data'],
];

for (const [code, means, http, advice] of cases) {
  test(`${code} is ${means}, HTTP ${http}, advice: ${advice}`, () => {
    const entry = resultCodes[code];
    assert.deepEqual([entry.means, entry.http, entry.advice], [means, http, advice]);
  });
}

test('advice follows the outcome: nothing to do after a yes, something after a no', () => {
  for (const code of codes) {
    const { means, advice } = resultCodes[code];
    if (means === 'approved') assert.equal(advice, 'none', code);
    if (isNegative(code)) assert.notEqual(advice, 'none', code);
  }
});

test('only codes of the catalogue are codes', () => {
  for (const text of ['', '000.100.113', '000.000.000 ', 'toString', '__proto__']) assert.equal(isResultCode(text), false, text);
  assert.equal(isResultCode('800.100.151'), true);
});

test('rows of retry rules are declines of the catalogue', () => {
  for (const code of retryRows) assert.ok(isResultCode(code) && isNegative(code), code);
});

const otherAccount: readonly (readonly [ResultCode, 'unsent' | 'declined' | 'no'])[] = [
  ['900.100.600', 'unsent'],
  ['800.100.190', 'unsent'],
  ['800.120.100', 'unsent'],
  ['900.100.200', 'declined'],
  ['800.100.169', 'declined'],
  // The issuer has decided, or the outcome is not known.
  ['800.100.155', 'no'],
  ['800.100.152', 'no'],
  ['800.100.158', 'no'],
  ['800.100.159', 'no'],
  ['300.100.100', 'no'],
  ['900.100.201', 'no'],
  ['900.100.300', 'no'],
  ['900.100.301', 'no'],
  ['900.100.400', 'no'],
  ['000.000.000', 'no'],
];

for (const [code, allowed] of otherAccount) {
  test(`another account after ${code}: ${allowed}`, () => assert.equal(resultCodes[code].retry.otherAccount, allowed));
}

test('nothing is tried again while the outcome may still be a payment', () => {
  for (const code of codes)
    if (resultCodes[code].means !== 'refused' && (resultCodes[code].advice === 'wait' || countsAs(code) === 'open'))
      assert.equal(resultCodes[code].retry.again, 'never', code);
});

test('a request that was refused because another transaction is under way may follow when that one has its result', () => {
  const waiting = codes.filter((code) => resultCodes[code].means === 'refused' && resultCodes[code].advice === 'wait');
  assert.deepEqual(waiting, ['700.400.570', '800.600.100']);
  for (const code of waiting) assert.equal(resultCodes[code].retry.again, 'later', code);
});

test('no other account is asked after fraud, a timeout, or a decision of the risk rules', () => {
  for (const code of codes) {
    const { advice, group, retry } = resultCodes[code];
    const isForbidden =
      advice === 'do not retry' || advice === 'wait' || ['external-risk', 'blacklist', 'soft-decline'].includes(group ?? '');
    if (isForbidden) assert.equal(retry.otherAccount, 'no', code);
  }
});
