import type { Window } from '../ports.ts';
import { type Condition, type Literal, type Operand, units } from './syntax.ts';

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
