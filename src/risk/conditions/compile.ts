import type { RiskFacts } from '../facts.ts';
import type { Listing, Window, WindowAnswer } from '../needs.ts';
import { globOf } from './glob.ts';
import { kindOf } from './kinds.ts';
import { nameOf } from './names.ts';
import { printWindow } from './print.ts';
import type { Comparison, Condition, Literal, Operand, TextTest } from './syntax.ts';

/** What a condition looks at: the facts, and the answers to what its rule set asked, in the order in which it asked. */
export type View = {
  readonly facts: RiskFacts;
  readonly windows: Answered<WindowAnswer>;
  readonly listed: Answered<boolean | null>;
};

/** Answers by their place: a list is one, and so is something that looks an answer up when it is wanted. */
export type Answered<Answer> = { at(slot: number): Answer | undefined };

/** True, false, or null: not known. */
export type Truth = boolean | null;
export type Test = (view: View) => Truth;

type Value = string | number | bigint | boolean | null;
export type Read = (view: View) => Value;

/** The questions of a rule set, each once. Compiling a condition adds those it needs. */
export type Asked = { readonly windows: Window[]; readonly listings: Listing[] };

/**
 * A condition as a closure, made once. What compares with something unknown is unknown; `not` leaves it so; `and` is false as soon as
 * one part is, `or` true as soon as one is, and both are unknown when an unknown part decides. Nothing in here can throw.
 */
export function compile(condition: Condition, asked: Asked): Test {
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
        ? comparedTo(condition.by, readerOf(condition.left, asked), constant(condition.left, condition.right))
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

/** With something that never changes, each comparison as a function of its own: this is where most of the time of a rule set goes. */
function comparedTo(by: Comparison, left: Read, value: Value): Test {
  if (value === null) return () => null;
  const known = (holds: (own: NonNullable<Value>) => boolean): Test => {
    return (view) => {
      const own = left(view);
      return own === null ? null : holds(own);
    };
  };
  switch (by) {
    case '=':
      return known((own) => own === value);
    case '!=':
      return known((own) => own !== value);
    case '<':
      return known((own) => own < value);
    case '<=':
      return known((own) => own <= value);
    case '>':
      return known((own) => own > value);
    case '>=':
      return known((own) => own >= value);
  }
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

function rightOf(left: Operand, right: Operand, asked: Asked): Read {
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
export function readerOf(operand: Operand, asked: Asked): Read {
  switch (operand.is) {
    case 'text':
    case 'number':
    case 'span':
      return rightOf(operand, operand, asked);
    case 'fact': {
      const of = nameOf(operand.name)?.of;
      return of ? ({ facts }) => of(facts) : () => null;
    }
    case 'window': {
      const slot = slotOf(asked.windows, operand.window, printWindow);
      return ({ windows }) => windows.at(slot) ?? null;
    }
    case 'total': {
      const slot = slotOf(asked.windows, operand.window, printWindow);
      return ({ facts, windows }) => {
        const sum = windows.at(slot) ?? null;
        return sum === null ? null : BigInt(sum) + facts.amount;
      };
    }
    case 'listed': {
      const { list, subject } = operand;
      const slot = slotOf(asked.listings, { list, subject }, (one) => `${one.list} ${one.subject}`);
      return ({ listed }) => listed.at(slot) ?? null;
    }
    case 'age':
      return operand.of === 'order'
        ? ({ facts }) => facts.now - facts.orderedAt
        : ({ facts: { now, registration } }) => (registration ? now - registration.createdAt : null);
  }
}

/** Where the answer to a question stands; a question that nobody asked yet is added. */
function slotOf<Question>(questions: Question[], question: Question, text: (question: Question) => string): number {
  const wanted = text(question);
  const slot = questions.findIndex((one) => text(one) === wanted);
  return slot === -1 ? questions.push(question) - 1 : slot;
}
