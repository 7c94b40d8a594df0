import { Worker } from 'node:worker_threads';
import type { CallBatch } from '../../developer/ports.ts';
import type { PackCalls } from '../../http/inspector/inspector.ts';

export type PackJob = { readonly id: number; readonly piece: Uint8Array };
export type PackResult = { readonly id: number; readonly batches: readonly CallBatch[] };

type Pending = { readonly resolve: (batches: readonly CallBatch[]) => void; readonly reject: (error: Error) => void };

/** The heap of the thread, in MiB: it masks one piece of a recorder at a time. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 } as const;

/**
 * Masks calls in a thread of its own, which starts with the first call. Its death costs the calls that it had, and the next ones start
 * another.
 */
export function createCallPacker(): PackCalls {
  const pending = new Map<number, Pending>();
  let worker: Worker | null = null;
  let lastId = 0;
  const start = (): Worker => {
    const started = new Worker(new URL('./packerThread.ts', import.meta.url), {
      execArgv: [],
      name: 'inspector',
      resourceLimits: RESOURCE_LIMITS,
    });
    const end = (error: Error) => {
      if (worker === started) worker = null;
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    started.on('message', ({ id, batches }: PackResult) => {
      pending.get(id)?.resolve(batches);
      pending.delete(id);
      if (pending.size === 0) started.unref();
    });
    started.once('error', (error: Error) => end(error));
    started.once('exit', () => end(new Error('the thread that masks recorded calls has ended')));
    return started;
  };
  return (piece) =>
    new Promise((resolve, reject) => {
      worker ??= start();
      // The process does not end before the calls that it has recorded are written.
      worker.ref();
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      const job: PackJob = { id: lastId, piece };
      worker.postMessage(job, [piece.buffer]);
    });
}
