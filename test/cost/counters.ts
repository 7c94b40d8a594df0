import { createHook } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { StatementSync } from 'node:sqlite';
import { serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';

/** What one thread has done so far. */
export type Counts = {
  /** SQL statements of this thread. */
  statements: number;
  /** Bytes of the messages to other threads, as the structured clone writes them. */
  posted: number;
  promises: number;
  regularExpressions: number;
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

/**
 * Counts what this thread does until `stop`. `onPost` sees every message to another thread. V8 calls a changed `exec` from every method
 * that uses a regular expression, so that one method counts them all.
 */
export function startCounters(onPost: (message: unknown) => void = () => {}): { readonly counts: Counts; stop(): void } {
  const counts: Counts = { statements: 0, posted: 0, promises: 0, regularExpressions: 0, crypto: 0 };
  const promises = createHook({
    init: (_, type) => {
      if (type === 'PROMISE') counts.promises += 1;
    },
  });
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
    wrap(RegExp.prototype, 'exec', () => {
      counts.regularExpressions += 1;
    }),
    ...cryptoNames.map((name) =>
      wrap(crypto, name, () => {
        counts.crypto += 1;
      }),
    ),
  ];
  syncBuiltinESMExports();
  promises.enable();
  return {
    counts,
    stop: () => {
      promises.disable();
      for (const each of undo) each();
      syncBuiltinESMExports();
    },
  };
}
