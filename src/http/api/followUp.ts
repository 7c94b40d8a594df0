import type { PaymentType } from '../../spec/paymentTypes.ts';
import type { Handler } from '../handler.ts';
import { authenticated } from './authenticate.ts';
import { pay } from './pay.ts';

const refer = authenticated(pay);

/** A follow-up of a payment whose type is in the path: the request of `refer` with that paymentType. */
export const followUp = (type: PaymentType): Handler => {
  const suffix = Buffer.from(`&paymentType=${type}`);
  return (services, request) => refer(services, { ...request, endpoint: 'refer', body: Buffer.concat([request.body, suffix]) });
};
