import { isCountryAlpha2, isCountryAlpha3, isCountryNumeric } from '../countries.ts';
import { isCurrency } from '../currencies.ts';
import type { Format } from '../row.ts';
import { among, createFormat, FULL_WIDTH_ONE } from './formats.ts';

export const countryAlpha2: Format = createFormat(
  'A2',
  {
    source: '[A-Z]{2}',
    parse: among(isCountryAlpha2),
    isClosed: true,
    message: 'must be an ISO 3166-1 alpha-2 country code in upper case',
  },
  { good: ['DE', 'AT', 'US', 'ZW'], bad: ['de', 'De', 'D', 'DEU', 'XX', 'UK', 'ZZ', '27', 'D1', 'D ', '\uFF24\uFF25'] },
);

export const countryAlpha3: Format = createFormat(
  'A3',
  {
    source: '[A-Z]{3}',
    parse: among(isCountryAlpha3),
    isClosed: true,
    message: 'must be an ISO 3166-1 alpha-3 country code in upper case',
  },
  { good: ['DEU', 'AUT', 'USA', 'ZWE'], bad: ['deu', 'DE', 'DEUT', 'XXX', 'GER', '276', 'DE1', '\uFF24\uFF25\uFF35'] },
);

export const countryNumeric: Format = createFormat(
  'N3',
  {
    source: '[0-9]{3}',
    parse: among(isCountryNumeric),
    isClosed: true,
    message: 'must be an ISO 3166-1 numeric country code of three digits',
  },
  { good: ['276', '040', '840', '004'], bad: ['40', '0276', '000', '999', 'DE', 'DEU', '27A', `27${FULL_WIDTH_ONE}`] },
);

/** Alpha-2 or numeric. */
export const countryShort: Format = createFormat(
  'A2 or N3',
  {
    source: '[A-Z]{2}|[0-9]{3}',
    parse: among((text) => isCountryAlpha2(text) || isCountryNumeric(text)),
    message: 'must be an ISO 3166-1 country code, alpha-2 in upper case or numeric',
  },
  { good: ['DE', 'US', '276', '040'], bad: ['de', 'DEU', '40', '000', 'XX', '999', 'D1', `27${FULL_WIDTH_ONE}`] },
);

export const currency: Format = createFormat(
  'A3',
  { source: '[A-Z]{3}', parse: among(isCurrency), isClosed: true, message: 'must be an ISO 4217 currency code in upper case' },
  {
    good: ['EUR', 'USD', 'JPY', 'KWD', 'ZAR'],
    bad: ['eur', 'Eur', 'EU', 'EURO', 'XXX', 'XTS', 'HRK', 'ABC', '978', '\uFF25\uFF35\uFF32'],
  },
);
