import { type NestedObject, nest } from '../form/nest.ts';
import { amountText } from '../money/amount.ts';
import { columnNames } from '../spec/reconciliation.ts';
import { columnsNamed, cut, type Gathered, isOfBank } from './columns.ts';
import type { Aggregation } from './needs.ts';

/** What an id of the settlement report stands for. */
export type AggregationName = { readonly settledOn: string; readonly currency: string };

const OWNER_LENGTH = 18;

/**
 * The id of what was settled for an entity on a day in a currency: 32 hex digits that say just that, so that nothing has to be kept and
 * the id is the same for ever. Its end is the end of the entity's own id.
 */
export const aggregationId = (entityId: string, { settledOn, currency }: AggregationName): string =>
  settledOn.replaceAll('-', '') + Buffer.from(currency, 'latin1').toString('hex') + entityId.slice(-OWNER_LENGTH);

/** What an id stands for; null when it is no id of this entity's. */
export function aggregationNamed(entityId: string, id: string): AggregationName | null {
  const parts = /^([0-9]{4})([0-9]{2})([0-9]{2})((?:[0-9a-f]{2}){3})([0-9a-f]{18})$/.exec(id);
  if (parts === null || parts[5] !== entityId.slice(-OWNER_LENGTH)) return null;
  const currency = Buffer.from(parts[4] as string, 'hex').toString('latin1');
  return /^[A-Z]{3}$/.test(currency) ? { settledOn: `${parts[1]}-${parts[2]}-${parts[3]}`, currency } : null;
}

/** One line of the list. Everything is text, as everywhere in this API. */
export const projectAggregation = (entityId: string, aggregation: Aggregation): Readonly<Record<string, string>> => ({
  id: aggregationId(entityId, aggregation),
  date: aggregation.settledOn,
  currency: aggregation.currency,
  amount: amountText(aggregation.amount),
  fee: amountText(aggregation.fee),
  count: String(aggregation.count),
});

const columns = columnsNamed(columnNames);

/** A record as the report tells it: the columns of the file by their names in the API, without those that say nothing. */
export function projectSettled(gathered: Gathered): NestedObject {
  const fields: Record<string, string> = {};
  const isBank = isOfBank(gathered);
  for (const { row, read } of columns) {
    if (row.api === null) continue;
    const value = read(gathered);
    const name = isBank && row.orApi !== undefined ? row.orApi : row.api;
    if (typeof value === 'string') fields[name] = cut(value, row.most);
    else if (value !== null) for (const [at, one] of value.entries()) fields[name.replace('[n]', `[${at}]`)] = one;
  }
  return nest(fields);
}
