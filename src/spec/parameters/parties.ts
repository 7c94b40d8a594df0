import { date } from '../formats/dates.ts';
import { AN, charset, labelled, lines, nameLetters, nameWords, oneOf, telephone } from '../formats/formats.ts';
import { countryAlpha2, countryAlpha3, countryNumeric } from '../formats/isoCodes.ts';
import { ACCOUNT_NUMBER, COORDINATES, PHONE_OR_ARTICLE, row, SEALED, type Section, TICKET_OR_TAX } from '../row.ts';

const senderName = nameWords('AN 0-50, letters, digits, whitespace', 50);
const senderAccountTypes = ['OTHER', 'RTN_AND_BANK_ACCOUNT', 'IBAN', 'IBAN_AND_BIC', 'CARD_ACCOUNT'] as const;
const funds =
  'N2: 01 credit, 02 debit, 03 prepaid, 04 cash, ' +
  "05 debit or deposit-access accounts other than those linked to the cardholder's scheme, " +
  "06 credit accounts other than those linked to the cardholder's scheme, " +
  '07 deposit account, 08 mobile money account, 09 other';
const lenient = true;

/** Document 2, Sender: the party that pays. */
export const sender = {
  'sender.name': row('O', nameWords('AN 0-100, letters, digits, whitespace', 100), { lenient }),
  'sender.givenName': row('O', senderName, { lenient }),
  'sender.middleName': row('O', senderName, { lenient }),
  'sender.surname': row('O', senderName, { lenient }),
  'sender.birthDate': row('O', date),
  'sender.accountNumber': row('O', AN(0, 32), {
    secret: ACCOUNT_NUMBER,
    note: 'May be a card number, so it is stored like one.',
  }),
  'sender.street': row('O', AN(0, 100), { lenient }),
  'sender.city': row('O', senderName, { lenient }),
  'sender.state': row('O', senderName, { lenient }),
  'sender.country': row('O', labelled('AN 0-3 (ISO 3166-1 alpha-3)', countryAlpha3)),
  'sender.postcode': row('O', AN(1, 30), { lenient }),
  'sender.accountNumberType': row('O', oneOf(senderAccountTypes.join(', '), senderAccountTypes)),
  'sender.sourceOfFunds': row('O', oneOf(funds, ['01', '02', '03', '04', '05', '06', '07', '08', '09'])),
  'sender.entityType': row('O', AN(0, 50, 'AN 0-50 (e.g. individual, business)')),
  'sender.nationality': row('O', nameLetters('A 0-50', 0, 50)),
  'sender.occupation': row('O', AN(0, 50)),
  'sender.birthCountry': row('O', labelled('A 0-3 (alpha-3)', countryAlpha3)),
} satisfies Section['rows'];

const recipientName = nameWords('AN 0-48, letters, digits, whitespace', 48);
const recipientPhone = telephone(
  'AN, starts with + or digit, then 7-25 of digits, space, parentheses, dot, hyphen',
  ' ().-',
  [7, 25],
);
const recipientAccountTypes = [
  ...(['OTHER', 'RTN_AND_BANK_ACCOUNT', 'IBAN', 'CARD_ACCOUNT', 'EMAIL', 'PHONE_NUMBER', 'BAN_AND_BIC'] as const),
  ...(['WALLET_ID', 'SOCIAL_NETWORK_ID'] as const),
] as const;

/** Document 2, Recipient: the party whose debt is paid. */
export const recipient = {
  'recipient.givenName': row('O', recipientName, { lenient }),
  'recipient.middleName': row('O', recipientName, { lenient }),
  'recipient.surname': row('O', recipientName, { lenient }),
  'recipient.birthDate': row('O', date),
  'recipient.phone': row('O', recipientPhone, { scan: PHONE_OR_ARTICLE, lenient }),
  'recipient.accountNumber': row('O', AN(0, 32), {
    secret: ACCOUNT_NUMBER,
    note: 'May be a card number, so it is stored like one.',
  }),
  'recipient.street': row('O', AN(0, 100), { lenient }),
  'recipient.city': row('O', AN(0, 50), { lenient }),
  'recipient.state': row('O', AN(0, 50), { lenient }),
  'recipient.country': row('O', labelled('AN 0-3 (alpha-3)', countryAlpha3)),
  'recipient.postcode': row('O', AN(1, 30), { lenient }),
  'recipient.accountNumberType': row('O', oneOf(recipientAccountTypes.join(', '), recipientAccountTypes)),
  'recipient.nationality': row('O', nameLetters('A 0-50', 0, 50)),
  'recipient.identificationType': row('O', AN(0, 50)),
  'recipient.identificationValue': row('O', AN(0, 50), { secret: SEALED }),
  'recipient.entityType': row('O', AN(0, 50)),
  'recipient.relationship': row('O', AN(0, 50, 'AN 0-50 (relationship to the sender)')),
  'recipient.occupation': row('O', AN(0, 50)),
  'recipient.birthCountry': row('O', labelled('A 0-3 (alpha-3)', countryAlpha3)),
} satisfies Section['rows'];

