import { conditionLimits, Misread } from './syntax.ts';
import type { Token } from './tokens.ts';

/** The tokens of one condition, one after the other, and how many nodes were made of them. */
export type Reader = {
  peek(): Token;
  next(): Token;
  isWord(word: string): boolean;
  takeWord(word: string): boolean;
  takeSign(sign: string): boolean;
  expectSign(sign: string): void;
  /** Counts a node of the tree and gives it back. */
  counted<Node>(node: Node): Node;
};

export function createReader(tokens: readonly Token[]): Reader {
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
      if (!take('sign', sign)) throw new Misread(peek().at, `"${sign}" is missing here`);
    },
    counted(node) {
      nodes += 1;
      if (nodes > conditionLimits.nodesMax)
        throw new Misread(peek().at, `a condition has at most ${conditionLimits.nodesMax} parts`);
      return node;
    },
  };
}
