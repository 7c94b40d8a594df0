import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Message } from '../handler.ts';
import type { ForwardedSocket } from './forwarded.ts';
import { type PlainRequest, readPlain } from './plainRequest.ts';
import type { PlainResponse } from './plainResponse.ts';
import { createSlices } from './slices.ts';

/** The requests of one connection, as far as they are known. */
export type ConnectionState = {
  /** Begun and not answered yet. */
  open: number;
  latest: Pick<IncomingMessage, 'complete' | 'headers'> | null;
  /** The latest request has its reply, or never gets one: it is no longer among the open ones. */
  isLatestOver: boolean;
  /** Nothing more can be read from it. */
  isBroken: boolean;
  /** How many requests have begun. */
  begun: number;
  /** Of the requests with a reply, the one that came last: replies leave in the order of their requests, whenever they are made. */
  replied: { readonly order: number; readonly response: ServerResponse | PlainResponse } | null;
  /** The body of the latest request is a file that is being read, for as long as it takes. */
  isStreaming: boolean;
};

/** How many requests were read to their end and must be answered, whatever follows them. */
export const repliesOwed = ({ open, latest, isLatestOver }: ConnectionState): number =>
  open - (latest?.complete === false && !isLatestOver ? 1 : 0);

/** What one connection may make the process hold. A slice that was read in advance may go over it by a request or two. */
export type ConnectionBounds = { readonly requests: number; readonly replyBytes: number };

/** What a connection reports to the account that all connections of the process share. */
export interface Account {
  /** Whether another request may begin on a connection that has some already. */
  hasCapacity(): boolean;
  /** The connection holds so many bytes more, or fewer. */
  held(connection: Connection, bytes: number): void;
  /** The operating system takes no more of an answer for now, or takes it again. */
  stalled(connection: Connection, isStalled: boolean): void;
}

/** Begins to answer a plain request; false: the HTTP server reads it after all. */
export type TakePlain = (request: PlainRequest, connection: Connection) => boolean;

/** Roughly what a request and its reply cost beside their bytes. */
const REQUEST_BYTES = 4_096;
/** Replies leave in such pieces, so that it shows whether the client reads any of it. */
const PIECE_BYTES = 65_536;
const noop = (): void => {};
function* piecesOf(chunks: readonly Buffer[]): Generator<Buffer, undefined> {
  for (const chunk of chunks) for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
}

/** What the HTTP server writes: the head and a short body as one text, everything else as bytes. */
type Chunk = { readonly chunk: Buffer | string; readonly encoding: BufferEncoding };

const bytesOf = ({ chunk, encoding }: Chunk): Buffer => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);

/** A character has three bytes at most. */
const isShort = (chunk: Buffer | string): boolean => (typeof chunk === 'string' ? 3 * chunk.length : chunk.length) <= PIECE_BYTES;

/**
 * A client's connection as the HTTP server sees it. A socket hands over all that one read gave, up to 64 KiB: thousands of short
 * requests, each begun before the first is answered. This stream hands over one request after the other and stops while the client has
 * too much to read. The rest stays unread, and TCP slows the client down.
 */
export class Connection extends Duplex {
  readonly transport: Socket;
  readonly state: ConnectionState = {
    open: 0,
    begun: 0,
    latest: null,
    isLatestOver: false,
    replied: null,
    isBroken: false,
    isStreaming: false,
  };
  readonly #account: Account;
  readonly #bounds: ConnectionBounds;
  /** Read from the socket and not handed over; it keeps the memory of the whole read. */
  #rest: Buffer | null = null;
  #restBytes = 0;
  /** Handed over, and not read by the parser yet: where the next slice ends is known when it is. */
  #isAtParser = false;
  readonly #slices = createSlices();
  #requests = 0;
  #replyBytes = 0;
  #held = 0;
  #isWanted = false;
  /** Data was handed over in this turn of the event loop, or is waited for. */
  #hadTurn = false;
  #awaitsTurn = false;
  #isDiscarding = false;
  #hasEnded = false;
  readonly #takePlain: TakePlain;
  /**
   * All that has arrived were plain requests, and no read had parts of two. So it is known how many bytes the parser still expects of
   * one.
   */
  #isAllPlain = true;
  #plainMissing = 0;
  /** The HTTP server has not seen the request that is being answered. What comes behind it waits. */
  #isPlainOpen = false;
  /** The time of an idle connection has passed once while it is. */
  #isLate = false;
  #plainBytes = 0;
  readonly #plainSent = (): void => this.releaseReply(this.#plainBytes, true);

