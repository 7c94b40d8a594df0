import { ConditionSyntaxError, conditionLimits, units } from './syntax.ts';

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

/** The tokens of a condition with their positions. Linear in the length of the text. */
export function tokenise(text: string): readonly Token[] {
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
export type TokenReader = {
  peek(): Token;
  next(): Token;
  isWord(word: string): boolean;
  takeWord(word: string): boolean;
  takeSign(sign: string): boolean;
  expectSign(sign: string): void;
  /** Counts a node and returns it. */
  counted<Node>(node: Node): Node;
};

export function createTokenReader(tokens: readonly Token[]): TokenReader {
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
