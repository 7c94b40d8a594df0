import { date } from '../dates.ts';
import { AN, labelled, nameLetters, nameWords, oneOf, telephone } from '../formats.ts';
import { countryAlpha3 } from '../isoCodes.ts';
import { ACCOUNT_NUMBER, PHONE_OR_ARTICLE, row, SEALED, type Section } from '../row.ts';

const name = nameWords('AN 0-48, letters, digits, whitespace', 48);
const phone = telephone('AN, starts with + or digit, then 7-25 of digits, space, parentheses, dot, hyphen', ' ().-', [7, 25]);
const accountNumberTypes = [
  ...(['OTHER', 'RTN_AND_BANK_ACCOUNT', 'IBAN', 'CARD_ACCOUNT', 'EMAIL', 'PHONE_NUMBER', 'BAN_AND_BIC'] as const),
  ...(['WALLET_ID', 'SOCIAL_NETWORK_ID'] as const),
] as const;
const lenient = true;

/** Document 2, Recipient: the party whose debt is paid. */
export const recipient = {
  'recipient.givenName': row('O', name, { lenient }),
  'recipient.middleName': row('O', name, { lenient }),
  'recipient.surname': row('O', name, { lenient }),
  'recipient.birthDate': row('O', date),
  'recipient.phone': row('O', phone, { scan: PHONE_OR_ARTICLE, lenient }),
  'recipient.accountNumber': row('O', AN(0, 32), {
    secret: ACCOUNT_NUMBER,
    note: 'May be a card number, so it is stored like one.',
  }),
  'recipient.street': row('O', AN(0, 100), { lenient }),
  'recipient.city': row('O', AN(0, 50), { lenient }),
  'recipient.state': row('O', AN(0, 50), { lenient }),
  'recipient.country': row('O', labelled('AN 0-3 (alpha-3)', countryAlpha3)),
  'recipient.postcode': row('O', AN(1, 30), { lenient }),
  'recipient.accountNumberType': row('O', oneOf(accountNumberTypes.join(', '), accountNumberTypes)),
  'recipient.nationality': row('O', nameLetters('A 0-50', 0, 50)),
  'recipient.identificationType': row('O', AN(0, 50)),
  'recipient.identificationValue': row('O', AN(0, 50), { secret: SEALED }),
  'recipient.entityType': row('O', AN(0, 50)),
  'recipient.relationship': row('O', AN(0, 50, 'AN 0-50 (relationship to the sender)')),
  'recipient.occupation': row('O', AN(0, 50)),
  'recipient.birthCountry': row('O', labelled('A 0-3 (alpha-3)', countryAlpha3)),
} satisfies Section['rows'];
