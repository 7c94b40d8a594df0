import { GCProfiler, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By how much the old objects grow in young collections while something is done; collections of the old ones are not in it. */
export async function promotedDuring(
  work: () => void | Promise<void>,
): Promise<{ readonly bytes: number; readonly collections: number }> {
  const profiler = new GCProfiler();
  profiler.start();
  await work();
  const young = profiler.stop()?.statistics.filter(({ gcType }) => gcType === 'Scavenge') ?? [];
  const oldBytes = ({ heapSpaceStatistics }: (typeof young)[number]['beforeGC']): number =>
    heapSpaceStatistics.find(({ spaceName }) => spaceName === 'old_space')?.spaceUsedSize ?? 0;
  const bytes = young.reduce((sum, { beforeGC, afterGC }) => sum + oldBytes(afterGC) - oldBytes(beforeGC), 0);
  return { bytes, collections: young.length };
}

/** A collection of everything, after which whatever is alive is old. */
export function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
