import { type NestedObject, nest } from '../../form/nest.ts';
import { amountText } from '../../money/amount.ts';
import type { Aggregation, SettlementStore } from '../../settlement/ports.ts';
import type { RecordType, SettlementRecord } from '../../settlement/record.ts';
import { dayText } from '../../spec/formats/dates.ts';
import { columnNames } from '../../spec/reconciliation.ts';
import { DAY_MS } from '../../spec/time.ts';
import { columnsNamed, cut, isOfBank, type ReportRow } from '../reconciliation/columns.ts';
import type { ReconciliationStore } from '../reconciliation/ports.ts';
import { channelPathsIn, type ReportRowNeeds, reportRowPage, reportRows } from '../reconciliation/reportRows.ts';
import { type SampleDay, sampleAggregation, sampleRecords } from './sample.ts';

/** The content of an id of the settlement report. */
type AggregationName = { readonly settledOn: string; readonly currency: string };

const OWNER_LENGTH = 18;

/**
 * The id of an entity's settlement on a day in a currency: 32 hex digits that encode day and currency, so that nothing has to be stored
 * and the id never changes. It ends with the end of the entity's id.
 */
const aggregationId = (entityId: string, { settledOn, currency }: AggregationName): string =>
  settledOn.replaceAll('-', '') + Buffer.from(currency, 'latin1').toString('hex') + entityId.slice(-OWNER_LENGTH);

/** Decodes an id; null: it belongs to another entity. */
function aggregationNamed(entityId: string, id: string): AggregationName | null {
  const parts = /^([0-9]{4})([0-9]{2})([0-9]{2})((?:[0-9a-f]{2}){3})([0-9a-f]{18})$/.exec(id);
  if (parts === null || parts[5] !== entityId.slice(-OWNER_LENGTH)) return null;
  const currency = Buffer.from(parts[4] as string, 'hex').toString('latin1');
  return /^[A-Z]{3}$/.test(currency) ? { settledOn: `${parts[1]}-${parts[2]}-${parts[3]}`, currency } : null;
}

/** One line of the list. All values are text, as everywhere in this API. */
const projectAggregation = (entityId: string, aggregation: Aggregation): Readonly<Record<string, string>> => ({
  id: aggregationId(entityId, aggregation),
  date: aggregation.settledOn,
  currency: aggregation.currency,
  amount: amountText(aggregation.amount),
  fee: amountText(aggregation.fee),
  count: String(aggregation.count),
});

const columns = columnsNamed(columnNames);

/** A record as JSON: the columns of the file by their API names, without empty ones. */
function projectSettled(reportRow: ReportRow): NestedObject {
  const fields: Record<string, string> = {};
  const isBank = isOfBank(reportRow);
  for (const { row, read } of columns) {
    if (row.api === null) continue;
    const value = read(reportRow);
    const name = isBank && row.orApi !== undefined ? row.orApi : row.api;
    if (typeof value === 'string') fields[name] = cut(value, row.most);
    else if (value !== null) for (const [at, one] of value.entries()) fields[name.replace('[n]', `[${at}]`)] = one;
  }
  return nest(fields);
}

/** The subject of a report: a merchant with all channels, or one of them. */
export type ReportScope = {
  readonly merchantId: string;
  readonly channelId: string | null;
  /** True: sample data for integration tests. */
  readonly isSample: boolean;
};

const ownerOf = ({ merchantId, channelId }: ReportScope): string => channelId ?? merchantId;
const narrowed = ({ merchantId, channelId }: ReportScope) => ({ merchantId, ...(channelId !== null && { entityId: channelId }) });

type Days = { readonly from: string; readonly to: string; readonly currency: string | null };

/** The longest period of sample data. */
const SAMPLE_DAYS_MAX = 31;
const SAMPLE_CURRENCY = 'EUR';

const sampleDay = (scope: ReportScope, { settledOn, currency }: AggregationName): SampleDay => ({
  merchantId: scope.merchantId,
  entityId: ownerOf(scope),
  settledOn,
  currency,
});

function sampleDays({ from, to }: Days): readonly string[] {
  const [first, last] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)];
  const count = Math.min(SAMPLE_DAYS_MAX, Math.floor((last - first) / DAY_MS) + 1);
  return Array.from({ length: Math.max(0, count) }, (_, at) => dayText(first + at * DAY_MS));
}

