const pause = new Int32Array(new SharedArrayBuffer(4));
const PAUSE_MS = 0.01;

/**
 * The CPU time that this thread has had, in milliseconds. Linux adds the time of a running thread only every few milliseconds, and when the thread
 * pauses. So this function pauses before it reads the time: without the pause an idle machine shows too little and then too much.
 */
export function threadCpuMs(): number {
  Atomics.wait(pause, 0, 0, PAUSE_MS);
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Measures work in milliseconds of CPU time of this thread: the least of a few tries. Other work of the machine does not count, except
 * for its effect on caches.
 */
export function leastCpuMs(work: () => unknown, tries = 5): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < tries; at += 1) {
    const before = threadCpuMs();
    work();
    least = Math.min(least, threadCpuMs() - before);
  }
  return least;
}

/**
 * Work that grows no faster than its size: `times` as much of it costs at most three times what the pieces cost, and never less than a moment.
 * The pieces are done all in one go, because a kernel that counts in ticks says 0 for most that is shorter than one.
 */
export function growsWithSize(
  { less, more, times }: { less(): unknown; more(): unknown; times: number },
  tries = 3,
): string | null {
  const MOMENT_MS = 20;
  const inPieces = () => {
    for (let at = 0; at < times; at += 1) less();
  };
  const [pieces, whole] = [leastCpuMs(inPieces, tries), leastCpuMs(more, tries)];
  const max = pieces * 3 + MOMENT_MS;
  return whole <= max
    ? null
    : `${whole.toFixed(1)} ms for what takes ${pieces.toFixed(1)} ms in ${times} pieces: at most ${max.toFixed(1)} ms`;
}
