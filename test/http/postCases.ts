import type { EndpointName } from '../../src/spec/endpoints.ts';
import { CARD, type createClient, type Fields, SHOPPER } from './client.ts';

/** A POST of a merchant that succeeds. */
export type PostCase = {
  readonly fields: Fields;
  /** What the path names. */
  readonly named?: () => Promise<string>;
  /** Another request with the same key. */
  readonly other: Fields;
};

export const ORDER: Fields = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
const { paymentType: _, ...ASKED } = ORDER;
const { 'card.cvv': __, ...STORED } = CARD;
const RISK: Fields = { ...CARD, ...ORDER, ...SHOPPER, merchantTransactionId: 'order-17' };

/** One case for every POST of a merchant but those of schedules. */
export function postCases(shop: ReturnType<typeof createClient>): Readonly<Partial<Record<EndpointName, PostCase>>> {
  const stored = async () => (await shop.send('POST', '/v1/registrations', STORED)).id;
  const prepared = async () => (await shop.send('POST', '/v1/checkouts', ORDER)).id;
  const debited = async () => (await shop.pay()).id;
  const authorised = async () => (await shop.pay({ paymentType: 'PA' })).id;
  return {
    pay: { fields: { ...CARD, ...ORDER }, other: { amount: '93.00' } },
    refer: { fields: { paymentType: 'CP', amount: '10.00', currency: 'EUR' }, named: authorised, other: { amount: '11.00' } },
    capture: { fields: { amount: '10.00', currency: 'EUR' }, named: authorised, other: { amount: '11.00' } },
    refund: { fields: { amount: '10.00', currency: 'EUR' }, named: debited, other: { amount: '11.00' } },
    reverse: { fields: {}, named: authorised, other: { descriptor: 'other' } },
    register: { fields: STORED, other: { 'card.holder': 'Ben Example' } },
    payRegistered: { fields: ORDER, named: stored, other: { amount: '93.00' } },
    extendLife: { fields: {}, named: stored, other: { descriptor: 'other' } },
    createCheckout: { fields: ORDER, other: { amount: '93.00' } },
    updateCheckout: { fields: { amount: '94.00' }, named: prepared, other: { amount: '95.00' } },
    authenticate: {
      fields: { ...CARD, ...ASKED, ...SHOPPER, shopperResultUrl: 'https://shop.example/' },
      other: { amount: '93.00' },
    },
    assess: { fields: RISK, other: { amount: '93.00' } },
    screen: { fields: RISK, other: { amount: '93.00' } },
    screenAgain: { fields: RISK, other: { amount: '93.00' } },
  };
}
