import { type Amount, amountText } from '../../money/amount.ts';
import { maskCardNumbers } from '../../spec/cards/cardNumbers.ts';
import type { RiskFacts } from '../facts.ts';
import type { AnswerSlots, Listing, Window, WindowAnswer } from '../ports.ts';
import { globOf } from './glob.ts';
import { factNamed, kindOf } from './namedFacts.ts';
import {
  type Comparison,
  type Condition,
  type Literal,
  type Operand,
  printOperand,
  printSpan,
  printWindow,
  type TextTest,
} from './syntax.ts';

/** The input of a condition: the answers to the queries of its rule set, in their order, and the amount. */
export type ConditionContext = {
  readonly facts: AnswerSlots<Value>;
  readonly amount: Amount;
  readonly windows: AnswerSlots<WindowAnswer>;
  readonly listed: AnswerSlots<boolean | null>;
};

/** Null means unknown. */
export type Truth = boolean | null;
export type Test = (context: ConditionContext) => Truth;

export type Value = string | number | bigint | boolean | null;
type ValueReader = (context: ConditionContext) => Value;

/** A fact by its name in conditions, and how to read it. */
export type FactQuery = { readonly name: string; readonly of: (facts: RiskFacts) => Value };

/** The queries of a rule set, each once. Compiling a condition adds those it needs. */
export type RequiredFacts = { readonly facts: FactQuery[]; readonly windows: Window[]; readonly listings: Listing[] };

export const noRequiredFacts = (): RequiredFacts => ({ facts: [], windows: [], listings: [] });

/** The context of one request. A fact is read when a condition needs it. */
export const conditionContext = (
  facts: RiskFacts,
  required: readonly FactQuery[],
  rest: Pick<ConditionContext, 'windows' | 'listed'>,
): ConditionContext => ({
  facts: { at: (slot) => required[slot]?.of(facts) },
  amount: facts.amount,
  windows: rest.windows,
  listed: rest.listed,
});

/**
 * Compiles a condition into a closure, once. A comparison with an unknown value is unknown, and so is its negation; `and` is false when
 * one part is false, `or` true when one part is true, and otherwise an unknown part makes the result unknown. The closure never throws.
 */
export function compile(condition: Condition, required: RequiredFacts): Test {
  switch (condition.is) {
    case 'and':
      return all(condition.parts.map((part) => compile(part, required)));
    case 'or':
      return some(condition.parts.map((part) => compile(part, required)));
    case 'not': {
      const test = compile(condition.part, required);
      return (context) => {
        const truth = test(context);
        return truth === null ? null : !truth;
      };
    }
    case 'flag':
      return compileOperand(condition.of, required) as Test;
    case 'known': {
      const read = compileOperand({ is: 'fact', name: condition.name }, required);
      return (context) => read(context) !== null;
    }
    case 'compare':
      return isLiteral(condition.right)
        ? comparedTo(condition.by, condition.left, { value: constant(condition.left, condition.right), required })
        : compared(condition.by, compileOperand(condition.left, required), compileOperand(condition.right, required));
    case 'in':
      return among(
        compileOperand(condition.left, required),
        condition.list.map((item) => constant(condition.left, item)),
      );
    case 'test':
      return tested(condition.by, compileOperand(condition.left, required), condition.text.toLowerCase());
  }
}

function all(tests: readonly Test[]): Test {
  return (context) => {
    let truth: Truth = true;
    for (const test of tests) {
      const one = test(context);
      if (one === false) return false;
      if (one === null) truth = null;
    }
    return truth;
  };
}

function some(tests: readonly Test[]): Test {
  return (context) => {
    let truth: Truth = false;
    for (const test of tests) {
      const one = test(context);
      if (one === true) return true;
      if (one === null) truth = null;
    }
    return truth;
  };
}

const holds: Readonly<Record<Comparison, (left: NonNullable<Value>, right: NonNullable<Value>) => boolean>> = {
  '=': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

function compared(by: Comparison, left: ValueReader, right: ValueReader): Test {
  const compare = holds[by];
  return (context) => {
    const one = left(context);
    const other = right(context);
    return one === null || other === null ? null : compare(one, other);
  };
}

/** The values that satisfy a comparison with a number or an amount: all are whole. */
type Span = { readonly low: number | bigint; readonly high: number | bigint; readonly isInside: boolean };

function spanOf(by: Comparison, value: number | bigint): Span {
  const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const [before, after] = typeof value === 'bigint' ? [value - 1n, value + 1n] : [value - 1, value + 1];
  switch (by) {
    case '=':
    case '!=':
      return { low: value, high: value, isInside: by === '=' };
    case '<':
      return { low: least, high: before, isInside: true };
    case '<=':
      return { low: least, high: value, isInside: true };
    case '>':
      return { low: after, high: most, isInside: true };
    case '>=':
      return { low: value, high: most, isInside: true };
  }
}

/** Compares with a constant. Most conditions compare a window with a constant: these read it without a further call. */
function comparedTo(
  by: Comparison,
  left: Operand,
  { value, required }: { readonly value: Value; readonly required: RequiredFacts },
): Test {
  if (value === null) return () => null;
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    return compared(by, compileOperand(left, required), () => value);
  }
  const { low, high, isInside } = spanOf(by, value);
  if (left.is === 'window') {
    const slot = slotOf(required.windows, left.window, printWindow);
    return ({ windows }) => {
      const own = windows.at(slot) ?? null;
      return own === null ? null : (own >= low && own <= high) === isInside;
    };
  }
  const read = compileOperand(left, required) as (context: ConditionContext) => number | bigint | null;
  return (context) => {
    const own = read(context);
    return own === null ? null : (own >= low && own <= high) === isInside;
  };
}

