import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isChargebackReason, isNegative, type ResultCode } from '../../spec/resultCodes.ts';
import { codeOfDispute, codeOfReason, codeOfRefusal, errorCodes, errorRow, refusals, schemeCode } from './codes.ts';

test('every refusal reason has a code of ours, and one of them is generic', () => {
  const numbers = refusals.map(({ code }) => Number(code));
  const approvalsAndPending = [0, 1, 13, 30];
  const all = Array.from({ length: 47 }, (_, number) => number).filter((number) => !approvalsAndPending.includes(number));
  assert.deepEqual(numbers, all);
  for (const { ours } of refusals) assert.ok(isNegative(ours), ours);
  const generic = refusals.filter(({ ours }) => ours === '800.100.100').map(({ name }) => name);
  assert.deepEqual(generic, ['Declined Non Generic']);
});

test('a refusal is read by the code of the scheme, by the number of Adyen, or by its name', () => {
  const cases: readonly (readonly [Parameters<typeof codeOfRefusal>[0], string])[] = [
    [{ code: '6' }, '800.100.157'],
    [{ code: '2', raw: '05 : Do not honor' }, '800.100.152'],
    [{ code: '2', raw: '51 : Not sufficient funds' }, '800.100.155'],
    [{ code: '2', raw: 'R3 : Revocation of all authorisations' }, '800.100.501'],
    [{ code: '2', raw: '65' }, '800.100.163'],
    [{ code: '2', raw: '65', isMastercard: true }, '300.100.100'],
    [{ code: '20', raw: '05 : Do not honor' }, '100.400.319'],
    [{ code: '38', raw: '05 : Do not honor' }, '300.100.100'],
    [{ code: '99', raw: 'no code' }, '800.100.100'],
    [{ code: '99', name: 'Expired Card' }, '800.100.157'],
    [{}, '800.100.100'],
  ];
  for (const [reason, ours] of cases) assert.equal(codeOfRefusal(reason), ours, JSON.stringify(reason));
});

test('every name of a refusal is read in a notification, with its number in front and without', () => {
  for (const { code, name, ours } of refusals) {
    assert.equal(codeOfReason(name), ours, name);
    assert.equal(codeOfReason(name.toUpperCase()), ours, name);
    assert.equal(codeOfReason(`${code} : ${name}`), ours, name);
  }
  assert.equal(codeOfReason('05 : Do not honor'), '800.100.152');
  assert.equal(codeOfReason('null'), '800.100.100');
});

test('the code of the scheme stands in front of its text', () => {
  assert.equal(schemeCode('05 : Do not honor'), '05');
  assert.equal(schemeCode('N7'), 'N7');
  assert.equal(schemeCode('116 : Insufficient funds'), '116');
  for (const text of [undefined, '', 'AUTHORISED', 'Refused', '1234 : long'])
    assert.equal(schemeCode(text), null, text ?? 'none');
});

test('errors of the API are declines, and what the operator must mend is an alarm', () => {
  for (const code of errorCodes) assert.ok(isNegative(errorRow(code).ours), code);
  const forShoppers = errorCodes.filter((code) => !errorRow(code).operator);
  assert.deepEqual(forShoppers.toSorted(), '101 102 103 104 129 131 132 133 134 135 140 167 170 171'.split(' '));
  assert.deepEqual(errorRow('constructor'), { ours: '800.100.190', operator: true });
});

test('reasons of disputes', () => {
  const cases = {
    '10.4': '000.100.220',
    '4863': '000.100.222',
    '10.1': '000.100.232',
    ' 4853': '000.100.223',
    '12.6.1': '000.100.224',
    '13.7': '000.100.225',
    AM04: '000.100.203',
    MD06: '000.100.206',
    '502': '000.100.200',
    '': '000.100.200',
  };
  for (const [reason, code] of Object.entries(cases)) {
    assert.equal(codeOfDispute(reason), code, reason);
    assert.ok(isChargebackReason(code as ResultCode));
  }
});
