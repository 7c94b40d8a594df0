import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApproval, isChargebackReason, isNegative, type ResultCode, resultCodes } from '../../spec/resultCodes.ts';
import { type CodeMeaning, declineOf, meaningOf, UNKNOWN_DECLINE } from './answers.ts';

const codes = Object.keys(resultCodes) as ResultCode[];
const having = (meaning: CodeMeaning): readonly ResultCode[] => codes.filter((code) => meaningOf(code) === meaning);

test('every approval of the catalogue is one here, every pending code is pending, and no other code is', () => {
  const good = [...having('approved'), ...having('review')].toSorted();
  assert.deepEqual(good, codes.filter((code) => isApproval(code)).toSorted());
  assert.deepEqual(having('pending').toSorted(), codes.filter((code) => resultCodes[code].means === 'pending').toSorted());
});

test('codes that leave the outcome open', () => {
  const open = having('uncertain').filter((code) => !isChargebackReason(code));
  const listed = '000.400.030 600.100.100 900.100.100 900.100.300 900.100.400 900.100.500 999.999.888 999.999.999';
  assert.deepEqual(open.toSorted(), listed.split(' '));
  assert.ok(codes.filter(isChargebackReason).every((code) => meaningOf(code) === 'uncertain'));
});

test('every other decline keeps its code; those of the set-up become one', () => {
  for (const code of having('declined')) assert.equal(declineOf(code), code);
  for (const code of having('misconfigured')) assert.equal(declineOf(code), '800.100.190');
  assert.ok([...having('declined'), ...having('misconfigured')].every((code) => isNegative(code)));
  const families = [...new Set(having('misconfigured').map((code) => code.slice(0, 7)))];
  assert.deepEqual(families, ['500.100', '500.200', '600.200', '600.300', '800.121', '800.900']);
});

test('a code that the catalogue does not know is a decline by what it begins with', () => {
  for (const [code, meaning] of [
    ['800.100.999', 'declined'],
    ['000.000.777', 'approved'],
    ['000.400.077', 'review'],
    ['000.200.777', 'pending'],
    ['999.123.456', 'uncertain'],
    ['123.456.789', 'declined'],
  ] as const) {
    assert.equal(meaningOf(code), meaning, code);
  }
  assert.equal(declineOf('800.100.999'), UNKNOWN_DECLINE);
});
