import { type Amount, amountText } from '../../money/amount.ts';
import {
  type BrandFigures,
  type Decline,
  type Figures,
  type Latency,
  type Point,
  type Result,
  results,
  type StatisticsAnswer,
  type TypeFigures,
  threeDSOutcomes,
  webhookOutcomes,
} from '../../spec/answers/statistics.ts';
import { isResultCode, resultCodes } from '../../spec/resultCodes.ts';
import type { Sheet, StatisticsStore } from './ports.ts';
import { add, addSheet, percentile, prune, type Sum, type Sums } from './sheet.ts';
import { cover, type Interval, type Piece, sheetRanges, stepFor, stepsOf, toQuarters } from './steps.ts';

type StatisticsQuery = Interval & { readonly entityId: string; readonly timeZone: string; readonly now: number };

const text = (at: number): string => new Date(at).toISOString();

/** The sums of each interval, from the sheets that cover it. */
function sumsIn(covers: readonly (readonly Piece[])[], sheets: readonly Sheet[]): readonly Sums[] {
  const byPlace = new Map(sheets.map((sheet) => [`${sheet.span} ${sheet.begins}`, sheet]));
  return covers.map((pieces) => {
    const sums: Sums = new Map();
    for (const { span, from, before, sign } of pieces) {
      for (let begins = from; begins < before; begins += span) {
        const sheet = byPlace.get(`${span} ${begins}`);
        if (sheet) addSheet(sums, sheet, sign);
      }
    }
    return prune(sums);
  });
}

/** How often the sheets are read when a fold changes them meanwhile. */
const READS_MAX = 3;

/** Reads all sheets at one revision: an hour that is subtracted from a day must be contained in it. */
async function readSums(store: StatisticsStore, entityId: string, intervals: readonly Interval[]) {
  const covers = intervals.map((interval) => cover(interval));
  for (let reads = 1; ; reads += 1) {
    const revision = await store.foldRevision();
    const sheets = await store.sheetsWithin(entityId, sheetRanges(covers.flat()));
    const isConsistent = (await store.foldRevision()) === revision;
    if (isConsistent || reads === READS_MAX) return sumsIn(covers, sheets);
  }
}

/** The previous period of the same length. Of a period that is not over, only the part that has passed counts. */
function previousPeriod({ from, before }: Interval, now: number): Interval {
  const ms = before - from;
  const passed = toQuarters({ from, before: now }).before;
  return { from: from - ms, before: (passed > from && passed < before ? passed : before) - ms };
}

function sumUp(all: readonly Sums[]): Sums {
  const sum: Sums = new Map();
  for (const sums of all) for (const [key, one] of sums) add(sum, key, one);
  return sum;
}

/** The dashboard figures of an entity and everything below it, in one period. */
export async function statisticsOf(store: StatisticsStore, query: StatisticsQuery): Promise<StatisticsAnswer> {
  const { entityId, timeZone, now } = query;
  const whole = toQuarters(query);
  const step = stepFor(whole);
  const steps = stepsOf(whole, step, timeZone);
  const earlier = previousPeriod(whole, now);
  const read = await readSums(store, entityId, [...steps, earlier]);
  const [sums, before] = [read.slice(0, -1), read.at(-1) ?? new Map()];
  const all = sumUp(sums);
  const points = steps.map(
    ({ from, before }, index): Point => ({ from: text(from), to: text(before), ...figuresOf(sums[index] ?? new Map()) }),
  );
  return {
    entityId,
    timeZone,
    step,
    now: text(now),
    from: text(whole.from),
    to: text(whole.before),
    points,
    total: figuresOf(all),
    before: figuresOf(before),
    declines: declinesOf(all),
    brands: brandFiguresOf(all),
    types: typeFiguresOf(all),
  };
}

type Entry = { readonly words: readonly string[]; readonly count: number; readonly amount: Amount };

/** The sums with keys of one letter, and the words after it. */
const entriesOf = (sums: Sums, letter: string): readonly Entry[] =>
  [...sums].flatMap(([key, { count, amount }]: [string, Sum]) => {
    const [first, ...words] = key.split(' ');
    return first === letter ? [{ words, count, amount: amount ?? 0n }] : [];
  });

