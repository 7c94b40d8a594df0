import { isRecord } from '../../runtime/json.ts';
import {
  admin,
  ENTITY,
  id,
  instant,
  type Kind,
  limit,
  matching,
  name,
  oneLine,
  oneOf,
  optional,
  required,
  session,
  tagged,
  token,
} from '../admin/kinds.ts';
import { hasCardNumber } from '../cards/cardNumbers.ts';

/** Payments in the back office: search, details and actions. */

/** The actions on a payment, with the type of the transaction. */
export const paymentActions = {
  capture: 'CP',
  refund: 'RF',
  reverse: 'RV',
  chargeback: 'CB',
  chargebackReversal: 'CR',
} as const;
export type PaymentAction = keyof typeof paymentActions;

/** How many rows a file has at most. */
export const EXPORT_ROWS_MAX = 50_000;

export const paymentStates = ['open', 'approved', 'declined'] as const;

/** The columns of a payment in lists and files. */
export const foundColumns = [
  ...(['createdAt', 'id', 'shortId', 'merchantTransactionId', 'paymentType', 'state', 'status', 'code', 'description'] as const),
  ...(['amount', 'currency', 'paymentBrand', 'last4', 'email', 'channel', 'entityId', 'referencedId'] as const),
] as const;
export type FoundColumn = (typeof foundColumns)[number];

/** A search text. It is part of an address, so card numbers are refused: their last four digits are enough. */
const text: Kind<string> = {
  ...oneLine([1, 255], {
    good: ['4242', '92.00 EUR', 'ann@shop.example', 'order-17', '2031-10-02', '1234.5678.9012'],
    bad: ['4111 1111 1111 1111'],
  }),
  message: 'must be 1 to 255 characters on one line, and no card number: its last four are enough',
  isSecret: true,
};

const amount = token(/^[0-9]{1,13}(?:\.[0-9]{2})?$/, 'must be an amount such as 92 or 92.00', {
  good: ['92.00', '92', '0.01'],
  bad: ['-1', '92.0', '92,00', '1e3', '12345678901234'],
});

const types = matching(/^[A-Z0-9]{2}(?:,[A-Z0-9]{2}){0,15}$/, 'must be payment types such as DB,PA', {
  good: ['DB', 'DB,PA,RF'],
  bad: ['db', 'DB PA', 'DBX', ','],
});

const brand = matching(/^[A-Z0-9_]{2,32}$/, 'must be a brand such as VISA', { good: ['VISA'], bad: ['visa', 'V', 'V!'] });

const code = matching(/^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/, 'must be a result code such as 800.100.151', {
  good: ['800.100.151'],
  bad: ['800', '800.100', '800.100.1511'],
});

const currency = matching(/^[A-Z]{3}$/, 'must be an ISO 4217 code', { good: ['EUR'], bad: ['eur', 'EURO', 'E1R'] });

const last4 = matching(/^[0-9A-Za-z]{4}$/, 'must be the last four of a number', {
  good: ['4242'],
  bad: ['424', '42424', '42 2'],
});

const email = matching(/^(?=.{3,254}$)[^\s@]+@[^\s@]+$/u, 'must be an e-mail address', {
  good: ['ann@shop.example'],
  bad: ['ann', 'a b@shop.example', '@'],
});

const place = token(/^[0-9]{1,16}-[0-9A-Za-z]{0,64}$/, 'must be as it was answered', {
  good: ['1790000000000-0123456789abcdef0123456789abcdef', '1790000000000-'],
  bad: ['x', '1790000000000', '-', '1-a b'],
});

/** `customer.merchantCustomerId`. */
export const merchantCustomerId = oneLine([1, 255], { good: ['17', 'customer 17'], bad: ['', null] });

const columns: Kind<readonly FoundColumn[]> = {
  message: `must be some of ${foundColumns.join(', ')}, commas between them`,
  schema: { type: 'string', pattern: '^[A-Za-z0-9]+(?:,[A-Za-z0-9]+)*$' },
  parse: (value) => {
    const named = typeof value === 'string' ? value.split(',') : [];
    const known = named.filter((one): one is FoundColumn => (foundColumns as readonly string[]).includes(one));
    return known.length === named.length && known.length > 0 && new Set(known).size === known.length ? known : undefined;
  },
  good: ['createdAt', 'id,amount,currency'],
  bad: ['other', 'id,id', 'id,,amount'],
};

/** Made by the page for one act: whatever is sent again with it is done once. */
export const key = token(/^[A-Za-z0-9_-]{16,64}$/, 'must be 16 to 64 letters, digits, - or _', {
  good: ['0123456789abcdef', 'A'.repeat(64)],
  bad: ['', 'short', 'A'.repeat(65), 'with space 0123456', 7, null],
});

const refundReason = oneLine([1, 200], { good: ['Damaged', 'Ware kam beschädigt an'], bad: ['', ' ', 7, null] }, true);

const filters: Kind<Readonly<Record<string, string>>> = {
  message: 'must be an object of at most 20 short texts',
  schema: { type: 'object', additionalProperties: { type: 'string', maxLength: 255 }, maxProperties: 20 },
  parse: (value) => {
    if (!isRecord(value) || Object.keys(value).length > 20) return undefined;
    const isShort = ([named, one]: [string, unknown]) =>
      /^[A-Za-z0-9]{1,32}$/.test(named) && typeof one === 'string' && one.length <= 255 && !hasCardNumber(one);
    return Object.entries(value).every(isShort) ? (value as Record<string, string>) : undefined;
  },
  good: [{}, { state: 'declined', brand: 'VISA' }],
  bad: ['', [], { state: 7 }, { 'a b': 'x' }, { text: '4200000000000000' }, null],
};

