import { type NestedObject, nest } from '../../form/nest.ts';
import { amountText } from '../../money/amount.ts';
import type { Aggregation } from '../../settlement/ports.ts';
import type { RecordType, SettlementRecord } from '../../settlement/record.ts';
import { dayText } from '../../spec/dates.ts';
import { columnNames } from '../../spec/reconciliation.ts';
import { DAY_MS } from '../../spec/time.ts';
import { columnsNamed, cut, isOfBank, type ReportRow } from '../reconciliation/columns.ts';
import { channelPathsIn, reportRowPage, reportRows } from '../reconciliation/reportRows.ts';
import { type SampleDay, sampleAggregation, sampleRecords } from './sample.ts';
import type { ReportService } from './service.ts';

/** What an id of the settlement report stands for. */
type AggregationName = { readonly settledOn: string; readonly currency: string };

const OWNER_LENGTH = 18;

/**
 * The id of what was settled for an entity on a day in a currency: 32 hex digits that say just that, so that nothing has to be kept and
 * the id is the same for ever. Its end is the end of the entity's own id.
 */
const aggregationId = (entityId: string, { settledOn, currency }: AggregationName): string =>
  settledOn.replaceAll('-', '') + Buffer.from(currency, 'latin1').toString('hex') + entityId.slice(-OWNER_LENGTH);

/** What an id stands for; null when it is no id of this entity's. */
function aggregationNamed(entityId: string, id: string): AggregationName | null {
  const parts = /^([0-9]{4})([0-9]{2})([0-9]{2})((?:[0-9a-f]{2}){3})([0-9a-f]{18})$/.exec(id);
  if (parts === null || parts[5] !== entityId.slice(-OWNER_LENGTH)) return null;
  const currency = Buffer.from(parts[4] as string, 'hex').toString('latin1');
  return /^[A-Z]{3}$/.test(currency) ? { settledOn: `${parts[1]}-${parts[2]}-${parts[3]}`, currency } : null;
}

/** One line of the list. Everything is text, as everywhere in this API. */
const projectAggregation = (entityId: string, aggregation: Aggregation): Readonly<Record<string, string>> => ({
  id: aggregationId(entityId, aggregation),
  date: aggregation.settledOn,
  currency: aggregation.currency,
  amount: amountText(aggregation.amount),
  fee: amountText(aggregation.fee),
  count: String(aggregation.count),
});

const columns = columnsNamed(columnNames);

/** A record as the report tells it: the columns of the file by their names in the API, without those that say nothing. */
function projectSettled(gathered: ReportRow): NestedObject {
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

/** Whose settlement is asked about: a merchant with all of his channels, or one of them. */
export type ReportScope = {
  readonly merchantId: string;
  readonly channelId: string | null;
  /** True: made up, to be tried. */
  readonly isSample: boolean;
};

const ownerOf = ({ merchantId, channelId }: ReportScope): string => channelId ?? merchantId;
const narrowed = ({ merchantId, channelId }: ReportScope) => ({ merchantId, ...(channelId !== null && { entityId: channelId }) });

export type Days = { readonly from: string; readonly to: string; readonly currency: string | null };

/** The made-up report does not go back to the beginning of time. */
const SAMPLE_DAYS_MAX = 31;
const SAMPLE_CURRENCY = 'EUR';

const sampleDay = (whose: ReportScope, { settledOn, currency }: AggregationName): SampleDay => ({
  merchantId: whose.merchantId,
  entityId: ownerOf(whose),
  settledOn,
  currency,
});

function sampleDays({ from, to }: Days): readonly string[] {
  const [first, last] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)];
  const count = Math.min(SAMPLE_DAYS_MAX, Math.floor((last - first) / DAY_MS) + 1);
  return Array.from({ length: Math.max(0, count) }, (_, at) => dayText(first + at * DAY_MS));
}

