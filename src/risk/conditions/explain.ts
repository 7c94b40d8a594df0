import { amountText } from '../../money/amount.ts';
import { maskCardNumbers } from '../../spec/cards/cardNumbers.ts';
import { type ConditionContext, compileOperand, type RequiredFacts, type ValueReader } from './compile.ts';
import { kindOf } from './kinds.ts';
import { factNamed } from './namedFacts.ts';
import { printOperand, printSpan } from './print.ts';
import type { Condition, Operand } from './syntax.ts';

const CHARACTERS_MAX = 64;
const HIDDEN = '***';

/** The values of a condition's operands, by the text of each, in the order of the condition. */
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

/** A text that is safe to show: short, and with anything that could be a card number masked. */
function safeText(text: string): string {
  const safe = maskCardNumbers(text, { isStrict: true });
  return safe.length > CHARACTERS_MAX ? `${safe.slice(0, CHARACTERS_MAX - 1)}…` : safe;
}