const words: Kind<readonly string[]> = {
  message: 'must be a list of at most 40 names',
  schema: { type: 'array', items: { type: 'string', pattern: '^[A-Za-z0-9]{1,32}$' }, maxItems: 40 },
  parse: (value) =>
    Array.isArray(value) && value.length <= 40 && value.every((one) => typeof one === 'string' && /^[A-Za-z0-9]{1,32}$/.test(one))
      ? (value as string[])
      : undefined,
  scan: 'none',
  good: [[], ['amount', 'code']],
  bad: ['amount', [7], ['a b'], Array.from({ length: 41 }, () => 'x'), null],
};

const page = matching(/^[a-z]{1,32}$/, 'must be the name of a page', { good: ['payments'], bad: ['Payments', '/', 'a b'] });

export const paymentEndpoints = {
  ...tagged('adminPayments', {
    searchPayments: admin('GET', '/admin/v1/payments', 'readPayments', 'Search payments, newest first.'),
    exportPayments: admin('GET', '/admin/v1/paymentExport', 'readPayments', 'Export the results of a search as CSV.'),
    seePayment: admin(
      'GET',
      '/admin/v1/payments/{id}',
      'readPayments',
      'Read a payment with its timeline, related transactions and possible actions.',
    ),
    capturePayment: admin(
      'POST',
      '/admin/v1/payments/{id}/capture',
      'capture',
      'Capture an authorised payment, in full or in part.',
    ),
    refundPayment: admin('POST', '/admin/v1/payments/{id}/refund', 'refund', 'Refund a payment, in full or in part.', {
      stepUp: true,
    }),
    reversePayment: admin('POST', '/admin/v1/payments/{id}/reverse', 'reverse', 'Reverse a payment before it is settled.'),
    chargebackPayment: admin(
      'POST',
      '/admin/v1/payments/{id}/chargeback',
      'chargeback',
      'Record a chargeback, in full or in part.',
      { stepUp: true },
    ),
    reverseChargeback: admin(
      'POST',
      '/admin/v1/payments/{id}/chargebackReversal',
      'chargeback',
      'Record the reversal of a chargeback.',
      { stepUp: true },
    ),
  }),
  ...tagged('ownAccount', {
    listViews: session('GET', '/admin/v1/views', 'List your saved views.'),
    saveView: session('POST', '/admin/v1/views', 'Save a view; replaces one of the same name.'),
    removeView: session('DELETE', '/admin/v1/views/{id}', 'Delete a saved view.'),
  }),
} as const;

/**
 * The filters of the payment search. This table names them for the API, the CSV export, the back office and the stores: a new row does not
 * compile until every one of them has its part.
 */
export const searchFilters = {
  from: optional(instant, 'Only payments created at or after this instant.'),
  to: optional(instant, 'Only payments created before this instant.'),
  state: optional(oneOf(paymentStates), 'Only open, approved or declined payments.', 'declined'),
  types: optional(types, 'Only these types.'),
  brand: optional(brand, 'Only this brand.'),
  code: optional(code, 'Only this result code.'),
  currency: optional(currency, 'Only this currency.'),
  amount: optional(amount, 'Only this amount.'),
  last4: optional(last4, 'Only numbers with these last four digits.'),
  email: optional(email, 'Only this complete e-mail address of the customer.'),
  customer: optional(
    merchantCustomerId,
    'Only payments of the customer with this merchantCustomerId, or with details stored for it.',
    'customer-17',
  ),
} as const;
export type SearchFilterName = keyof typeof searchFilters;
export const searchFilterNames = Object.keys(searchFilters) as readonly SearchFilterName[];

const searched = {
  entityId: required(id, 'Any entity: its payments and those of all entities below it.', ENTITY),
  text: optional(
    text,
    'An id, short id, reference, last four digits, e-mail address, amount or day; the first three may be incomplete.',
  ),
  ...searchFilters,
} as const;

const done = {
  amount: required(amount, 'The amount, in the currency of the payment.'),
  key: required(key, 'Idempotency key: a repeated request with the same key is done once.'),
} as const;

export const paymentFields = {
  searchPayments: { ...searched, after: optional(place, '`next` of the previous page.'), limit },
  exportPayments: { ...searched, columns: optional(columns, 'The columns in their order.') },
  seePayment: {},
  capturePayment: done,
  refundPayment: { ...done, reason: optional(refundReason, 'Why it is refunded; kept as the memo of the refund.') },
  reversePayment: { ...done, amount: optional(amount, 'The amount; default: everything that is left.') },
  chargebackPayment: { ...done, reason: optional(code, "The bank's reason as a result code.", '000.100.203') },
  reverseChargeback: done,
  listViews: { page: optional(page, 'Only views of this page.') },
  saveView: {
    page: required(page, 'The page.'),
    name: required(name, 'For you.', 'Declined today'),
    filters: required(filters, 'The filters, as in the URL of the page.'),
    columns: optional(words, 'The visible columns.'),
  },
  removeView: {},
} as const;
