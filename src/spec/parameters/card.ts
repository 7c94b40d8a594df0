import { matching, N, nameLetters, oneOf } from '../formats.ts';
import { CARD_NUMBER, type Format, NEVER_STORED, row, type Section } from '../row.ts';

/** `01` to `12`. */
export const month: Format = matching(
  'N2, 01 to 12',
  { source: '0[1-9]|1[0-2]', message: 'must be a month from 01 to 12' },
  {
    good: ['01', '02', '09', '10', '12'],
    bad: ['00', '13', '1', '001', '1a', '99', ' 1', '0\uFF11'],
  },
);

const year = matching(
  'N4, 19xx or 20xx',
  { source: '(?:19|20)[0-9]{2}', message: 'must be a year 19xx or 20xx' },
  {
    good: ['1999', '2000', '2034', '2099'],
    bad: ['34', '1899', '2100', '203', '20345', '20a4', '-034', '203\uFF14'],
  },
);

const name = nameLetters('A 3-128', 3, 128);

// Holders have spaces and accents. A result code in this field makes the simulator return that result.
const holderSource = `${name.pattern.source.slice(1, -1)}|[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}`;
const holder = matching(
  name.label,
  { source: holderSource, message: name.message },
  {
    good: [...name.good, 'Ann Example', '800.100.151'],
    bad: [...name.bad, '800.100', '800.100.1511', 'Ann 800.100.151', '800100151', '4111111111111111'],
  },
);

/** Document 2, Card account. */
export const card = {
  'card.holder': row('O', holder, {
    lenient: true,
    note: "Name on the card: letters of any script, spaces and . , ' -. When testing, a result code forces that result.",
  }),
  'card.number': row('R', N(8, 32), { secret: CARD_NUMBER, note: 'The card number.' }),
  'card.expiryMonth': row('R', month),
  'card.expiryYear': row('R', year),
  'card.cvv': row('C', N(3, 4), { secret: NEVER_STORED, note: 'Security code; never stored.' }),
  'card.numberType': row('O', oneOf('PAN or DPAN', ['PAN', 'DPAN']), {
    note: "A DPAN replaces the card number in one device's wallet.",
  }),
} satisfies Section['rows'];
