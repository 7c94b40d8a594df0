import type { DueQuery } from '../../merchants/merchantFilter.ts';
import type { Payment } from '../../payments/payment.ts';
import type { CodeThat } from '../../spec/resultCodes.ts';

/** An action of the simulated acquirer on a later day. Amounts are whole hundredths, as strings. */
export type ScheduledAction =
  /** The payment was open at the end of its day: it is checked again. */
  | { readonly does: 'look'; readonly number: number }
  /** `number` distinguishes otherwise equal actions. */
  | { readonly does: 'pay'; readonly number: number; readonly gross: string; readonly fee: string }
  | {
      readonly does: 'chargeback' | 'reversal';
      readonly number: number;
      readonly amount: string;
      readonly code: CodeThat<'chargeback'>;
      /** The transaction that was recorded by the API; absent: the line makes one. */
      readonly recordedId?: string;
    };

export type ScheduledSettlement = {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly dueAt: number;
  readonly act: ScheduledAction;
};

/** An action with its payment, for the settlement file. Amounts are above zero. */
export type SettledAct = {
  readonly payment: Payment;
  /** The merchant's account number at the acquirer; null: the acquirer's default. */
  readonly account: string | null;
  /** The acquirer's id of the line. */
  readonly settlementId: string;
  readonly act:
    | { readonly does: 'pay'; readonly gross: bigint; readonly fee: bigint }
    | {
        readonly does: 'chargeback' | 'reversal';
        readonly amount: bigint;
        readonly code: CodeThat<'chargeback'>;
      };
};

/** The settlement position of a merchant. */
export type SettlementDay = {
  readonly merchantId: string;
  /** Every payment before this instant is settled or scheduled. */
  readonly since: number;
  /** When the day that starts there is settled; null: it has no payment yet. */
  readonly dueAt: number | null;
};

/** `floor`: the earliest payment time for merchants without a position, or with one after `now`. */
export type SettlementDaysQuery = { readonly merchantIds: readonly string[]; readonly now: number; readonly floor: number };

/** A merchant with a payment that waits for its day. `since`: the merchant's position; null: none yet. */
export type DayStart = { readonly merchantId: string; readonly since: number | null; readonly firstAt: number };

/** The store of the simulated acquirer's settlement. */
export interface SandboxSettlementStore {
  /** Due actions, ordered by time, merchant, payment and action. */
  scheduledSettlementsDue(query: DueQuery): Promise<readonly ScheduledSettlement[]>;
  /** Adds actions of a day; existing ones stay. False: the day is over, and nothing was written. */
  addScheduledSettlements(
    day: Pick<SettlementDay, 'merchantId' | 'since'>,
    acts: readonly ScheduledSettlement[],
  ): Promise<boolean>;
  /** Replaces actions of one merchant, in one commit. False: the first one no longer exists. */
  finishScheduledSettlements(
    done: readonly [ScheduledSettlement, ...ScheduledSettlement[]],
    instead: readonly ScheduledSettlement[],
  ): Promise<boolean>;
  daysDue(query: DueQuery): Promise<readonly SettlementDay[]>;
  /** The merchants with payments after their position. */
  daysToBegin(query: SettlementDaysQuery): Promise<readonly DayStart[]>;
  /** Moves the position of a merchant on from `from`, with the last actions of the finished day; null: the merchant has none yet. */
  saveDay(day: SettlementDay, from: number | null, acts?: readonly ScheduledSettlement[]): Promise<boolean>;
}
