import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countries, isCountryAlpha2, isCountryAlpha3, isCountryNumeric } from './countries.ts';

test('there are 249 countries, each with three codes of its own, in order', () => {
  assert.equal(countries.length, 249);
  for (const column of [0, 1, 2] as const) assert.equal(new Set(countries.map((row) => row[column])).size, 249);
  for (const [alpha2, alpha3, numeric] of countries)
    assert.match(`${alpha2} ${alpha3} ${numeric}`, /^[A-Z]{2} [A-Z]{3} [0-9]{3}$/);
  assert.deepEqual(
    [...countries].map(([code]) => code).sort(),
    countries.map(([code]) => code),
  );
});

test('every alpha-2 code has a name in the Unicode tables', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  assert.deepEqual(
    countries.filter(([code]) => names.of(code) === undefined),
    [],
  );
});

test('the codes of a country belong together', () => {
  const known = [
    'DE DEU 276',
    'AT AUT 040',
    'CH CHE 756',
    'GB GBR 826',
    'US USA 840',
    'IN IND 356',
    'EG EGY 818',
    'AF AFG 004',
    'ZA ZAF 710',
  ];
  const rows = new Set(countries.map((row) => row.join(' ')));
  assert.deepEqual(
    known.filter((row) => !rows.has(row)),
    [],
  );
});

test('near misses are no countries', () => {
  assert.deepEqual(['de', 'UK', 'XX', 'EU', 'AN', 'DEU', ''].filter(isCountryAlpha2), []);
  assert.deepEqual(['GER', 'deu', 'DE', 'YUG', ''].filter(isCountryAlpha3), []);
  assert.deepEqual(['000', '999', '40', '280', ''].filter(isCountryNumeric), []);
});
