import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleRegistration } from '../registrations/examples.ts';
import { examplePayment } from './examples.ts';
import { instructionForScheme, instructionIn, instructionOf, seriesAfter } from './series.ts';

const of = (fields: Readonly<Record<string, string>>, brand = 'VISA') => instructionOf((name) => fields[name], brand);
const si = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`standingInstruction.${name}`, value]));
const initial = si({ mode: 'INITIAL', source: 'CIT', type: 'RECURRING' });
const repeated = si({ mode: 'REPEATED', source: 'MIT', type: 'RECURRING' });

test('a request without a standing instruction is part of no series', () => {
  assert.equal(of({ amount: '1.00', 'customParameters[a.b]': 'c' }), null);
});

const old: readonly [value: string, mode: string, source: string][] = [
  ['INITIAL', 'INITIAL', 'CIT'],
  ['REPEATED', 'REPEATED', 'MIT'],
  ['REGISTRATION_BASED', 'REPEATED', 'CIT'],
];
for (const [recurringType, mode, source] of old) {
  test(`recurringType ${recurringType} is understood`, () => {
    const instruction = of({ recurringType });
    assert.deepEqual([instruction?.mode, instruction?.source], [mode, source]);
  });
}

test('the newer words win over the old one', () => {
  assert.equal(of({ recurringType: 'REPEATED', ...initial })?.mode, 'INITIAL');
});

test('one network hears of a series without end or rhythm where nothing is said; the others hear nothing', () => {
  const instruction = (brand: string) => [of(initial, brand)?.expiry, of(initial, brand)?.frequency];
  assert.deepEqual(instruction('MASTER'), ['9999-12-31', '0001']);
  assert.deepEqual(instruction('VISA'), [null, null]);
  const said = of({ ...initial, ...si({ expiry: '2030-01-01', frequency: '30' }) }, 'MASTER');
  assert.deepEqual([said?.expiry, said?.frequency], ['2030-01-01', '30']);
});

test('the later payment names the first one, as the stored details remember it', () => {
  const series = seriesAfter(of(initial), { initialTransactionId: 'T1', agreementId: 'A1' });
  const instruction = instructionForScheme(of(repeated), { registration: exampleRegistration({ series }), referenced: null });
  assert.deepEqual([instruction?.initialTransactionId, instruction?.agreementId], ['T1', 'A1']);
});

test('what the merchant names himself goes before what is remembered', () => {
  const series = seriesAfter(of(initial), { initialTransactionId: 'T1' });
  const sent = of({ ...repeated, ...si({ initialTransactionId: 'T2' }) });
  assert.equal(
    instructionForScheme(sent, { registration: exampleRegistration({ series }), referenced: null })?.initialTransactionId,
    'T2',
  );
});

for (const practice of ['REAUTHORIZATION', 'DELAYED_CHARGES', 'NO_SHOW', 'INCREMENTAL_AUTH']) {
  test(`${practice} carries the scheme data of the original`, () => {
    const referenced = examplePayment({ details: { schemeReference: 'S1' } });
    const sent = of(si({ industryPractice: practice }));
    assert.equal(instructionForScheme(sent, { registration: null, referenced })?.initialTransactionId, 'S1');
  });
}

test('a series that began elsewhere is told with what is known of its beginning', () => {
  const instruction = of({
    'recurringMigration.paymentType': 'DB',
    'recurringMigration.amount': '9.90',
    'recurringMigration.requestTimestamp': '2020-01-31 10:00:00',
    'recurringMigration.connectorTxId1': 'x1',
    'recurringMigration.connectorTxId3': 'x3',
  });
  assert.deepEqual(instruction?.migration, {
    paymentType: 'DB',
    amount: '9.90',
    requestTimestamp: '2020-01-31 10:00:00',
    connectorTxIds: ['x1', 'x3'],
  });
  assert.equal(seriesAfter(instruction, {})?.migration?.paymentType, 'DB');
});

test('a payment that began no series still leaves the reference by which one can be gone on with', () => {
  assert.equal(seriesAfter(null, { schemeReference: 'S1' })?.initialTransactionId, 'S1');
  assert.equal(seriesAfter(null, {}), null);
});

test('a stored payment tells its instruction again', () => {
  assert.equal(instructionIn(examplePayment({ fields: initial }))?.mode, 'INITIAL');
});
