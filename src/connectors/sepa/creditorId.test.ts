import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creditorCheckDigits, isCreditorId } from './mandates.ts';

const good = ['DE98ZZZ09999999999', 'AT61ZZZ01234567890', 'FR72ZZZ123456', 'DE98ABC09999999999'];

test('creditor identifiers with right check digits are accepted, whatever their business code', () => {
  assert.deepEqual(
    good.filter((id) => !isCreditorId(id)),
    [],
  );
});

test('a changed digit, two exchanged digits, a wrong length and another country are refused', () => {
  const bad = [
    'DE99ZZZ09999999999',
    'DE98ZZZ09999999998',
    'DE98ZZZ0999999999',
    'AT98ZZZ09999999999',
    'de98ZZZ09999999999',
    '',
    'DE98ZZZ',
  ];
  assert.deepEqual(bad.filter(isCreditorId), []);
  for (const id of good)
    for (let at = 7; at < id.length; at += 1) {
      const other = String((Number(id[at]) + 1) % 10);
      assert.equal(isCreditorId(`${id.slice(0, at)}${other}${id.slice(at + 1)}`), false, `${id} at ${at}`);
    }
});

test('signs in the national identifier do not count', () => {
  assert.equal(creditorCheckDigits('NL', '1234-5678'), creditorCheckDigits('NL', '12345678'));
  const id = `BE${creditorCheckDigits('BE', '0123.456.789')}ZZZ0123.456.789`;
  assert.ok(isCreditorId(id));
});
