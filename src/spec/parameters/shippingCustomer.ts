import { moved, without } from '../moved.ts';
import type { Section } from '../row.ts';
import { customer } from './customer.ts';

const onlyThePayers = [
  'customer.browserFingerprint.id',
  'customer.browserFingerprint.value',
  'customer.browser.deviceId',
  'customer.app.deviceId',
] as const;

/** What document 2 excludes from the shipping customer. */
export const notOfShippingCustomer = [
  'shipping.customer.browserFingerprint.*',
  'shipping.customer.browser.deviceId',
  'shipping.customer.app.deviceId',
] as const;

/** Document 2, Shipping customer: the person the goods go to, described as the customer is. */
export const shippingCustomer = moved(
  without(customer, onlyThePayers),
  'customer',
  'shipping.customer',
) satisfies Section['rows'];
