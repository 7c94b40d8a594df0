import { appUrl, webUrl } from '../formats/addresses.ts';
import {
  AN,
  amount10,
  charset,
  flag,
  integer,
  labelled,
  letters,
  lines,
  money10,
  oneOf,
  text,
  upTo,
  word,
} from '../formats/formats.ts';
import { currency } from '../formats/isoCodes.ts';
import {
  type PaymentType,
  paymentTypes,
  type RecordedType,
  recordedTypes,
  type TypeAlias,
  typeAliases,
} from '../paymentTypes.ts';
import { type Format, NEVER_STORED, row, type Section } from '../row.ts';

const types = [...(Object.keys(paymentTypes) as PaymentType[]), ...(Object.keys(recordedTypes) as RecordedType[])];
/** The type of a payment as it is stored and answered. */
const paymentType: Format<PaymentType | RecordedType> = oneOf('A2', types);
/** As it is sent. */
const requestedType: Format<PaymentType | RecordedType | TypeAlias> = oneOf('A2', [
  ...types,
  ...(Object.keys(typeAliases) as TypeAlias[]),
]);
const lenient = true;

/** Document 2, Basic payment. */
export const basic = {
  amount: row('R', amount10, { note: 'The total amount; it includes tax, shipping and the like.' }),
  taxAmount: row('C', money10, { lenientFormat: amount10, note: 'Tax contained in the amount.' }),
  discountAmount: row('O', money10, { note: 'Discount on the whole invoice, for level 3 card data.' }),
  currency: row('R', labelled('A3, upper case', currency), { note: 'ISO 4217 code.' }),
  paymentBrand: row('C', word('AN 1-32, letters, digits, underscore', 1, 32), {
    note: 'Required unless the card number determines the brand.',
  }),
  paymentType: row('R', requestedType, {
    note:
      'PA, DB or CD start a payment, PA.CP stands for DB; CP, RV or RF refer to an earlier payment; ' +
      'CB, CR, RB or RC record an action of a bank.',
  }),
  integrity: row('O', flag, {
    note: 'With true the reply contains the hash of the widget script, so that the browser can verify it.',
  }),
  'overridePaymentType[brand]': row('O', labelled('key AN 1-32 (letters, digits, underscore); value A2', paymentType), {
    note: 'A payment type of its own for one brand; only when a checkout is created.',
  }),
  descriptor: row('O', AN(1, 127), {
    lenient,
    note: "First line of the shopper's statement, or a part of it; merchant.name may replace it.",
  }),
  merchantTransactionId: row('C', AN(8, 255), {
    lenient,
    note: "The merchant's own reference, best unique; reconciliation uses it.",
  }),
  merchantInvoiceId: row('O', AN(8, 255), { lenient, note: 'Invoice number, best unique; stays here.' }),
  merchantMemo: row('O', lines(8, 255), { lenient, note: 'A remark that only reports show.' }),
  transactionCategory: row('O', labelled('AN 0-32, letters and digits', oneOf('', ['EC', 'MO', 'TO', 'PO', 'PM', 'MOTO'])), {
    // Older clients mark the later payments of a series and of instalments here.
    lenientFormat: oneOf('RC, IN', ['RC', 'IN']),
    decision: '0011-dispatching-and-leniency.md',
    note: 'EC e-commerce, MO mail order, TO telephone order, PO point of sale, PM mobile point of sale, MOTO mail or telephone.',
  }),
  sequence: row('O', text, { note: 'FINAL says that no further capture, reversal or refund of this kind follows.' }),
  numberOfCaptures: row('O', integer('N2, 1 to 98', [1, 98], 2), { note: 'Maximum number of captures.' }),
  promotionCode: row('O', letters('AN 0-15, letters and digits', 0, 15), { note: 'One for each order.' }),
  locale: row('O', AN(1, 10), { note: 'Language and country such as de-AT, as far as the connector knows them.' }),
  transactionLinkId: row('O', AN(1, 35), { note: 'The card network’s identifier that later transactions are linked by.' }),
  lifecycleId: row('O', upTo(35), { note: 'Links an authorization with its increments, reversals and captures.' }),
  referenceUuid: row('O', upTo(32), {
    note: 'The referenced payment as a parameter instead of in the path, for REAUTHORIZATION and INCREMENTAL_AUTH.',
  }),
  transactionPurposeCode: row('O', AN(1, 12), {
    note: 'Some money transfers to recipients in Argentina, Bangladesh, Chile, Colombia, Egypt and India need it.',
  }),
  integrationType: row('O', AN(1, 10)),
  transactionBai: row('O', charset('AN2', 'A-Za-z0-9', { min: 1, max: 2, sample: 'AA1', wrong: ['-', ' '] }), {
    note: "Business application identifier of one network's money transfers.",
  }),
  transactionTti: row('O', charset('AN3', 'A-Za-z0-9', { min: 1, max: 3, sample: 'C07', wrong: ['-', ' '] }), {
    note: "Transaction type identifier of another network's money transfers.",
  }),
  transactionProcessingCode: row('O', oneOf('PURCHASE, FUNDING, PAYMENT', ['PURCHASE', 'FUNDING', 'PAYMENT']), {
    note: 'Default PURCHASE; the others mark the two legs of a money transfer.',
  }),
  testMode: row('O', oneOf('EXTERNAL or INTERNAL', ['EXTERNAL', 'INTERNAL']), {
    note: "Test environment only. INTERNAL (default) uses our simulators, EXTERNAL the processor's test system.",
  }),
} satisfies Section['rows'];