const isLiteral = (operand: Operand): operand is Literal =>
  operand.is === 'text' || operand.is === 'number' || operand.is === 'span';

function among(left: ValueReader, values: readonly Value[]): Test {
  const set = new Set(values);
  return (context) => {
    const value = left(context);
    return value === null ? null : set.has(value);
  };
}

/** Text tests ignore case; `=` and `in` do not. */
function tested(by: TextTest, left: ValueReader, text: string): Test {
  const glob = by === 'matches' ? globOf(text) : null;
  const fits: (own: string) => boolean =
    glob ?? ((own) => (by === 'equals' ? own === text : by === 'starts' ? own.startsWith(text) : own.includes(text)));
  return (context) => {
    const value = left(context);
    return typeof value === 'string' ? fits(value.toLowerCase()) : null;
  };
}

function rightOf(left: Operand, right: Operand, required: RequiredFacts): ValueReader {
  if (!isLiteral(right)) return compileOperand(right, required);
  const value = constant(left, right);
  return () => value;
}

/** Amounts are compared as hundredths, counts as plain numbers. */
function constant(left: Operand, literal: Literal): Value {
  if (literal.is === 'text') return literal.value;
  if (literal.is === 'span') return literal.ms;
  return kindOf(left) === 'amount' ? literal.hundredths : Number(literal.hundredths / 100n);
}

/** Compiles an operand into a function that returns its value. */
function compileOperand(operand: Operand, required: RequiredFacts): ValueReader {
  switch (operand.is) {
    case 'text':
    case 'number':
    case 'span':
      return rightOf(operand, operand, required);
    case 'fact': {
      const of = factNamed(operand.name)?.of;
      return of ? factReader({ name: operand.name, of }, required) : () => null;
    }
    case 'window': {
      const slot = slotOf(required.windows, operand.window, printWindow);
      return ({ windows }) => windows.at(slot) ?? null;
    }
    case 'total': {
      const slot = slotOf(required.windows, operand.window, printWindow);
      return ({ amount, windows }) => {
        const sum = windows.at(slot) ?? null;
        return sum === null ? null : BigInt(sum) + amount;
      };
    }
    case 'listed': {
      const { list, subject } = operand;
      const slot = slotOf(required.listings, { list, subject }, (one) => `${one.list} ${one.subject}`);
      return ({ listed }) => listed.at(slot) ?? null;
    }
    case 'age':
      return factReader({ name: `age(${operand.of})`, of: ages[operand.of] }, required);
  }
}

const ages: Readonly<Record<'order' | 'registration', FactQuery['of']>> = {
  order: ({ now, orderedAt }) => now - orderedAt,
  registration: ({ now, registration }) => (registration ? now - registration.createdAt : null),
};

function factReader(fact: FactQuery, required: RequiredFacts): ValueReader {
  const slot = slotOf(required.facts, fact, ({ name }) => name);
  return ({ facts }) => facts.at(slot) ?? null;
}

/** The position of a query; a new query is added. */
function slotOf<Question>(questions: Question[], question: Question, text: (question: Question) => string): number {
  const wanted = text(question);
  const slot = questions.findIndex((one) => text(one) === wanted);
  return slot === -1 ? questions.push(question) - 1 : slot;
}

const CHARACTERS_MAX = 64;
const HIDDEN = '***';

/** The values of a condition's operands, by the canonical text of each, in the order of the condition. */
export type Values = Readonly<Record<string, string>>;

/** Compiles the explanation of a condition: used only when its rule has fired. */
export function compileExplanation(condition: Condition, required: RequiredFacts): (context: ConditionContext) => Values {
  const formatters = new Map<string, (context: ConditionContext) => string>();
  for (const operand of operandsOf(condition))
    formatters.set(printOperand(operand), formatterFor(operand, compileOperand(operand, required)));
  return (context) => {
    const values: Record<string, string> = {};
    for (const [name, format] of formatters) values[name] = format(context);
    return values;
  };
}

function operandsOf(condition: Condition): readonly Operand[] {
  switch (condition.is) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(operandsOf);
    case 'not':
      return operandsOf(condition.part);
    case 'flag':
      return [condition.of];
    case 'known':
      return [{ is: 'fact', name: condition.name }];
    case 'compare':
      return [condition.left, condition.right].filter(({ is }) => is !== 'text' && is !== 'number' && is !== 'span');
    case 'in':
    case 'test':
      return [condition.left];
  }
}

function formatterFor(operand: Operand, read: ValueReader): (context: ConditionContext) => string {
  const name = operand.is === 'fact' ? factNamed(operand.name) : undefined;
  const isHidden = name?.kind === 'text' && name.isHidden === true;
  const kind = kindOf(operand);
  return (context) => {
    const value = read(context);
    if (value === null) return 'unknown';
    if (isHidden) return HIDDEN;
    if (typeof value === 'string') return safeText(value);
    if (kind === 'span') return spanText(Number(value));
    return typeof value === 'bigint' ? amountText(value) : String(value);
  };
}

/** Ages are shown in whole seconds. */
const spanText = (ms: number): string => `${ms < 0 ? '-' : ''}${printSpan(Math.floor(Math.abs(ms) / 1_000) * 1_000)}`;

/** A string that is safe to show: short, and with anything that could be a card number masked. */
function safeText(text: string): string {
  const safe = maskCardNumbers(text, { isStrict: true });
  return safe.length > CHARACTERS_MAX ? `${safe.slice(0, CHARACTERS_MAX - 1)}…` : safe;
}
