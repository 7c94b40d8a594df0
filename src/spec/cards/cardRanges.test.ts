import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { brands } from './brands.ts';
import { brandsOf, cardRanges, detectBrand, fitsBrand, hasCheckDigit, passesLuhn } from './cardRanges.ts';

const detected: readonly (readonly [start: string, brand: string | null])[] = [
  ['4200000000000000', 'VISA'],
  ['4', 'VISA'],
  ['4917300800000000', 'VISAELECTRON'],
  ['4464040000000007', 'MADA'],
  ['5454545454545454', 'MASTER'],
  ['2221000000000009', 'MASTER'],
  ['2220990000000005', null],
  ['2720999999999996', 'MASTER'],
  ['2721000000000004', null],
  ['377777777777770', 'AMEX'],
  ['6799851000000032', 'MAESTRO'],
  ['36259600000004', 'DINERS'],
  ['6011000990139424', 'DISCOVER'],
  ['6221260000000000', 'UNIONPAY'],
  ['3528000000000007', 'JCB'],
  ['3527990000000000', null],
  ['5019717010103742', 'DANKORT'],
  ['6703444444444449', 'BCMC'],
  ['6362970000457013', 'ELO'],
  ['6062826786276634', 'HIPERCARD'],
  ['5895620000000002', 'NARANJA'],
  ['9999999999999995', null],
  ['', null],
];
for (const [start, brand] of detected) {
  test(`a number ${start || 'without digits'} tells ${brand ?? 'no brand'}`, () => assert.equal(detectBrand(start), brand));
}

const fitting: readonly (readonly [brand: string, number: string, fits: boolean])[] = [
  ['VISA', '4917300800000000', true],
  ['VISADEBIT', '4200000000000000', true],
  ['CARTEBANCAIRE', '4200000000000000', true],
  ['CARTEBANCAIRE', '5454545454545454', true],
  ['CARTEBANCAIRE', '377777777777770', false],
  ['DANKORT', '4571730000000000', true],
  ['MAESTRO', '6703444444444449', true],
  ['DISCOVER', '6221260000000000', true],
  ['MASTER', '4200000000000000', false],
  ['VISA', '5454545454545454', false],
  ['VISA', '420000000000000', false],
  ['VISAELECTRON', '4200000000000000', false],
  ['MAESTRO', '6011000990139424', false],
  ['FACILYPAY_3X', '4200000000000000', true],
];
for (const [brand, number, fits] of fitting) {
  test(`${number} ${fits ? 'fits' : 'does not fit'} ${brand}`, () => assert.equal(fitsBrand(brand, number), fits));
}

test('the most specific brand comes first, those that ride on its numbers last', () => {
  const names = brandsOf('4464040000000007');
  assert.deepEqual(names.slice(0, 2), ['MADA', 'VISA']);
  assert.deepEqual(names.slice(2).toSorted(), ['CARTEBANCAIRE', 'CARTEBLEUE', 'SERVIRED', 'VISADEBIT', 'VPAY']);
});

test('whatever brand a number fits is among the brands of the number', () => {
  const known = [...new Set(cardRanges.map(({ brand }) => brand))];
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 10, maxLength: 19 });
  const starts = fc.constantFrom(...cardRanges.flatMap(({ starts: text }) => text.split(/[ -]/)));
  fc.assert(
    fc.property(starts, digits, (start, rest) => {
      const number = (start + rest.join('')).slice(0, 19);
      const fitting = known.filter((brand) => fitsBrand(brand, number));
      assert.deepEqual(
        fitting.filter((brand) => !brandsOf(number).includes(brand)),
        [],
      );
      assert.equal(detectBrand(number), brandsOf(number)[0]);
    }),
  );
});

test('rows are well formed and of card brands; brands without rows are the ones that publish nothing', () => {
  for (const { brand, starts, lengths } of cardRanges) {
    assert.equal(brands[brand]?.account, 'card', brand);
    assert.ok(lengths.every((length) => length >= 12 && length <= 19));
    for (const start of starts.split(' ')) {
      assert.match(start, /^[0-9]{1,8}(-[0-9]{2,8})?$/);
      const [first = '', last = first] = start.split('-');
      assert.ok(first.length === last.length && first <= last, start);
    }
  }
  const known = new Set(cardRanges.map(({ brand }) => brand));
  const unknown = Object.keys(brands).filter((brand) => brands[brand]?.account === 'card' && !known.has(brand));
  const unpublished = [
    'MERCADOLIVRE',
    'TCARD',
    'TCARDDEBIT',
    'ASYACARD',
    'AXESS',
    'BONUS',
    'WORLD',
    'FACILYPAY_3X',
    'FACILYPAY_3XSANSFRAIS',
    'FACILYPAY_4X',
    'FACILYPAY_4XSANSFRAIS',
  ];
  assert.deepEqual(unknown, unpublished, 'a card brand has no numbers: give it a row in cardRanges.ts, or name it here');
});

test('Luhn finds one wrong digit and two that changed places', () => {
  assert.equal(passesLuhn('4200000000000000'), true);
  for (const number of ['4200000000000001', '4444444444444444', '2400000000000000', '', '42x0000000000000', '４２']) {
    assert.equal(passesLuhn(number), false, number);
  }
  assert.equal(hasCheckDigit('VISA'), true);
  assert.equal(hasCheckDigit('UNIONPAY'), false);
});
