import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Account, Budget } from './budget.ts';
import { type Peer, peerOf } from './message.ts';
import type { Response } from './reply.ts';
import { createSlices, type LatestRequest } from './slices.ts';

/** The requests of one connection, as far as they are known. */
export type ConnectionState = {
  latest: LatestRequest | null;
  /** The latest request has its reply, or never gets one. */
  isLatestOver: boolean;
  /** Nothing more can be read from it. */
  isBroken: boolean;
  /** Of the requests with a reply, the one that came last: replies leave in the order of their requests, whenever they are made. */
  replied: { readonly order: number; readonly response: Response } | null;
  /** The body of the latest request is a file that is being read, for as long as it takes. */
  isStreaming: boolean;
};

/**
 * Gets the bytes of each read of a connection before the parser does, while the parser has nothing to do. True: it has taken them, and the
 * parser never sees them.
 */
export type FirstReader = (connection: Connection) => (chunk: Buffer) => boolean;

/** Replies leave in such pieces, so that it shows whether the client reads any of it. */
const PIECE_BYTES = 65_536;
const noop = (): void => {};
function* piecesOf(chunks: readonly Buffer[]): Generator<Buffer, undefined> {
  for (const chunk of chunks) for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
}

/** node:http writes the head and a short body as one string, everything else as bytes. */
type Chunk = { readonly chunk: Buffer | string; readonly encoding: BufferEncoding };

const bytesOf = ({ chunk, encoding }: Chunk): Buffer => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);

/** A character has three bytes at most. */
const isShort = (chunk: Buffer | string): boolean => (typeof chunk === 'string' ? 3 * chunk.length : chunk.length) <= PIECE_BYTES;

/**
 * A client's connection as node:http sees it. A socket hands over all bytes of one read, up to 64 KiB: thousands of short requests, each
 * begun before the first is answered. This stream hands over one request after the other and stops while the client has too much to
 * read. The rest stays unread, and TCP slows the client down.
 */
export class Connection extends Duplex {
  readonly peer: Peer;
  readonly account: Account;
  readonly state: ConnectionState = { latest: null, isLatestOver: false, replied: null, isBroken: false, isStreaming: false };
  readonly #socket: Socket;
  readonly #readFirst: ((chunk: Buffer) => boolean) | null;
  readonly #slices = createSlices();
  /** Read from the socket and not handed over; it keeps the memory of the whole read. */
  #rest: Buffer | null = null;
  #restBytes = 0;
  /** Handed over, and not read by the parser yet: where the next slice ends is known when it is. */
  #isAtParser = false;
  #isWanted = false;
  /** Data was handed over in this tick of the event loop, or is waited for. */
  #hadTick = false;
  #awaitsTick = false;
  #isDiscarding = false;
  #hasEnded = false;
  /** A request is answered that the parser has not seen. Later bytes wait. */
  #isHeld = false;
  /** The time-out of an idle connection has passed once while it was held. */
  #isLate = false;

