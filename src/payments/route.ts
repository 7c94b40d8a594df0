import type { Channel } from '../merchants/channel.ts';
import { isPaidElsewhere } from '../spec/cards/brands.ts';
import type { RoutingRule } from '../spec/routing.ts';
import { ruleFor, rulesIn } from './connector/routing.ts';
import type { Order, Refusal } from './order.ts';
import type { Capability, Connector, World } from './ports.ts';

export type Route = {
  readonly connector: Connector;
  readonly capability: Capability;
  /** The names of accounts that can take the order too, in the order in which they are asked; absent: none. */
  readonly others?: readonly string[];
};

/** No account of the rule can take the order, and the rule allows no other. Nothing else has this code. */
export const REFUSED_BY_RULE = '500.100.401' satisfies Refusal;

/** Accounts that one payment is sent to at most. */
const ACCOUNTS_MAX = 3;

/** The shopper is redirected. */
export const isOrderPaidElsewhere = ({
  paymentBrand,
  paymentType,
  registration,
}: Pick<RouteRequest, 'paymentBrand' | 'paymentType' | 'registration'>): boolean =>
  isPaidElsewhere(paymentBrand, paymentType, registration !== null);

/** The parts of an order that decide its route. */
export type RouteRequest = Pick<Order, 'paymentBrand' | 'paymentType' | 'method' | 'currency' | 'mode'> &
  Partial<Pick<Order, 'amount' | 'instrument'>> & {
    /** The stored details of the payer; null: none. */
    readonly registration: object | null;
    /** The account that a follow-up must go to: the one that took the payment. */
    readonly connector?: string;
  };

/** Data for rules that is not in the order. */
export type RoutingSource = {
  readonly ids: Pick<World['ids'], 'random'>;
  readonly risk: { readonly lookups: Pick<World['risk']['lookups'], 'issuer'> };
};

/**
 * Which connector takes the order, by the channel's rules and settings and the connectors' capability tables: whatever is absent there is
 * refused. The accounts of the rule come first, then the one that the channel names unless the rule says `refuse`; the first one that is
 * on and can take the order does, and the others follow where its decline allows it.
 */
export function route(
  order: RouteRequest,
  channel: Channel,
  connector: World['connector'],
  source: RoutingSource | null = null,
): Route | Refusal {
  if (channel.brands && order.paymentBrand !== null && !channel.brands.includes(order.paymentBrand)) return '600.200.500';
  if (channel.currencies && order.currency !== null && !channel.currencies.includes(order.currency)) return '600.200.500';
  if (order.connector !== undefined) return routeTo(order, connector(order.connector, channel.entityId));
  const rule = channel.routing === undefined ? null : ruleOf(order, rulesIn(channel.routing), source);
  const named = channel.connectors[order.method] ?? channel.connectors.default;
  if (rule === null) return routeTo(order, onlyIfOn(named === undefined ? null : connector(named, channel.entityId)));
  const isClosed = rule.otherwise === 'refuse';
  const names = new Set(isClosed || named === undefined ? rule.to : [...rule.to, named]);
  const found = [...names].map((name) => routeTo(order, onlyIfOn(connector(name, channel.entityId))));
  const [first, ...others] = found.filter((one) => typeof one !== 'string');
  if (!first && isClosed) return REFUSED_BY_RULE;
  if (!first) return found.find((one) => typeof one === 'string') ?? '600.200.201';
  return others.length === 0 ? first : { ...first, others: others.slice(0, ACCOUNTS_MAX - 1).map((one) => one.connector.name) };
}

const DRAWN_HEX = 8;

function ruleOf(order: RouteRequest, rules: readonly RoutingRule[], source: RoutingSource | null): RoutingRule | null {
  if (rules.length === 0) return null;
  return ruleFor(
    rules,
    { amount: null, instrument: null, ...order },
    {
      issuer: (bin) => source?.risk.lookups.issuer(bin) ?? null,
      // Without a source nothing is paid yet: whatever has a share is offered.
      draw: () => (source ? (100 * Number.parseInt(source.ids.random().slice(0, DRAWN_HEX), 16)) / 16 ** DRAWN_HEX : 0),
    },
  );
}

const onlyIfOn = (connector: Connector | null): Connector | null => (connector?.isOff ? null : connector);

function routeTo(order: RouteRequest, found: Connector | null): Route | Refusal {
  const capability = found?.supports[order.method];
  if (!found || !capability || !found.modes.includes(order.mode)) return '600.200.201';
  if (isOrderPaidElsewhere(order) && !capability.redirects) return '600.200.201';
  // Details can be stored with any connector; whether it is asked about them is for its table to say.
  const isTaken = order.paymentType === 'RG' || (capability.types as readonly string[]).includes(order.paymentType);
  return isTaken ? { connector: found, capability } : '600.200.202';
}
