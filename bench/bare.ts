import { once } from 'node:events';
import type { ReadAnswer } from './answer.ts';
import type { BareMessage } from './bareServer.ts';
import { startChild } from './children.ts';
import type { Server } from './gateway.ts';
import { cpuSecondsOf, residentBytesOf, usageOf } from './proc.ts';

/** Starts a bare server in a process of its own. */
export async function startBare(kind: BareMessage['kind'], answer: ReadAnswer): Promise<Server> {
  const beganAt = performance.now();
  const { child, stop } = startChild('bareServer.ts');
  const ready = once(child, 'message') as Promise<[{ readonly port: number }]>;
  child.send({ kind, answer } satisfies BareMessage);
  const [{ port }] = await ready;
  return {
    port,
    readyMs: performance.now() - beganAt,
    cpuSeconds: () => cpuSecondsOf(child.pid),
    residentBytes: () => residentBytesOf(child.pid),
    usage: () => usageOf(child.pid),
    stop,
  };
}
