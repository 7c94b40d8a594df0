import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { headersOf, type Reply } from './reply.ts';

/** The way back to the client of one request. */
export interface Response {
  /** Sends head and body. Throws if the head cannot be written; nothing has left then. */
  send(reply: Reply, isLast: boolean): void;
  /** Sends the head of a reply whose body follows with `write` and `end`. */
  begin(reply: Reply, isLast: boolean): void;
  /** False: the client does not read as fast; wait for `drained`. `sent`: called when the piece has left. */
  write(piece: Uint8Array, sent: () => void): boolean;
  end(): void;
  /** Cuts the reply off. */
  destroy(): void;
  readonly destroyed: boolean;
  /** Resolves when the client takes more of the reply, or has left. */
  drained(): Promise<void>;
  onClose(listener: () => void): void;
}

/** The response to a request that node:http has read. */
export const parsedResponse = (response: ServerResponse): Response => ({
  send(reply, isLast) {
    response.writeHead(reply.status, headersOf(reply, isLast));
    response.end(reply.bytes ?? reply.body);
  },
  begin(reply, isLast) {
    response.writeHead(reply.status, headersOf(reply, isLast));
  },
  write: (piece, sent) => response.write(piece, sent),
  end: () => void response.end(),
  destroy: () => void response.destroy(),
  get destroyed() {
    return response.destroyed;
  },
  drained: () => drained(response),
  onClose: (listener) => void response.once('close', listener),
});

/** No listener stays: a kept connection has many replies. */
export const drained = (stream: Pick<EventEmitter, 'once' | 'off'>): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      stream.off('drain', end);
      stream.off('close', end);
      resolve();
    };
    stream.once('drain', end);
    stream.once('close', end);
  });
