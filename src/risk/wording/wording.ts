import { amountText } from '../../money/amount.ts';
import { PLAIN_DECLINE } from '../assess.ts';
import { parse } from '../conditions/parse.ts';
import { type Condition, type Literal, type Operand, printSpan } from '../conditions/syntax.ts';
import type { Rule } from '../rules.ts';
import { english, german, type Phrases } from './phrases.ts';

export type WordsLanguage = 'en' | 'de';

const phrases: Readonly<Record<WordsLanguage, Phrases>> = { en: english, de: german };

/** Describes a rule in sentences: when it fires, and what happens then. Null when its condition is invalid. */
export function wordsOf(
  { when, gives }: Pick<Rule, 'when' | 'gives'>,
  language: WordsLanguage,
): { readonly when: string; readonly gives: string } | null {
  const parsed = parse(when);
  if (parsed.is === 'invalid') return null;
  const say = phrases[language];
  const { verdict, score = 0, code = PLAIN_DECLINE } = gives;
  const consequence = verdict === 'decline' ? say.verdicts.decline.replace('{code}', code) : say.verdicts[verdict];
  return {
    when: sentence(`${say.when} ${conditionWords(parsed.condition, say)}.`),
    gives: sentence(`${consequence}${score === 0 ? '' : say.score(score)}.`),
  };
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

function conditionWords(condition: Condition, say: Phrases): string {
  switch (condition.is) {
    case 'and':
    case 'or':
      return condition.parts
        .map((part) => (part.is === 'and' || part.is === 'or' ? `(${conditionWords(part, say)})` : conditionWords(part, say)))
        .join(condition.is === 'and' ? ` ${say.and} ` : ` ${say.or} `);
    case 'not':
      return denied(condition.part, say);
    case 'flag':
      return flagWords(condition.of, say, true);
    case 'known':
      return say.known(factWords(condition.name, say), true);
    case 'compare':
      return `${operandWords(condition.left, say)} ${say.comparisons[condition.by]} ${operandWords(condition.right, say)}`;
    case 'in':
      return `${operandWords(condition.left, say)} ${say.oneOf} ${condition.list.map((item) => literalWords(item, say)).join(', ')}`;
    case 'test':
      return `${operandWords(condition.left, say)} ${say.tests[condition.by]} ${say.quoted(condition.text)}`;
  }
}

/** Flags and `known` have a negative phrase of their own. */
function denied(part: Condition, say: Phrases): string {
  if (part.is === 'flag') return flagWords(part.of, say, false);
  if (part.is === 'known') return say.known(factWords(part.name, say), false);
  return `${say.not} (${conditionWords(part, say)})`;
}

function flagWords(operand: Operand, say: Phrases, isSo: boolean): string {
  if (operand.is === 'listed') return say.listed(operand.subject, operand.list, isSo);
  return operand.is === 'fact' ? (say.flags[operand.name]?.[isSo ? 0 : 1] ?? operand.name) : operandWords(operand, say);
}

const factWords = (name: string, say: Phrases): string => say.facts[name] ?? name;

function literalWords(literal: Literal, say: Phrases): string {
  switch (literal.is) {
    case 'text':
      return say.quoted(literal.value);
    case 'number':
      return literal.hundredths % 100n === 0n ? String(literal.hundredths / 100n) : amountText(literal.hundredths);
    case 'span':
      return spanWords(literal.ms, say);
  }
}

function spanWords(ms: number, { units }: Phrases): string {
  const [, count = '0', unit = 's'] = /^([0-9]+)([dhms])$/.exec(printSpan(ms)) ?? [];
  const [one, many] = units[unit as keyof Phrases['units']];
  return `${count} ${count === '1' ? one : many}`;
}

function operandWords(operand: Operand, say: Phrases): string {
  switch (operand.is) {
    case 'text':
    case 'number':
    case 'span':
      return literalWords(operand, say);
    case 'fact':
      return factWords(operand.name, say);
    case 'window':
    case 'total': {
      const { measure, per, what, ms, outcome } = operand.window;
      const span = spanWords(ms, say);
      if (measure === 'distinct' && what !== null) return say.distinct(what, per, span);
      const counted = operand.is === 'total' ? 'total' : measure === 'distinct' ? 'count' : measure;
      return say.windows[counted]({ outcome: say.outcomes[outcome], by: say.dimensions[per], span });
    }
    case 'age':
      return say.ages[operand.of];
    case 'listed':
      return say.listed(operand.subject, operand.list, true);
  }
}
