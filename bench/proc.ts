import { readdirSync, readFileSync } from 'node:fs';

/** The resources that a process has used so far. */
export type Usage = {
  /** Seconds of CPU time by the name of the thread; threads of one name are added up. */
  readonly threads: Readonly<Record<string, number>>;
  /** Bytes and calls of writes, to files and sockets. */
  readonly writtenBytes: number;
  readonly writeCalls: number;
};

const MAIN = 'main';

/** The names that threads have in figures. */
const threadNames: Readonly<Record<string, string>> = { 'node-MainThread': MAIN, node: MAIN, 'node-V8Worker': 'V8' };

/** Null where /proc has no value. A thread that ended in between is left out. */
export function usageOf(pid: number | undefined): Usage | null {
  const io = readProc(`/proc/${pid}/io`);
  if (io === null) return null;
  const ofIo = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(io)?.[1]);
  const threads: Record<string, number> = {};
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${id}`;
    const comm = readProc(`${folder}/comm`)?.trim() ?? '';
    const name = threadNames[comm] ?? (id === String(pid) ? MAIN : comm);
    // In nanoseconds.
    const ran = Number(readProc(`${folder}/schedstat`)?.split(' ')[0] ?? 0);
    threads[name] = (threads[name] ?? 0) + ran / 1e9;
  }
  return { threads, writtenBytes: ofIo('wchar'), writeCalls: ofIo('syscw') };
}

/** /proc counts CPU time in hundredths of a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** User and system time of a process so far, all threads; null where /proc has no value. */
export function cpuSecondsOf(pid: number | undefined): number | null {
  const text = readProc(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The name in parentheses may hold spaces; user and system time are the 14th and 15th fields.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

export function residentBytesOf(pid: number | undefined): number | null {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

/** The most memory that a process ever had. */
export function peakBytesOf(pid: number | undefined): number | null {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** The share of all cores that was busy between two calls; null where /proc has no value. */
export function busyMeter(): () => number | null {
  const read = () =>
    /^cpu +(.*)$/m
      .exec(readProc('/proc/stat') ?? '')?.[1]
      ?.split(' ')
      .map(Number);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const before = read();
  return () => {
    const after = read();
    if (!before || !after) return null;
    const ticksBetween = after.map((ticks, at) => ticks - (before[at] ?? 0));
    const idle = (ticksBetween[3] ?? 0) + (ticksBetween[4] ?? 0);
    return sum(ticksBetween) === 0 ? 0 : 1 - idle / sum(ticksBetween);
  };
}
