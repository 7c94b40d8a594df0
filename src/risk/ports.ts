import type { Amount } from '../money/amount.ts';
import type { CodeThat } from '../spec/resultCodes.ts';
import type { Issuer, RiskFacts } from './facts.ts';

/** What the risk room asks of the rooms outside it. Each has an honest in-memory form; none is ever mocked. */

/** By what attempts are counted; keys.ts says what each means. */
export type Dimension =
  | 'card'
  | 'email'
  | 'ip'
  | 'bin'
  | 'customer'
  | 'checkout'
  | 'entity'
  | 'mobile'
  | 'card+ip'
  | 'order'
  | 'transaction';

/**
 * Which attempts count. `declined`: the far side said no; `blocked`: we did; `failed`: one of both; `open`: nobody has said anything
 * yet; `unapproved`: all but the approved; `standing`: all but the failed.
 */
export type Outcome = 'any' | 'approved' | 'declined' | 'blocked' | 'failed' | 'open' | 'unapproved' | 'standing';

/** One window as a rule asks for it. `share` is the outcome's part of all attempts, in whole percent. */
export type Window = {
  readonly measure: 'count' | 'sum' | 'share' | 'distinct';
  readonly per: Dimension;
  /** What is told apart by `distinct`; null otherwise. */
  readonly what: Dimension | null;
  readonly ms: number;
  readonly outcome: Outcome;
};

/** A text, or the hash of one for whoever has made it already. */
export type Key = string | number;

/** The values of one request by dimension, tenant included; null: this request has none. */
export type Keys = Readonly<Record<Dimension, Key | null>>;

/** A window, whose it is and when. Sums are of one currency. */
export type WindowQuery = {
  readonly window: Window;
  readonly key: Key | null;
  readonly currency: string;
  readonly now: number;
};

/** A sum is in hundredths. Null: nothing to look for, or nothing to take a share of. */
export type WindowAnswer = number | bigint | null;

/** An attempt, told when it begins, and again with the same `at` when its outcome is known. */
export type WindowEvent = {
  readonly is: 'attempt' | 'approved' | 'declined' | 'blocked';
  /** When the attempt began, also when its outcome is told later. */
  readonly at: number;
  readonly keys: Keys;
  readonly amount: Amount;
  readonly currency: string;
  /** What the rule set asks for: nothing else needs to be remembered. */
  readonly windows: readonly Window[];
};

/** Answers by their place: a list is one, and so is something that looks an answer up when it is wanted. */
export type Answered<Answer> = { at(slot: number): Answer | undefined };

/** The memory of the windows. Answers are about what was noted before; the request at hand is not in them. */
export interface Velocity {
  /** The keys of a request as this memory knows them: made once, for all that is asked and noted about it. */
  keysOf(facts: RiskFacts): Keys;
  /**
   * Has an attempt judged on what was noted before it, and notes it, all in one breath: of a thousand at once each sees those before it.
   * What is declined is noted as blocked too. The answers stand in the order of the event's windows, and are good during the call only.
   */
  attempt<Judged extends { readonly verdict: { readonly is: string } }>(
    event: Omit<WindowEvent, 'is'>,
    judge: (windows: Answered<WindowAnswer>) => Judged,
  ): Promise<Judged>;
  read(asked: readonly WindowQuery[]): Promise<readonly WindowAnswer[]>;
  note(event: WindowEvent): Promise<void>;
}

/** What an entry of a list names. */
export type ListKind = 'card' | 'bin' | 'email' | 'emailDomain' | 'ip' | 'country' | 'customer';

/** What a rule asks the lists about: an e-mail address is found by itself and by its domain, a card by itself alone. */
export type ListSubject = 'card' | 'bin' | 'email' | 'ip' | 'country' | 'customer';

export type ListName = 'block' | 'allow';

/** One entry. Normalise with entryOf() before it is put; `expiresAt` null: for ever. */
export type ListEntry = {
  readonly merchantId: string;
  readonly list: ListName;
  readonly kind: ListKind;
  readonly value: string;
  readonly expiresAt: number | null;
};

export type Listing = { readonly list: ListName; readonly subject: ListSubject };

export interface Lists {
  /** For each listing whether the request is on that list; null when the request has nothing of that kind. */
  listed(asked: readonly Listing[], facts: RiskFacts): Promise<readonly (boolean | null)[]>;
  /** Replaces the entry of the same list, kind and value. False: the merchant's lists are full. */
  put(entry: ListEntry): Promise<boolean>;
  remove(entry: Omit<ListEntry, 'expiresAt'>): Promise<boolean>;
}

/** Where the entries of the lists are kept, for all nodes. */
export interface RiskStore {
  /** Counts the changes: the entries are read again when it is another number than last time. */
  listVersion(): Promise<number>;
  /** Every entry that has not expired by then; of one merchant, or of all. */
  listEntries(now: number, merchantId: string | null): Promise<readonly ListEntry[]>;
  /** Replaces the entry of the same merchant, list, kind and value. */
  putListEntry(entry: ListEntry): Promise<void>;
  /** False: there was none. */
  removeListEntry(entry: Omit<ListEntry, 'expiresAt'>): Promise<boolean>;
  /** Forgets entries that expired before the instant; answers how many. */
  forgetListEntries(before: number): Promise<number>;
}

/** What is known of cards and addresses by their numbers; null: nothing. */
export interface Lookups {
  issuer(bin: string): Issuer | null;
  /** ISO 3166-1 alpha-2. */
  country(ip: string): string | null;
}

/** What a screening provider may say. */
export type ScreeningVerdict =
  | { readonly is: 'accept' | 'challenge' | 'review'; readonly score?: number }
  | { readonly is: 'decline'; readonly score?: number; readonly code?: CodeThat<'declined'> };

/** A screening provider outside. It may reject, or never answer: both are silence. */
export interface Screening {
  readonly name: string;
  ask(facts: RiskFacts): Promise<ScreeningVerdict>;
}
