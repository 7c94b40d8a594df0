/**
 * How one parameter of the API is written down. A reviewer holds the document beside a file of rows and compares line by line;
 * decoder, validator, types, OpenAPI, documentation, log masks and generated tests all read the same rows.
 */
export type Format<Value = string> = {
  /** The format as the document words it, for instance `AN 1-32, letters, digits, underscore`. */
  readonly label: string;
  /** Anchored at both ends, linear in the length of the text, with the `u` flag. It is quoted in messages and in OpenAPI. */
  readonly pattern: RegExp;
  /** Text to inner value. `undefined` when the text matches the pattern and still is no value, as 2031-02-30 is no date. */
  readonly parse: (text: string) => Value | undefined;
  /** What a fault says: `must match …`, `must be one of [A, B]`. */
  readonly says: string;
  /** Texts that must pass and texts that must not: the seeds of the generated tests. */
  readonly good: readonly string[];
  readonly bad: readonly string[];
};

/**
 * `pan`: shown as first six and last four where the length allows. `account`: shown as the last four. `hidden`: never shown, kept
 * sealed. `never`: sensitive authentication data, held in memory while it is needed and written nowhere in any form.
 */
export type Secrecy = 'pan' | 'account' | 'hidden' | 'never';

/** R required, C conditional (see rules.ts for what the condition is), O optional. */
export type Need = 'R' | 'C' | 'O';

export type Row<Value = string> = {
  readonly need: Need;
  readonly format: Format<Value>;
  /** The rule column of the document, in our words. */
  readonly note?: string;
  readonly secret?: Secrecy;
  /** A descriptive field: a lenient channel accepts any printable text of up to 2048 characters. */
  readonly lenient?: true;
  /** The page in decisions/ that explains where the row departs from the letter of the document. */
  readonly decision?: string;
};

type RowExtras = Omit<Row, 'need' | 'format'>;

export function row<Value>(need: Need, format: Format<Value>, extras: RowExtras = {}): Row<Value> {
  return { need, format, ...extras };
}

/** One heading of the documents with its rows, in the order of the document. */
export type Section = {
  readonly document: 2 | 3;
  readonly heading: string;
  readonly rows: Readonly<Record<string, Row<unknown>>>;
};
