import type { Dimension, Outcome, Window } from '../ports.ts';
import { dimensions } from '../velocity/keys.ts';
import { ConditionSyntaxError, listSubjects, type Operand, outcomes, pairs, windowMsMax } from './syntax.ts';
import type { TokenReader } from './tokenReader.ts';

type Measure = Window['measure'];
const measures: readonly Measure[] = ['count', 'sum', 'share', 'distinct'];
const calls: readonly string[] = [...measures, 'total', 'listed', 'age'];

/** Whether a word is the name of a function. */
export const isCall = (word: string): boolean => calls.includes(word);

/**
 * `count(card, 10m, declined)`, `sum(card, 24h)`, `total(card, 24h)`, `share(bin, 10m, failed)`, `distinct(card per ip, 1h)`,
 * `listed(block, card)`, `age(order)`.
 */
export function readCall(reader: TokenReader, word: string): Operand {
  reader.expectSign('(');
  const operand = inside(reader, word);
  reader.expectSign(')');
  return operand;
}

function inside(reader: TokenReader, word: string): Operand {
  if (word === 'listed') return listedCall(reader);
  if (word === 'age') return { is: 'age', of: among(reader, ['registration', 'order']) };
  const measure = measures.find((name) => name === word) ?? 'sum';
  if (measure === 'distinct') return distinctCall(reader);
  const per = dimension(reader);
  const ms = span(reader);
  const outcome: Outcome = reader.takeSign(',') ? among(reader, outcomes) : 'any';
  return { is: word === 'total' ? 'total' : 'window', window: { measure, per, what: null, ms, outcome } };
}

function listedCall(reader: TokenReader): Operand {
  const list = among(reader, ['block', 'allow'] as const);
  reader.expectSign(',');
  return { is: 'listed', list, subject: among(reader, listSubjects) };
}

function distinctCall(reader: TokenReader): Operand {
  const { at } = reader.peek();
  const what = dimension(reader);
  if (!reader.takeWord('per'))
    throw new ConditionSyntaxError(reader.peek().at, '"per" is missing here: distinct(card per ip, 1h)');
  const per = dimension(reader);
  if (!pairs.some(([one, other]) => one === what && other === per)) {
    throw new ConditionSyntaxError(at, `distinct knows ${pairs.map(([one, other]) => `${one} per ${other}`).join(', ')}`);
  }
  return { is: 'window', window: { measure: 'distinct', per, what, ms: span(reader), outcome: 'any' } };
}

/** A dimension of two words has a + between them. */
function dimension(reader: TokenReader): Dimension {
  const { at } = reader.peek();
  let name = reader.next().text;
  while (reader.takeSign('+')) name += `+${reader.next().text}`;
  if (!Object.hasOwn(dimensions, name))
    throw new ConditionSyntaxError(at, `one of ${Object.keys(dimensions).join(', ')} is missing here`);
  return name as Dimension;
}

function span(reader: TokenReader): number {
  reader.expectSign(',');
  const token = reader.next();
  if (token.is !== 'span') throw new ConditionSyntaxError(token.at, 'a span of time such as 10m is missing here');
  if (token.ms === 0 || token.ms > windowMsMax) throw new ConditionSyntaxError(token.at, 'a window is of 1s to 31d');
  return token.ms;
}

function among<Word extends string>(reader: TokenReader, words: readonly Word[]): Word {
  const token = reader.next();
  const word = words.find((one) => token.is === 'word' && token.text === one);
  if (word === undefined) throw new ConditionSyntaxError(token.at, `one of ${words.join(', ')} is missing here`);
  return word;
}
