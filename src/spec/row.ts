/**
 * One parameter of the API as data. A reviewer compares a file of rows with the document line by line; decoder, validator, types, messages,
 * OpenAPI, documentation, masking and generated tests all read the same rows.
 */
export type Format<Value = string> = {
  /** The format as the document words it, for instance `AN 1-32, letters, digits, underscore`. */
  readonly label: string;
  /** Anchored at both ends, linear in the length of the text, with the `u` flag. OpenAPI quotes it; messages never do. */
  readonly pattern: RegExp;
  /** Text to inner value. `undefined` when the text matches the pattern and still is not valid: 2031-02-30 is not a date. */
  readonly parse: (text: string) => Value | undefined;
  /** The rule in words: `must be 8 to 255 characters on one line`, `must be one of PA, DB, CD`. */
  readonly message: string;
  /** The values of a closed set; absent for every other format. */
  readonly values?: readonly string[];
  /** Texts that must pass and texts that must not; the generated tests start from them. */
  readonly good: readonly string[];
  readonly bad: readonly string[];
  /** Set where `parse` alone decides, because it takes nothing that the pattern refuses: codes and words of a closed set. */
  readonly isClosed?: true;
  /** Set where the pattern is one class of characters and a length. */
  readonly run?: Run;
  /** `none` for a format of numbers, words or dates; any other text is searched for card numbers. */
  readonly scan?: 'none';
};

/** From `least` to `max` characters of a class, which is written as in a pattern. */
export type Run = {
  readonly set: string;
  readonly least: number;
  readonly max: number;
  /** For each ASCII character 1 when the class has it; made from the class when it is first needed. */
  ascii?: Uint8Array;
};

/** `Must be 8 to 255 characters on one line.`: the words of the error message as a sentence, for pages. */
export const ruleSentence = ({ message }: Format<unknown>): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

/**
 * Other numbers that look like a card number in a searched text: `shortest` leaves numbers of fewer digits alone, because telephone,
 * article or transaction numbers stand there; `except` leaves the whole text alone when it matches. `refuses`: the value is used as it is
 * sent, as an address or a bank's reference, so a card number in it is refused. Shortened, it would be another one.
 */
export type Scan = { readonly shortest?: number; readonly except?: RegExp; readonly refuses?: true };

/** Up to 13 digits: telephone numbers and article numbers (GTIN). */
export const PHONE_OR_ARTICLE: Scan = { shortest: 14 };
/** Up to 14 digits: numbers of tickets and of taxpayers. */
export const TICKET_OR_TAX: Scan = { shortest: 15 };
/** Up to 15 digits: transaction ids of the card networks, and of parcels. */
export const NETWORK_OR_PARCEL: Scan = { shortest: 16 };
/** With digits alone an IPv6 address has the shape of a number in groups of four. */
export const IP: Scan = {
  except: /^(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?=.*::)[0-9a-f:]{2,39})$/i,
};
export const COORDINATES: Scan = { except: /^[+-]?[0-9]{1,2}(?:\.[0-9]{1,9})?, ?[+-]?[0-9]{1,3}(?:\.[0-9]{1,9})?$/ };
/** Fields of cron: lists of small numbers and of years. */
export const CRON: Scan = { except: /^(?:[^0-9]{0,3}(?:[0-9]{1,2}|(?:19|20)[0-9]{2})(?![0-9]))*[^0-9]*$/, refuses: true };

/** Where a secret value may go. A row without these marks is stored, echoed and shown as it is. */
export type Secret = {
  /** Stored: encrypted, or nowhere in any form and only in memory while it is needed. */
  readonly stored: 'sealed' | 'never';
  /** Echoed in the errors of an answer; a secret is never a field of an answer. */
  readonly echoed: 'firstSixLastFour' | 'hidden';
  /** Logged, recorded for the inspector, or shown in the back office. */
  readonly shown: 'firstSixLastFour' | 'lastFour' | 'hidden';
};

