import type { Channel } from '../../merchants/channel.ts';
import { amountOf } from '../../money/amount.ts';
import { isRecord } from '../../runtime/json.ts';
import { brands, isPaidElsewhere } from '../../spec/cards/brands.ts';
import { isCountryAlpha2 } from '../../spec/countries.ts';
import { isCurrency } from '../../spec/currencies.ts';
import { methods } from '../../spec/paymentTypes.ts';
import { type RoutingCondition, type RoutingRule, routingOtherwise } from '../../spec/routing.ts';
import type { Order, Refusal } from '../order.ts';
import type { Capability, Connector, World } from '../ports.ts';

/** Data for a rule that is not in the order. Both functions are called only where a rule needs them. */
export type RoutingFacts = {
  issuer(bin: string): { readonly country?: string | null; readonly type?: string | null } | null;
  /** A number from 0 up to, not including, 100. */
  draw(): number;
};

type Routed = Pick<Order, 'method' | 'paymentBrand' | 'currency' | 'amount' | 'instrument'>;

type Test<Value> = {
  /** Continues "must be". */
  readonly says: string;
  readonly fits: (value: unknown) => boolean;
  readonly holds: (value: Value, order: Routed, facts: RoutingFacts) => boolean;
};

const LIST_MAX = 500;
const RULES_MAX = 200;

const listOf = (what: string, isOne: (text: string) => boolean) => ({
  says: `a list of ${what}`,
  fits: (value: unknown): boolean =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= LIST_MAX &&
    value.every((one) => typeof one === 'string' && isOne(one)),
});

const amount = {
  says: 'an amount such as "10.00"',
  fits: (value: unknown) => typeof value === 'string' && amountOf(value) !== undefined,
};

const binOf = ({ instrument }: Routed): string | null => (instrument?.kind === 'card' ? instrument.bin : null);
const issuerOf = (order: Routed, { issuer }: RoutingFacts) => {
  const bin = binOf(order);
  return bin === null ? null : issuer(bin);
};
const includes = (list: readonly string[], one: string | null | undefined): boolean => one != null && list.includes(one);

/** Every condition: how it looks, and when it holds. A condition about something that a payment does not have does not hold. */
const conditions: { readonly [Name in keyof RoutingCondition]-?: Test<NonNullable<RoutingCondition[Name]>> } = {
  methods: {
    ...listOf(`payment methods (${Object.keys(methods).join(', ')})`, (one) => Object.hasOwn(methods, one)),
    holds: (list, { method }) => includes(list, method),
  },
  brands: {
    ...listOf('brands', (one) => Object.hasOwn(brands, one)),
    holds: (list, { paymentBrand }) => includes(list, paymentBrand),
  },
  currencies: { ...listOf('ISO 4217 currencies', isCurrency), holds: (list, { currency }) => includes(list, currency) },
  amountFrom: { ...amount, holds: (from, order) => order.amount !== null && order.amount >= (amountOf(from) ?? 0n) },
  amountTo: { ...amount, holds: (to, order) => order.amount !== null && order.amount <= (amountOf(to) ?? 0n) },
  bins: {
    ...listOf('first digits of card numbers, 1 to 8 of them', (one) => /^[0-9]{1,8}$/.test(one)),
    holds: (list, order) => list.some((bin) => binOf(order)?.startsWith(bin.slice(0, binOf(order)?.length ?? 0)) ?? false),
  },
  cardCountries: {
    ...listOf('countries by two letters', isCountryAlpha2),
    holds: (list, order, facts) => includes(list, issuerOf(order, facts)?.country),
  },
  cardTypes: {
    ...listOf('card types such as DEBIT or CREDIT', (one) => /^[A-Z_ ]{1,32}$/.test(one)),
    holds: (list, order, facts) => includes(list, issuerOf(order, facts)?.type),
  },
};

type ConditionName = keyof RoutingCondition;
const conditionNames = Object.keys(conditions) as readonly ConditionName[];

function holds(when: RoutingCondition, order: Routed, facts: RoutingFacts): boolean {
  return conditionNames.every((name) => {
    const value = when[name];
    // The value of each name fits the test of that name: settings are checked before they are stored.
    return value === undefined || conditions[name].holds(value as never, order, facts);
  });
}

/** The first rule that matches an order; null: none does. */
export function ruleFor(rules: readonly RoutingRule[], order: Routed, facts: RoutingFacts): RoutingRule | null {
  return rules.find(({ when = {}, share }) => holds(when, order, facts) && (share === undefined || facts.draw() < share)) ?? null;
}

/** The rules in the settings of a channel. */
export const rulesIn = (routing: Readonly<Record<string, unknown>> | undefined): readonly RoutingRule[] =>
  Array.isArray(routing?.rules) ? (routing.rules as readonly RoutingRule[]) : [];

const ACCOUNT_NAME = /^[a-z][a-zA-Z0-9]{0,63}$/;
const accounts = listOf('account names', (one) => ACCOUNT_NAME.test(one));

/** The faults of the setting `routing`, a sentence for each. */
export function routingFaults(value: unknown): readonly string[] {
  if (!isRecord(value)) return ['the setting "routing" must be an object'];
  const others = Object.keys(value).filter((name) => name !== 'rules');
  const { rules = [] } = value;
  return [
    ...others.map((name) => `the setting "routing.${name.slice(0, 64)}" does not exist`),
    ...placedRuleFaults(rules).map(({ at, says }) =>
      at === null ? `the setting "routing.rules" ${says}` : `the setting "routing.rules.${at}": ${says}`,
    ),
  ];
}

/** The faults of a list of rules: the place of the rule, and a sentence that names it by its number. `at` null: the list itself. */
export function placedRuleFaults(rules: unknown): readonly { readonly at: number | null; readonly says: string }[] {
  if (!Array.isArray(rules) || rules.length > RULES_MAX)
    return [{ at: null, says: `must be a list of at most ${RULES_MAX} rules` }];
  return rules.flatMap((rule: unknown, at) => ruleFaults(rule).map((says) => ({ at, says: `rule ${at + 1}: ${says}` })));
}

function ruleFaults(rule: unknown): readonly string[] {
  if (!isRecord(rule)) return ['must be an object of to, and if wanted name, when, share and otherwise'];
  const { name, when = {}, share, to, otherwise = 'channel', ...others } = rule;
  const isShare = typeof share === 'number' && share > 0 && share <= 100;
  return [
    ...Object.keys(others).map((member) => `"${member.slice(0, 64)}" does not exist`),
    ...(name === undefined || (typeof name === 'string' && name.length <= 100) ? [] : ['"name" must be at most 100 characters']),
    ...(share === undefined || isShare ? [] : ['"share" must be a number above 0 and at most 100']),
    ...(accounts.fits(to) ? [] : [`"to" must be ${accounts.says}`]),
    ...(routingOtherwise.some((one) => one === otherwise) ? [] : [`"otherwise" must be one of ${routingOtherwise.join(', ')}`]),
    ...(isRecord(when) ? whenFaults(when) : ['"when" must be an object']),
  ];
}

function whenFaults(when: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(when).flatMap(([name, value]) => {
    if (!Object.hasOwn(conditions, name))
      return [`"when.${name.slice(0, 64)}" does not exist; there are ${conditionNames.join(', ')}`];
    const { fits, says } = conditions[name as ConditionName];
    return fits(value) ? [] : [`"when.${name}" must be ${says}`];
  });
}

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
