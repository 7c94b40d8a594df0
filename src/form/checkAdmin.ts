import { type AdminEndpointName, type AdminValues, fieldsOf, takesFile } from '../spec/admin/admin.ts';
import type { AdminField } from '../spec/admin/kinds.ts';
import { maskCardNumbers, NO_CARD_NUMBER, type ScanOptions } from '../spec/cards/cardNumbers.ts';
import { endpoints } from '../spec/endpoints.ts';
import type { Faulty } from './check.ts';
import type { Fault } from './checked.ts';
import { printable } from './decode.ts';

/** The raw query without its question mark, and the body with its content type. */
export type AdminSent = { readonly query: string; readonly body: Uint8Array; readonly contentType: string | undefined };

/** Far more than any request of the administration API needs. */
export const adminBytesMax = 65_536;

/** Far deeper than any value of the tables. Values are read and masked by recursion, which a deeper one would end with the stack. */
const adminDepthMax = 64;

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

type Sent = readonly (readonly [name: string, value: unknown])[];

/** The values, with card numbers in texts masked. `cardNumbers`: where there were some, for an entity that refuses them. */
export type AdminChecked<Name extends AdminEndpointName> = {
  readonly is: 'checked';
  readonly values: AdminValues<Name>;
  readonly cardNumbers: readonly Fault[];
};

/** Checks a request of the administration API by its table: returns its values, or every fault. An unknown name is a fault. */
export function checkAdmin<Name extends AdminEndpointName>(endpoint: Name, sent: AdminSent): AdminChecked<Name> | Faulty {
  const fields = fieldsOf(endpoint);
  const pairs = endpoints[endpoint].method === 'POST' && !takesFile(endpoint) ? inBody(sent) : inQuery(sent.query, fields);
  if (pairs.is === 'faulty') return pairs;
  const values: Record<string, unknown> = Object.create(null);
  const cardNumbers: Fault[] = [];
  const faults = pairs.sent.flatMap(([name, value]): readonly Fault[] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) return [{ name: printable(name), value: '***', message: 'is not known here' }];
    const meant = field.kind.parse(value);
    if (meant === undefined) return [{ name, value: shown(field, value), message: field.kind.message }];
    if (Object.hasOwn(values, name)) return [{ name, value: shown(field, value), message: 'was sent twice' }];
    const screened = withoutNumbers(field, value);
    if (screened === undefined) return [{ name, value: shown(field, value), message: NO_CARD_NUMBER }];
    if (screened !== value) cardNumbers.push({ name, value: shown(field, screened), message: NO_CARD_NUMBER });
    values[name] = screened === value ? meant : field.kind.parse(screened);
    return [];
  });
  const named = new Set(pairs.sent.map(([name]) => name));
  const missing = Object.entries(fields)
    .filter(([name, { isRequired }]) => isRequired && !named.has(name))
    .map(([name]): Fault => ({ name, value: null, message: 'may not be empty' }));
  const all = [...faults, ...missing];
  return all.length > 0 ? { is: 'faulty', faults: all } : { is: 'checked', values: values as AdminValues<Name>, cardNumbers };
}

/** The value with card numbers masked wherever it has them; undefined when the field cannot hold what is left. */
function withoutNumbers({ kind, isSecret }: AdminField, value: unknown): unknown {
  const { scan = {} } = kind;
  if (isSecret || scan === 'none' || (typeof value === 'string' && scan.except?.test(value))) return value;
  for (const filler of ['*', 'x'] as const) {
    const masked = maskedWithin(value, { ...scan, filler });
    if (masked === value || (!scan.refuses && kind.parse(masked) !== undefined)) return masked;
  }
  return undefined;
}

/** The same value when nothing in it is a card number. A number becomes a text, which few fields take. */
function maskedWithin(value: unknown, options: ScanOptions): unknown {
  if (typeof value === 'string') return maskCardNumbers(value, options);
  if (typeof value === 'number') {
    const masked = maskCardNumbers(String(value), options);
    return masked === String(value) ? value : masked;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => maskedWithin(item, options));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  const entries = Object.entries(value).map(
    ([name, item]) => [maskCardNumbers(name, options), maskedWithin(item, options)] as const,
  );
  const isSame = Object.entries(value).every(([name, item], at) => entries[at]?.[0] === name && entries[at]?.[1] === item);
  return isSame ? value : Object.fromEntries(entries);
}

type Pairs = { readonly is: 'pairs'; readonly sent: Sent } | Faulty;

const wrong = (name: string, value: string | null, message: string): Pairs => ({
  is: 'faulty',
  faults: [{ name, value, message }],
});

/** A body that is not there is an empty one: some requests need nothing. */
function inBody({ body, contentType }: AdminSent): Pairs {
  if (body.length === 0) return { is: 'pairs', sent: [] };
  if (body.length > adminBytesMax) return wrong('body', null, `must not be longer than ${adminBytesMax} bytes`);
  if (!JSON_TYPE.test(contentType ?? ''))
    return wrong('Content-Type', printable(contentType ?? ''), 'must be application/json in UTF-8');
  let value: unknown;
  try {
    const text = utf8.decode(body);
    if (isDeeper(text, adminDepthMax)) return wrong('body', null, `must not be nested more than ${adminDepthMax} deep`);
    value = JSON.parse(text);
  } catch {
    // The parser would repeat what it read.
    return wrong('body', null, 'must be JSON in UTF-8');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong('body', null, 'must be a JSON object');
  return { is: 'pairs', sent: Object.entries(value) };
}

/** Whether brackets stand deeper inside each other, outside of strings. */
function isDeeper(json: string, depthMax: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at];
    if (sign === '"') at = endOfString(json, at);
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth > depthMax) return true;
  }
  return false;
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

/** An empty value counts as absent. Numbers and flags are texts here. */
function inQuery(query: string, fields: Readonly<Record<string, AdminField>>): Pairs {
  const typed = (name: string, text: string): unknown => {
    const { type } = (Object.hasOwn(fields, name) ? fields[name]?.kind.schema : undefined) ?? {};
    if (type === 'integer' && /^-?[0-9]{1,15}$/.test(text)) return Number(text);
    return type === 'boolean' && text === 'true' ? true : text;
  };
  return {
    is: 'pairs',
    sent: [...new URLSearchParams(query)].filter(([, text]) => text !== '').map(([name, text]) => [name, typed(name, text)]),
  };
}

function shown({ isSecret }: AdminField, value: unknown): string {
  if (isSecret) return '***';
  return printable(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}
