import { connect, type Socket } from 'node:net';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** Clients that send a byte a second, stay idle or read nothing, in a thread of its own. Each that is cut off comes again. */

const HEAD = 'POST /v1/payments HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n';
type Kind = { readonly first: string; readonly drip: string | null; readonly isReading: boolean };
/** By weight: those that do not read keep the most of both kernels. */
const kinds: readonly Kind[] = [
  { first: HEAD, drip: 'X: 1\r\n', isReading: true },
  { first: `${HEAD}Content-Length: 5000\r\n\r\n`, drip: 'a', isReading: true },
  { first: '', drip: null, isReading: true },
];
const DEAF: Kind = { first: 'GET /v1/resultcodes HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10), drip: null, isReading: false };

/** The parts of a second, and how many clients begin in each of them. */
const [TICKS, EACH_TICK] = [50, 50];

/** Keeps so many slow clients at a server until it is closed. `cut` counts those that the server ended. */
function keepClients(port: number, count: number) {
  const open = new Map<Socket, Kind & { readonly phase: number }>();
  let [cut, isOver, made] = [0, false, 0];
  const begin = () => {
    made += 1;
    const kind = made % 50 === 0 ? DEAF : (kinds[made % kinds.length] as Kind);
    const socket = connect(port, '127.0.0.1', () => socket.write(kind.first));
    open.set(socket, { ...kind, phase: made % TICKS });
    if (kind.isReading) socket.resume();
    else socket.pause();
    socket.on('error', () => {});
    socket.once('close', () => {
      open.delete(socket);
      if (isOver) return;
      cut += 1;
      // Not at once: the server would be busy with nothing but the next ones.
      setTimeout(() => !isOver && begin(), 1_000);
    });
  };
  // Each sends once a second, and not all of them in the same instant: they know nothing of each other.
  let [tick, waiting] = [0, count];
  const dripping = setInterval(() => {
    tick = (tick + 1) % TICKS;
    for (const [socket, { drip, phase }] of open) if (phase === tick && drip !== null && socket.writable) socket.write(drip);
    for (let begun = 0; begun < EACH_TICK && waiting > 0; begun += 1, waiting -= 1) begin();
  }, 1_000 / TICKS);
  return {
    count: (): SiegeCount => ({ cut, open: open.size }),
    close() {
      isOver = true;
      clearInterval(dripping);
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

export type SiegeCount = { readonly open: number; readonly cut: number };

export type Siege = {
  /** How many are connected, or about to be, and how many the server has ended so far. */
  count(): Promise<SiegeCount>;
  close(): Promise<void>;
};

/** They come within seconds; `open` of them are there. */
export function besiege(port: number, count: number): Siege {
  const worker = new Worker(new URL(import.meta.url), { workerData: { siege: { port, count } } });
  return {
    count: () =>
      new Promise((resolve) => {
        worker.once('message', resolve);
        worker.postMessage('count');
      }),
    async close() {
      await worker.terminate();
    },
  };
}

const { siege } = (workerData ?? {}) as { readonly siege?: { readonly port: number; readonly count: number } };
if (parentPort && siege) {
  const port = parentPort;
  const clients = keepClients(siege.port, siege.count);
  port.on('message', () => port.postMessage(clients.count()));
}
