import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { busyMeter } from './proc.ts';
import { median } from './speed.ts';

export type Machine = {
  readonly cores: number;
  readonly processor: string;
  readonly memoryBytes: number;
  readonly node: string;
  /** The share of all cores that something else was using before the bench began: figures from a busy machine are only ratios. */
  readonly busyBefore: number | null;
  /** How long the disk under the temporary folder takes to make 4 KiB durable. */
  readonly syncMs: number;
};

const SYNCS = 50;
const LOOK_MS = 1_000;

/** The share of all cores that is busy while we do nothing. */
export async function foreignLoad(): Promise<number | null> {
  const busy = busyMeter();
  await pause(LOOK_MS);
  return busy();
}

export async function describeMachine(): Promise<Machine> {
  const busyBefore = await foreignLoad();
  const [first] = cpus();
  return {
    cores: cpus().length,
    processor: first?.model ?? 'unknown',
    memoryBytes: totalmem(),
    node: process.version,
    busyBefore,
    syncMs: syncMs(),
  };
}

function syncMs(): number {
  const path = join(tmpdir(), `turnpike-bench-sync-${process.pid}`);
  const file = openSync(path, 'w', 0o600);
  try {
    const times = Array.from({ length: SYNCS }, () => {
      const beganAt = performance.now();
      writeSync(file, Buffer.alloc(4_096));
      fdatasyncSync(file);
      return performance.now() - beganAt;
    });
    return median(times) ?? 0;
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
