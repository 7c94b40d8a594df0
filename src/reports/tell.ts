import type { NestedObject } from '../form/nest.ts';
import { DAY_MS, dayText } from '../spec/dates.ts';
import type { Gathered } from './columns.ts';
import type { Aggregation } from './needs.ts';
import { gather, gatherPage, placesIn } from './out/gather.ts';
import type { RecordType, SettlementRecord } from './record.ts';
import type { ReportRoom } from './room.ts';
import { type SampleDay, sampleAggregation, sampleRecords } from './sample.ts';
import { type AggregationName, aggregationNamed, projectAggregation, projectSettled } from './settlement.ts';

/** Whose settlement is asked about: a merchant with all of his channels, or one of them. */
export type Whose = {
  readonly merchantId: string;
  readonly channelId: string | null;
  /** True: made up, to be tried. */
  readonly isSample: boolean;
};

const ownerOf = ({ merchantId, channelId }: Whose): string => channelId ?? merchantId;
const narrowed = ({ merchantId, channelId }: Whose) => ({ merchantId, ...(channelId !== null && { entityId: channelId }) });

export type Days = { readonly from: string; readonly to: string; readonly currency: string | null };

/** The made-up report does not go back to the beginning of time. */
const SAMPLE_DAYS_MAX = 31;
const SAMPLE_CURRENCY = 'EUR';

const sampleDay = (whose: Whose, { settledOn, currency }: AggregationName): SampleDay => ({
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
export async function tellAggregations(room: ReportRoom, whose: Whose, days: Days): Promise<readonly object[]> {
  const found: readonly Aggregation[] = whose.isSample
    ? sampleDays(days).map((settledOn) =>
        sampleAggregation(sampleDay(whose, { settledOn, currency: days.currency ?? SAMPLE_CURRENCY })),
      )
    : await room.store.aggregations({ ...narrowed(whose), ...days });
  return found.map((aggregation) => projectAggregation(ownerOf(whose), aggregation));
}

export type SettledQuestion = { readonly id: string; readonly recordType: RecordType | null; readonly isBackwards: boolean };

/** How the records of an aggregation are found; null: this is no id of his. */
function questionOf(whose: Whose, { id, recordType, isBackwards }: SettledQuestion) {
  const named = aggregationNamed(ownerOf(whose), id);
  if (named === null) return null;
  const { settledOn, currency } = named;
  const only = { ...narrowed(whose), from: settledOn, to: settledOn, currency, ...(recordType !== null && { recordType }) };
  return { named, only, isBackwards };
}

function sampled(room: ReportRoom, whose: Whose, asked: SettledQuestion, named: AggregationName): readonly NestedObject[] {
  const all = sampleRecords(sampleDay(whose, named), asked.recordType);
  const placeOf = placesIn(room.entity);
  const told = all.map((record: SettlementRecord) => projectSettled({ record, payment: null, place: placeOf(record) }));
  return asked.isBackwards ? told.toReversed() : told;
}

export const PAGE_RECORDS = 100;

/** One page of the records of an aggregation, and how many there are in all. */
export async function tellPage(
  room: ReportRoom,
  whose: Whose,
  asked: SettledQuestion & { readonly pageNo: number },
): Promise<{ readonly records: readonly NestedObject[]; readonly count: number }> {
  const question = questionOf(whose, asked);
  if (question === null) return { records: [], count: 0 };
  const skip = (asked.pageNo - 1) * PAGE_RECORDS;
  if (whose.isSample) {
    const all = sampled(room, whose, asked, question.named);
    return { records: all.slice(skip, skip + PAGE_RECORDS), count: all.length };
  }
  const count = await room.store.countRecords(question.only);
  if (skip >= count) return { records: [], count };
  const page = await gatherPage(room, { ...question.only, isBackwards: asked.isBackwards, skip, limit: PAGE_RECORDS });
  return { records: page.map(projectSettled), count };
}

/** All of them, in portions; null: there are none. */
export async function tellAll(
  room: ReportRoom,
  whose: Whose,
  asked: SettledQuestion,
): Promise<AsyncIterable<readonly NestedObject[]> | null> {
  const question = questionOf(whose, asked);
  if (question === null) return null;
  if (whose.isSample) return once(sampled(room, whose, asked, question.named));
  if ((await room.store.countRecords(question.only)) === 0) return null;
  return projected(room, { ...question.only, isBackwards: asked.isBackwards });
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

async function* projected(room: ReportRoom, asked: Parameters<typeof gather>[1]): AsyncGenerator<readonly NestedObject[]> {
  for await (const portion of gather(room, asked)) yield portion.map(projectSettled);
}

/** The records of some days in portions, for a file. */
export function recordsOfDays(
  room: ReportRoom,
  whose: Whose,
  { from, to, currency, recordType }: Days & { readonly recordType: RecordType | null },
): AsyncIterable<readonly Gathered[]> {
  if (whose.isSample) return sampledDays(room, whose, { from, to, currency, recordType });
  const only = { ...(currency !== null && { currency }), ...(recordType !== null && { recordType }) };
  return gather(room, { ...narrowed(whose), from, to, ...only });
}

async function* sampledDays(
  room: ReportRoom,
  whose: Whose,
  { recordType, ...days }: Days & { readonly recordType: RecordType | null },
): AsyncGenerator<readonly Gathered[]> {
  const placeOf = placesIn(room.entity);
  for (const settledOn of sampleDays(days)) {
    const records = sampleRecords(sampleDay(whose, { settledOn, currency: days.currency ?? SAMPLE_CURRENCY }), recordType);
    yield records.map((record) => ({ record, payment: null, place: placeOf(record) }));
  }
}
