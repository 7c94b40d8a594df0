/** Infinite when there is no value. */
export function percentile(ms: readonly number[], percent: number): number {
  const sorted = ms.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.POSITIVE_INFINITY;
}
