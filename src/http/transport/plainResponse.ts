import { type ServerResponse, STATUS_CODES, validateHeaderValue } from 'node:http';
import type { Connection } from './connection.ts';
import { jsonHeaders, type Reply } from './reply.ts';

/** What every response of a server says of time and connection. */
export type ResponseContext = {
  /** The current time as HTTP writes it. */
  readonly date: () => string;
  /** How long a connection without requests is kept. */
  readonly keepAliveSeconds: number;
};

/** Throws for a value that would end its header, as the HTTP server does. */
function headerLines(pairs: readonly string[]): string {
  let lines = '';
  for (let at = 0; at < pairs.length; at += 2) {
    const [name, value] = [pairs[at] as string, pairs[at + 1] as string];
    validateHeaderValue(name, value);
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/** Nearly every reply has these. */
const jsonLines = headerLines(jsonHeaders);

const linesOf = (headers: readonly string[]): string => (headers === jsonHeaders ? jsonLines : headerLines(headers));

/** The response to a plain request: the HTTP server knows nothing of it, and would write the same bytes. */
export class PlainResponse {
  readonly #connection: Connection;
  readonly #context: ResponseContext;
  #isLast = false;

  constructor(connection: Connection, context: ResponseContext) {
    this.#connection = connection;
    this.#context = context;
  }

  get destroyed(): boolean {
    return this.#connection.destroyed;
  }

  /** Writes head and body in one piece. */
  send(reply: Reply, { isLast, length }: { readonly isLast: boolean; readonly length: number }): void {
    const { status, headers, body, bytes } = reply;
    const hasLength = status !== 204;
    const hasBody = hasLength && status !== 304;
    const head = this.#head(status, linesOf(headers) + (hasLength ? `Content-Length: ${length}\r\n` : ''), isLast);
    if (bytes === undefined || !hasBody) this.#connection.replyPlain(hasBody ? head + body : head, length, isLast);
    else this.#connection.replyPlain(Buffer.concat([Buffer.from(head, 'latin1'), bytes]), length, isLast);
  }

  /** Begins a response of unknown length. */
  begin({ status, headers }: Reply, isLast: boolean): void {
    this.#isLast = isLast;
    this.#connection.write(this.#head(status, linesOf(headers), isLast, 'Transfer-Encoding: chunked\r\n'), 'latin1');
  }

  write(piece: Uint8Array, sent: () => void): boolean {
    const size = Buffer.from(`${piece.length.toString(16)}\r\n`, 'latin1');
    return piece.length === 0 || this.#connection.write(Buffer.concat([size, piece, CHUNK_END]), sent);
  }

  end(): void {
    this.#connection.replyPlain('0\r\n\r\n', 0, this.#isLast);
  }

  once(event: 'close' | 'drain', listener: () => void): void {
    this.#connection.once(event, listener);
  }

  off(event: 'close' | 'drain', listener: () => void): void {
    this.#connection.off(event, listener);
  }

  destroy(): void {
    this.#connection.destroy();
  }

  #head(status: number, lines: string, isLast: boolean, framing = ''): string {
    const { date, keepAliveSeconds } = this.#context;
    const begin = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}`;
    return isLast
      ? `${begin}Connection: close\r\nDate: ${date()}\r\n${framing}\r\n`
      : `${begin}Date: ${date()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n${framing}\r\n`;
  }
}

const CHUNK_END = Buffer.from('\r\n', 'latin1');

/** Resolves when the client takes more of the reply, or has left. No listener stays: a kept connection has many replies. */
export const drained = (response: ServerResponse | PlainResponse): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      response.off('drain', end);
      response.off('close', end);
      resolve();
    };
    response.once('drain', end);
    response.once('close', end);
  });
