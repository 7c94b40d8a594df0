import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Kills a process and its children. The parent is frozen first, so that it cannot have new ones meanwhile. */
export async function killTree(parent: number): Promise<void> {
  process.kill(parent, 'SIGSTOP');
  const all = [parent, ...(await childrenOf(parent))];
  for (const pid of all) signal(pid, 'SIGKILL');
  // The next server refuses to start while one of these still holds the shared memory.
  for (let tries = 0; tries < 500 && (await alive(all)); tries += 1) await pause(10);
}

async function alive(pids: readonly number[]): Promise<boolean> {
  const states = await Promise.all(pids.map(isRunning));
  return states.includes(true);
}

async function isRunning(pid: number): Promise<boolean> {
  if (!signal(pid, 0)) return false;
  // A zombie that its new parent has not reaped yet is dead.
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return status === null || !/^\d+ \(.*\) Z /s.test(status);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const names = await readdir('/proc').catch(() => null);
  if (names === null) return childrenByPs(parent);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    pids.map(async (pid) => /^\d+ \(.*\) \S (\d+)/s.exec(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))?.[1]),
  );
  return pids.filter((_, index) => parents[index] === String(parent));
}

async function childrenByPs(parent: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.filter(([, ppid]) => ppid === parent).map(([pid]) => pid as number);
}
