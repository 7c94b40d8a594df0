import { moved } from '../moved.ts';
import type { Section } from '../row.ts';
import { shipping } from './shipping.ts';

/** What document 2 excludes from the merchant's shipping address. */
export const notOfMerchantShipping = ['merchant.shipping.customer.*'] as const;

/** Document 2, Merchant shipping address: shipping from another of the merchant's places. */
export const merchantShipping = moved(shipping, 'shipping', 'merchant.shipping') satisfies Section['rows'];
