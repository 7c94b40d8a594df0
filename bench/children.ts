import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

const running = new Set<ChildProcess>();
const STOP_MS_MAX = 5_000;

const started = new Set<() => Promise<void>>();

/** Remembers how to stop something until it is stopped, so that a failure leaves nothing behind. */
export function stoppable(stop: () => Promise<void>): () => Promise<void> {
  const once = async () => {
    if (started.delete(once)) await stop();
  };
  started.add(once);
  return once;
}

/** Stops all running children, the youngest first. */
export async function stopAll(): Promise<void> {
  for (const stop of [...started].reverse()) await stop();
}

/** Starts a program of this folder with a message channel; it ends with this process at the latest. */
export function startChild(file: string): { readonly child: ChildProcess; readonly stop: () => Promise<void> } {
  const child = fork(join(import.meta.dirname, file));
  running.add(child);
  child.once('exit', () => running.delete(child));
  return { child, stop: stoppable(() => stopChild(child)) };
}

/** Asks a child to end, and insists when it does not. */
async function stopChild(child: ChildProcess): Promise<void> {
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
