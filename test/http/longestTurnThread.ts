import { parentPort, workerData } from 'node:worker_threads';
import { settlementFileOf } from '../../src/connectors/simulator/settlement.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { DEMO } from './client.ts';
import { startGateway } from './gateway.ts';
import { OPERATOR } from './longestTurn.ts';

/** A gateway in a thread of its own, which measures the turns of its event loop. `dataDir`: its payments are in a database there. */
if (!parentPort) throw new Error('this gateway runs in a thread');
const port = parentPort;
const { dataDir } = (workerData ?? {}) as { readonly dataDir?: string };
const store = dataDir === undefined ? undefined : await openSqliteStore({ dataDir });
const gateway = await startGateway({
  isQuiet: true,
  operatorToken: OPERATOR,
  settlementBytesMax: 64 * 1024 * 1024,
  ...(store && { store }),
});

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

const DAY_MS = 86_400_000;

/** A settlement file with a line for each payment, and as many again of payments that there are not. */
async function settlementFile(ids: readonly string[], unknown: number): Promise<string> {
  const payments = (await Promise.all(ids.map((id) => store?.payment(DEMO.merchantId, id)))) as Payment[];
  const strangers = Array.from({ length: unknown }, (_, at) => ({
    ...(payments[0] as Payment),
    id: at.toString(16).padStart(32, '0'),
  }));
  return settlementFileOf(new Date(Date.now() + DAY_MS).toISOString().slice(0, 10), [...payments, ...strangers]);
}

export type ThreadMessage = 'begin' | 'end' | { readonly ids: readonly string[]; readonly unknown: number };

port.on('message', (word: ThreadMessage) => {
  if (typeof word === 'object') void settlementFile(word.ids, word.unknown).then((file) => port.postMessage(file));
  else if (word === 'begin') {
    [isMeasuring, longest, before] = [true, 0, process.threadCpuUsage()];
    setImmediate(measureTurn);
    port.postMessage(0);
  } else {
    isMeasuring = false;
    port.postMessage(longest);
  }
});
port.postMessage(gateway.url);
