import type { Id, Instant } from './answers/texts.ts';

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

/** Payments, their share of all payments in percent, and their amounts by currency. */
export type RoutingFigures = {
  readonly count: number;
  readonly share: number;
  readonly amounts: Readonly<Record<string, string>>;
};

export type RoutingFiguresOfRule = RoutingFigures & {
  /** From 1; null: no rule matches, and the setting connectors decides. */
  readonly rule: number | null;
  readonly name: string | null;
};

type RoutingFiguresOfAccount = RoutingFigures & {
  /** Null: no account can take them. */
  readonly account: string | null;
};

/** The payments that each rule of a list matches, and that each account takes. */
export type RoutingOfRules = {
  readonly rules: readonly RoutingFiguresOfRule[];
  readonly accounts: readonly RoutingFiguresOfAccount[];
};

/** How an account answered the payments that it was sent. */
type RoutingAccountRecord = {
  readonly account: string;
  readonly count: number;
  /** Approved or declined by the account. */
  readonly decided: number;
  readonly approved: number;
  /** Approved of decided, in percent; null: nothing was decided. */
  readonly approvalRate: number | null;
};

/** Of tryRouting. */
export type RoutingBacktest = {
  readonly entityId: Id;
  /** Payments that began after it were read. */
  readonly from: Instant;
  readonly to: Instant;
  /** Whether there were too many payments for one back-test: only the newest were read, and `from` is later than requested. */
  readonly isCut: boolean;
  readonly payments: number;
  readonly present: RoutingOfRules;
  readonly proposed: RoutingOfRules;
  readonly accounts: readonly RoutingAccountRecord[];
};
