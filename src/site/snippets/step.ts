/** One request of a guide. Every language renders the same row, so that seven languages cannot differ. */
export type Step = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `{name}` stands for a variable: `entityId`, or what an earlier step keeps. */
  readonly path: string;
  /** Sent as a form, or as the query of a GET or DELETE. */
  readonly form?: Fields;
  /** Sent as JSON. */
  readonly json?: Fields;
  /** Variables that later steps use, and the members of the answer that they take. A member is the first of its name. */
  readonly keeps?: Fields;
  /** The member that the snippet prints. */
  readonly shows: readonly string[];
  readonly expects: RegExp;
};

export type Fields = Readonly<Record<string, string>>;

export type Guide = { readonly page: string; readonly steps: readonly Step[] };

/** A text with variables, in its parts. */
export type Piece = { readonly kind: 'text' | 'variable'; readonly text: string };

export const piecesOf = (template: string): readonly Piece[] =>
  template.split(/(\{\w+\})/).flatMap((part): readonly Piece[] => {
    if (part === '') return [];
    return part.startsWith('{') ? [{ kind: 'variable', text: part.slice(1, -1) }] : [{ kind: 'text', text: part }];
  });

/** A text as an expression: literals and variables, joined. */
export function expressionOf(
  template: string,
  literal: (text: string) => string,
  variable: (name: string) => string,
  join: string,
): string {
  const pieces = piecesOf(template);
  if (pieces.length === 0) return literal('');
  return pieces.map(({ kind, text }) => (kind === 'text' ? literal(text) : variable(text))).join(join);
}
