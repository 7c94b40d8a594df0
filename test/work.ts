/**
 * How much work something is, in milliseconds of this thread's processor: the least of a few tries. What else the machine does is not
 * counted, except for what it does to the caches.
 */
export function leastCpuMs(work: () => unknown, tries = 5): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < tries; at += 1) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** Work that grows no faster than its size: `times` as much of it costs at most three times that, and never less than a moment. */
export function growsWithSize(
  { less, more, times }: { less(): unknown; more(): unknown; times: number },
  tries = 3,
): string | null {
  const MOMENT_MS = 20;
  const [small, large] = [leastCpuMs(less, tries), leastCpuMs(more, tries)];
  const max = small * times * 3 + MOMENT_MS;
  return large <= max
    ? null
    : `${large.toFixed(1)} ms for ${times} times the work of ${small.toFixed(1)} ms: at most ${max.toFixed(1)} ms`;
}