const none = (): Record<Result, number> => ({ approved: 0, declined: 0, rejected: 0, pending: 0 });

const isResult = (word: string): word is Result => (results as readonly string[]).includes(word);

function byName<Name extends string>(names: readonly Name[], entries: readonly Entry[]): Record<Name, number> {
  const found = new Map(entries.map(({ words, count }) => [words[0], count]));
  return Object.fromEntries(names.map((name) => [name, found.get(name) ?? 0])) as Record<Name, number>;
}

function latencyOf(entries: readonly Entry[]): Latency {
  const counts = new Map(entries.map(({ words, count }) => [Number(words[0]), count]));
  const count = entries.reduce((sum, one) => sum + one.count, 0);
  return { p50: percentile(counts, 0.5), p95: percentile(counts, 0.95), count };
}

type Brand = { readonly attempts: Record<Result, number>; readonly volume: Map<string, Amount>; approved: Map<string, number> };

function brandsOf(sums: Sums): Map<string, Brand> {
  const brands = new Map<string, Brand>();
  for (const { words, count, amount } of entriesOf(sums, 'b')) {
    const [currency = '', brand = '', result = ''] = words;
    const known = brands.get(brand) ?? { attempts: none(), volume: new Map(), approved: new Map() };
    brands.set(brand, known);
    if (!isResult(result)) continue;
    known.attempts[result] += count;
    if (result !== 'approved') continue;
    known.volume.set(currency, (known.volume.get(currency) ?? 0n) + amount);
    known.approved.set(currency, (known.approved.get(currency) ?? 0) + count);
  }
  return brands;
}

const texts = (amounts: ReadonlyMap<string, Amount>): Record<string, string> =>
  Object.fromEntries([...amounts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, one]) => [name, amountText(one)]));

function figuresOf(sums: Sums): Figures {
  const attempts = none();
  const [volume, approved] = [new Map<string, Amount>(), new Map<string, number>()];
  for (const brand of brandsOf(sums).values()) {
    for (const result of results) attempts[result] += brand.attempts[result];
    for (const [currency, amount] of brand.volume) volume.set(currency, (volume.get(currency) ?? 0n) + amount);
    for (const [currency, count] of brand.approved) approved.set(currency, (approved.get(currency) ?? 0) + count);
  }
  return {
    attempts,
    volume: texts(volume),
    approved: Object.fromEntries([...approved].sort()),
    threeDS: byName(threeDSOutcomes, entriesOf(sums, 't')),
    latency: latencyOf(entriesOf(sums, 'l')),
    webhooks: byName(webhookOutcomes, entriesOf(sums, 'w')),
    webhookLatency: latencyOf(entriesOf(sums, 'x')),
  };
}

/** The most frequent reason first. */
const declinesOf = (sums: Sums): readonly Decline[] =>
  entriesOf(sums, 'c')
    .filter(({ count }) => count > 0)
    .map(({ words: [code = ''], count }) => ({ code, text: isResultCode(code) ? resultCodes[code].text : '', count }))
    .sort((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1));

const sumOf = (attempts: Readonly<Record<Result, number>>): number => results.reduce((sum, result) => sum + attempts[result], 0);

const brandFiguresOf = (sums: Sums): readonly BrandFigures[] =>
  [...brandsOf(sums)]
    .map(([brand, { attempts, volume }]) => ({ brand, attempts, volume: texts(volume) }))
    .filter(({ attempts }) => sumOf(attempts) > 0)
    .sort((one, other) => sumOf(other.attempts) - sumOf(one.attempts) || (one.brand < other.brand ? -1 : 1));

const typeFiguresOf = (sums: Sums): readonly TypeFigures[] =>
  entriesOf(sums, 'v')
    .flatMap(({ words: [currency = '', type = '', result], count, amount }) =>
      result === 'approved' && count > 0 ? [{ type, currency, count, amount: amountText(amount) }] : [],
    )
    .sort((one, other) => (one.type + one.currency < other.type + other.currency ? -1 : 1));
