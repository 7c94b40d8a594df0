import { AN, flag, money10, oneOf } from '../formats.ts';
import { currency } from '../isoCodes.ts';
import { row, type Section } from '../row.ts';

/** Document 3, Cart payments: what has been paid already. */
export const cartPayments = {
  'cart.payments[n].name': row('O', AN(1, 255), { lenient: true }),
  'cart.payments[n].type': row('O', oneOf('AN 1-255', ['GIFTCARD', 'PROMOTION'])),
  'cart.payments[n].amount': row('O', money10),
  'cart.payments[n].currency': row('O', currency),
  'cart.payments[n].status': row('O', oneOf('AN 1-255', ['pending', 'authorized', 'captured'])),
  'cart.payments[n].brand': row('O', AN(1, 255)),
  'cart.payments[n].primary': row('O', flag, { note: 'Whether it is the main payment of the cart.' }),
} satisfies Section['rows'];
