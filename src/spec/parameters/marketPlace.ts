import { AN, money13 } from '../formats.ts';
import { row, type Section } from '../row.ts';

/** Document 3, Marketplace. The items of a seller are the cart items with the same sellerId. */
export const marketPlace = {
  'marketPlace.sellers[n].id': row('O', AN(1, 255), { note: "Equal to sellerId of the seller's cart items." }),
  'marketPlace.sellers[n].amount': row('O', money13, { note: "The seller's share." }),
} satisfies Section['rows'];
