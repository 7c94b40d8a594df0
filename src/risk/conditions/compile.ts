import type { Amount } from '../../money/amount.ts';
import type { RiskFacts } from '../facts.ts';
import type { Answered, Listing, Window, WindowAnswer } from '../ports.ts';
import { globOf } from './glob.ts';
import { kindOf } from './kinds.ts';
import { nameOf } from './names.ts';
import { printWindow } from './print.ts';
import type { Comparison, Condition, Literal, Operand, TextTest } from './syntax.ts';

/** What a condition looks at: the answers to what its rule set asked, in the order in which it asked, and the amount itself. */
export type View = {
  readonly facts: Answered<Value>;
  readonly amount: Amount;
  readonly windows: Answered<WindowAnswer>;
  readonly listed: Answered<boolean | null>;
};

/** True, false, or null: not known. */
export type Truth = boolean | null;
export type Test = (view: View) => Truth;

export type Value = string | number | bigint | boolean | null;
export type Read = (view: View) => Value;

/** A fact by the name it has in conditions, and how it is found among all that is known. */
export type FactQuery = { readonly name: string; readonly of: (facts: RiskFacts) => Value };

/** The questions of a rule set, each once. Compiling a condition adds those it needs. */
export type RequiredFacts = { readonly facts: FactQuery[]; readonly windows: Window[]; readonly listings: Listing[] };

export const nothingAsked = (): RequiredFacts => ({ facts: [], windows: [], listings: [] });

/** The view of one request. A fact is looked up when it is wanted. */
export const viewOf = (facts: RiskFacts, asked: readonly FactQuery[], rest: Pick<View, 'windows' | 'listed'>): View => ({
  facts: { at: (slot) => asked[slot]?.of(facts) },
  amount: facts.amount,
  windows: rest.windows,
  listed: rest.listed,
});

/**
 * A condition as a closure, made once. What compares with something unknown is unknown; `not` leaves it so; `and` is false as soon as
 * one part is, `or` true as soon as one is, and both are unknown when an unknown part decides. Nothing in here can throw.
 */
export function compile(condition: Condition, asked: RequiredFacts): Test {
  switch (condition.is) {
    case 'and':
      return all(condition.parts.map((part) => compile(part, asked)));
    case 'or':
      return some(condition.parts.map((part) => compile(part, asked)));
    case 'not': {
      const test = compile(condition.part, asked);
      return (view) => {
        const truth = test(view);
        return truth === null ? null : !truth;
      };
    }
    case 'flag':
      return readerOf(condition.of, asked) as Test;
    case 'known': {
      const read = readerOf({ is: 'fact', name: condition.name }, asked);
      return (view) => read(view) !== null;
    }
    case 'compare':
      return isLiteral(condition.right)
        ? comparedTo(condition.by, condition.left, { value: constant(condition.left, condition.right), asked })
        : compared(condition.by, readerOf(condition.left, asked), readerOf(condition.right, asked));
    case 'in':
      return among(
        readerOf(condition.left, asked),
        condition.list.map((item) => constant(condition.left, item)),
      );
    case 'test':
      return tested(condition.by, readerOf(condition.left, asked), condition.text.toLowerCase());
  }
}

function all(tests: readonly Test[]): Test {
  return (view) => {
    let truth: Truth = true;
    for (const test of tests) {
      const one = test(view);
      if (one === false) return false;
      if (one === null) truth = null;
    }
    return truth;
  };
}