/** Card numbers and their tokens. */
export const CARD_NUMBER: Secret = { stored: 'sealed', echoed: 'firstSixLastFour', shown: 'firstSixLastFour' };
export const ACCOUNT_NUMBER: Secret = { stored: 'sealed', echoed: 'hidden', shown: 'lastFour' };
export const SEALED: Secret = { stored: 'sealed', echoed: 'hidden', shown: 'hidden' };
/** Sensitive authentication data: security codes, cryptograms, passwords, wallet tokens. */
export const NEVER_STORED: Secret = { stored: 'never', echoed: 'hidden', shown: 'hidden' };

/** The marks in one word, as OpenAPI prints them in `x-secrecy`. */
export type Secrecy = 'pan' | 'account' | 'hidden' | 'never';

export function secrecyOf({ stored, shown }: Secret): Secrecy {
  if (stored === 'never') return 'never';
  return ({ firstSixLastFour: 'pan', lastFour: 'account', hidden: 'hidden' } as const)[shown];
}

/** R required, C conditional (see rules.ts for what the condition is), O optional. */
export type Need = 'R' | 'C' | 'O';

export type Row<Value = string> = {
  readonly need: Need;
  readonly format: Format<Value>;
  /** The rule column of the document, in our words. */
  readonly note?: string;
  readonly secret?: Secret;
  /** A descriptive field: a lenient channel accepts any printable text of up to 2048 characters. */
  readonly lenient?: true;
  /** The format that a lenient channel accepts too. */
  readonly lenientFormat?: Format<unknown>;
  /** An empty text is a value: it is kept and comes back. Elsewhere it is the absence of one. */
  readonly keepsEmpty?: true;
  /** Values that look like a card number here and are none. */
  readonly scan?: Scan;
  /** The page in decisions/ that says where the row departs from the letter of the document, or why the document lacks it. */
  readonly decision?: string;
};

/** How card numbers are looked for in the texts of a row; null: not at all, because it is a secret, a number or a word of a closed set. */
export function scanOf({ secret, format, scan = {} }: Pick<Row<unknown>, 'secret' | 'format' | 'scan'>): Scan | null {
  return secret !== undefined || format.scan === 'none' ? null : scan;
}

type RowExtras = Omit<Row, 'need' | 'format'>;

export function row<Value>(need: Need, format: Format<Value>, extras: RowExtras = {}): Row<Value> {
  return { need, format, ...extras };
}

/** One heading of the documents with its rows, in the order of the document. */
export type Section = {
  readonly document: 2 | 3;
  readonly heading: string;
  readonly rows: Readonly<Record<string, Row<unknown>>>;
  /** Names that the document excludes from the section; `*` at the end stands for every name that begins so. */
  readonly excludes?: readonly string[];
  /** Names that the section does not have, with the replacement of each, which the message about a missing parameter names. */
  readonly instead?: Readonly<Record<string, string>>;
};

type Moved<Rows, From extends string, To extends string> = {
  readonly [Name in keyof Rows as Name extends `${From}.${infer Rest}` ? `${To}.${Rest}` : never]: Rows[Name];
};

/** The rows of one structure as another structure reuses them: other prefix, same formats, none of them required. */
export function moved<Rows extends Section['rows'], From extends string, To extends string>(
  rows: Rows,
  from: From,
  to: To,
): Moved<Rows, From, To> {
  const entries = Object.entries(rows)
    .filter(([name]) => name.startsWith(`${from}.`))
    .map(([name, row]): [string, Row<unknown>] => [to + name.slice(from.length), { ...row, need: 'O' }]);
  return Object.fromEntries(entries) as Moved<Rows, From, To>;
}

/** The rows but these. */
export function without<Rows extends Section['rows'], Name extends keyof Rows & string>(
  rows: Rows,
  names: readonly Name[],
): Omit<Rows, Name> {
  const left: ReadonlySet<string> = new Set(names);
  return Object.fromEntries(Object.entries(rows).filter(([name]) => !left.has(name))) as Omit<Rows, Name>;
}
