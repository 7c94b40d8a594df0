import type { DueQuery } from '../../merchants/merchantFilter.ts';
import type { Payment } from '../../payments/payment.ts';
import type { CodeThat } from '../../spec/resultCodes.ts';

/** What the sandbox's acquirer does with a payment on a later day. Amounts are whole hundredths, as text. */
export type ScheduledAction =
  /** It was open when its day was over: it is looked at again. */
  | { readonly does: 'look'; readonly number: number }
  /** `number` tells acts apart that are the same otherwise. */
  | { readonly does: 'pay'; readonly number: number; readonly gross: string; readonly fee: string }
  | {
      readonly does: 'chargeback' | 'reversal';
      readonly number: number;
      readonly amount: string;
      readonly code: CodeThat<'chargeback'>;
    };

export type ScheduledSettlement = {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly dueAt: number;
  readonly act: ScheduledAction;
};

/** An act with its payment, for whoever makes the file. Amounts are above zero. */
export type SettledAct = {
  readonly payment: Payment;
  /** By which number the acquirer knows the merchant; null: by one of its own. */
  readonly account: string | null;
  /** What the acquirer calls the line. */
  readonly settlementId: string;
  readonly act:
    | { readonly does: 'pay'; readonly gross: bigint; readonly fee: bigint }
    | {
        readonly does: 'chargeback' | 'reversal';
        readonly amount: bigint;
        readonly code: CodeThat<'chargeback'>;
      };
};

/** How far the acquirer has come with a merchant. */
export type SettlementDay = {
  readonly merchantId: string;
  /** Every payment before this instant has been looked at. */
  readonly since: number;
  /** When the day that begins there is looked at; null: there is nothing in it yet. */
  readonly dueAt: number | null;
};

/** `floor`: from where on payments count for whoever has no day yet, or one that lies ahead of `now`. */
export type SettlementDaysQuery = { readonly merchantIds: readonly string[]; readonly now: number; readonly floor: number };

/** A merchant who has a payment that waits for its day. `since`: how far he has come; null: there is no day yet. */
export type Begins = { readonly merchantId: string; readonly since: number | null; readonly firstAt: number };

/** What the days of the sandbox's acquirer ask of a store. */
export interface SandboxSettlementStore {
  /** By instant, merchant, payment and act. */
  scheduledSettlementsDue(asked: DueQuery): Promise<readonly ScheduledSettlement[]>;
  /** Acts of payments of a day; those that are there already stay. False: the day is over, and nothing was written. */
  addScheduledSettlements(
    day: Pick<SettlementDay, 'merchantId' | 'since'>,
    acts: readonly ScheduledSettlement[],
  ): Promise<boolean>;
  /** Takes away acts of one merchant and puts others in their place, in one commit. False: the first was not there any more. */
  finishScheduledSettlements(
    done: readonly [ScheduledSettlement, ...ScheduledSettlement[]],
    instead: readonly ScheduledSettlement[],
  ): Promise<boolean>;
  daysDue(asked: DueQuery): Promise<readonly SettlementDay[]>;
  /** Who of these has payments since his day that is not looked at yet. */
  daysToBegin(asked: SettlementDaysQuery): Promise<readonly Begins[]>;
  /** Kept only where the merchant has come so far, together with the last acts of the day that is over; null: where he has no day yet. */
  saveDay(day: SettlementDay, from: number | null, acts?: readonly ScheduledSettlement[]): Promise<boolean>;
}
