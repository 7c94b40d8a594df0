import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bankReason, bankReasonCodes, generalBankReason } from './bankReasons.ts';
import { isChargebackReason, isNegative } from './resultCodes.ts';

const CONTRACTS = ['..', '../..']
  .map((up) => join(import.meta.dirname, '../..', up, 'shared/facts/contracts/iso20022'))
  .find(existsSync);

/**
 * Codes of the external lists that no row has: statuses that are no refusals, and services that collections and transfers do not use
 * (request to pay, tracking of correspondent banks, tokens, cheques, cards, settlement in southern Africa).
 */
const GENERAL =
  'AB12 AB13 AB15 AB21 AB26 AEXR AG09 AG12 AG13 ALAC AMSE APAR ARFR ARJR ATNS BDAY CERI CH19 CHCO CHQC CHRG CNNS CNPC DS01 DS03 DS05 ' +
  'DS06 DS07 DT02 DT06 EDTL EDTR EMVL FF09 FF12 FF13 FRTR G000 G001 G002 G003 G004 G005 G006 IEDT INAR IPNS IRNR ISWS NERI NOAR NOFR ' +
  'NOPG NRCH OSNS PINL PINS RC15 RC16 RCON RECI REPR RQNR RTNS S000 S001 S002 S003 S004 SBRN SNRD SPII SVNR TD01 TK01 TK02 TK03 TK09 ' +
  'TKCM TKSG TKSP TKVE TKXP TRAC TS01 TS04';

const listed = (file: string): readonly string[] =>
  Object.keys((JSON.parse(readFileSync(join(CONTRACTS ?? '', file), 'utf8')) as { readonly codes: object }).codes);

test('the external lists of ISO 20022 are covered; what is mapped generically is listed', {
  skip: CONTRACTS ? false : 'the contracts are not beside the repository',
}, () => {
  const all = [...new Set([...listed('external_return_reason_code.json'), ...listed('external_status_reason_code.json')])];
  assert.deepEqual(all.filter((code) => !bankReasonCodes.includes(code)).toSorted(), GENERAL.split(' ').toSorted());
  assert.deepEqual(
    bankReasonCodes.filter((code) => !all.includes(code)),
    [],
    'rows of codes that no list has',
  );
});

test('each reason has a decline, a chargeback and one row', () => {
  for (const code of bankReasonCodes) {
    const { declined, chargeback } = bankReason(code);
    assert.ok(isNegative(declined) && isChargebackReason(chargeback), code);
  }
  assert.equal(new Set(bankReasonCodes).size, bankReasonCodes.length);
});

/** Reason, decline, chargeback, advice. */
const cases = [
  ['AC01', '800.100.201', '000.100.201', 'payer'],
  ['AC04', '800.100.202', '000.100.202', 'payer'],
  ['AC06', '800.100.172', '000.100.208', 'payer'],
  ['AG01', '800.100.208', '000.100.208', 'payer'],
  ['AM04', '800.100.203', '000.100.203', 'again'],
  ['am04 ', '800.100.203', '000.100.203', 'again'],
  ['AM05', '800.110.100', '000.100.224', 'payer'],
  ['BE05', '800.100.190', '000.100.227', 'correct'],
  ['DT01', '100.500.301', '000.100.229', 'later'],
  ['FF01', '800.100.156', '000.100.229', 'correct'],
  ['MD01', '800.100.205', '000.100.204', 'payer'],
  ['MD02', '100.500.303', '000.100.204', 'correct'],
  ['MD06', '800.100.206', '000.100.206', 'payer'],
  ['MD07', '800.100.202', '000.100.202', 'payer'],
  ['MS03', '800.100.200', '000.100.200', 'again'],
  ['SL14', '800.100.162', '000.100.208', 'later'],
  ['ED05', '900.100.201', '000.100.226', 'later'],
  ['XXXX', '800.500.100', '000.100.299', 'payer'],
] as const;

for (const [code, declined, chargeback, advice] of cases)
  test(`the reason ${code} is ${declined} before booking and ${chargeback} after it`, () => {
    const found = bankReason(code);
    assert.deepEqual([found.declined, found.chargeback, found.advice], [declined, chargeback, advice]);
  });

test('a bank without a reason, and one with a reason of its own', () => {
  assert.equal(bankReason(null).declined, '800.100.200');
  assert.equal(bankReason('our bank says no'), generalBankReason);
});

test('a fault of the file is the operator’s to correct', () => {
  assert.deepEqual(
    ['FF01', 'BE05', 'DU01', 'DS17', 'AM04', 'MD01'].map((code) => bankReason(code).isOurs),
    [true, true, true, true, false, false],
  );
});