/** What was settled, a line for each day and currency. */
export async function readAggregations(service: ReportService, whose: ReportScope, days: Days): Promise<readonly object[]> {
  const found: readonly Aggregation[] = whose.isSample
    ? sampleDays(days).map((settledOn) =>
        sampleAggregation(sampleDay(whose, { settledOn, currency: days.currency ?? SAMPLE_CURRENCY })),
      )
    : await service.store.aggregations({ ...narrowed(whose), ...days });
  return found.map((aggregation) => projectAggregation(ownerOf(whose), aggregation));
}

export type SettledQuery = { readonly id: string; readonly recordType: RecordType | null; readonly isBackwards: boolean };

/** How the records of an aggregation are found; null: this is no id of his. */
function questionOf(whose: ReportScope, { id, recordType, isBackwards }: SettledQuery) {
  const named = aggregationNamed(ownerOf(whose), id);
  if (named === null) return null;
  const { settledOn, currency } = named;
  const only = { ...narrowed(whose), from: settledOn, to: settledOn, currency, ...(recordType !== null && { recordType }) };
  return { named, only, isBackwards };
}

function sampled(
  service: ReportService,
  whose: ReportScope,
  asked: SettledQuery,
  named: AggregationName,
): readonly NestedObject[] {
  const all = sampleRecords(sampleDay(whose, named), asked.recordType);
  const placeOf = channelPathsIn(service.entity);
  const told = all.map((record: SettlementRecord) => projectSettled({ record, payment: null, channelPath: placeOf(record) }));
  return asked.isBackwards ? told.toReversed() : told;
}

export const PAGE_RECORDS = 100;

/** One page of the records of an aggregation, and how many there are in all. */
export async function reportPage(
  service: ReportService,
  whose: ReportScope,
  asked: SettledQuery & { readonly pageNo: number },
): Promise<{ readonly records: readonly NestedObject[]; readonly count: number }> {
  const question = questionOf(whose, asked);
  if (question === null) return { records: [], count: 0 };
  const skip = (asked.pageNo - 1) * PAGE_RECORDS;
  if (whose.isSample) {
    const all = sampled(service, whose, asked, question.named);
    return { records: all.slice(skip, skip + PAGE_RECORDS), count: all.length };
  }
  const count = await service.store.countRecords(question.only);
  if (skip >= count) return { records: [], count };
  const page = await reportRowPage(service, { ...question.only, isBackwards: asked.isBackwards, skip, limit: PAGE_RECORDS });
  return { records: page.map(projectSettled), count };
}

/** All of them, in portions; null: there are none. */
export async function reportAll(
  service: ReportService,
  whose: ReportScope,
  asked: SettledQuery,
): Promise<AsyncIterable<readonly NestedObject[]> | null> {
  const question = questionOf(whose, asked);
  if (question === null) return null;
  if (whose.isSample) return once(sampled(service, whose, asked, question.named));
  if ((await service.store.countRecords(question.only)) === 0) return null;
  return projected(service, { ...question.only, isBackwards: asked.isBackwards });
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

async function* projected(
  service: ReportService,
  asked: Parameters<typeof reportRows>[1],
): AsyncGenerator<readonly NestedObject[]> {
  for await (const portion of reportRows(service, asked)) yield portion.map(projectSettled);
}

/** The records of some days in portions, for a file. */
export function recordsOfDays(
  service: ReportService,
  whose: ReportScope,
  { from, to, currency, recordType }: Days & { readonly recordType: RecordType | null },
): AsyncIterable<readonly ReportRow[]> {
  if (whose.isSample) return sampledDays(service, whose, { from, to, currency, recordType });
  const only = { ...(currency !== null && { currency }), ...(recordType !== null && { recordType }) };
  return reportRows(service, { ...narrowed(whose), from, to, ...only });
}

async function* sampledDays(
  service: ReportService,
  whose: ReportScope,
  { recordType, ...days }: Days & { readonly recordType: RecordType | null },
): AsyncGenerator<readonly ReportRow[]> {
  const placeOf = channelPathsIn(service.entity);
  for (const settledOn of sampleDays(days)) {
    const records = sampleRecords(sampleDay(whose, { settledOn, currency: days.currency ?? SAMPLE_CURRENCY }), recordType);
    yield records.map((record) => ({ record, payment: null, channelPath: placeOf(record) }));
  }
}
