import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import type { EntityRow, TokenRow } from '../../src/merchants/ports.ts';
import { threadCpuMs } from '../work.ts';
import { startGateway } from './gateway.ts';

/**
 * A gateway in a thread of its own, for requests that come one after the other. Its clock is moved by `stepMs` with each request, and the
 * thread measures the processor time from the end of one reply to the end of the next, whatever else the machine does.
 */
export type FloodedOptions = {
  readonly rows: { readonly entities: readonly EntityRow[]; readonly tokens: readonly TokenRow[] };
};

/** The token of each request since the last message, and the milliseconds that it took of the processor. */
export type Served = { readonly token: string; readonly ms: number };

const { rows } = workerData as FloodedOptions;
const gateway = await startGateway({ isQuiet: true, isClockHeld: true, rows });
let [stepMs, before, served]: [number, number, Served[]] = [0, threadCpuMs(), []];
let owedMs = 0;
subscribe('http.server.request.start', () => {
  owedMs += stepMs;
  const whole = Math.floor(owedMs);
  owedMs -= whole;
  gateway.pass(whole);
});
subscribe('http.server.response.finish', (message) => {
  const { request } = message as { readonly request: IncomingMessage };
  const now = threadCpuMs();
  served.push({ token: request.headers.authorization ?? '', ms: now - before });
  before = now;
});
parentPort?.on('message', (next: number) => {
  parentPort?.postMessage(served);
  [stepMs, before, served] = [next, threadCpuMs(), []];
});
parentPort?.postMessage(gateway.url);
