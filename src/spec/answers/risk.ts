import type { PaymentView } from './stored.ts';
import type { AmountText, Id, Instant } from './texts.ts';

/** Answers about risk. Instants are ISO texts, amounts texts with two decimals. */

export type RiskMode = 'on' | 'report' | 'off';
export type RiskVerdict = 'accept' | 'review' | 'challenge' | 'decline';

/** A rule as it is stored. */
export type RiskRule = {
  readonly id: string;
  readonly says: string;
  readonly when: string;
  readonly gives: { readonly verdict: RiskVerdict; readonly score?: number; readonly code?: string };
  readonly mode: 'on' | 'shadow' | 'off';
};

/** A rule in words: when it fires, and what it does then. Null where it cannot be read. */
export type RuleWords = { readonly when: string; readonly gives: string } | null;

export type RuleView = {
  readonly rule: RiskRule;
  readonly from: 'builtIn' | 'inherited' | 'own';
  readonly words: RuleWords;
};

/** Of readRiskRules. */
export type RiskRules = {
  readonly entityId: Id;
  readonly revision: number;
  /** The setting of the node itself; null: it has none, and inherits. */
  readonly own: Readonly<Record<string, unknown>> | null;
  /** The setting that is inherited unless the node has its own. */
  readonly inherited: Readonly<Record<string, unknown>>;
  /** The setting in force. */
  readonly mode: RiskMode;
  readonly thresholds: { readonly challenge: number | null; readonly review: number | null; readonly decline: number | null };
  /** Of the usual set, including rules that are off. */
  readonly rules: readonly RuleView[];
  readonly ruleSets: readonly string[];
  /** The names that a condition may use, with their kinds. */
  readonly names: readonly { readonly name: string; readonly kind: string }[];
  /** Whether a back-test can be made here: payments belong to merchants and channels. */
  readonly canBeTried: boolean;
};

/** `place` such as rules.3, thresholds, ruleSets.shop.0, or nothing for the whole; `character` counts from 1 in its condition. */
export type RiskFault = { readonly place: string; readonly character: number | null; readonly says: string };

/** Of checkRiskRules: words for every rule of `rules`, in their order. */
export type RiskChecked = { readonly faults: readonly RiskFault[]; readonly words: readonly RuleWords[] };

/** One rule in a risk evaluation. `quiet`: evaluated, not matched. The last two kinds show the current rules. */
export type RuleAbout = {
  readonly id: string;
  readonly says: string;
  readonly is: 'fired' | 'shadow' | 'quiet' | 'off';
  readonly verdict: RiskVerdict;
  readonly code: string | null;
  readonly score: number;
  readonly values: Readonly<Record<string, string>>;
  readonly words: RuleWords;
};

/** Of explainRisk. `assessment` is null where nothing was judged. */
export type RiskExplained = {
  readonly payment: PaymentView;
  readonly assessment: {
    readonly ruleSet: string;
    readonly verdict: RiskVerdict;
    readonly code: string | null;
    readonly asksReview: boolean;
    readonly score: number;
    readonly rules: readonly RuleAbout[];
  } | null;
};

export type Worth = 'good' | 'bad' | 'other';
export type Tally = { readonly count: number; readonly money: Readonly<Record<string, string>> };
export type Tallies = Readonly<Record<Worth, Tally>>;
export type BacktestSide = {
  readonly blocked: Tallies;
  readonly challenged: Tallies;
  readonly reviewed: Tallies;
  readonly rules: Readonly<Record<string, Readonly<Record<Worth, number>>>>;
  readonly shadow: Readonly<Record<string, Readonly<Record<Worth, number>>>>;
};

/** Also the output of `turnpike backtest --json`. */
export type BacktestReport = {
  readonly entity: { readonly id: string; readonly kind: string; readonly name: string };
  readonly span: { readonly from: string | null; readonly to: string };
  readonly seconds: number;
  readonly all: Tallies;
  readonly before: BacktestSide;
  readonly after: BacktestSide;
  readonly blockedNow: Tallies;
  readonly freedNow: Tallies;
};

export type BacktestSample = PaymentView & { readonly worth: Worth };

/** `lost`: the process that made it has ended. */
export type BacktestState = 'running' | 'done' | 'cancelled' | 'failed' | 'lost';

/** Of readBacktest and startBacktest. */
export type Backtest = {
  readonly id: string;
  readonly state: BacktestState;
  readonly startedAt: Instant;
  readonly span: { readonly from: string | null; readonly to: string };
  /** The rules that were tried. */
  readonly risk: Readonly<Record<string, unknown>>;
  readonly progress: { readonly done: number; readonly percent: number; readonly perSecond: number };
  readonly report: BacktestReport | null;
  readonly samples: Readonly<Record<'blockedNow' | 'freedNow' | 'reviewedNow', readonly BacktestSample[]>> | null;
};

/** Of readBacktest: null where none was ever made. */
export type LastBacktest = { readonly backtest: Backtest | null };

export type EntryView = {
  readonly list: 'block' | 'allow';
  readonly kind: 'card' | 'bin' | 'email' | 'emailDomain' | 'ip' | 'country' | 'customer';
  /** Of a card its keyed hash: to be sent back to take it off. */
  readonly value: string;
  /** The display text; for a card 420000••••0000, or null when it is unknown. */
  readonly shown: string | null;
  readonly expiresAt: Instant | null;
};

/** Of listRiskEntries. */
export type EntryPage = { readonly entries: readonly EntryView[]; readonly next: string | null };

/** Of importRiskEntries. */
export type Imported = { readonly entries: number };

/** The reversal or refund of a payment that a review declined. */
export type ReviewFollowUp = {
  readonly paymentType: 'RV' | 'RF';
  readonly paymentId: Id | null;
  readonly amount: AmountText;
  readonly code: string;
  readonly isDone: boolean;
};

export type ReviewView = {
  readonly payment: PaymentView;
  readonly score: number | null;
  /** The rule that asked for it. */
  readonly reasons: readonly { readonly id: string; readonly says: string }[];
  readonly decision: {
    readonly is: 'accepted' | 'refused';
    readonly note: string;
    readonly by: string;
    readonly at: Instant;
    readonly acts: readonly ReviewFollowUp[];
  } | null;
};

/** Of listReviews. */
export type ReviewPage = { readonly reviews: readonly ReviewView[]; readonly next: string | null };
