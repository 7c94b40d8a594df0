import type { Brand, ItemExtras } from '../cards/brands.ts';
import { cartItems } from '../parameters/cart.ts';
import type { Sent } from './rule.ts';

/** The rows under which items come: whatever is sent of one makes it an item. */
const ROWS = [...Object.keys(cartItems), 'customParameters[name]'];

/** What a brand asks for besides its account, with the extras of every item by name. */
export function extrasOf({ extras, itemExtras }: Brand, sent: Sent): readonly string[] {
  if (!itemExtras) return extras;
  const { names } = itemExtras;
  return [...extras, ...numbersOf(itemExtras, sent).flatMap((number) => names.map((name) => name.replace('{n}', number)))];
}

function numbersOf({ first, seenBy }: ItemExtras, sent: Sent): readonly string[] {
  const seen = ROWS.flatMap((row) => sent.all(row)).flatMap(({ name }) => seenBy.exec(name)?.[1] ?? []);
  return seen.length === 0 ? [String(first)] : [...new Set(seen)];
}
