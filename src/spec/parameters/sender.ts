import { date } from '../dates.ts';
import { AN, labelled, nameLetters, nameWords, oneOf } from '../formats.ts';
import { countryAlpha3 } from '../isoCodes.ts';
import { ACCOUNT_NUMBER, row, type Section } from '../row.ts';

const name = nameWords('AN 0-50, letters, digits, whitespace', 50);
const accountNumberTypes = ['OTHER', 'RTN_AND_BANK_ACCOUNT', 'IBAN', 'IBAN_AND_BIC', 'CARD_ACCOUNT'] as const;
const funds =
  'N2: 01 credit, 02 debit, 03 prepaid, 04 cash, ' +
  "05 debit or deposit-access accounts other than those linked to the cardholder's scheme, " +
  "06 credit accounts other than those linked to the cardholder's scheme, " +
  '07 deposit account, 08 mobile money account, 09 other';
const lenient = true;

/** Document 2, Sender: the party that pays. */
export const sender = {
  'sender.name': row('O', nameWords('AN 0-100, letters, digits, whitespace', 100), { lenient }),
  'sender.givenName': row('O', name, { lenient }),
  'sender.middleName': row('O', name, { lenient }),
  'sender.surname': row('O', name, { lenient }),
  'sender.birthDate': row('O', date),
  'sender.accountNumber': row('O', AN(0, 32), {
    secret: ACCOUNT_NUMBER,
    note: 'May be a card number, so it is stored like one.',
  }),
  'sender.street': row('O', AN(0, 100), { lenient }),
  'sender.city': row('O', name, { lenient }),
  'sender.state': row('O', name, { lenient }),
  'sender.country': row('O', labelled('AN 0-3 (ISO 3166-1 alpha-3)', countryAlpha3)),
  'sender.postcode': row('O', AN(1, 30), { lenient }),
  'sender.accountNumberType': row('O', oneOf(accountNumberTypes.join(', '), accountNumberTypes)),
  'sender.sourceOfFunds': row('O', oneOf(funds, ['01', '02', '03', '04', '05', '06', '07', '08', '09'])),
  'sender.entityType': row('O', AN(0, 50, 'AN 0-50 (e.g. individual, business)')),
  'sender.nationality': row('O', nameLetters('A 0-50', 0, 50)),
  'sender.occupation': row('O', AN(0, 50)),
  'sender.birthCountry': row('O', labelled('A 0-3 (alpha-3)', countryAlpha3)),
} satisfies Section['rows'];
