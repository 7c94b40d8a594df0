import { connect, type Socket } from 'node:net';
import { answerLength } from './answer.ts';
import { number, payTemplate, storedTemplate, type Template } from './request.ts';
import { createVariedPayments, DECLINED_CODE } from './variedPayments.ts';

/**
 * The requests of one round: payments that differ as those of shops do (`varied`), payments of one card that differ in their order number
 * alone, payments by stored details that take turns, or each of the given requests once. `withIds` asks for the ids of the payments.
 */
export type Job = {
  readonly ports: readonly number[];
  readonly connections: number;
  readonly secondsMax: number;
  readonly requestsMax: number;
  readonly send:
    | { readonly kind: 'payments'; readonly paymentType: 'DB' | 'PA'; readonly firstOrder: number; readonly withIds: boolean }
    | { readonly kind: 'varied'; readonly firstOrder: number }
    | { readonly kind: 'oneClick'; readonly firstOrder: number; readonly registrationIds: readonly string[] }
    | { readonly kind: 'requests'; readonly requests: readonly string[] };
};

export type Round = {
  readonly sent: number;
  readonly answered: number;
  /** Answers with status 200 and the result code of a success in test mode, or of a new checkout; of varied payments declines too. */
  readonly approved: number;
  /** From the first request to the last answer. */
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** CPU time of the load generator itself. */
  readonly cpuSeconds: number;
  readonly ids: readonly string[];
  /** The first answer that was not as expected, for the error message. */
  readonly oddAnswer: string | null;
};

const ANSWER_BYTES_MAX = 65_536;
const SILENCE_MS_MAX = 60_000;
const OK = Buffer.from('HTTP/1.1 200 ');
const APPROVED = Buffer.from('"code":"000.100.110"');
/** A checkout was created. */
const CREATED = Buffer.from('"code":"000.200.100"');
const DECLINED = Buffer.from(`"code":"${DECLINED_CODE}"`);
const ID = Buffer.from('"id":"');
const ID_LENGTH = 32;

type Tally = {
  sent: number;
  answered: number;
  approved: number;
  lastAt: number;
  latencies: Float64Array;
  readonly withIds: boolean;
  readonly isVaried: boolean;
  readonly ids: string[];
  oddAnswer: string | null;
};

/** Runs one round: every connection sends its next request when it has the answer to the one before. */
async function runRound(job: Job): Promise<Round> {
  const { ports, connections, send } = job;
  const tally = emptyTally(send);
  const sockets = await Promise.all(Array.from({ length: connections }, (_, at) => open(ports[at % ports.length] as number)));
  const cpuBefore = process.cpuUsage();
  const beganAt = performance.now();
  const endAt = beganAt + job.secondsMax * 1000;
  const count = Math.min(job.requestsMax, send.kind === 'requests' ? send.requests.length : Number.MAX_SAFE_INTEGER);
  const mayGoOn = () => tally.sent < count && performance.now() < endAt;
  try {
    const varied = send.kind === 'varied' ? requestsOf(job, tally) : null;
    await Promise.all(sockets.map((socket) => converse(socket, { tally, mayGoOn, take: varied ?? requestsOf(job, tally) })));
  } finally {
    for (const { socket } of sockets) socket.destroy();
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const sorted = tally.latencies.subarray(0, tally.answered).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    sent: tally.sent,
    answered: tally.answered,
    approved: tally.approved,
    ids: tally.ids,
    oddAnswer: tally.oddAnswer,
    seconds: (tally.lastAt - beganAt) / 1000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    cpuSeconds: (user + system) / 1e6,
  };
}

const emptyTally = (send: Job['send']): Tally => ({
  sent: 0,
  answered: 0,
  approved: 0,
  lastAt: 0,
  latencies: new Float64Array(1 << 16),
  withIds: send.kind === 'payments' && send.withIds,
  isVaried: send.kind === 'varied',
  ids: [],
  oddAnswer: null,
});

