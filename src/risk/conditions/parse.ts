import type { Dimension, Outcome, Window } from '../ports.ts';
import { dimensions } from '../velocity/keys.ts';
import { checkCompare, checkFlag, checkIn, checkTest, factNamed } from './namedFacts.ts';
import {
  type Comparison,
  type Condition,
  type ConditionFault,
  ConditionSyntaxError,
  comparisons,
  conditionLimits,
  type Literal,
  listSubjects,
  type Operand,
  outcomes,
  pairs,
  type TextTest,
  textTests,
  units,
  windowMsMax,
} from './syntax.ts';

type Token =
  | { readonly is: 'word' | 'sign' | 'text'; readonly text: string; readonly at: number }
  | { readonly is: 'number'; readonly hundredths: bigint; readonly text: string; readonly at: number }
  | { readonly is: 'span'; readonly ms: number; readonly text: string; readonly at: number }
  | { readonly is: 'end'; readonly text: ''; readonly at: number };

const BLANKS = /[ \t\r\n]+/y;
// The merchant chooses the names of custom risk data: anything but a closing bracket.
const WORD = /risk\.parameters\[[^\]]{1,64}\]|[A-Za-z][A-Za-z0-9]*(?:\.[A-Za-z][A-Za-z0-9]*)*/y;
const SPAN = /([0-9]{1,6})([smhd])(?![A-Za-z0-9])/y;
const NUMBER = /([0-9]{1,13})(?:\.([0-9]{2}))?(?![A-Za-z0-9.])/y;
const TEXT = /'((?:[^'\\]|\\['\\])*)'/y;
const SIGN = /!=|<=|>=|[=<>(),+]/y;

/** The tokens of a condition with their positions. Linear in the length of the string. */
function tokenise(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let from = skip(text, 0);
  while (from < text.length) {
    const found = tokenAt(text, from);
    tokens.push(found.token);
    from = skip(text, found.end);
  }
  tokens.push({ is: 'end', text: '', at: text.length + 1 });
  return tokens;
}

function skip(text: string, from: number): number {
  BLANKS.lastIndex = from;
  return BLANKS.test(text) ? BLANKS.lastIndex : from;
}

function match(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

function tokenAt(text: string, from: number): { readonly token: Token; readonly end: number } {
  const at = from + 1;
  const word = match(WORD, text, from);
  if (word) return { token: { is: 'word', text: word[0], at }, end: from + word[0].length };
  const span = match(SPAN, text, from);
  if (span) {
    const unit = units.find(([name]) => name === span[2])?.[1] ?? 0;
    return { token: { is: 'span', ms: Number(span[1]) * unit, text: span[0], at }, end: from + span[0].length };
  }
  const number = match(NUMBER, text, from);
  if (number) {
    const hundredths = BigInt(number[1] as string) * 100n + BigInt(number[2] ?? '0');
    return { token: { is: 'number', hundredths, text: number[0], at }, end: from + number[0].length };
  }
  const quoted = match(TEXT, text, from);
  if (quoted) {
    const value = (quoted[1] as string).replace(/\\(['\\])/g, '$1');
    return { token: { is: 'text', text: value, at }, end: from + quoted[0].length };
  }
  const sign = match(SIGN, text, from);
  if (sign) return { token: { is: 'sign', text: sign[0], at }, end: from + sign[0].length };
  throw new ConditionSyntaxError(at, characterFault(text[from] as string));
}

function characterFault(character: string): string {
  if (character === "'") return "this text is not closed; inside one, ' is written \\' and \\ is written \\\\";
  if (character === '"') return "texts stand in single quotes: 'DE'";
  if (/[0-9]/.test(character)) return 'a number is 100 or 100.50, a span of time 30s, 10m, 24h or 7d';
  return 'this character means nothing here';
}

/** Reads the tokens of one condition and counts the nodes built from them. */
type TokenReader = {
  peek(): Token;
  next(): Token;
  isWord(word: string): boolean;
  takeWord(word: string): boolean;
  takeSign(sign: string): boolean;
  expectSign(sign: string): void;
  /** Counts a node and returns it. */
  counted<Node>(node: Node): Node;
};

function createTokenReader(tokens: readonly Token[]): TokenReader {
  let at = 0;
  let nodes = 0;
  const peek = (): Token => tokens[at] as Token;
  const next = (): Token => {
    const token = peek();
    if (token.is !== 'end') at += 1;
    return token;
  };
  const is = (kind: Token['is'], text: string): boolean => peek().is === kind && peek().text === text;
  const take = (kind: Token['is'], text: string): boolean => {
    if (!is(kind, text)) return false;
    at += 1;
    return true;
  };
  return {
    peek,
    next,
    isWord: (word) => is('word', word),
    takeWord: (word) => take('word', word),
    takeSign: (sign) => take('sign', sign),
    expectSign(sign) {
      if (!take('sign', sign)) throw new ConditionSyntaxError(peek().at, `"${sign}" is missing here`);
    },
    counted(node) {
      nodes += 1;
      if (nodes > conditionLimits.nodesMax)
        throw new ConditionSyntaxError(peek().at, `a condition has at most ${conditionLimits.nodesMax} parts`);
      return node;
    },
  };
}

/** A condition, or the fault of the string with its position. */
type Parsed =
  | { readonly is: 'valid'; readonly condition: Condition }
  | { readonly is: 'invalid'; readonly fault: ConditionFault };

/**
 * Parses a condition: `or` binds loosest, then `and`, then `not`. Limits are enforced before and during parsing, so that the work is linear
 * in a text of at most 2,000 characters.
 */
export function parse(text: string): Parsed {
  const { charactersMax } = conditionLimits;
  if (text.length > charactersMax) return fault(charactersMax + 1, `a condition has at most ${charactersMax} characters`);
  try {
    const reader = createTokenReader(tokenise(text));
    const condition = either(reader, 0);
    const left = reader.peek();
    if (left.is !== 'end') return fault(left.at, 'the condition is over here; "and" or "or" would let it go on');
    return { is: 'valid', condition };
  } catch (thrown) {
    if (thrown instanceof ConditionSyntaxError) return fault(thrown.at, thrown.message);
    throw thrown;
  }
}

const fault = (at: number, says: string): Parsed => ({ is: 'invalid', fault: { at, says } });

function either(reader: TokenReader, depth: number): Condition {
  return joined(reader, { is: 'or', part: () => both(reader, depth) });
}

function both(reader: TokenReader, depth: number): Condition {
  return joined(reader, { is: 'and', part: () => unary(reader, depth) });
}

function joined(reader: TokenReader, { is, part }: { readonly is: 'or' | 'and'; readonly part: () => Condition }): Condition {
  const first = part();
  if (!reader.isWord(is)) return first;
  const parts = [first];
  while (reader.takeWord(is)) parts.push(part());
  return reader.counted({ is, parts });
}

function unary(reader: TokenReader, depth: number): Condition {
  const { at } = reader.peek();
  if (depth >= conditionLimits.depthMax)
    throw new ConditionSyntaxError(at, `conditions stand at most ${conditionLimits.depthMax} deep in one another`);
  if (reader.takeWord('not')) return reader.counted({ is: 'not', part: unary(reader, depth + 1) });
  if (reader.takeSign('(')) {
    const inner = either(reader, depth + 1);
    reader.expectSign(')');
    return inner;
  }
  return reader.isWord('known') ? known(reader) : relation(reader);
}

/** `known(customer.email)`: the one operand that is never unknown. */
function known(reader: TokenReader): Condition {
  reader.takeWord('known');
  reader.expectSign('(');
  const { text, at } = reader.next();
  if (!factNamed(text)) throw new ConditionSyntaxError(at, `there is no "${text.slice(0, 64)}" to be known`);
  reader.expectSign(')');
  return reader.counted({ is: 'known', name: text });
}

function relation(reader: TokenReader): Condition {
  const { at } = reader.peek();
  const left = operand(reader);
  const sign = reader.peek();
  const by = comparisons.find((comparison) => sign.is === 'sign' && sign.text === comparison);
  if (by) return comparison(reader, { at, left, by });
  const isNegated = reader.takeWord('not');
  if (reader.takeWord('in')) {
    const found = reader.counted<Condition>({ is: 'in', left, list: checkIn(at, left, list(reader)) });
    return isNegated ? reader.counted({ is: 'not', part: found }) : found;
  }
  if (isNegated)
    throw new ConditionSyntaxError(reader.peek().at, '"not" is followed by "in" here; elsewhere it stands before what it denies');
  const word = textTests.find((test) => reader.takeWord(test));
  if (word) return test(reader, { at, left, by: word });
  checkFlag(at, left);
  return reader.counted({ is: 'flag', of: left });
}

type LeftSide<By> = { readonly at: number; readonly left: Operand; readonly by: By };

function comparison(reader: TokenReader, { at, left, by }: LeftSide<Comparison>): Condition {
  reader.next();
  const rightAt = reader.peek().at;
  const right = operand(reader);
  return reader.counted({ is: 'compare', by, ...checkCompare({ at, rightAt }, by, { left, right }) });
}

function test(reader: TokenReader, { at, left, by }: LeftSide<TextTest>): Condition {
  const token = reader.next();
  if (token.is !== 'text') throw new ConditionSyntaxError(token.at, `"${by}" is followed by a text in single quotes`);
  checkTest(at, { left, by, text: token.text, textAt: token.at });
  return reader.counted({ is: 'test', by, left, text: token.text });
}

function list(reader: TokenReader): readonly { readonly literal: Literal; readonly at: number }[] {
  const items: { literal: Literal; at: number }[] = [];
  reader.expectSign('(');
  do {
    const { at } = reader.peek();
    const item = operand(reader);
    if (item.is !== 'text' && item.is !== 'number' && item.is !== 'span')
      throw new ConditionSyntaxError(at, 'a list holds texts or numbers');
    items.push({ literal: item, at });
  } while (reader.takeSign(','));
  reader.expectSign(')');
  return items;
}

function operand(reader: TokenReader): Operand {
  const token = reader.next();
  switch (token.is) {
    case 'text':
      return reader.counted({ is: 'text', value: token.text });
    case 'number':
      return reader.counted({ is: 'number', hundredths: token.hundredths });
    case 'span':
      return reader.counted({ is: 'span', ms: token.ms });
    case 'word':
      if (isCall(token.text)) return reader.counted(readCall(reader, token.text));
      if (!factNamed(token.text)) throw new ConditionSyntaxError(token.at, `there is no "${token.text.slice(0, 64)}"`);
      return reader.counted({ is: 'fact', name: token.text });
    default:
      throw new ConditionSyntaxError(token.at, 'a name, a number or a text is missing here');
  }
}

type Measure = Window['measure'];
const measures: readonly Measure[] = ['count', 'sum', 'share', 'distinct'];
const calls: readonly string[] = [...measures, 'total', 'listed', 'age'];

/** Whether a word is the name of a function. */
const isCall = (word: string): boolean => calls.includes(word);

/**
 * `count(card, 10m, declined)`, `sum(card, 24h)`, `total(card, 24h)`, `share(bin, 10m, failed)`, `distinct(card per ip, 1h)`,
 * `listed(block, card)`, `age(order)`.
 */
function readCall(reader: TokenReader, word: string): Operand {
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
