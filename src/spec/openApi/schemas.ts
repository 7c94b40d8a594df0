import { brands } from '../cards/brands.ts';
import { mapKeys } from '../parameters.ts';
import { methods } from '../paymentTypes.ts';
import { reconciliationColumns } from '../reconciliation.ts';
import { paymentResponse, paymentSums, registrationResponse, responseExtras } from '../response.ts';
import { adviceTexts } from '../resultCodes/advice.ts';
import { type Meaning, resultGroups } from '../resultCodes.ts';
import { type Row, ruleSentence, type Section, secrecyOf } from '../row.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** JSON Schema wants every index written out, so an index is a pattern: 0 to 1000 (document 1, Limits). */
const INDEX = '\\[(?:0|[1-9][0-9]{0,2}|1000)\\]';

const escaped = (text: string): string => text.replace(/[.[\]]/g, '\\$&');
const inside = (pattern: RegExp): string => pattern.source.slice(1, -1);

/** Generators name the members of a set in capitals. Words that differ in their case alone need other names. */
function enumNames(values: readonly string[]): JsonObject {
  const isTwice = (value: string): boolean =>
    values.some((other) => other !== value && other.toUpperCase() === value.toUpperCase());
  if (!values.some(isTwice)) return {};
  const nameOf = (value: string): string =>
    isTwice(value) && value !== value.toUpperCase() ? `${value.toUpperCase()}_SMALL` : value;
  return { 'x-enum-varnames': values.map(nameOf) };
}

function valueSchema({ format: { label, pattern, values }, keepsEmpty }: Row<unknown>): JsonObject {
  if (values) return { type: 'string', enum: values, ...enumNames(values) };
  // A reply echoes sent values unchanged, whatever their characters.
  if (label.endsWith(' or null')) return { type: ['string', 'null'] };
  return { type: 'string', pattern: keepsEmpty ? `^(?:${inside(pattern)})?$` : pattern.source };
}

/** One parameter: its format as the document writes it, the rule in the words of the error message, its purpose, and its secrecy. */
export function parameterSchema(row: Row<unknown>): JsonObject {
  const { format, note, secret, lenient } = row;
  return {
    ...valueSchema(row),
    description: [`${format.label}.`, ruleSentence(format), note].filter(Boolean).join(' '),
    ...(secret ? { 'x-secrecy': secrecyOf(secret), writeOnly: true } : {}),
    ...(lenient ? { 'x-lenient': true } : {}),
    ...(note?.startsWith('Deprecated') || note?.startsWith('Older clients') ? { deprecated: true } : {}),
  };
}

/** The wire names of a row as a pattern; null for a row that is its own only name. */
function namePattern(name: string): string | null {
  const key = mapKeys[name];
  if (key) return `^${escaped(name.slice(0, name.indexOf('[')))}\\[${inside(key.pattern)}\\]$`;
  return name.includes('[n]') ? `^${name.split('[n]').map(escaped).join(INDEX)}$` : null;
}

/** Generators make one index signature of all patterns, which only plain texts fit: a closed set is a pattern there. */
function indexedSchema(row: Row<unknown>): JsonObject {
  const { enum: _, 'x-enum-varnames': _names, ...schema } = parameterSchema(row);
  const { values } = row.format;
  return values ? { ...schema, pattern: `^(?:${values.map(escaped).join('|')})$` } : schema;
}

/** One section of the documents. Names with an index or a key are patterns. */
export function sectionSchema({ document, heading, rows }: Section): JsonObject {
  const properties: Record<string, Json> = {};
  const patternProperties: Record<string, Json> = {};
  for (const [name, row] of Object.entries(rows)) {
    const pattern = namePattern(name);
    if (pattern === null) properties[name] = parameterSchema(row);
    else patternProperties[pattern] = { ...indexedSchema(row), title: name };
  }
  return { type: 'object', title: heading, description: `Document ${document}, ${heading}.`, properties, patternProperties };
}

type Node = { [name: string]: Node | Row<unknown> };

const isRow = (node: Node | Row<unknown>): node is Row<unknown> => typeof node.need === 'string';

/** Dotted names as the tree the answer is: `redirect.parameters[n].name` is a list of objects, `resultDetails[name]` a map. */
function treeOf(rows: Section['rows']): Node {
  const root: Node = {};
  for (const [name, row] of Object.entries(rows)) {
    const steps = name.replace(/\[(\w+)\]/g, '.[$1]').split('.');
    let node = root;
    for (const step of steps.slice(0, -1)) {
      node[step] ??= {};
      node = node[step] as Node;
    }
    node[steps.at(-1) as string] = row;
  }
  return root;
}

