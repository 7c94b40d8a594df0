import { reconciliationColumns } from '../reconciliation.ts';
import type { JsonObject } from './schemas.ts';

/** The answers of the settlement report for the description of the API, derived from the columns of the reconciliation record. */

const text = (description: string): JsonObject => ({ type: 'string', description });

type Node = { [name: string]: Node | JsonObject };

/** `a.b[n].c` as a schema inside those that are there already. */
function put(properties: Node, path: string, schema: JsonObject): void {
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
  const node = properties[own] as { readonly items?: { readonly properties: Node }; readonly properties?: Node };
  put(node.items?.properties ?? node.properties ?? {}, rest.join('.'), schema);
}

function recordSchema(): JsonObject {
  const properties: Node = {};
  for (const { api, orApi, format, says } of reconciliationColumns) {
    for (const path of [api, orApi ?? null]) if (path !== null) put(properties, path, text(`${format}. ${says}`));
  }
  return { type: 'object', properties: properties as JsonObject };
}

const listOf = (title: string, items: JsonObject, more: JsonObject = {}): JsonObject => ({
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

/** What was settled on each day in each currency. */
export const aggregationsSchema = (): JsonObject =>
  listOf('Aggregations', {
    type: 'object',
    properties: {
      id: text('The id for reading the records of this day and currency.'),
      date: text('yyyy-MM-dd. The day of settlement.'),
      currency: text('A3 ISO 4217'),
      amount: text('The balance of payouts to and deductions from the merchant.'),
      fee: text('The fees.'),
      count: text('How many records there are.'),
    },
  });

/** The records of one of them. */
export const settlementSchema = (): JsonObject =>
  listOf('Settlement', recordSchema(), {
    pages: { type: 'integer', minimum: 1, description: 'Number of pages of 100 records; only in v2.' },
  });
