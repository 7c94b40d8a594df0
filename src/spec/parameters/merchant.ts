import { AN, charset, labelled, lines } from '../formats.ts';
import { countryAlpha2, countryNumeric } from '../isoCodes.ts';
import { COORDINATES, PHONE_OR_ARTICLE, row, type Section, TICKET_OR_TAX } from '../row.ts';

const postcode = charset('AN 1-16', 'A-Za-z0-9-', { min: 1, max: 16, sample: '90210-B', wrong: [' ', '.', '_', 'ü'] });
const phone = charset('AN 0-25', 'A-Za-z0-9+.-', { min: 0, max: 25, sample: '+49-30.SHOP', wrong: [' ', '(', '_', 'ü'] });
const lenient = true;

/** Document 2, Merchant: what the cardholder's statement shows instead of the merchant's own data, and what facilitators need. */
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
  'merchant.postcode': row('O', postcode, { lenient, note: 'Letters, digits and hyphen.' }),
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
  'merchant.phone': row('O', phone, { scan: PHONE_OR_ARTICLE, lenient, note: 'Letters, digits, plus, hyphen and dot.' }),
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