  constructor(socket: Socket, { budget, readFirst }: { readonly budget: Budget; readonly readFirst: FirstReader | null }) {
    // One slice ahead at most.
    super({ allowHalfOpen: true, readableHighWaterMark: 1, writableHighWaterMark: PIECE_BYTES, decodeStrings: false });
    this.#socket = socket;
    this.peer = peerOf(socket);
    this.account = budget.open(this);
    this.#readFirst = readFirst?.(this) ?? null;
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('end', () => this.#onEnd());
    socket.on('timeout', () => this.#onTimeout());
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    // node:http listens only while it reads: a client that leaves later is no reason to end the process.
    this.on('error', () => {});
  }

  /** How many requests were received completely and so must be answered, whatever arrives after them. */
  get repliesOwed(): number {
    const { latest, isLatestOver } = this.state;
    return this.account.unanswered - (latest?.complete === false && !isLatestOver ? 1 : 0);
  }

  /** Bytes were read that neither the parser nor anybody before it has taken. */
  get hasUnparsed(): boolean {
    return this.#rest !== null;
  }

  /** Each request that has begun was answered to its end, and no other has; false before the first. */
  get isBetweenRequests(): boolean {
    const { begun, unsent } = this.account;
    return begun > 0 && unsent === 0 && !this.state.isBroken && this.readableLength === 0 && !this.writableEnded;
  }

  /** Closes the connection if no request is under way. */
  closeIfIdle(): void {
    if (this.isBetweenRequests && this.#rest === null && this.#slices.isBetweenRequests) this.destroy();
  }

  /** node:http sets and clears the time-out of the socket. */
  setTimeout(ms: number): this {
    this.#socket.setTimeout(ms);
    return this;
  }

  /** The connection may be idle until the next request, with which node:http restores the time-out. */
  suspendTimeout(): void {
    this.setTimeout(0);
  }

  /** Closes the connection when everything has left. */
  destroySoon(): void {
    this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  /** The last of a reply has left, or never will: so many bytes of it were held until now. */
  replySent(bytes: number): void {
    this.account.sent(bytes);
    this.#handOver();
  }

  /** So many bytes of a reply have left. */
  releaseReply(bytes: number): void {
    this.account.holdReply(-bytes);
    this.#handOver();
  }

  /** Hands nothing to the parser until `release`: a request is answered that the parser has not seen. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#isLate = false;
  }

  /** Call when node:http listens: its parser then reads a slice before this listener learns of it. */
  followParser(): void {
    this.on('data', (bytes: Buffer) => this.#onRead(bytes));
  }

  /** Throws away all later bytes of the client; they never reach the parser. */
  discard(): void {
    if (this.#isDiscarding) return;
    this.#isDiscarding = true;
    this.#rest = null;
    this.#restBytes = 0;
    this.account.holdUnparsed(0);
    this.#socket.resume();
    if (this.#hasEnded) this.#closeUnlessOwing();
  }

  override _read(): void {
    this.#isWanted = true;
    this.#handOver();
  }

  /**
   * A short string goes to the socket immediately while nothing waits before it: nearly every reply. This stream's own queue would be a
   * second one of the same kind.
   */
  override write(chunk: unknown, ...rest: readonly unknown[]): boolean {
    // node:http names an encoding only if it was given one.
    const [encoding = 'utf8', done] = rest;
    if (
      typeof chunk !== 'string' ||
      typeof encoding !== 'string' ||
      this.writableLength > 0 ||
      this.#socket.writableLength > 0 ||
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
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.account.close();
    this.#rest = null;
    this.#isDiscarding = true;
    this.#socket.destroy();
    done(error);
  }

  #onData(chunk: Buffer): void {
    if (this.#isDiscarding || this.#readFirst?.(chunk)) return;
    this.#rest = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#restBytes += chunk.length;
    this.#hadTick = false;
    this.#handOver();
    if (this.#rest === null) return;
    this.#socket.pause();
    this.account.holdUnparsed(this.#restBytes);
  }

  /** node:http takes a held connection for idle: its request may last as long as any other. */
  #onTimeout(): void {
    if (!this.#isHeld || this.#isLate) this.emit('timeout');
    else this.#socket.setTimeout(this.#socket.timeout ?? 0);
    this.#isLate = this.#isHeld && !this.#isLate;
  }

  #onEnd(): void {
    this.#hasEnded = true;
    if (this.#isDiscarding) this.#closeUnlessOwing();
    else this.#handOver();
  }

  /** The client sends nothing more: no body is drained any longer. The exchange closes the connection with the last reply that is owed. */
  #closeUnlessOwing(): void {
    this.emit('halfClosed');
    if (this.repliesOwed <= 0) this.destroySoon();
  }

  /** The parser, which listens before, has read a slice. Memory that is freed would keep its bytes until something else covers them. */
  #onRead(bytes: Buffer): void {
    this.#slices.parsed(bytes, { latest: this.state.latest, begun: this.account.begun });
    bytes.fill(0);
    this.#isAtParser = false;
    this.#handOver();
  }

  /** Hands over one slice if the parser wants one. The next one follows when it has read this one. */
  #handOver(): void {
    if (!this.#isWanted || this.#isAtParser || this.#isDiscarding || this.#isHeld) return;
    const rest = this.#rest;
    if (rest === null) {
      if (this.#hasEnded) {
        this.#isWanted = false;
        this.push(null);
      } else if (this.#socket.isPaused()) this.#socket.resume();
      return;
    }
    if (!this.#mayGoOn()) return;
    const end = this.#slices.endOf(rest);
    this.#hadTick = true;
    this.#isWanted = false;
    this.#isAtParser = true;
    this.#rest = end < rest.length ? rest.subarray(end) : null;
    if (this.#rest === null) this.#restBytes = 0;
    this.account.holdUnparsed(this.#restBytes);
    // Freeing memory may have closed this very connection.
    if (!this.destroyed) this.push(rest.subarray(0, end));
  }

  /**
   * Whether the next slice may follow: one request, or a few chunks, in a tick of the event loop. Otherwise one client could occupy the
   * process. The body of a request that has begun is always read on: it has its own limit.
   */
  #mayGoOn(): boolean {
    if (this.#slices.at === 'body') return true;
    if (this.#hadTick) this.#awaitTick();
    if (this.#hadTick || this.#awaitsTick) return false;
    return this.#slices.at === 'chunks' || this.account.mayBegin;
  }

  #awaitTick(): void {
    if (this.#awaitsTick) return;
    this.#awaitsTick = true;
    setImmediate(() => {
      [this.#hadTick, this.#awaitsTick] = [false, false];
      this.#handOver();
    });
  }

  #send(pieces: Generator<Buffer, undefined>, done: (error?: Error | null) => void): void {
    const piece = pieces.next().value;
    if (piece === undefined) done();
    else this.#sendPiece(piece, 'latin1', (error) => (error ? done(error) : this.#send(pieces, done)));
  }

  #sendPiece(piece: Buffer | string, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(piece, encoding, (error) => {
      if (isStalled) this.account.stalled(false);
      done(error);
    });
    // Nearly always the operating system takes it immediately.
    const isStalled = this.#socket.writableLength > 0;
    if (isStalled) this.account.stalled(true);
  }
}
