import type { ShownField } from '../../developer/ports.ts';
import { maskCardNumbers } from '../../spec/cardNumbers.ts';
import { masked } from '../../spec/describe.ts';
import { parameters } from '../../spec/parameters.ts';
import type { Row } from '../../spec/row.ts';
import { rowNameOf } from '../../spec/rowName.ts';

const HIDDEN = '***';
/** Shorter secrets are too common to be looked for in other texts: a CVV is also a part of many amounts and times. */
const SECRET_LENGTH_MIN = 8;
/** How much of one text is kept, and of a name. */
const TEXT_MAX = 2_048;
const NAME = /^[\w.[\]-]{1,128}$/;
/** Accounts as they are written in Europe, perhaps in groups. */
const IBAN = /(?<![0-9A-Za-z])[A-Z]{2}[0-9]{2}(?: ?[0-9A-Z]){11,30}(?![0-9A-Za-z])/g;

const ACCOUNT_BEGINS = /[A-Z]{2}[0-9]{2}/;
/** Nothing shorter is the number of a card or an account. */
const NUMBER_LENGTH_MIN = 13;
const GROUPED = /[ -]/;

const plain = (text: string): string => text.replace(/[ -]/g, '');

const rowOf = (name: string): Row<unknown> | null => {
  const rowName = rowNameOf(name);
  return rowName === undefined ? null : parameters[rowName];
};

/** The secret texts of a request, to be looked for wherever else somebody may have put them; each also without blanks and hyphens. */
export function secretsOf(fields: ReadonlyMap<string, string>): readonly string[] {
  const secrets = new Set<string>();
  for (const [name, text] of fields) {
    if (text.length < SECRET_LENGTH_MIN || rowOf(name)?.secret === undefined) continue;
    secrets.add(text).add(plain(text));
  }
  return [...secrets];
}

function isIban(text: string): boolean {
  const account = text.replaceAll(' ', '');
  const digits = (account.slice(4) + account.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

const withoutAccounts = (text: string): string =>
  text.replace(IBAN, (found) => (isIban(found) ? `${HIDDEN}${found.replaceAll(' ', '').slice(-4)}` : found));

/** A text of a request or an answer without anything that nobody should read. */
export function harmless(text: string, secrets: readonly string[]): string {
  if (text.length < SECRET_LENGTH_MIN) return text;
  let shown = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
  const grouped = GROUPED.test(shown) ? plain(shown) : null;
  for (const secret of secrets) {
    if (secret.length > shown.length) continue;
    if (shown.includes(secret)) shown = shown.replaceAll(secret, HIDDEN);
    // People write numbers in groups.
    else if (grouped?.includes(secret)) return HIDDEN;
  }
  if (shown.length < NUMBER_LENGTH_MIN) return shown;
  // What was cut may end in the middle of a number.
  if (text.length > TEXT_MAX) shown = shown.replace(/[0-9][0-9 -]*…$/, '…');
  return maskCardNumbers(ACCOUNT_BEGINS.test(shown) ? withoutAccounts(shown) : shown, { isStrict: true });
}

/** A parameter as it is kept. What no row knows is hidden altogether: a misspelt card.number is among it. */
function shownField(name: string, text: string, secrets: readonly string[]): ShownField {
  const row = rowOf(name);
  const value = row === null ? HIDDEN : row.secret === undefined ? harmless(text, secrets) : masked(row.secret, text);
  const called = NAME.test(name) ? maskCardNumbers(name, { isStrict: true }) : HIDDEN;
  return value === text && called === name ? { name, value } : { name: called, value, isMasked: true };
}

/** The parameters of a request as they are kept; one without a value says nothing and hides nothing. */
export const shownFields = (fields: ReadonlyMap<string, string>, secrets: readonly string[]): readonly ShownField[] =>
  [...fields].map(([name, text]) =>
    text === '' && rowOf(name) !== null ? { name, value: '' } : shownField(name, text, secrets),
  );

/** Secret rows by their names without indexes. */
const secretRows: ReadonlyMap<string, Row<unknown>> = new Map(
  Object.entries<Row<unknown>>(parameters).flatMap(([name, row]) =>
    row.secret === undefined ? [] : [[name.replace(/\[[a-z]+\]/g, ''), row] as const],
  ),
);

/** How their names end: most members of an answer are told apart by that. */
const secretEnds: ReadonlySet<string> = new Set([...secretRows.keys()].map((name) => name.slice(name.lastIndexOf('.') + 1)));

/** Whatever the answer is a list of, its members have the names of the table. */
function secretAt(path: readonly string[]): Row<unknown> | null {
  if (!secretEnds.has(path.at(-1) ?? '')) return null;
  for (let from = Math.max(0, path.length - 4); from < path.length; from += 1) {
    const row = secretRows.get(path.slice(from).join('.'));
    if (row) return row;
  }
  return null;
}

function veiled(value: unknown, path: readonly string[], secrets: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => veiled(entry, path, secrets));
  if (typeof value === 'object' && value !== null) {
    const copy: Record<string, unknown> = Object.create(null);
    for (const [name, inner] of Object.entries(value)) copy[harmless(name, secrets)] = veiled(inner, [...path, name], secrets);
    return copy;
  }
  if (typeof value !== 'string') return value;
  const row = secretAt(path);
  return row === null ? harmless(value, secrets) : masked(row.secret, value);
}

/** The answer of a call as it is kept, read from its JSON; null when it is none. */
export function shownAnswer(body: string, secrets: readonly string[]): Readonly<Record<string, unknown>> | null {
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return null;
    return veiled(answer, [], secrets) as Readonly<Record<string, unknown>>;
  } catch {
    return null;
  }
}
