import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { packMasked } from '../../http/inspector/maskCall.ts';
import type { PackJob, PackResult } from './callPacker.ts';

/** The thread that masks recorded calls. Nothing waits for it, so it runs when no other thread of the machine wants to. */
if (!parentPort) throw new Error('recorded calls are masked in a thread of their own');
const port = parentPort;
try {
  // On Linux the priority is that of the calling thread alone.
  if (process.platform === 'linux') setPriority(0, 10);
} catch {
  // A system without priorities only makes requests share the processor with it.
}

port.on('message', ({ id, piece }: PackJob) => {
  const batches = packMasked(piece);
  const result: PackResult = { id, batches };
  port.postMessage(
    result,
    batches.map(({ data }) => data.buffer as ArrayBuffer),
  );
});
