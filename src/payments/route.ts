import type { Channel } from '../merchants/channel.ts';
import { isPaidElsewhere } from '../spec/brands.ts';
import type { Order } from './order.ts';
import type { Capability, Connector, World } from './ports.ts';
import type { Refusal } from './refusal.ts';

export type Route = { readonly connector: Connector; readonly capability: Capability };

/** The shopper is redirected. */
export const isOrderPaidElsewhere = ({
  paymentBrand,
  paymentType,
  registration,
}: Pick<Order, 'paymentBrand' | 'paymentType' | 'registration'>): boolean =>
  isPaidElsewhere(paymentBrand, paymentType, registration !== null);

/** What the way of an order depends on. */
export type RouteRequest = Pick<Order, 'paymentBrand' | 'paymentType' | 'method' | 'currency' | 'mode' | 'registration'> & {
  /** The account that a follow-up must go to: the one that took the payment. */
  readonly connector?: string;
};

/** Which connector takes the order, by the channel's settings and the connectors' capability tables: what is absent there is refused. */
export function route(order: RouteRequest, channel: Channel, connector: World['connector']): Route | Refusal {
  if (channel.brands && order.paymentBrand !== null && !channel.brands.includes(order.paymentBrand)) return '600.200.500';
  if (channel.currencies && order.currency !== null && !channel.currencies.includes(order.currency)) return '600.200.500';
  const name = order.connector ?? channel.connectors[order.method] ?? channel.connectors.default;
  const found = name === undefined ? null : connector(name, channel.entityId);
  const capability = found?.supports[order.method];
  if (!found || !capability || !found.modes.includes(order.mode)) return '600.200.201';
  if (isOrderPaidElsewhere(order) && !capability.redirects) return '600.200.201';
  // Details can be stored with any connector; whether it is asked about them is for its table to say.
  const isTaken = order.paymentType === 'RG' || (capability.types as readonly string[]).includes(order.paymentType);
  return isTaken ? { connector: found, capability } : '600.200.202';
}
