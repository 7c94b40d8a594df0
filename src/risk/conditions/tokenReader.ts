import { ConditionSyntaxError, conditionLimits } from './syntax.ts';
import type { Token } from './tokens.ts';

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
