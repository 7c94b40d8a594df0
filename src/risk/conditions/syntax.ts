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

/** The canonical text of a condition: parsing it gives the same tree. */
export function print(condition: Condition): string {
  switch (condition.is) {
    case 'or':
      return condition.parts.map((part) => (part.is === 'or' ? `(${print(part)})` : print(part))).join(' or ');
    case 'and':
      return condition.parts.map((part) => (isCompound(part) ? `(${print(part)})` : print(part))).join(' and ');
    case 'not':
      return isCompound(condition.part) ? `not (${print(condition.part)})` : `not ${print(condition.part)}`;
    case 'flag':
      return printOperand(condition.of);
    case 'known':
      return `known(${condition.name})`;
    case 'compare':
      return `${printOperand(condition.left)} ${condition.by} ${printOperand(condition.right)}`;
    case 'in':
      return `${printOperand(condition.left)} in (${condition.list.map(printOperand).join(', ')})`;
    case 'test':
      return `${printOperand(condition.left)} ${condition.by} ${printText(condition.text)}`;
  }
}

const isCompound = ({ is }: Condition): boolean => is === 'and' || is === 'or';

export function printOperand(operand: Operand | Literal): string {
  switch (operand.is) {
    case 'text':
      return printText(operand.value);
    case 'number':
      return printNumber(operand.hundredths);
    case 'span':
      return printSpan(operand.ms);
    case 'fact':
      return operand.name;
    case 'window':
      return printWindow(operand.window);
    case 'total':
      return printWindow(operand.window).replace('sum', 'total');
    case 'age':
      return `age(${operand.of})`;
    case 'listed':
      return `listed(${operand.list}, ${operand.subject})`;
  }
}

const printText = (value: string): string => `'${value.replace(/['\\]/g, '\\$&')}'`;

function printNumber(hundredths: bigint): string {
  const rest = hundredths % 100n;
  return rest === 0n ? String(hundredths / 100n) : `${hundredths / 100n}.${String(rest).padStart(2, '0')}`;
}

export function printSpan(ms: number): string {
  const [unit, length] = units.find(([, unitMs]) => ms % unitMs === 0) ?? ['s', 1_000];
  return ms === 0 ? '0s' : `${ms / length}${unit}`;
}

/** Also the key by which equal windows of a rule set are recognised. */
export function printWindow({ measure, per, what, ms, outcome }: Window): string {
  if (measure === 'distinct') return `distinct(${what} per ${per}, ${printSpan(ms)})`;
  return `${measure}(${per}, ${printSpan(ms)}${outcome === 'any' ? '' : `, ${outcome}`})`;
}
