import { SECOND_MS } from '../../spec/time.ts';
import type { Dimension, ListName, ListSubject, Outcome, Window } from '../ports.ts';

/** The syntax tree of conditions. parse() builds it from text, print() writes it, compile() makes it executable. */

/** The text does not distinguish numbers from amounts, so both are stored exactly, as hundredths. */
export type Literal =
  | { readonly is: 'text'; readonly value: string }
  | { readonly is: 'number'; readonly hundredths: bigint }
  | { readonly is: 'span'; readonly ms: number };

export type Operand =
  | Literal
  | { readonly is: 'fact'; readonly name: string }
  | { readonly is: 'window'; readonly window: Window }
  /** The sum of a window plus the amount of the request. */
  | { readonly is: 'total'; readonly window: Window }
  | { readonly is: 'age'; readonly of: 'registration' | 'order' }
  | { readonly is: 'listed'; readonly list: ListName; readonly subject: ListSubject };

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';
export type TextTest = 'equals' | 'starts' | 'contains' | 'matches';

export type Condition =
  | { readonly is: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly is: 'not'; readonly part: Condition }
  | { readonly is: 'flag'; readonly of: Operand }
  | { readonly is: 'known'; readonly name: string }
  | { readonly is: 'compare'; readonly by: Comparison; readonly left: Operand; readonly right: Operand }
  | { readonly is: 'in'; readonly left: Operand; readonly list: readonly Literal[] }
  | { readonly is: 'test'; readonly by: TextTest; readonly left: Operand; readonly text: string };

/** A fault of a condition; `at` is the position in characters, from 1. */
export type ConditionFault = { readonly at: number; readonly says: string };

/** Thrown inside the parser only; parse() returns it as a ConditionFault. */
export class ConditionSyntaxError extends Error {
  readonly at: number;
  constructor(at: number, says: string) {
    super(says);
    this.at = at;
  }
}

export const conditionLimits = { charactersMax: 2_000, depthMax: 32, nodesMax: 200 } as const;

/** Longest first: a span is printed in the largest unit that fits it evenly. */
export const units: readonly (readonly [unit: string, ms: number])[] = [
  ['d', 86_400 * SECOND_MS],
  ['h', 3_600 * SECOND_MS],
  ['m', 60 * SECOND_MS],
  ['s', SECOND_MS],
];

/** Windows reach back no further; ages may. */
export const windowMsMax = 31 * 86_400 * SECOND_MS;

export const comparisons: readonly Comparison[] = ['=', '!=', '<', '<=', '>', '>='];
export const textTests: readonly TextTest[] = ['equals', 'starts', 'contains', 'matches'];
export const outcomes: readonly Outcome[] = [
  'any',
  'approved',
  'declined',
  'blocked',
  'failed',
  'open',
  'unapproved',
  'standing',
];
export const listSubjects: readonly ListSubject[] = ['card', 'bin', 'email', 'ip', 'country', 'customer'];

/** The pairs that `distinct(card per ip, 1h)` supports. */
export const pairs: readonly (readonly [what: Dimension, per: Dimension])[] = [
  ['card', 'ip'],
  ['card', 'email'],
  ['card', 'customer'],
  ['card', 'checkout'],
  ['card', 'bin'],
  ['card', 'mobile'],
  ['email', 'card'],
  ['email', 'ip'],
  ['ip', 'card'],
  ['ip', 'customer'],
  ['mobile', 'card'],
];
