import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../form/check.ts';
import { decode } from '../../form/decode.ts';
import { countryAlpha2, currency } from '../formats/isoCodes.ts';
import { parameters } from '../parameters.ts';
import type { Row } from '../row.ts';
import { brandCatalogue, regionalBrands } from './brandCatalogue.ts';
import { brands } from './brands.ts';

const samples: Readonly<Record<string, string>> = {
  'card.expiryYear': '2034',
  'card.number': '4200000000000000',
  'bankAccount.country': 'DE',
  'bankAccount.iban': 'DE23100000001234567890',
  'virtualAccount.accountId': '351#912345678',
  shopperResultUrl: 'https://shop.example/',
};

/** A text that the row of a parameter accepts. */
function sampleOf(name: string): string {
  const row: Row<unknown> | undefined = Object.entries<Row<unknown>>(parameters).find(
    ([rowName]) =>
      rowName === name || rowName === name.replace(/\[\w+\]/, '[n]') || rowName === name.replace(/\[\w+\]/, '[name]'),
  )?.[1];
  return samples[name] ?? row?.format.good[0] ?? assert.fail(name);
}

function requestOf(brand: string, names: readonly string[]): Record<string, string> {
  const wire = names.map((name) => (name.split('|')[0] ?? '').replace('[n]', '[0]').replace('_n]', '_1]'));
  const country: Readonly<Record<string, string>> = { IDEAL: 'NL' };
  const sent = Object.fromEntries(wire.map((name) => [name, sampleOf(name)]));
  if (country[brand] !== undefined) sent['bankAccount.country'] = country[brand];
  return { entityId: 'a'.repeat(32), paymentType: 'DB', amount: '92.00', currency: 'EUR', paymentBrand: brand, ...sent };
}

const faultsOf = (fields: Readonly<Record<string, string>>): readonly string[] => {
  const context = { endpoint: 'pay', isLenient: false, source: 'server', environment: 'test' } as const;
  const outcome = check(decode(new URLSearchParams(fields).toString()), context);
  return outcome.is === 'faulty' ? outcome.faults.map(({ name, message }) => `${name} ${message}`) : [];
};

for (const { brand, requiredParameters } of brandCatalogue) {
  test(`${brand} is paid with its required parameters, and with none less`, () => {
    const whole = requestOf(brand, requiredParameters);
    assert.deepEqual(faultsOf(whole), []);
    const needed = Object.keys(whole).filter(
      (name) => !['entityId', 'paymentType', 'amount', 'currency', 'paymentBrand'].includes(name),
    );
    for (const name of needed) {
      const { [name]: _, ...less } = whole;
      assert.ok(faultsOf(less).length > 0, `${name} is not required`);
    }
  });
}

test('the catalogue has every brand, and regions are those of brands, in ISO codes', () => {
  assert.deepEqual(
    brandCatalogue.map(({ brand }) => brand),
    Object.keys(brands),
  );
  assert.deepEqual(
    regionalBrands.filter((name) => !brands[name]),
    [],
  );
  for (const { countries, currencies } of brandCatalogue) {
    for (const one of countries ?? []) assert.notEqual(countryAlpha2.parse(one), undefined, one);
    for (const one of currencies ?? []) assert.notEqual(currency.parse(one), undefined, one);
  }
});