/** The settled sums, one line for each day and currency. */
export async function readAggregations(service: ReportService, scope: ReportScope, days: Days): Promise<readonly object[]> {
  const found: readonly Aggregation[] = scope.isSample
    ? sampleDays(days).map((settledOn) =>
        sampleAggregation(sampleDay(scope, { settledOn, currency: days.currency ?? SAMPLE_CURRENCY })),
      )
    : await service.store.aggregations({ ...narrowed(scope), ...days });
  return found.map((aggregation) => projectAggregation(ownerOf(scope), aggregation));
}

export type SettledQuery = { readonly id: string; readonly recordType: RecordType | null; readonly isBackwards: boolean };

/** The query for the records of an aggregation; null: the id belongs to another entity. */
function recordQuery(scope: ReportScope, { id, recordType, isBackwards }: SettledQuery) {
  const named = aggregationNamed(ownerOf(scope), id);
  if (named === null) return null;
  const { settledOn, currency } = named;
  const only = { ...narrowed(scope), from: settledOn, to: settledOn, currency, ...(recordType !== null && { recordType }) };
  return { named, only, isBackwards };
}

function sampled(
  service: ReportService,
  scope: ReportScope,
  query: SettledQuery,
  named: AggregationName,
): readonly NestedObject[] {
  const all = sampleRecords(sampleDay(scope, named), query.recordType);
  const pathOf = channelPathsIn(service.entity);
  const shown = all.map((record: SettlementRecord) => projectSettled({ record, payment: null, channelPath: pathOf(record) }));
  return query.isBackwards ? shown.toReversed() : shown;
}

export const PAGE_RECORDS = 100;

/** One page of the records of an aggregation, and the number of all. */
export async function reportPage(
  service: ReportService,
  scope: ReportScope,
  query: SettledQuery & { readonly pageNo: number },
): Promise<{ readonly records: readonly NestedObject[]; readonly count: number }> {
  const found = recordQuery(scope, query);
  if (found === null) return { records: [], count: 0 };
  const skip = (query.pageNo - 1) * PAGE_RECORDS;
  if (scope.isSample) {
    const all = sampled(service, scope, query, found.named);
    return { records: all.slice(skip, skip + PAGE_RECORDS), count: all.length };
  }
  const count = await service.store.countRecords(found.only);
  if (skip >= count) return { records: [], count };
  const page = await reportRowPage(service, { ...found.only, isBackwards: query.isBackwards, skip, limit: PAGE_RECORDS });
  return { records: page.map(projectSettled), count };
}

/** All records of an aggregation in batches; null: there are none. */
export async function reportAll(
  service: ReportService,
  scope: ReportScope,
  query: SettledQuery,
): Promise<AsyncIterable<readonly NestedObject[]> | null> {
  const found = recordQuery(scope, query);
  if (found === null) return null;
  if (scope.isSample) return once(sampled(service, scope, query, found.named));
  if ((await service.store.countRecords(found.only)) === 0) return null;
  return projected(service, { ...found.only, isBackwards: query.isBackwards });
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

async function* projected(
  service: ReportService,
  query: Parameters<typeof reportRows>[1],
): AsyncGenerator<readonly NestedObject[]> {
  for await (const batch of reportRows(service, query)) yield batch.map(projectSettled);
}

/** The records of some days in batches, for a file. */
export function recordsOfDays(
  service: ReportService,
  scope: ReportScope,
  { from, to, currency, recordType }: Days & { readonly recordType: RecordType | null },
): AsyncIterable<readonly ReportRow[]> {
  if (scope.isSample) return sampledDays(service, scope, { from, to, currency, recordType });
  const only = { ...(currency !== null && { currency }), ...(recordType !== null && { recordType }) };
  return reportRows(service, { ...narrowed(scope), from, to, ...only });
}

async function* sampledDays(
  service: ReportService,
  scope: ReportScope,
  { recordType, ...days }: Days & { readonly recordType: RecordType | null },
): AsyncGenerator<readonly ReportRow[]> {
  const pathOf = channelPathsIn(service.entity);
  for (const settledOn of sampleDays(days)) {
    const records = sampleRecords(sampleDay(scope, { settledOn, currency: days.currency ?? SAMPLE_CURRENCY }), recordType);
    yield records.map((record) => ({ record, payment: null, channelPath: pathOf(record) }));
  }
}

/** The sources of reports. */
export type ReportService = {
  readonly store: Pick<SettlementStore, 'records' | 'countRecords' | 'aggregations' | 'paymentsNamed'> &
    Pick<ReconciliationStore, 'reconciliations'>;
  readonly entity: ReportRowNeeds['entity'];
};
