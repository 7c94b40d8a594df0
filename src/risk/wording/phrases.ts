import type { Comparison, TextTest } from '../conditions/syntax.ts';
import type { Dimension, ListName, ListSubject, Outcome } from '../ports.ts';
import type { RuleVerdict } from '../rules.ts';

type Counted = { readonly outcome: string; readonly by: string; readonly span: string };

/** The phrases with which one language describes rules. */
export type Phrases = {
  readonly when: string;
  readonly and: string;
  readonly or: string;
  readonly not: string;
  readonly oneOf: string;
  readonly quoted: (text: string) => string;
  readonly comparisons: Readonly<Record<Comparison, string>>;
  readonly tests: Readonly<Record<TextTest, string>>;
  readonly facts: Readonly<Record<string, string>>;
  /** The phrase for true and the phrase for false. */
  readonly flags: Readonly<Record<string, readonly [string, string]>>;
  readonly known: (fact: string, isSo: boolean) => string;
  readonly listed: (subject: ListSubject, list: ListName, isSo: boolean) => string;
  readonly dimensions: Readonly<Record<Dimension, string>>;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly windows: Readonly<Record<'count' | 'share' | 'sum' | 'total', (counted: Counted) => string>>;
  readonly distinct: (what: Dimension, per: Dimension, span: string) => string;
  readonly ages: Readonly<Record<'registration' | 'order', string>>;
  readonly units: Readonly<Record<'d' | 'h' | 'm' | 's', readonly [one: string, many: string]>>;
  readonly verdicts: Readonly<Record<RuleVerdict, string>>;
  readonly score: (score: number) => string;
};
