import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { StatementSync } from 'node:sqlite';
import { serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';

/** The work of one thread so far. */
export type Counts = {
  /** SQL statements of this thread. */
  statements: number;
  /** Bytes of the messages to other threads, as the structured clone writes them. */
  posted: number;
  crypto: number;
};

const cryptoNames = [
  'createHmac',
  'createHash',
  'createCipheriv',
  'createDecipheriv',
  'hash',
  'randomFillSync',
  'randomBytes',
] as const;

type Wrapped = Record<string, (...given: unknown[]) => unknown>;

/** Calls `before` with the arguments of every call; returns what takes it away again. */
function wrap(owner: object, name: string, before: (...given: unknown[]) => void): () => void {
  const methods = owner as Wrapped;
  const original = methods[name];
  if (!original) throw new Error(`there is no ${name}`);
  methods[name] = function (this: unknown, ...given: unknown[]) {
    before(...given);
    return original.apply(this, given);
  };
  return () => {
    methods[name] = original;
  };
}

/** A view crosses to another thread with the whole memory that it looks at. */
function bytesAround(message: unknown): number {
  if (message instanceof Uint8Array) return message.buffer.byteLength - message.byteLength;
  if (message === null || typeof message !== 'object') return 0;
  return Object.values(message).reduce<number>((sum, part) => sum + bytesAround(part), 0);
}

/** Counts the work of this thread until `stop`. `onPost` sees every message to another thread. */
export function startCounters(onPost: (message: unknown) => void = () => {}): { readonly counts: Counts; stop(): void } {
  const counts: Counts = { statements: 0, posted: 0, crypto: 0 };
  const undo = [
    ...(['run', 'get', 'all', 'iterate'] as const).map((name) =>
      wrap(StatementSync.prototype, name, () => {
        counts.statements += 1;
      }),
    ),
    wrap(Worker.prototype, 'postMessage', (message) => {
      counts.posted += serialize(message).length + bytesAround(message);
      onPost(message);
    }),
    ...cryptoNames.map((name) =>
      wrap(crypto, name, () => {
        counts.crypto += 1;
      }),
    ),
  ];
  syncBuiltinESMExports();
  return {
    counts,
    stop: () => {
      for (const each of undo) each();
      syncBuiltinESMExports();
    },
  };
}
