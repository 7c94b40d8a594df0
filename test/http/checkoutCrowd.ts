import type { createShop } from './checkoutShopper.ts';
import type { Fields } from './client.ts';

export const CROWD = 32;
const CARDS: readonly (readonly [brand: string, number: string])[] = [
  ['VISA', '4200000000000000'],
  ['MASTER', '5200000000000007'],
  ['VISA', '4111111111111111'],
  ['VISA', '4200000000000026'],
];
export const FLOW: Fields = { shopperResultUrl: 'https://shop.example/', widgetFlow: 'tab' };
const ELSEWHERE: readonly Fields[] = [
  { paymentBrand: 'PAYPAL', ...FLOW },
  { paymentBrand: 'EPS', 'bankAccount.country': 'AT', ...FLOW },
  { paymentBrand: 'PREPAYMENT', ...FLOW },
];

type Shop = Pick<ReturnType<typeof createShop>, 'seal'>;

/** Forms of one checkout, each of another brand or card: most of them would succeed alone. */
export async function crowd(shop: Shop, id: string): Promise<readonly Fields[]> {
  const sealed = await Promise.all(CARDS.map(([, number]) => shop.seal(id, { 'card.number': number, 'card.cvv': '123' })));
  return Array.from({ length: CROWD }, (_, at) => {
    if (at % 5 === 4) return ELSEWHERE[at % ELSEWHERE.length] ?? {};
    const card = at % CARDS.length;
    const fate: Fields = at % 7 === 3 ? { 'card.holder': '800.100.151' } : {};
    const face = {
      paymentBrand: CARDS[card]?.[0] ?? '',
      'card.expiryMonth': '05',
      'card.expiryYear': '2034',
      'card.holder': 'Ann Example',
    };
    return { ...face, sealedFields: sealed[card] ?? '', ...FLOW, ...fate };
  });
}