  constructor(
    transport: Socket,
    {
      account,
      bounds,
      takePlain,
    }: { readonly account: Account; readonly bounds: ConnectionBounds; readonly takePlain: TakePlain },
  ) {
    // One slice ahead at most.
    super({ allowHalfOpen: true, readableHighWaterMark: 1, writableHighWaterMark: PIECE_BYTES, decodeStrings: false });
    this.transport = transport;
    this.#account = account;
    this.#bounds = bounds;
    this.#takePlain = takePlain;
    transport.on('data', (chunk: Buffer) => this.#onData(chunk));
    transport.on('end', () => this.#onEnd());
    transport.on('timeout', () => this.#onTimeout());
    transport.on('error', (error) => this.destroy(error));
    transport.on('close', () => this.destroy());
    // The HTTP server listens only while it reads: a client that leaves later is no reason to end the process.
    this.on('error', () => {});
  }

  get remoteAddress(): string | undefined {
    return this.transport.remoteAddress;
  }

  /** The HTTP server sets and clears the timeouts of the socket. */
  setTimeout(ms: number): this {
    this.transport.setTimeout(ms);
    return this;
  }

  /** Closes the connection when everything has left. */
  destroySoon(): void {
    this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  /** A request has begun. */
  beginRequest(): void {
    this.#requests += 1;
    this.#reckon();
  }

  /** A reply of this length was made, or a piece of one. */
  holdReply(bytes: number): void {
    this.#replyBytes += bytes;
    this.#reckon();
  }

  /** So much of a reply has left; with the last of it the request is over. */
  releaseReply(bytes: number, isOver: boolean): void {
    this.#replyBytes -= bytes;
    if (isOver) this.#requests -= 1;
    this.#reckon();
    this.#handOver();
  }

  /** Sends the reply to a plain request, or the end of it. `bytes`: of its body. */
  replyPlain(reply: string | Buffer, bytes: number, isLast: boolean): void {
    this.#isPlainOpen = false;
    this.#isLate = false;
    this.#plainBytes = bytes;
    if (this.destroyed) return;
    this.write(reply, 'utf8', this.#plainSent);
    if (!isLast) return;
    this.discard();
    this.destroySoon();
  }

  /** The HTTP server listens: what it has read may go, and more may come. */
  followParser(): void {
    this.on('data', (bytes: Buffer) => this.#onRead(bytes));
  }

  /** Throws away what else the client sends; it never reaches the parser. */
  discard(): void {
    if (this.#isDiscarding) return;
    this.#isDiscarding = true;
    this.#rest = null;
    this.#restBytes = 0;
    this.#reckon();
    this.transport.resume();
    if (this.#hasEnded) this.#closeUnlessOwing();
  }

  override _read(): void {
    this.#isWanted = true;
    this.#handOver();
  }

  /**
   * A short text goes to the socket at once while nothing waits before it: nearly every reply. The way through this stream's own queue
   * would be a second one of the same kind.
   */
  override write(chunk: unknown, ...rest: readonly unknown[]): boolean {
    // The HTTP server names an encoding only where it was given one.
    const [encoding = 'utf8', done] = rest;
    if (
      typeof chunk !== 'string' ||
      typeof encoding !== 'string' ||
      this.writableLength > 0 ||
      this.transport.writableLength > 0 ||
      this.writableEnded ||
      this.destroyed ||
      !isShort(chunk)
    )
      return super.write(chunk, ...(rest as []));
    this.#sendPiece(chunk, encoding as BufferEncoding, typeof done === 'function' ? (done as () => void) : noop);
    return true;
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (isShort(chunk)) this.#sendPiece(chunk, encoding, done);
    else this.#send(piecesOf([bytesOf({ chunk, encoding })]), done);
  }

  override _writev(chunks: Chunk[], done: (error?: Error | null) => void): void {
    const filled = chunks.filter(({ chunk }) => chunk.length > 0);
    const [first] = filled;
    if (first !== undefined && filled.length === 1) {
      this._write(first.chunk, first.encoding, done);
      return;
    }
    const all = filled.map(bytesOf);
    const length = all.reduce((sum, chunk) => sum + chunk.length, 0);
    this.#send(piecesOf(length <= PIECE_BYTES ? [Buffer.concat(all, length)] : all), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.transport.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#account.stalled(this, false);
    this.#account.held(this, -this.#held);
    this.#held = 0;
    this.#rest = null;
    this.#isDiscarding = true;
    this.transport.destroy();
    done(error);
  }

  #onData(chunk: Buffer): void {
    if (this.#isDiscarding || this.#beginsPlain(chunk)) return;
    this.#rest = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#restBytes += chunk.length;
    this.#hadTurn = false;
    this.#handOver();
    if (this.#rest === null) return;
    this.transport.pause();
    this.#reckon();
  }

  /**
   * Answers a plain request without the HTTP server. The first one of a connection goes through it: until the parser has read one, it
   * counts the time.
   */
  #beginsPlain(chunk: Buffer): boolean {
    if (!this.#isAllPlain) return false;
    if (this.#plainMissing > 0) {
      this.#plainMissing -= chunk.length;
      this.#isAllPlain = this.#plainMissing >= 0;
      return false;
    }
    const request = this.#rest === null ? readPlain(chunk) : null;
    this.#isAllPlain = request !== null;
    this.#plainMissing = request?.missing ?? 0;
    const { begun, open, isBroken } = this.state;
    if (request === null || request.missing > 0 || begun === 0 || open > 0 || isBroken) return false;
    if (this.#requests > 0 || this.readableLength > 0 || this.writableEnded || !this.#account.hasCapacity()) return false;
    this.#isPlainOpen = this.#takePlain(request, this);
    if (this.#isPlainOpen) chunk.fill(0, 0, chunk.length - request.body.length);
    return this.#isPlainOpen;
  }

  /** The HTTP server takes a connection for idle on which a plain request is answered: it may last as long as any other. */
  #onTimeout(): void {
    if (!this.#isPlainOpen || this.#isLate) this.emit('timeout');
    else this.transport.setTimeout(this.transport.timeout ?? 0);
    this.#isLate = this.#isPlainOpen && !this.#isLate;
  }

  #onEnd(): void {
    this.#hasEnded = true;
    if (this.#isDiscarding) this.#closeUnlessOwing();
    else this.#handOver();
  }

  /** The client has said all: no body is drained any longer. With the last reply that it has to get, the exchange closes the connection. */
  #closeUnlessOwing(): void {
    this.emit('halfClosed');
    if (repliesOwed(this.state) <= 0) this.destroySoon();
  }

  /** The parser, which listens before, has read a slice. Memory that is freed would keep its bytes until something else covers them. */
  #onRead(bytes: Buffer): void {
    this.#slices.parsed(bytes, this.state);
    bytes.fill(0);
    this.#isAtParser = false;
    this.#handOver();
  }

  /** Hands over one slice if the parser wants one. The next one follows when it has read this one. */
  #handOver(): void {
    if (!this.#isWanted || this.#isAtParser || this.#isDiscarding || this.#isPlainOpen) return;
    const rest = this.#rest;
    if (rest === null) {
      if (this.#hasEnded) {
        this.#isWanted = false;
        this.push(null);
      } else if (this.transport.isPaused()) this.transport.resume();
      return;
    }
    if (!this.#mayGoOn()) return;
    const end = this.#slices.endOf(rest);
    this.#hadTurn = true;
    this.#isWanted = false;
    this.#isAtParser = true;
    this.#rest = end < rest.length ? rest.subarray(end) : null;
    if (this.#rest === null) this.#restBytes = 0;
    this.#reckon();
    // Freeing memory may have closed this very connection.
    if (!this.destroyed) this.push(rest.subarray(0, end));
  }

  /**
   * Whether the next slice may follow. One request, or a few chunks, in a turn of the event loop: otherwise one client could occupy the
   * process. The body of a request that has begun is always read on: it has its own limit.
   */
  #mayGoOn(): boolean {
    if (this.#slices.at === 'body') return true;
    if (this.#hadTurn) this.#awaitTurn();
    if (this.#hadTurn || this.#awaitsTurn) return false;
    if (this.#slices.at === 'chunks') return true;
    const { requests, replyBytes } = this.#bounds;
    if (this.#requests >= requests || this.#replyBytes >= replyBytes) return false;
    return this.#requests === 0 || this.#account.hasCapacity();
  }

  #awaitTurn(): void {
    if (this.#awaitsTurn) return;
    this.#awaitsTurn = true;
    setImmediate(() => {
      [this.#hadTurn, this.#awaitsTurn] = [false, false];
      this.#handOver();
    });
  }

  #reckon(): void {
    if (this.destroyed) return;
    const rest = this.#rest === null ? 0 : this.#restBytes;
    const held = rest + this.#replyBytes + this.#requests * REQUEST_BYTES;
    const more = held - this.#held;
    this.#held = held;
    if (more !== 0) this.#account.held(this, more);
  }

  #send(pieces: Generator<Buffer, undefined>, done: (error?: Error | null) => void): void {
    const piece = pieces.next().value;
    if (piece === undefined) done();
    else this.#sendPiece(piece, 'latin1', (error) => (error ? done(error) : this.#send(pieces, done)));
  }

  #sendPiece(piece: Buffer | string, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.transport.write(piece, encoding, (error) => {
      if (isStalled) this.#account.stalled(this, false);
      done(error);
    });
    // Nearly always the operating system takes it at once.
    const isStalled = this.transport.writableLength > 0;
    if (isStalled) this.#account.stalled(this, true);
  }
}

/** The socket below a request, with the client's address and certificate. */
export const transportOf = ({ socket }: Pick<Message, 'socket'>): Socket | ForwardedSocket =>
  socket instanceof Connection ? socket.transport : socket;
