import type { Amount } from '../money/amount.ts';
import type { CodeThat } from '../spec/resultCodes.ts';
import type { Issuer, RiskFacts } from './facts.ts';

/** The ports of the risk module. Each has an in-memory implementation; tests mock none of them. */

/** The dimensions by which attempts are counted; keys.ts describes each. */
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
 * Which attempts count. `declined`: by the acquirer; `blocked`: by the rules; `failed`: declined or blocked; `open`: without an outcome
 * yet; `unapproved`: all but the approved; `standing`: approved or possibly approved later. An attempt that ended with nothing booked and
 * no word about the card is none of `failed`, `open` and `standing`.
 */
export type Outcome = 'any' | 'approved' | 'declined' | 'blocked' | 'failed' | 'open' | 'unapproved' | 'standing';

/** A window that a rule uses. `share` is the outcome's part of all attempts, in whole percent. */
export type Window = {
  readonly measure: 'count' | 'sum' | 'share' | 'distinct';
  readonly per: Dimension;
  /** The dimension whose values `distinct` counts; null for other measures. */
  readonly what: Dimension | null;
  readonly ms: number;
  readonly outcome: Outcome;
};

/** A string, or its hash when the caller has computed it already. */
export type Key = string | number;

/** The keys of one request by dimension, merchant included; null when the request has no such value. */
export type Keys = Readonly<Record<Dimension, Key | null>>;

/** A window, a key and an instant. Sums are of one currency. */
export type WindowQuery = {
  readonly window: Window;
  readonly key: Key | null;
  readonly currency: string;
  readonly now: number;
};

/** A sum is in hundredths. Null: the request has no key, or there is no attempt to take a share of. */
export type WindowAnswer = number | bigint | null;

/** An attempt is recorded when it begins, and again with the same `at` when its outcome is known. */
export type WindowEvent = {
  readonly is: 'attempt' | 'approved' | 'declined' | 'blocked' | 'unbooked';
  /** When the attempt began, also for an outcome that is recorded later. */
  readonly at: number;
  readonly keys: Keys;
  readonly amount: Amount;
  readonly currency: string;
  /** The windows of the rule set: nothing else needs to be counted. */
  readonly windows: readonly Window[];
};

/** Answers by position: an array, or an object that computes an answer when it is read. */
export type AnswerSlots<Answer> = { at(slot: number): Answer | undefined };

/** The velocity counters. Answers are about earlier requests; the current request is not included. */
export interface Velocity {
  /** The keys of a request, computed once for all queries and records about it. */
  keysOf(facts: RiskFacts): Keys;
  /**
   * Evaluates an attempt on the counters so far and records it, in one atomic step: of a thousand concurrent attempts each sees the ones
   * before it. A declined attempt is also recorded as blocked. The answers have the order of the event's windows and are valid during
   * the call only. Counters in the memory of the process return without a promise.
   */
  attempt<Evaluated extends { readonly verdict: { readonly is: string } }>(
    event: Omit<WindowEvent, 'is'>,
    evaluate: (windows: AnswerSlots<WindowAnswer>) => Evaluated,
  ): Evaluated | Promise<Evaluated>;
  query(queries: readonly WindowQuery[]): Promise<readonly WindowAnswer[]>;
  record(event: WindowEvent): void | Promise<void>;
}

/** The kind of value that a list entry holds. */
export type ListKind = 'card' | 'bin' | 'email' | 'emailDomain' | 'ip' | 'country' | 'customer';

/** The subject that a rule looks up in the lists: an e-mail address matches by itself and by its domain, a card only by itself. */
export type ListSubject = 'card' | 'bin' | 'email' | 'ip' | 'country' | 'customer';

export type ListName = 'block' | 'allow';

/** A list entry. Normalise it with entryOf() before storing it; `expiresAt` null: never expires. */
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
  listed(listings: readonly Listing[], facts: RiskFacts): readonly (boolean | null)[] | Promise<readonly (boolean | null)[]>;
  /** Replaces the entry of the same list, kind and value. False: the merchant's lists are full. */
  put(entry: ListEntry): Promise<boolean>;
  remove(entry: Omit<ListEntry, 'expiresAt'>): Promise<boolean>;
}

/** The stored list entries, shared by all nodes. */
export interface RiskStore {
  /** Changes with every change of an entry: the entries are reloaded when it differs. */
  listVersion(): Promise<number>;
  /** Every entry that has not expired at `now`, of one merchant or of all. */
  listEntries(now: number, merchantId: string | null): Promise<readonly ListEntry[]>;
  /** Replaces the entry of the same merchant, list, kind and value. */
  putListEntry(entry: ListEntry): Promise<void>;
  /** False: there was none. */
  removeListEntry(entry: Omit<ListEntry, 'expiresAt'>): Promise<boolean>;
  /** Deletes entries that expired before the instant; returns their number. */
  deleteListEntries(before: number): Promise<number>;
}

/** Data about BINs and IP addresses; null when there is none. */
export interface Lookups {
  issuer(bin: string): Issuer | null;
  /** ISO 3166-1 alpha-2. */
  country(ip: string): string | null;
}

/** The answers of a screening provider. */
export type ScreeningVerdict =
  | { readonly is: 'accept' | 'challenge' | 'review'; readonly score?: number }
  | { readonly is: 'decline'; readonly score?: number; readonly code?: CodeThat<'declined'> };

/** An external screening provider. A rejection and a missing answer are both silence. */
export interface ScreeningProvider {
  readonly name: string;
  screen(facts: RiskFacts): Promise<ScreeningVerdict>;
}

type RiskEntryListQuery = {
  readonly merchantId: string;
  readonly list: ListName | null;
  readonly kind: ListKind | null;
  /** Only values with this in them, in lower case. */
  readonly containing: string | null;
  readonly now: number;
  /** Only entries after this one, in the order of list, kind and value. */
  readonly after: Pick<ListEntry, 'list' | 'kind' | 'value'> | null;
  readonly limit: number;
};

/** Pages of the block and allow lists. */
export interface RiskListPages {
  entriesListed(query: RiskEntryListQuery): Promise<readonly ListEntry[]>;
}
