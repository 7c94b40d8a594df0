import { date } from '../formats/dates.ts';
import { AN, charset, flag, labelled, lines, N, oneOf, telephone, text } from '../formats/formats.ts';
import { IP, moved, PHONE_OR_ARTICLE, row, SEALED, type Section, TICKET_OR_TAX, without } from '../row.ts';

const phone = telephone(
  'AN up to 25, starts with + or a digit, then digits, space, dot, parentheses, slash, hyphen',
  ' .()/-',
  [0, 24],
);
const language = charset('2 upper-case letters', 'A-Z', { min: 2, max: 2, sample: 'DE', wrong: ['d', '1', ' ', 'Ä'] });
const forThreeDSecure = 'Required for 3D Secure version 2.';
const lenient = true;

/** Document 2, Customer. Serves storage, risk checks and providers that must know who pays. */
export const customer = {
  'customer.merchantCustomerId': row('O', AN(1, 255), { note: "The shopper's id in the shop." }),
  'customer.givenName': row('C', AN(1, 50), { lenient, note: 'Required when another customer parameter is sent.' }),
  'customer.middleName': row('O', AN(2, 50), { lenient }),
  'customer.surname': row('C', AN(1, 50), { lenient, note: 'Required when another customer parameter is sent.' }),
  'customer.sex': row('O', oneOf('M or F', ['M', 'F'])),
  'customer.birthDate': row('O', date),
  'customer.phone': row('O', phone, { scan: PHONE_OR_ARTICLE, lenient, note: 'Some risk checks need it.' }),
  'customer.mobile': row('O', labelled('same as phone', phone), { scan: PHONE_OR_ARTICLE, lenient }),
  'customer.workPhone': row('O', AN(1, 25), { scan: PHONE_OR_ARTICLE, lenient }),
  'customer.email': row('O', AN(6, 128), { lenient, note: 'Some risk checks and the sending of mandates need it.' }),
  'customer.companyName': row('O', AN(1, 60), { lenient }),
  'customer.identificationDocType': row('C', oneOf('IDCARD, PASSPORT, TAXSTATEMENT', ['IDCARD', 'PASSPORT', 'TAXSTATEMENT']), {
    note: 'Goes with identificationDocId; some methods need both.',
  }),
  'customer.identificationDocId': row('C', AN(8, 64), { secret: SEALED, note: 'Goes with identificationDocType.' }),
  'customer.ip': row('O', AN(1, 255), { scan: IP, note: "The shopper's network address." }),
  'customer.merchantReference': row('O', text, { note: 'What the payee knows the payer by.' }),
  'customer.salutation': row('O', oneOf('MR, MRS, MS, MX', ['MR', 'MRS', 'MS', 'MX'])),
  'customer.language': row('O', language, { note: 'NO or DE, for instance.' }),
  'customer.category': row('O', oneOf('INDIVIDUAL or COMPANY', ['INDIVIDUAL', 'COMPANY'])),
  'customer.status': row('O', oneOf('NEW or EXISTING', ['NEW', 'EXISTING'])),
  'customer.browserFingerprint.id': row('O', AN(1, 255)),
  'customer.browserFingerprint.value': row('O', lines(1, 4096)),
  'customer.browser.acceptHeader': row('C', AN(1, 2048), { note: `The browser's Accept header. ${forThreeDSecure}` }),
  'customer.browser.language': row('C', AN(1, 8), { note: `Language tag of BCP 47. ${forThreeDSecure}` }),
  'customer.browser.screenHeight': row('C', AN(1, 6), { note: `In pixels. ${forThreeDSecure}` }),
  'customer.browser.screenWidth': row('C', AN(1, 6), { note: `In pixels. ${forThreeDSecure}` }),
  'customer.browser.timezone': row('C', AN(1, 5), {
    note: `Minutes from the browser's local time to UTC: positive west of Greenwich, negative east of it. ${forThreeDSecure}`,
  }),
  'customer.browser.userAgent': row('C', AN(1, 2048), { note: forThreeDSecure }),
  'customer.browser.javaEnabled': row('C', flag, { note: forThreeDSecure }),
  'customer.browser.screenColorDepth': row('O', N(1, 2), { note: 'Bits of one pixel.' }),
  'customer.browser.challengeWindow': row('O', labelled('N1', N(1, 1)), { note: 'Code of one of the agreed window sizes.' }),
  'customer.browser.deviceId': row('O', AN(1, 32)),
  'customer.app.deviceId': row('O', AN(1, 40)),
} satisfies Section['rows'];

const onlyThePayers = [
  'customer.browserFingerprint.id',
  'customer.browserFingerprint.value',
  'customer.browser.deviceId',
  'customer.app.deviceId',
] as const;

/** Excluded by document 2 from the shipping customer. */
export const notOfShippingCustomer = [
  'shipping.customer.browserFingerprint.*',
  'shipping.customer.browser.deviceId',
  'shipping.customer.app.deviceId',
] as const;

/** Document 2, Shipping customer: the person the goods go to, described as the customer is. */
export const shippingCustomer = moved(
  without(customer, onlyThePayers),
  'customer',
  'shipping.customer',
) satisfies Section['rows'];

/** Document 2, Corporate. */
export const corporate = {
  'corporate.name': row('O', AN(1, 30), { lenient }),
  'corporate.description': row('O', AN(1, 160), { lenient }),
  'corporate.street': row('O', AN(1, 100), { lenient }),
  'corporate.address': row('O', AN(1, 100), { lenient, note: 'Second line of the address.' }),
  'corporate.city': row('O', AN(1, 80), { lenient }),
  'corporate.state': row('O', AN(1, 50), { lenient }),
  'corporate.postCode': row('O', AN(1, 16), { lenient }),
  'corporate.suite': row('O', AN(1, 30), { lenient }),
  'corporate.postboxNumber': row('O', AN(1, 15), { lenient }),
  'corporate.purchase': row('O', oneOf('Y or N (purchase indicator)', ['Y', 'N']), {
    note: 'Whether it is a corporate purchase.',
  }),
  'corporate.phone': row('O', N(1, 25), { scan: PHONE_OR_ARTICLE, lenient }),
  'corporate.fax': row('O', N(1, 25), { scan: PHONE_OR_ARTICLE, lenient }),
  'corporate.vatId': row('O', AN(0, 255), { scan: TICKET_OR_TAX }),
} satisfies Section['rows'];
