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
