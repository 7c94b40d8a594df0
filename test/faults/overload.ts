import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

/** The load of this machine per core, at least 1: time limits hold for a machine that is not overloaded. */
export const overload = (): number => Math.max(1, (loadavg()[0] ?? 0) / (2 * availableParallelism()));

/**
 * How long the threads of a process and of its children have waited for a core so far, in milliseconds. 0 where the system does not
 * report it.
 */
export function queuedMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + queuedThreadMs(`/proc/${pid}/task/${thread}`), 0);
  } catch {
    return 0;
  }
}

function queuedThreadMs(folder: string): number {
  try {
    const [, queuedNs = '0'] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ');
    const children = readFileSync(`${folder}/children`, 'utf8').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + queuedMs(Number(child)), Number(queuedNs) / 1e6);
  } catch {
    return 0;
  }
}
