import { AN, telephone, text } from '../formats.ts';
import { moved } from '../moved.ts';
import { PHONE_OR_ARTICLE, row, type Section } from '../row.ts';
import { billing } from './billing.ts';

/** A telephone number as the addresses want it, longer than the customer's. */
export const addressPhone = telephone(
  'AN, starts with + or digit, then 5-25 of digits, space, dot, parentheses, slash, hyphen',
  ' .()/-',
  [5, 25],
);

const lenient = true;

/** Document 2, Merchant billing address: billing from another of the merchant's places. */
export const merchantBilling = {
  ...moved(billing, 'billing', 'merchant.billing'),
  'merchant.billing.givenName': row('O', text, { lenient }),
  'merchant.billing.surname': row('O', text, { lenient }),
  'merchant.billing.middleName': row('O', text, { lenient }),
  'merchant.billing.companyName': row('O', AN(1, 60), { lenient }),
  'merchant.billing.phone': row('O', AN(1, 25), { scan: PHONE_OR_ARTICLE, lenient }),
  'merchant.billing.workPhone': row('O', AN(1, 25), { scan: PHONE_OR_ARTICLE, lenient }),
  'merchant.billing.mobile': row('O', addressPhone, { scan: PHONE_OR_ARTICLE, lenient }),
  'merchant.billing.email': row('O', AN(6, 128), { lenient }),
} satisfies Section['rows'];
