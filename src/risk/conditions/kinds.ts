import { globFault } from './glob.ts';
import { factNamed, type Kind } from './namedFacts.ts';
import { type Comparison, ConditionSyntaxError, type Literal, type Operand, type TextTest } from './syntax.ts';

/** Type checks of conditions, when they are parsed. */

const WHOLE_MAX = 10n ** 15n;

export function kindOf(operand: Operand): Kind {
  switch (operand.is) {
    case 'text':
    case 'number':
    case 'span':
      return operand.is;
    case 'fact':
      return factNamed(operand.name)?.kind ?? 'text';
    case 'window':
      return operand.window.measure === 'sum' ? 'amount' : 'number';
    case 'total':
      return 'amount';
    case 'age':
      return 'span';
    case 'listed':
      return 'flag';
  }
}

const isLiteral = ({ is }: Operand): boolean => is === 'text' || is === 'number' || is === 'span';

type Sides = { readonly left: Operand; readonly right: Operand };
type Positions = { readonly at: number; readonly rightAt: number };

/** Both sides, with literals in the normal form of the fact they are compared with. */
export function checkCompare({ at, rightAt }: Positions, by: Comparison, { left, right }: Sides): Sides {
  if (isLiteral(left)) throw new ConditionSyntaxError(at, 'a name stands on the left, what it is compared with on the right');
  const kind = kindOf(left);
  if (kind === 'flag') throw new ConditionSyntaxError(at, 'this is true or false by itself and is not compared; "not" denies it');
  if (kind === 'text' && by !== '=' && by !== '!=')
    throw new ConditionSyntaxError(at, 'texts are equal (=) or not (!=), none is greater');
  if (isLiteral(right)) return { left, right: normaliseLiteral(rightAt, left, right as Literal) };
  if (kindOf(right) !== kind) throw new ConditionSyntaxError(rightAt, `a ${kind} is compared with a ${kindOf(right)} here`);
  return { left, right };
}

export function checkIn(at: number, left: Operand, items: readonly { literal: Literal; at: number }[]): readonly Literal[] {
  const kind = kindOf(left);
  if (isLiteral(left) || kind === 'flag' || kind === 'span')
    throw new ConditionSyntaxError(at, 'only texts, numbers and amounts are in a list');
  return items.map((item) => normaliseLiteral(item.at, left, item.literal));
}

export function checkFlag(at: number, operand: Operand): void {
  if (kindOf(operand) !== 'flag')
    throw new ConditionSyntaxError(at, 'this is neither true nor false by itself; a comparison is missing');
}

type TextTestOperands = { readonly left: Operand; readonly by: TextTest; readonly text: string; readonly textAt: number };

export function checkTest(at: number, { left, by, text, textAt }: TextTestOperands): void {
  if (isLiteral(left) || kindOf(left) !== 'text') throw new ConditionSyntaxError(at, `"${by}" is asked of a text`);
  const says = by === 'matches' ? globFault(text) : null;
  if (says !== null) throw new ConditionSyntaxError(textAt, says);
}

/** A literal in the normal form of the fact it is compared with: `'de'` for a country becomes `'DE'`. */
function normaliseLiteral(at: number, left: Operand, literal: Literal): Literal {
  const kind = kindOf(left);
  if (kind === 'text') {
    if (literal.is !== 'text') throw new ConditionSyntaxError(at, 'this is compared with a text in single quotes');
    return { is: 'text', value: normaliseText(at, left, literal.value) };
  }
  if (kind === 'span') {
    if (literal.is !== 'span') throw new ConditionSyntaxError(at, 'this is compared with a span of time such as 24h');
    return literal;
  }
  if (literal.is !== 'number') throw new ConditionSyntaxError(at, 'this is compared with a number');
  const isWhole = literal.hundredths % 100n === 0n && literal.hundredths / 100n <= WHOLE_MAX;
  if (kind === 'number' && !isWhole) throw new ConditionSyntaxError(at, 'this is compared with a whole number');
  return literal;
}

function normaliseText(at: number, left: Operand, value: string): string {
  const name = left.is === 'fact' ? factNamed(left.name) : undefined;
  if (name?.kind !== 'text' || !name.form) return value;
  const form = name.form(value);
  if (form === null) throw new ConditionSyntaxError(at, 'nothing that it is compared with ever looks like this');
  return form;
}