function some(tests: readonly Test[]): Test {
  return (view) => {
    let truth: Truth = false;
    for (const test of tests) {
      const one = test(view);
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

function compared(by: Comparison, left: Read, right: Read): Test {
  const compare = holds[by];
  return (view) => {
    const one = left(view);
    const other = right(view);
    return one === null || other === null ? null : compare(one, other);
  };
}

/** What a comparison with a number or an amount lets through: all are whole, of hundredths or of seconds. */
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

/** With something that never changes. Most conditions are such comparisons of a window: these read it without a further call. */
function comparedTo(
  by: Comparison,
  left: Operand,
  { value, asked }: { readonly value: Value; readonly asked: RequiredFacts },
): Test {
  if (value === null) return () => null;
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    return compared(by, readerOf(left, asked), () => value);
  }
  const { low, high, isInside } = spanOf(by, value);
  if (left.is === 'window') {
    const slot = slotOf(asked.windows, left.window, printWindow);
    return ({ windows }) => {
      const own = windows.at(slot) ?? null;
      return own === null ? null : (own >= low && own <= high) === isInside;
    };
  }
  const read = readerOf(left, asked) as (view: View) => number | bigint | null;
  return (view) => {
    const own = read(view);
    return own === null ? null : (own >= low && own <= high) === isInside;
  };
}

const isLiteral = (operand: Operand): operand is Literal =>
  operand.is === 'text' || operand.is === 'number' || operand.is === 'span';

function among(left: Read, values: readonly Value[]): Test {
  const set = new Set(values);
  return (view) => {
    const value = left(view);
    return value === null ? null : set.has(value);
  };
}

/** The words ask without regard to case; `=` and `in` do not. */
function tested(by: TextTest, left: Read, text: string): Test {
  const glob = by === 'matches' ? globOf(text) : null;
  const fits: (own: string) => boolean =
    glob ?? ((own) => (by === 'equals' ? own === text : by === 'starts' ? own.startsWith(text) : own.includes(text)));
  return (view) => {
    const value = left(view);
    return typeof value === 'string' ? fits(value.toLowerCase()) : null;
  };
}

function rightOf(left: Operand, right: Operand, asked: RequiredFacts): Read {
  if (!isLiteral(right)) return readerOf(right, asked);
  const value = constant(left, right);
  return () => value;
}

/** Amounts are compared as hundredths, counts as plain numbers. */
function constant(left: Operand, literal: Literal): Value {
  if (literal.is === 'text') return literal.value;
  if (literal.is === 'span') return literal.ms;
  return kindOf(left) === 'amount' ? literal.hundredths : Number(literal.hundredths / 100n);
}

/** The value of an operand, as a function of what is known. */
export function readerOf(operand: Operand, asked: RequiredFacts): Read {
  switch (operand.is) {
    case 'text':
    case 'number':
    case 'span':
      return rightOf(operand, operand, asked);
    case 'fact': {
      const of = nameOf(operand.name)?.of;
      return of ? factReader({ name: operand.name, of }, asked) : () => null;
    }
    case 'window': {
      const slot = slotOf(asked.windows, operand.window, printWindow);
      return ({ windows }) => windows.at(slot) ?? null;
    }
    case 'total': {
      const slot = slotOf(asked.windows, operand.window, printWindow);
      return ({ amount, windows }) => {
        const sum = windows.at(slot) ?? null;
        return sum === null ? null : BigInt(sum) + amount;
      };
    }
    case 'listed': {
      const { list, subject } = operand;
      const slot = slotOf(asked.listings, { list, subject }, (one) => `${one.list} ${one.subject}`);
      return ({ listed }) => listed.at(slot) ?? null;
    }
    case 'age':
      return factReader({ name: `age(${operand.of})`, of: ages[operand.of] }, asked);
  }
}

const ages: Readonly<Record<'order' | 'registration', FactQuery['of']>> = {
  order: ({ now, orderedAt }) => now - orderedAt,
  registration: ({ now, registration }) => (registration ? now - registration.createdAt : null),
};

function factReader(fact: FactQuery, asked: RequiredFacts): Read {
  const slot = slotOf(asked.facts, fact, ({ name }) => name);
  return ({ facts }) => facts.at(slot) ?? null;
}

/** Where the answer to a question stands; a question that nobody asked yet is added. */
function slotOf<Question>(questions: Question[], question: Question, text: (question: Question) => string): number {
  const wanted = text(question);
  const slot = questions.findIndex((one) => text(one) === wanted);
  return slot === -1 ? questions.push(question) - 1 : slot;
}
