import { Agent, createServer, type IncomingHttpHeaders, type ServerResponse, request as startRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Chance } from '../simulation/chance.ts';
import type { Handle, Received } from './acquirerHttp.ts';

/**
 * What can happen to a request on its way. `late`: the sender is cut off at once, and the request arrives later. `double`: it arrives
 * twice. `lostAnswer`, `truncated`, `garbled`: it arrives, and the answer is no answer. `unavailable`: a server in between answers 503.
 */
export type Mishap = 'lostRequest' | 'lostAnswer' | 'late' | 'double' | 'truncated' | 'garbled' | 'unavailable';

export type FaultyProxy = {
  readonly url: string;
  /** Of a thousand requests so many have a mishap; 0: a perfect network. */
  perMille: number;
  readonly mishaps: ReadonlyMap<Mishap, number>;
  /** Called when the acquirer has answered, before its answer goes on. */
  beforeAnswer?: () => Promise<void>;
  /** Lets late requests arrive whose time has come; all of them when the time is left out. */
  release(now?: number): Promise<void>;
  close(): Promise<void>;
};

/** The acquirer behind the proxy. With `handle` it is called in this process: the way behind the proxy is not the one that fails. */
export type Acquirer = { readonly url: string; readonly handle?: Handle };
type Late = { readonly at: number; readonly send: () => Promise<unknown> };
export type Forwarded = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

const UNLUCKY_TIMES = 5;
const MISHAPS: readonly Mishap[] = ['lostRequest', 'lostAnswer', 'late', 'double', 'truncated', 'garbled', 'unavailable'];

type ProxyOptions = {
  readonly chance: Chance;
  readonly now: () => number;
  readonly lateMsMax: number;
  /** Default: all of them. */
  readonly kinds?: readonly Mishap[];
};

/** Stands between a connector and its acquirer. `lateMsMax`: no request arrives later than the connector has declared. */
export async function startFaultyProxy(
  acquirer: () => Acquirer,
  { chance, now, lateMsMax, kinds = MISHAPS }: ProxyOptions,
): Promise<FaultyProxy> {
  const late: Late[] = [];
  const mishaps = new Map<Mishap, number>();
  const unlucky = new Map<string, { readonly mishap: Mishap; left: number }>();
  /** Some requests meet the same mishap however often they are repeated: retries alone must not be enough. */
  function mishapOf(key: string): Mishap | undefined {
    const isHit = (): boolean => chance.below(1_000) < proxy.perMille / 2;
    const one = unlucky.get(key) ?? { mishap: chance.pick(kinds), left: isHit() ? UNLUCKY_TIMES : 0 };
    unlucky.set(key, one);
    one.left -= 1;
    if (one.left >= 0) return one.mishap;
    return isHit() ? chance.pick(kinds) : undefined;
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.once('end', () => {
      const { method = '', url = '', headers } = request;
      const received: Received = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      const send = async () => {
        const forwarded = await forward(acquirer(), received);
        await proxy.beforeAnswer?.();
        return forwarded;
      };
      const mishap = mishapOf(String(headers['idempotency-key'] ?? `${url} ${received.body}`));
      if (mishap) mishaps.set(mishap, (mishaps.get(mishap) ?? 0) + 1);
      void carry(mishap, response, { send, defer: () => late.push({ at: now() + chance.below(lateMsMax), send }) });
    });
  });
  const proxy: { -readonly [Name in keyof FaultyProxy]: FaultyProxy[Name] } = {
    url: '',
    perMille: 0,
    mishaps,
    async release(until = Number.POSITIVE_INFINITY) {
      const due = late.filter(({ at }) => at <= until);
      for (const one of due) late.splice(late.indexOf(one), 1);
      await Promise.all(due.map(({ send }) => send().catch(() => null)));
    },
    close: () => {
      kept.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

type Way = { readonly send: () => Promise<Forwarded>; readonly defer: () => void };

async function carry(mishap: Mishap | undefined, response: ServerResponse, { send, defer }: Way): Promise<void> {
  const cut = (): void => void response.socket?.destroy();
  switch (mishap) {
    case 'lostRequest':
      return cut();
    case 'late':
      defer();
      return cut();
    case 'unavailable':
      response.writeHead(503, { 'content-type': 'text/html' }).end('<html>Service Unavailable</html>');
      return;
    default:
  }
  const answer = await send().catch(() => null);
  if (!answer || mishap === 'lostAnswer') return cut();
  if (mishap === 'double') await send().catch(() => null);
  const { 'transfer-encoding': _, connection: __, ...headers } = answer.headers;
  if (mishap === 'truncated') {
    response.writeHead(answer.status, { ...headers, 'content-length': answer.body.length + 1 });
    response.write(answer.body.subarray(0, answer.body.length / 2));
    setImmediate(cut);
    return;
  }
  const body = mishap === 'garbled' ? Buffer.from(answer.body.toString('latin1').replace(/[{}"=]/g, '~'), 'latin1') : answer.body;
  response.writeHead(answer.status, { ...headers, 'content-length': body.length }).end(body);
}

const kept = new Agent({ keepAlive: true, maxSockets: 64 });

export async function forward({ url: target, handle }: Acquirer, received: Received): Promise<Forwarded> {
  if (!handle) return post(target, received);
  const { status, headers, body } = handle(received);
  return { status, headers, body: Buffer.from(body) };
}

function post(target: string, { method, url, headers, body }: Received): Promise<Forwarded> {
  const { host: _, connection: __, ...others } = headers;
  return new Promise((done, fail) => {
    const request = startRequest(new URL(url, target), { method, headers: others, agent: kept }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', fail);
      response.once('end', () =>
        done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.once('error', fail);
    request.end(body);
  });
}
