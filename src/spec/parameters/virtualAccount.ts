import { AN } from '../formats.ts';
import { PHONE_OR_ARTICLE, row, type Section } from '../row.ts';

/** Document 2, Virtual account. */
export const virtualAccount = {
  'virtualAccount.accountId': row('R', AN(1, 100), {
    scan: PHONE_OR_ARTICLE,
    note: "The shopper's account at an account-based payment method.",
  }),
} satisfies Section['rows'];