/** Values that only a lenient channel accepts come back too. */
function answeredValue(row: Row<unknown>): JsonObject {
  const schema = valueSchema(row);
  const { lenientFormat } = row;
  if (!lenientFormat || typeof schema.pattern !== 'string') return schema;
  return { ...schema, pattern: `^(?:${schema.pattern.slice(1, -1)}|${inside(lenientFormat.pattern)})$` };
}

function answerSchema(node: Node | Row<unknown>): JsonObject {
  if (isRow(node)) {
    const { format, note } = node;
    return { ...answeredValue(node), description: [`${format.label}.`, note].filter(Boolean).join(' ') };
  }
  if (node['[n]']) return { type: 'array', items: answerSchema(node['[n]']) };
  const { '[name]': entry, ...named } = node;
  const fields = Object.entries(named);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, child]) => [name, answerSchema(child)])),
    additionalProperties: entry ? answerSchema(entry) : true,
  };
}

const answered = (title: string, rows: Section['rows']): JsonObject => ({
  ...answerSchema(treeOf(rows)),
  title,
  required: ['result', 'buildNumber', 'timestamp', 'ndc'],
});

/** A payment as it is answered. Fields may be added at any time, and request structures come back in it. */
export const paymentSchema = (): JsonObject => answered('Payment', { ...paymentResponse, ...paymentSums, ...responseExtras });

/** Stored payment details as they are answered. */
export const registrationSchema = (): JsonObject => answered('Registration', registrationResponse);

/** A list of payments as a query answers it; those in it have no build number and no number of a request of their own. */
export function listSchema(name: 'payments' | 'records'): JsonObject {
  const { buildNumber, timestamp, ndc, ...own } = { ...paymentResponse, ...paymentSums, ...responseExtras };
  const { 'result.code': code, 'result.description': description } = own;
  const head = answerSchema(treeOf({ 'result.code': code, 'result.description': description, buildNumber, timestamp, ndc }));
  return {
    ...head,
    title: name === 'payments' ? 'Payments' : 'Records',
    properties: {
      ...(head.properties as JsonObject),
      [name]: { type: 'array', items: answerSchema(treeOf({ ...own, timestamp })) },
      pages: { type: 'integer', minimum: 1, description: 'How many pages there are.' },
    },
    required: ['result', 'buildNumber', 'timestamp', 'ndc'],
  };
}

/** The stored payment details of a customer; those in the list have no build number and no number of a request of their own. */
export function registrationsSchema(): JsonObject {
  const { buildNumber, timestamp, ndc, ...rest } = paymentResponse;
  const { 'result.code': code, 'result.description': description } = rest;
  const head = answered('Registrations', { 'result.code': code, 'result.description': description, buildNumber, timestamp, ndc });
  const own = Object.fromEntries(
    Object.entries(registrationResponse).filter(([name]) => !['buildNumber', 'timestamp', 'ndc'].includes(name)),
  );
  const registrations = { type: 'array', items: answerSchema(treeOf(own)) };
  return { ...head, properties: { ...(head.properties as JsonObject), registrations } };
}

/** The public catalogues: result codes and brands. */

const text: JsonObject = { type: 'string' };
const whole = (properties: Readonly<Record<string, Json>>): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
const oneOfWords = (words: Iterable<string>): JsonObject => ({ type: 'string', enum: [...words] });
const meanings: Readonly<Record<Meaning, true>> = {
  approved: true,
  pending: true,
  declined: true,
  refused: true,
  chargeback: true,
};

