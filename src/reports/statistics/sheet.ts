import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import type { Sheet, SheetKey } from './ports.ts';

/** A count, and for money an amount, by key: the sums of one entity and one period. */
export type Sum = { count: number; amount: bigint | null };
export type Sums = Map<string, Sum>;

/** Some time zones differ from UTC by half an hour or three quarters, so their days begin at a quarter of an hour. */
export const QUARTER_MS = HOUR_MS / 4;
export const spans = [QUARTER_MS, HOUR_MS, DAY_MS] as const;

export const keyText = ({ nodeId, span, begins }: SheetKey): string => `${nodeId} ${span} ${begins}`;

export function add(sums: Sums, key: string, { count, amount }: Readonly<Sum>): void {
  const known = sums.get(key);
  if (known === undefined) {
    sums.set(key, { count, amount });
    return;
  }
  known.count += count;
  if (amount !== null) known.amount = (known.amount ?? 0n) + amount;
}

type Written = Readonly<Record<string, number | readonly [count: number, amount: string]>>;

/** Leaves out zeros. Keys are sorted, so that equal sums are equal texts. */
export function writeSums(sums: Sums): string {
  const kept = [...sums].filter(([, { count, amount }]) => count !== 0 || (amount ?? 0n) !== 0n);
  kept.sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(
    Object.fromEntries(kept.map(([key, { count, amount }]) => [key, amount === null ? count : [count, String(amount)]])),
  );
}

/** Adds a sheet to sums, or subtracts it. */
export function addSheet(sums: Sums, { body }: Pick<Sheet, 'body'>, sign: 1 | -1 = 1): void {
  const written = JSON.parse(body) as Written;
  for (const key in written) {
    const one = written[key] as Written[string];
    if (typeof one === 'number') add(sums, key, { count: sign * one, amount: null });
    else add(sums, key, { count: sign * one[0], amount: sign === 1 ? BigInt(one[1]) : -BigInt(one[1]) });
  }
}

/** Removes zeros. */
export function prune(sums: Sums): Sums {
  for (const [key, { count, amount }] of sums) if (count === 0 && (amount ?? 0n) === 0n) sums.delete(key);
  return sums;
}

/** Latencies are counted in buckets of a quarter of an octave: percentiles are exact to a fifth, and a sheet has a few dozen buckets. */
const PER_OCTAVE = 4;
const BUCKET_MAX = 120;

/** Bucket 0 is below a millisecond. */
export const bucketOf = (ms: number): number =>
  Math.min(BUCKET_MAX, Math.floor(PER_OCTAVE * Math.log2(Math.max(0, ms) + 1) + 1e-9));

const lowerEdge = (bucket: number): number => 2 ** (bucket / PER_OCTAVE) - 1;

/** The latency that a share of all stays below, in whole milliseconds; null when nothing was counted. */
export function percentile(counts: ReadonlyMap<number, number>, share: number): number | null {
  const sorted = [...counts].filter(([, count]) => count > 0).sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  const wanted = share * total;
  let passed = 0;
  for (const [bucket, count] of sorted) {
    if (passed + count >= wanted) {
      const [low, high] = [lowerEdge(bucket), lowerEdge(bucket + 1)];
      return Math.round(low + ((high - low) * (wanted - passed)) / count);
    }
    passed += count;
  }
  return Math.round(lowerEdge((sorted.at(-1)?.[0] ?? 0) + 1));
}