const merchantPostcode = charset('AN 1-16', 'A-Za-z0-9-', { min: 1, max: 16, sample: '90210-B', wrong: [' ', '.', '_', 'ü'] });
const merchantPhone = charset('AN 0-25', 'A-Za-z0-9+.-', { min: 0, max: 25, sample: '+49-30.SHOP', wrong: [' ', '(', '_', 'ü'] });

/** Document 2, Merchant: data for the cardholder's statement in place of the merchant's own, and for facilitators. */
export const merchant = {
  'merchant.name': row('O', AN(1, 100), {
    lenient,
    note: 'Replaces the name on the statement; usually trading name, asterisk, product. One method greets the shopper with it.',
  }),
  'merchant.mcc': row('O', AN(0, 4), { note: 'Category code of the business.' }),
  'merchant.street': row('O', AN(1, 100), { lenient }),
  'merchant.city': row('O', AN(1, 100), {
    lenient,
    note: 'Second line of the statement: the city when the card is present, else a telephone number, e-mail address or URL.',
  }),
  'merchant.state': row('O', AN(1, 50), { lenient }),
  'merchant.countryCode': row('O', countryNumeric, { note: 'ISO 3166-1 numeric.' }),
  'merchant.country': row('O', countryAlpha2, { note: 'ISO 3166-1 alpha-2.' }),
  'merchant.postcode': row('O', merchantPostcode, { lenient, note: 'Letters, digits and hyphen.' }),
  'merchant.geographicCoordinates': row('O', AN(1, 20), { scan: COORDINATES, note: 'Latitude, comma, longitude.' }),
  'merchant.serviceLocationCity': row('O', AN(1, 100), {
    lenient,
    note: 'Where the service was received, when that is elsewhere.',
  }),
  'merchant.serviceLocationState': row('O', AN(1, 50), { lenient }),
  'merchant.serviceLocationCountryCode': row('O', AN(0, 3)),
  'merchant.serviceLocationPostCode': row('O', AN(1, 16), { lenient }),
  'merchant.serviceLocationGeographicCoordinates': row('O', AN(1, 20), { scan: COORDINATES }),
  'merchant.additionalContact': row('O', AN(1, 255), { lenient }),
  'merchant.phone': row('O', merchantPhone, { scan: PHONE_OR_ARTICLE, lenient, note: 'Letters, digits, plus, hyphen and dot.' }),
  'merchant.customerContactPhone': row('O', AN(0, 25), { scan: PHONE_OR_ARTICLE, lenient, note: 'Where shoppers call.' }),
  'merchant.websiteId': row('O', AN(0, 255), { note: 'A random session id, new for each transaction.' }),
  'merchant.url': row('O', AN(1, 255)),
  'merchant.partnerIdCode': row('O', AN(1, 60)),
  'merchant.isoId': row('O', AN(1, 255), { note: 'Id of the independent sales organisation.' }),
  'merchant.payFacId': row('O', AN(1, 255), { note: 'Id of the payment facilitator.' }),
  'merchant.payFacName': row('O', AN(1, 255), { lenient }),
  'merchant.submerchantId': row('O', AN(1, 100), { note: 'For the facilitators of one card network.' }),
  'merchant.marketplaceId': row('O', AN(1, 255)),
  'merchant.taxId': row('O', AN(1, 60), { scan: TICKET_OR_TAX }),
  'merchant.data[key]': row('O', labelled('key AN 3-64 (letters, digits, dot, underscore); value AN 0-2048', lines(0, 2048)), {
    keepsEmpty: true,
    note: 'Anything else a receiver wants to know.',
  }),
  'merchant.foreignRetailIndicator': row('O', AN(1, 25)),
  'merchant.legalName': row('O', AN(1, 100), { lenient }),
  'merchant.app.schemeUrl': row('O', AN(1, 255), { note: "The URL scheme that opens the merchant's app." }),
} satisfies Section['rows'];
