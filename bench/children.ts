import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

const running = new Set<ChildProcess>();
const STOP_MS_MAX = 5_000;

/** Starts a program of this folder with a message channel; it ends with this process at the latest. */
export function startChild(file: string): ChildProcess {
  const child = fork(join(import.meta.dirname, file));
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Asks a child to end, and insists when it does not. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const insist = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(insist);
}

/** Ctrl-C and the like end everything that was started: the gateways and their folders end with this process by themselves. */
export function stopOnSignals(): void {
  process.once('exit', () => {
    for (const child of running) child.kill('SIGKILL');
  });
  const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  for (const [signal, code] of Object.entries(signals)) process.once(signal, () => process.exit(code));
}
