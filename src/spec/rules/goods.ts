import { type Finding, type Rule, requiredWhen, type Sent } from './rule.ts';

/** Sellers without goods, and goods of a seller that is not listed. */
function unmatchedSellers(sent: Sent): readonly Finding[] {
  const sellers = sent.all('marketPlace.sellers[n].id');
  const items = sent.all('cart.items[n].sellerId');
  const known = new Set(sellers.map(({ text }) => text));
  const owners = new Set(items.map(({ text }) => text));
  const nameless = sent
    .all('marketPlace.sellers[n].amount')
    .map(({ name }) => name.replace(/amount$/, 'id'))
    .filter((name) => !sent.has(name));
  return [
    ...nameless.map((name) => ({ name, message: requiredWhen(`${name.replace(/id$/, 'amount')} is sent`) })),
    ...sellers
      .filter(({ text }) => !owners.has(text))
      .map(({ name }) => ({ name, message: 'must be the sellerId of a cart item' })),
    ...items.filter(({ text }) => !known.has(text)).map(({ name }) => ({ name, message: 'must be the id of a seller' })),
  ];
}

/** Document 3, marketplace. */
export const goods: readonly Rule[] = [
  {
    title: 'Every marketplace seller has a cart item, and every sellerId is a listed seller.',
    when: ['marketPlace.*'],
    finds: unmatchedSellers,
  },
];