/** Document 2, Forex. */
export const forex = {
  'forex.amount': row('C', money10, { note: 'The amount after conversion, when a currency is converted on the way.' }),
  'forex.currency': row('C', labelled('A3, upper case', currency), { note: 'The currency converted into.' }),
} satisfies Section['rows'];

/** The identifiers this gateway gives out: 32 lower-case hexadecimal digits. One with digits alone is no card number. */
export const hexId = (label: string): Format => ({
  ...charset(label, 'a-f0-9', { min: 32, max: 32, sample: '8ac7a4c9d0e1b2f3', wrong: ['A', 'g', '-', ' '] }),
  scan: 'none',
});

/** Document 2, Authentication parameters. The Authorization header is not a parameter. */
export const authentication = {
  entityId: row('C', hexId('AN32, a-f and 0-9'), {
    note: 'The channel, or the merchant where payments are dispatched to channels.',
  }),
} satisfies Section['rows'];

/** Not in the documents: how older clients of this API authenticate, with parameters instead of a header. */
export const legacyAuthentication = {
  'authentication.userId': row('O', hexId('AN32, a-f and 0-9'), {
    note: 'Older clients only: the user, instead of an access token.',
  }),
  'authentication.password': row('O', AN(1, 128), {
    secret: NEVER_STORED,
    note: 'Older clients only: the password that goes with the user.',
  }),
  'authentication.entityId': row('O', hexId('AN32, a-f and 0-9'), { note: 'Older clients only: the same as entityId.' }),
} satisfies Section['rows'];

const entry = lines(0, 2048, 'name AN 3-64 (letters, digits, dot, underscore); value AN 0-2048');

/** Document 3, Custom parameters. */
export const customParameters = {
  'customParameters[name]': row('C', entry, {
    keepsEmpty: true,
    note: 'Comes back in the answer. From the widget the name must begin with SHOPPER_.',
  }),
} satisfies Section['rows'];

/** Document 3, Asynchronous payments; response.ts has the fields of the reply. */
export const asynchronous = {
  shopperResultUrl: row('C', appUrl('AN 6-2048'), { note: 'Where the shopper arrives after paying elsewhere; an absolute URL.' }),
  notificationUrl: row('O', webUrl('AN 6-2048'), { note: 'Deprecated: use webhooks.' }),
} satisfies Section['rows'];
