import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { settlementFileOf } from '../../src/connectors/simulator/settlement.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { threadCpuMs } from '../work.ts';
import { DEMO } from './client.ts';
import { startGateway } from './gateway.ts';
import { OPERATOR } from './longestTurn.ts';

/**
 * A gateway in a thread of its own, which measures the turns of its event loop. `dataDir`: its payments are in a database there, `databaseUrl`: in a
 * database of PostgreSQL.
 * `isInOneGo`: a server that reads each body in one go instead, for controls.
 */
if (!parentPort) throw new Error('this gateway runs in a thread');
const port = parentPort;
type ThreadData = { readonly dataDir?: string; readonly databaseUrl?: string; readonly isInOneGo?: boolean };
const { dataDir, databaseUrl, isInOneGo = false } = (workerData ?? {}) as ThreadData;
const store = await openStore();
const gatewayOptions = { isQuiet: true, operatorToken: OPERATOR, settlementBytesMax: 64 * 1024 * 1024, ...(store && { store }) };
const gateway = isInOneGo ? null : await startGateway(gatewayOptions);
const { url } = gateway ?? (await startPlainServer());

async function openStore(): Promise<Store | undefined> {
  if (databaseUrl !== undefined) return openPostgresStore({ url: databaseUrl });
  return dataDir === undefined ? undefined : openSqliteStore({ dataDir });
}

/** As much work as the gateway has with a long body. */
async function startPlainServer(): Promise<{ readonly url: string }> {
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      let fields = 0;
      for (const [name] of new URLSearchParams(Buffer.concat(chunks).toString('utf8'))) {
        fields += name.split(/[.[\]]/).length + JSON.stringify({ name }).length;
      }
      response.end(String(fields));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let isMeasuring = false;
let longest = 0;
/** The memory of this thread: what it had when the measuring began, and the most since. */
const memory = { before: 0, most: 0 };
const memoryNow = (): number => getHeapStatistics().total_heap_size + getHeapStatistics().external_memory;
let before = threadCpuMs();

/** Processor time rather than time: what else the machine does is no part of it. A turn that does nothing counts nothing. */
function measureTurn(): void {
  noteTurn();
  if (isMeasuring) setImmediate(measureTurn);
}

function noteTurn(): void {
  const now = threadCpuMs();
  longest = Math.max(longest, now - before);
  before = threadCpuMs();
  memory.most = Math.max(memory.most, memoryNow());
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

/** Sends what webhooks are due. */
async function deliver(): Promise<void> {
  gateway?.pass(1_001);
  await gateway?.work('fan out events');
  await gateway?.work('dispatch deliveries');
}

const neighbourAgent = new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * Payments of another merchant, one after the other, until somebody says that it is enough: how much processor time this thread spends between
 * the request and the reply of each. What the machine does for others is no part of it.
 */
async function payAsNeighbour(form: string, token: string): Promise<readonly number[]> {
  const waits: number[] = [];
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
  while (isPaying) {
    const began = threadCpuMs();
    await new Promise<void>((resolve, reject) => {
      request(`${url}/v1/payments`, { method: 'POST', agent: neighbourAgent, headers }, (reply) => {
        if (reply.statusCode !== 200) reject(new Error(`the neighbour got ${reply.statusCode}`));
        reply.once('end', resolve).resume();
      })
        .once('error', reject)
        .end(form);
    });
    waits.push(threadCpuMs() - began);
  }
  return waits;
}
let isPaying = false;

export type ThreadMessage =
  | 'begin'
  | 'end'
  | 'memory'
  | 'deliver'
  | 'processor'
  | 'enough'
  | { readonly form: string; readonly token: string }
  | { readonly ids: readonly string[]; readonly unknown: number };

port.on('message', (word: ThreadMessage) => {
  if (typeof word === 'object' && 'form' in word) {
    isPaying = true;
    void payAsNeighbour(word.form, word.token).then((waits) => port.postMessage(waits));
  } else if (word === 'enough') isPaying = false;
  else if (word === 'processor') port.postMessage(threadCpuMs());
  else if (typeof word === 'object') void settlementFile(word.ids, word.unknown).then((file) => port.postMessage(file));
  else if (word === 'deliver') void deliver().then(() => port.postMessage(0));
  else if (word === 'begin') {
    [memory.before, memory.most] = [memoryNow(), 0];
    [isMeasuring, longest, before] = [true, 0, threadCpuMs()];
    setImmediate(measureTurn);
    port.postMessage(0);
  } else if (word === 'memory') port.postMessage(memory.most - memory.before);
  else {
    // A reply may have left within the last turn, which is not over yet.
    noteTurn();
    isMeasuring = false;
    port.postMessage(longest);
  }
});
port.postMessage(url);
