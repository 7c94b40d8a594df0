import type { AmountText, Id, Instant } from './texts.ts';

/** The figures of the dashboard. Amounts are texts with two decimals; instants are ISO 8601 in UTC. */

/** `rejected`: by the risk checks. `declined`: by the bank or the acquirer. */
export const results = ['approved', 'declined', 'rejected', 'pending'] as const;
export type Result = (typeof results)[number];

/** `refused`: rejected by the issuer without a challenge. `notAsked`: 3D Secure was not requested. */
export const threeDSOutcomes = [
  'frictionless',
  'challengePassed',
  'attempted',
  'challengeFailed',
  'refused',
  'notEnrolled',
  'unavailable',
  'notAsked',
  'pending',
] as const;
export type ThreeDSOutcome = (typeof threeDSOutcomes)[number];

/** `first`: by the first try. `later`: by a later one. `waiting`: it failed and is tried again. `dead`: given up. */
export const webhookOutcomes = ['first', 'later', 'waiting', 'dead'] as const;
export type WebhookOutcome = (typeof webhookOutcomes)[number];

export type Step = 'quarter' | 'hour' | 'day' | 'week' | 'month';

/** In milliseconds; null when nothing was measured. A fifth more or less. */
export type Latency = { readonly p50: number | null; readonly p95: number | null; readonly count: number };

/** The figures of one period. Attempts are debits and preauthorizations that reference nothing. */
export type Figures = {
  /** Attempts by result. */
  readonly attempts: Readonly<Record<Result, number>>;
  /** The sum of approved attempts, by currency. */
  readonly volume: Readonly<Record<string, string>>;
  /** How many approved attempts there are, by currency. */
  readonly approved: Readonly<Record<string, number>>;
  readonly threeDS: Readonly<Record<ThreeDSOutcome, number>>;
  readonly latency: Latency;
  readonly webhooks: Readonly<Record<WebhookOutcome, number>>;
  /** How long the first tries took that were answered. */
  readonly webhookLatency: Latency;
};

/** One step of the requested period. The first and the last may be shorter than the others. */
export type Point = Figures & { readonly from: string; readonly to: string };

export type Decline = { readonly code: string; readonly text: string; readonly count: number };
export type BrandFigures = {
  readonly brand: string;
  readonly attempts: Readonly<Record<Result, number>>;
  readonly volume: Readonly<Record<string, string>>;
};
/** Approved transactions of a type: refunds, captures and the like. */
export type TypeFigures = {
  readonly type: string;
  readonly currency: string;
  readonly count: number;
  readonly amount: AmountText;
};

export type StatisticsAnswer = {
  readonly entityId: Id;
  /** Days, weeks and months begin by the clocks of this zone. */
  readonly timeZone: string;
  readonly from: string;
  readonly to: string;
  readonly step: Step;
  /** The present time of the entity. */
  readonly now: Instant;
  readonly points: readonly Point[];
  readonly total: Figures;
  /** The figures of the previous period, which has the same length. */
  readonly before: Figures;
  /** Why attempts failed, the most frequent reason first. */
  readonly declines: readonly Decline[];
  readonly brands: readonly BrandFigures[];
  readonly types: readonly TypeFigures[];
};
