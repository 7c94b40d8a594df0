import type { Id, Instant } from './texts.ts';

/** Answers about routing. */

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

export type RoutingFiguresOfAccount = RoutingFigures & {
  /** Null: no account can take them. */
  readonly account: string | null;
};

/** What a list of rules does with the payments. */
export type RoutingOfRules = {
  readonly rules: readonly RoutingFiguresOfRule[];
  readonly accounts: readonly RoutingFiguresOfAccount[];
};

/** What an account did in fact with the payments that it got. */
export type RoutingAccountRecord = {
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
  /** Whether there are more payments than are read at once: the newest were read, and `from` is later than what was asked for. */
  readonly isCut: boolean;
  readonly payments: number;
  readonly present: RoutingOfRules;
  readonly proposed: RoutingOfRules;
  readonly accounts: readonly RoutingAccountRecord[];
};
