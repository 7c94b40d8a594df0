import { channel } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { get } from 'node:http';
import type { Server, Socket } from 'node:net';

type Done = (error?: Error | null) => void;

/** The server's end of a connection that needs no operating system: the parts of a socket that the gateway uses. */
class MemorySocket extends EventEmitter {
  readonly remoteAddress = '127.0.0.1';
  readonly writableLength = 0;
  destroyed = false;
  sent = '';
  #isPaused = false;
  #isEnded = false;
  #isBegun = false;
  readonly #pieces: (Buffer | null)[];
  readonly #waitsForReply: boolean;

  /**
   * The client sends the pieces, one in each turn of the event loop, and then closes its half. `isPolite`: it waits for the reply to the
   * first one.
   */
  constructor(pieces: readonly Buffer[], isPolite: boolean) {
    super();
    this.#pieces = [...pieces, null];
    this.#waitsForReply = isPolite;
  }

  readonly sendOn = (): void => {
    if (this.destroyed || this.#isPaused) return;
    if (this.#waitsForReply && this.#isBegun && this.sent === '') {
      setImmediate(this.sendOn);
      return;
    }
    this.#isBegun = true;
    const piece = this.#pieces.shift();
    if (piece === undefined) return;
    if (piece === null) this.emit('end');
    else {
      this.emit('data', piece);
      setImmediate(this.sendOn);
    }
  };

  write(chunk: Buffer | string, encoding: BufferEncoding, done: Done): boolean {
    if (!this.destroyed)
      this.sent += typeof chunk === 'string' ? Buffer.from(chunk, encoding).toString('latin1') : chunk.toString('latin1');
    process.nextTick(done);
    return true;
  }

  /** The client has read everything: it closes too. */
  end(done: Done): void {
    if (!this.#isEnded) setImmediate(() => this.destroy());
    this.#isEnded = true;
    process.nextTick(done);
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    process.nextTick(() => this.emit('close'));
  }

  pause(): this {
    this.#isPaused = true;
    return this;
  }

  resume(): this {
    if (this.#isPaused) setImmediate(this.sendOn);
    this.#isPaused = false;
    return this;
  }

  isPaused(): boolean {
    return this.#isPaused;
  }

  setTimeout(): this {
    return this;
  }
}

/** The server that listens at a port of this process. */
export async function serverAt(port: number): Promise<Server> {
  const accepted = channel('net.server.socket');
  const { promise, resolve } = Promise.withResolvers<Server>();
  const onSocket = (message: unknown): void =>
    resolve((message as { readonly socket: { readonly server: Server } }).socket.server);
  accepted.subscribe(onSocket);
  get({ port, host: '127.0.0.1', agent: false }, (response) => response.resume());
  const server = await promise;
  accepted.unsubscribe(onSocket);
  return server;
}

const GREETING = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';

/** The same bytes in one piece, behind a request that was answered, and what comes back behind its reply. */
export async function exchangeBehindAnother(server: Server, input: Buffer): Promise<string> {
  const text = await exchangePieces(server, [Buffer.from(GREETING), Buffer.from(input)], true);
  const end = text.indexOf('\r\n\r\n') + 4;
  const length = Number(/^content-length: ([0-9]+)\r$/im.exec(text.slice(0, end))?.[1] ?? 0);
  return text.slice(end + length);
}

/** Sends the bytes in pieces of this length, closes its half of the connection, and resolves with all that comes back. */
export function exchangeInMemory(server: Server, input: Buffer, length: number): Promise<string> {
  // The gateway erases what it has read.
  const bytes = Buffer.from(input);
  const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
    bytes.subarray(at * length, (at + 1) * length),
  );
  return exchangePieces(server, pieces, false);
}

function exchangePieces(server: Server, pieces: readonly Buffer[], isPolite: boolean): Promise<string> {
  const socket = new MemorySocket(pieces, isPolite);
  return new Promise((resolve) => {
    socket.once('close', () => resolve(socket.sent));
    server.emit('connection', socket as unknown as Socket);
    socket.sendOn();
  });
}
