import { amountText } from '../../money/amount.ts';
import { maskCardNumbers } from '../../spec/cardNumbers.ts';
import { type Read, type RequiredFacts, readerOf, type View } from './compile.ts';
import { kindOf } from './kinds.ts';
import { nameOf } from './names.ts';
import { printOperand, printSpan } from './print.ts';
import type { Condition, Operand } from './syntax.ts';

const CHARACTERS_MAX = 64;
const HIDDEN = '***';

/** The values a condition looked at, by the text of each operand, in the order of the condition. */
export type Values = Readonly<Record<string, string>>;

/** How the values of a condition are told: made once beside the condition, used only when its rule has fired. */
export function explainerOf(condition: Condition, asked: RequiredFacts): (view: View) => Values {
  const shown = new Map<string, (view: View) => string>();
  for (const operand of operandsOf(condition)) shown.set(printOperand(operand), tellerOf(operand, readerOf(operand, asked)));
  return (view) => {
    const values: Record<string, string> = {};
    for (const [name, tell] of shown) values[name] = tell(view);
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

function tellerOf(operand: Operand, read: Read): (view: View) => string {
  const name = operand.is === 'fact' ? nameOf(operand.name) : undefined;
  const isHidden = name?.kind === 'text' && name.isHidden === true;
  const kind = kindOf(operand);
  return (view) => {
    const value = read(view);
    if (value === null) return 'unknown';
    if (isHidden) return HIDDEN;
    if (typeof value === 'string') return spoken(value);
    if (kind === 'span') return spanText(Number(value));
    return typeof value === 'bigint' ? amountText(value) : String(value);
  };
}

/** Ages are told in whole seconds. */
const spanText = (ms: number): string => `${ms < 0 ? '-' : ''}${printSpan(Math.floor(Math.abs(ms) / 1_000) * 1_000)}`;

/** A text that may be repeated: short, and without anything that could be the number of a card, whoever put it there. */
function spoken(text: string): string {
  const safe = maskCardNumbers(text, { isStrict: true });
  return safe.length > CHARACTERS_MAX ? `${safe.slice(0, CHARACTERS_MAX - 1)}…` : safe;
}
