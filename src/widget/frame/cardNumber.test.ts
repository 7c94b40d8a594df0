import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidatesOf, isCardNumber, isShortNumber, isWholeNumber, layoutOf } from './fields.ts';

const choice = (brands: string, brand: string | null = null) => ({
  brands: brands.split(' ').filter(Boolean),
  brand,
  isGrouped: true,
});

for (const [number, brands, candidates] of [
  ['', 'VISA MASTER', []],
  ['4', 'VISA MASTER', ['VISA']],
  ['5', 'VISA MASTER', []],
  ['51', 'VISA MASTER', ['MASTER']],
  ['37', 'VISA MASTER', []],
  ['440647', 'VISA MADA', ['MADA', 'VISA']],
  ['420000', 'CARTEBANCAIRE VISA', ['VISA', 'CARTEBANCAIRE']],
  ['4200', 'VISA HOUSECARD', ['VISA']],
  ['9', 'VISA HOUSECARD', ['HOUSECARD']],
] as const)
  test(`${number || 'nothing'} among ${brands}: ${candidates.join(', ') || 'no brand'}`, () => {
    assert.deepEqual(candidatesOf(number, brands.split(' ')), candidates);
  });

for (const [number, brands, brand, isRight, isWhole] of [
  ['4200000000000000', 'VISA MASTER', null, true, true],
  ['4200000000000001', 'VISA MASTER', null, false, false],
  ['420000000000000', 'VISA MASTER', null, false, false],
  ['4200000000000000', 'VISA MASTER', 'VISA', true, true],
  ['4200000000000000', 'VISA MASTER', 'MASTER', false, false],
  ['4200000000000000', 'MASTER', null, false, false],
  ['4200000000000000', '', null, true, true],
  ['377777777777770', 'AMEX', null, true, true],
  ['3777777777777700', 'AMEX', null, false, false],
  ['4222222222222', 'VISA', null, true, false],
  ['6200000000000001', 'UNIONPAY', null, true, true],
  ['', 'VISA', null, false, false],
] as const)
  test(`${number || 'nothing'} with ${brand ?? (brands || 'any brand')} is ${isRight ? 'right' : 'wrong'}`, () => {
    const held = choice(brands, brand);
    assert.deepEqual([isCardNumber(number, held), isWholeNumber(number, held)], [isRight, isWhole]);
  });

for (const [number, brands, brand, isShort] of [
  ['4', 'VISA MASTER', null, true],
  ['420000000000000', 'VISA MASTER', null, true],
  ['4222222222223', 'VISA', 'VISA', true],
  ['4200000000000001', 'VISA MASTER', null, false],
  ['37777777777777', 'AMEX', 'AMEX', true],
  ['377777777777771', 'AMEX', 'AMEX', false],
  ['3000000000000', 'DINERS', null, true],
  ['30000000000001', 'DINERS', null, false],
  ['999', 'VISA', null, true],
] as const)
  test(`${number} with ${brand ?? brands}: digits are ${isShort ? 'missing' : 'all there'}`, () => {
    assert.equal(isShortNumber(number, choice(brands, brand)), isShort);
  });

for (const [number, brands, limit] of [
  ['', 'VISA AMEX', 19],
  ['37', 'VISA AMEX', 15],
  ['51', 'VISA MASTER', 16],
  ['4', 'VISA', 19],
  ['440647', 'MADA', 16],
] as const)
  test(`a number that begins with ${number || 'nothing'} grows to ${limit} digits`, () => {
    assert.equal(layoutOf(number, choice(brands)).limit, limit);
  });