/** Every result code, the groups with their patterns, and the texts for shoppers in every language. */
export function resultCodesSchema(code: JsonObject): JsonObject {
  const entry = whole({
    code,
    description: text,
    class: oneOfWords(Object.keys(meanings)),
    group: { type: ['string', 'null'], enum: [...Object.keys(resultGroups), null] },
    http: { type: 'integer' },
    advice: oneOfWords(Object.keys(adviceTexts)),
    adviceText: text,
    retry: whole({
      otherAccount: {
        ...oneOfWords(['unsent', 'declined', 'no']),
        description:
          'Whether the gateway asks another account of the channel. unsent: the issuer was not asked. declined: unless the request can be used only once.',
      },
      again: { ...oneOfWords(['later', 'advised', 'never']), description: 'advised: only when the issuer names a time.' },
      afterDays: { type: 'integer', description: 'A retry is at least so many days later.' },
      triesMax: { type: 'integer', description: 'Tries of the same payment, the first one included.' },
    }),
    shopperTextId: { type: 'string', description: 'The key of the text in shopperTexts.' },
    shopperText: { type: 'string', description: 'The text in the language of the request, by default English.' },
  });
  return whole({
    resultCodes: listOf(entry),
    groups: listOf(whole({ name: text, pattern: { type: 'string', description: 'A regular expression for codes.' } })),
    shopperTexts: { type: 'object', additionalProperties: { type: 'object', additionalProperties: text } },
  });
}

/** Every brand. New brands may come at any time. */
export function brandsSchema(): JsonObject {
  const wordsOrNull: JsonObject = { type: ['array', 'null'], items: text };
  const entry = whole({
    brand: { type: 'string', pattern: '^[A-Za-z0-9_]{1,32}$', examples: Object.keys(brands).slice(0, 3) },
    name: { type: 'string', description: 'The name as people write it.' },
    method: oneOfWords(Object.keys(methods)),
    methodName: text,
    account: oneOfWords(['card', 'bankAccount', 'virtualAccount', 'giftCard', 'wallet', 'none']),
    workflow: oneOfWords(['sync', 'async']),
    paidBy: { type: ['string', 'null'], enum: ['slip', 'invoice', null] },
    cvvLength: { type: ['integer', 'null'] },
    countries: { ...wordsOrNull, description: 'ISO 3166-1; null: no limit is known.' },
    currencies: { ...wordsOrNull, description: 'ISO 4217; null: no limit is known.' },
    requiredParameters: { ...listOf(text), description: 'What a payment must carry; a|b is either of two.' },
  });
  return whole({ brands: listOf(entry) });
}

/** The answers of the settlement report for the description of the API, derived from the columns of the reconciliation record. */

const described = (description: string): JsonObject => ({ type: 'string', description });

type Properties = { [name: string]: Properties | JsonObject };

/** Puts the schema of `a.b[n].c` among the properties. */
function put(properties: Properties, path: string, schema: JsonObject): void {
  const [name = '', ...rest] = path.split('.');
  const isList = name.endsWith('[n]');
  const own = name.replace('[n]', '');
  if (rest.length === 0) {
    properties[own] = schema;
    return;
  }
  const blank: JsonObject = isList
    ? { type: 'array', items: { type: 'object', properties: {} } }
    : { type: 'object', properties: {} };
  properties[own] ??= blank;
  const node = properties[own] as { readonly items?: { readonly properties: Properties }; readonly properties?: Properties };
  put(node.items?.properties ?? node.properties ?? {}, rest.join('.'), schema);
}

function recordSchema(): JsonObject {
  const properties: Properties = {};
  for (const { api, orApi, format, says } of reconciliationColumns) {
    for (const path of [api, orApi ?? null]) if (path !== null) put(properties, path, described(`${format}. ${says}`));
  }
  return { type: 'object', properties: properties as JsonObject };
}

const reportOf = (title: string, items: JsonObject, more: JsonObject = {}): JsonObject => ({
  title,
  type: 'object',
  properties: {
    result: { type: 'object', properties: { code: { type: 'string' }, description: { type: 'string' } } },
    records: { type: 'array', items },
    ...more,
    buildNumber: { type: 'string' },
    timestamp: { type: 'string' },
    ndc: { type: 'string' },
  },
  required: ['result', 'buildNumber', 'timestamp', 'ndc'],
});

/** The settled amount of each day and currency. */
export const aggregationsSchema = (): JsonObject =>
  reportOf('Aggregations', {
    type: 'object',
    properties: {
      id: described('The id for reading the records of this day and currency.'),
      date: described('yyyy-MM-dd. The day of settlement.'),
      currency: described('A3 ISO 4217'),
      amount: described('The balance of payouts to and deductions from the merchant.'),
      fee: described('The fees.'),
      count: described('How many records there are.'),
    },
  });

/** The records of one of them. */
export const settlementSchema = (): JsonObject =>
  reportOf('Settlement', recordSchema(), {
    pages: { type: 'integer', minimum: 1, description: 'Number of pages of 100 records; only in v2.' },
  });
