import { parentPort } from 'node:worker_threads';
import { startGateway } from './gateway.ts';

/** A gateway in a thread of its own, which measures the turns of its event loop. */
if (!parentPort) throw new Error('this gateway runs in a thread');
const port = parentPort;
const gateway = await startGateway({ isQuiet: true });

let isMeasuring = false;
let longest = 0;
let before = process.threadCpuUsage();

/** Processor time rather than time: what else the machine does is no part of it. A turn that does nothing counts nothing. */
function measureTurn(): void {
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  longest = Math.max(longest, (user + system) / 1000);
  if (isMeasuring) setImmediate(measureTurn);
}

port.on('message', (word: 'begin' | 'end') => {
  if (word === 'begin') {
    [isMeasuring, longest, before] = [true, 0, process.threadCpuUsage()];
    setImmediate(measureTurn);
    port.postMessage(0);
  } else {
    isMeasuring = false;
    port.postMessage(longest);
  }
});
port.postMessage(gateway.url);