/** The next request of a connection. Payments of one card are written into one buffer of the connection: only ten digits differ. */
function requestsOf({ send }: Job, tally: Tally): () => Buffer {
  if (send.kind === 'requests') return () => Buffer.from(send.requests[tally.sent] as string, 'latin1');
  if (send.kind === 'oneClick') {
    const stored = storedTemplate();
    return () => {
      number(stored, send.firstOrder + tally.sent);
      stored.bytes.write(send.registrationIds[tally.sent % send.registrationIds.length] as string, stored.idAt, 'latin1');
      return stored.bytes;
    };
  }
  if (send.kind === 'varied') {
    const requestOf = createVariedPayments();
    return () => requestOf(send.firstOrder + tally.sent);
  }
  const template: Template = payTemplate(send.paymentType);
  return () => {
    number(template, send.firstOrder + tally.sent);
    return template.bytes;
  };
}

/** A connection that reads into one reused buffer. */
type Line = { readonly socket: Socket; readonly bytes: Buffer; onBytes: (count: number) => void };

function open(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.allocUnsafe(ANSWER_BYTES_MAX);
    const onread = {
      buffer: bytes,
      callback: (count: number) => {
        line.onBytes(count);
        return true;
      },
    };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread }, () => resolve(line));
    const line: Line = { socket, bytes, onBytes: () => {} };
    socket.once('error', reject);
  });
}

type Talk = { readonly tally: Tally; readonly mayGoOn: () => boolean; readonly take: () => Buffer };

function converse(line: Line, { tally, mayGoOn, take }: Talk): Promise<void> {
  return new Promise((resolve, reject) => {
    const { socket } = line;
    let sentAt = 0;
    let parts: Buffer | null = null;
    const next = () => {
      if (!mayGoOn()) return resolve();
      const request = take();
      tally.sent += 1;
      sentAt = performance.now();
      socket.write(request);
    };
    line.onBytes = (count) => {
      const fresh = line.bytes.subarray(0, count);
      const bytes: Buffer = parts === null ? fresh : Buffer.concat([parts, fresh]);
      const length = answerLength(bytes);
      if (length === 0 || length > bytes.length) {
        parts = Buffer.from(bytes);
        return;
      }
      if (bytes.length > length) return reject(new Error('more bytes arrived than were expected'));
      parts = null;
      note(tally, bytes, sentAt);
      next();
    };
    socket.removeAllListeners('error').on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection in the middle of the round')));
    socket.setTimeout(SILENCE_MS_MAX, () => reject(new Error('the server did not answer in time')));
    next();
  });
}

function note(tally: Tally, bytes: Buffer, sentAt: number): void {
  const now = performance.now();
  if (tally.answered === tally.latencies.length) {
    const larger = new Float64Array(tally.latencies.length * 2);
    larger.set(tally.latencies);
    tally.latencies = larger;
  }
  tally.latencies[tally.answered] = now - sentAt;
  tally.answered += 1;
  tally.lastAt = now;
  const isOk = bytes.compare(OK, 0, OK.length, 0, OK.length) === 0;
  const isDeclined = tally.isVaried && bytes.indexOf(DECLINED) > 0;
  if (isDeclined || (isOk && (bytes.indexOf(APPROVED) > 0 || bytes.indexOf(CREATED) > 0))) {
    tally.approved += 1;
    if (!tally.withIds) return;
    const at = bytes.indexOf(ID) + ID.length;
    tally.ids.push(bytes.toString('latin1', at, at + ID_LENGTH));
  } else tally.oddAnswer ??= bytes.toString('utf8').slice(0, 2000);
}

process.on('message', (job: Job) => {
  runRound(job).then(
    (round) => process.send?.({ round }),
    (error: unknown) => process.send?.({ failure: error instanceof Error ? error.message : String(error) }),
  );
});

process.once('disconnect', () => process.exit());
