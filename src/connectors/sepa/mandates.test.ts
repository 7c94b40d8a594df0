import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  amendmentOf,
  lapsesAfter,
  type MandateRecord,
  type MandateUse,
  mandateFault,
  mandateKey,
  sequenceFor,
} from './mandates.ts';

const record: MandateRecord = {
  id: 'M-1',
  signedOn: '2026-01-15',
  merchantId: 'a',
  scheme: 'CORE',
  uses: 1,
  lastDueOn: '2026-03-02',
  endedBy: null,
  endedAt: null,
  collections: [],
  last4: null,
  customerId: null,
  registrationId: null,
  account: 'f1',
  creditorId: 'DE98ZZZ09999999999',
  creditorName: 'Shop',
};
const mandate = { id: 'M-1', signedOn: '2026-01-15' };
const use: MandateUse = { merchantId: 'a', scheme: 'CORE', today: '2026-11-16', dueOn: '2026-11-20' };

const faults: readonly (readonly [
  string,
  Partial<typeof mandate>,
  Partial<MandateRecord> | null,
  Partial<MandateUse>,
  string | null,
])[] = [
  ['new', {}, null, {}, null],
  ['used before', {}, {}, {}, null],
  ['signed today', { signedOn: '2026-11-16' }, null, {}, null],
  ['signed tomorrow', { signedOn: '2026-11-17' }, null, {}, '100.500.302'],
  ['another date of signature', { signedOn: '2026-01-16' }, {}, {}, '100.500.302'],
  ['35 characters', { id: 'x'.repeat(35) }, null, {}, null],
  ['36 characters', { id: 'x'.repeat(36) }, null, {}, '100.500.303'],
  ['no id', { id: '' }, null, {}, '100.500.303'],
  ['a letter that banks refuse', { id: 'Mändat' }, null, {}, '100.500.303'],
  ['a blank at the end', { id: 'M-1 ' }, null, {}, '100.500.303'],
  ['of another merchant', {}, { merchantId: 'b' }, {}, '100.500.303'],
  ['of the other scheme', {}, {}, { scheme: 'B2B' }, '100.500.303'],
  ['ended', {}, { endedBy: 'p' }, {}, '800.100.205'],
  ['36 months after the last collection', {}, {}, { dueOn: '2029-03-02' }, null],
  ['a day more', {}, {}, { dueOn: '2029-03-03' }, '800.100.204'],
  ['36 months after the signature, never used', {}, null, { dueOn: '2029-01-15' }, null],
  ['a day more, never used', {}, null, { dueOn: '2029-01-16' }, '800.100.204'],
];

test('a mandate is checked before anything is collected by it', () => {
  for (const [name, sent, known, used, expected] of faults)
    assert.equal(mandateFault({ ...mandate, ...sent }, known && { ...record, ...known }, { ...use, ...used }), expected, name);
});

test('a mandate lapses 36 months after its last collection, or its signature', () => {
  assert.equal(lapsesAfter({ signedOn: '2024-02-29', lastDueOn: null }), '2027-02-28');
  assert.equal(lapsesAfter({ signedOn: '2026-01-15', lastDueOn: '2026-03-02' }), '2029-03-02');
});

test('two spellings of an identifier are one mandate', () => {
  assert.equal(mandateKey('Mandate-A'), mandateKey('MANDATE-a'));
});

test('the sequence follows from the series and what was collected before', () => {
  const plain = { isSeries: false, isLast: false, isAlwaysRecurring: false };
  const cases: readonly (readonly [number | null, Partial<typeof plain>, string])[] = [
    [null, {}, 'OOFF'],
    [null, { isSeries: true }, 'FRST'],
    [0, { isSeries: true }, 'FRST'],
    [1, { isSeries: true }, 'RCUR'],
    [1, {}, 'RCUR'],
    [7, { isSeries: true, isLast: true }, 'FNAL'],
    [null, { isSeries: true, isLast: true }, 'OOFF'],
    [null, { isAlwaysRecurring: true }, 'RCUR'],
    [null, { isAlwaysRecurring: true, isSeries: true }, 'RCUR'],
    [2, { isAlwaysRecurring: true, isLast: true }, 'FNAL'],
  ];
  for (const [uses, asked, expected] of cases)
    assert.equal(sequenceFor(uses === null ? null : { uses }, { ...plain, ...asked }), expected);
});

test('what has changed since the last collection is an amendment', () => {
  const now = { account: 'f1', creditorId: 'DE98ZZZ09999999999', creditorName: 'Shop' };
  assert.equal(amendmentOf(record, now), null);
  assert.equal(amendmentOf(null, now), null);
  assert.equal(amendmentOf({ ...record, uses: 0 }, { ...now, account: 'f2' }), null);
  assert.deepEqual(amendmentOf(record, { ...now, account: 'f2' }), { isOtherAccount: true });
  assert.deepEqual(amendmentOf(record, { ...now, creditorId: 'AT61ZZZ01234567890', creditorName: 'New' }), {
    originalCreditorId: 'DE98ZZZ09999999999',
    originalCreditorName: 'Shop',
  });
});
