import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currencies } from '../spec/currencies.ts';
import { currencyByNumber, currencyNumbers } from './text.ts';

test('every currency has a number of its own', () => {
  assert.deepEqual([...currencyNumbers.keys()].sort(), [...currencies.keys()].sort());
  assert.equal(currencyByNumber.size, currencyNumbers.size);
  for (const number of currencyByNumber.keys()) assert.match(number, /^[0-9]{3}$/);
});

test('well-known numbers', () => {
  for (const [number, code] of [
    ['978', 'EUR'],
    ['840', 'USD'],
    ['392', 'JPY'],
    ['414', 'KWD'],
    ['036', 'AUD'],
    ['933', 'BYN'],
  ])
    assert.equal(currencyByNumber.get(number as string), code);
});
