/** Which account takes which payment: the setting `routing.rules` of a channel, tried from the first rule on. */
export type RoutingRule = {
  /** For people. */
  readonly name?: string;
  /** All that is given must hold; nothing given: every payment. */
  readonly when?: RoutingCondition;
  /** Of the payments that match, so many percent; the others go on to the next rule. */
  readonly share?: number;
  /** Accounts by name: the first one that is on and can take the payment. */
  readonly to: readonly string[];
  /** After these accounts: `channel` (default) is the account of the setting `connectors`, `refuse` is none. */
  readonly otherwise?: RoutingOtherwise;
};

export const routingOtherwise = ['channel', 'refuse'] as const;
export type RoutingOtherwise = (typeof routingOtherwise)[number];

export type RoutingCondition = {
  readonly methods?: readonly string[];
  readonly brands?: readonly string[];
  readonly currencies?: readonly string[];
  /** Both ends included, such as "10.00". */
  readonly amountFrom?: string;
  readonly amountTo?: string;
  /** The first digits of a card's number. */
  readonly bins?: readonly string[];
  /** Where the card was issued, and its type, as far as the table of BINs knows. */
  readonly cardCountries?: readonly string[];
  readonly cardTypes?: readonly string[];
};

/** How long a payment may wait, over all its accounts, until a request that can book it has left. See decisions/0095. */
export const UNSENT_SECONDS = 4;
export const UNSENT_SECONDS_MAX = 20;

/** The code of a payment of which no request that can book it has left. */
export const UNSENT_CODE = '900.100.600';
