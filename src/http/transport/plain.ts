import { type IncomingHttpHeaders, STATUS_CODES, validateHeaderValue } from 'node:http';
import type { Connection, FirstReader } from './connection.ts';
import { drained, jsonHeaders, lengthOf, type Reply, type Response } from './reply.ts';

/**
 * The quick way for a request that arrived complete and can be read in one way only: half of the work of node:http per request exists for
 * fragmented, pipelined or unusual ones. node:http reads every other request, and this module reads none differently
 * (test/http/plainRequests.test.ts compares byte for byte). The gateway works without it: see `serve`, and decisions/0085.
 */

/** A request whose head can be read in one way only. */
export type PlainRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** A view of the bytes that arrived. */
  readonly body: Buffer;
  /** How many bytes of the body have not arrived yet. */
  readonly missing: number;
};

/** Begins to answer a plain request; false: node:http reads it after all. */
export type BeginPlain = (request: PlainRequest, connection: Connection, response: Response) => boolean;

/** Time and connection, as every response of a server names them. */
type ResponseContext = {
  /** The current time as HTTP writes it. */
  readonly date: () => string;
  /** How long a connection without requests is kept. */
  readonly keepAliveSeconds: number;
};

/** Reads the plain requests of all connections of a server. */
export function createPlainReader(begin: BeginPlain, context: ResponseContext): FirstReader {
  const read = createReadPlain();
  return (connection) => {
    /**
     * Only plain requests have arrived so far, and no read had parts of two. So it is known how many bytes node:http still expects of
     * one.
     */
    let [isAllPlain, missing] = [true, 0];
    return (chunk) => {
      if (!isAllPlain) return false;
      if (missing > 0) {
        missing -= chunk.length;
        isAllPlain = missing >= 0;
        return false;
      }
      const request = connection.hasUnparsed ? null : read(chunk);
      isAllPlain = request !== null;
      missing = request?.missing ?? 0;
      // The first request of a connection goes through node:http: until its parser has read one, it limits the time.
      if (request === null || missing > 0 || !connection.isBetweenRequests) return false;
      if (!begin(request, connection, new PlainResponse(connection, context))) return false;
      connection.hold();
      chunk.fill(0, 0, chunk.length - request.body.length);
      return true;
    };
  };
}

const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';
const HEAD_BYTES_MAX = 8_192;
const BODY_BYTES_MAX = 65_536;

/** A request line and header lines of printable ASCII: no bare line feeds, no folded lines, no blanks before a colon. */
const HEAD = /^(?:GET|POST|PUT|DELETE) \/[\w\-.~:/?[\]@!$&'()*+,;=%]* HTTP\/1\.1(?:\r\n[\w!#$%&'*+.^`|~-]+:[\t -~]*)+$/;

/** Headers that change the framing of a message or the fate of its connection: node:http reads such requests. */
const notPlain: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The name of a header as a client writes it, with its colon, and in lower case. */
type Name = { readonly written: string; readonly lower: string };

const NAMES_MAX = 256;
const NAME_LENGTH_MAX = 40;

/** A string with memory of its own. A slice of a head would keep all of it, with its access token, for as long as the slice is kept. */
const ownString = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** Finds the names of headers. Clients send few different ones. */
function createNames(): (line: string) => Name {
  const known = new Map<string, Name>();
  return (line) => {
    const written = line.slice(0, line.indexOf(':') + 1);
    const name = known.get(written) ?? { written: ownString(written), lower: ownString(written.slice(0, -1).toLowerCase()) };
    if (known.size < NAMES_MAX && written.length <= NAME_LENGTH_MAX) known.set(name.written, name);
    return name;
  };
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** The value of a header, with memory of its own: from the bytes where it stands. */
function ownValue(bytes: Buffer, line: string, lineAt: number, from: number): string {
  let [start, end] = [from, line.length];
  while (start < end && isBlank(line.charCodeAt(start))) start += 1;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end -= 1;
  return bytes.toString('latin1', lineAt + start, lineAt + end);
}

const LENGTH = /^[0-9]{1,5}$/;

/** The length of the body; -1: the header says something else. */
const lengthIn = (value: string | undefined): number => (value === undefined ? 0 : LENGTH.test(value) ? Number(value) : -1);

/**
 * Creates a function that reads one plain request, or its head and a part of its body; null for everything else, which may be a part of a
 * head, several requests, or none. node:http reads every request that this function reads in the same way.
 */
export function createReadPlain(): (bytes: Buffer) => PlainRequest | null {
  const nameIn = createNames();
  /** The headers of lines that the regular expression above allows; null when one of them is not plain, or was sent twice. */
  const headersIn = (bytes: Buffer, lines: readonly string[]): IncomingHttpHeaders | null => {
    const headers: IncomingHttpHeaders = {};
    let lineAt = (lines[0] as string).length + LINE_END.length;
    for (const line of lines.slice(1)) {
      const { written, lower: name } = nameIn(line);
      const value = ownValue(bytes, line, lineAt, written.length);
      // A member that every object has, such as `constructor`, counts as sent before.
      if (headers[name] !== undefined) return null;
      if (notPlain.has(name) && !(name === 'connection' && value.toLowerCase() === 'keep-alive')) return null;
      headers[name] = value;
      lineAt += line.length + LINE_END.length;
    }
    return headers;
  };
  return (bytes) => {
    const end = bytes.indexOf(HEAD_END, 0, 'latin1');
    if (end < 0 || end > HEAD_BYTES_MAX) return null;
    const head = bytes.toString('latin1', 0, end);
    if (!HEAD.test(head)) return null;
    const lines = head.split(LINE_END);
    const headers = headersIn(bytes, lines);
    if (headers?.host === undefined) return null;
    const length = lengthIn(headers['content-length']);
    const bodyAt = end + HEAD_END.length;
    const missing = bodyAt + length - bytes.length;
    if (length < 0 || length > BODY_BYTES_MAX || missing < 0) return null;
    const line = lines[0] as string;
    const urlAt = line.indexOf(' ') + 1;
    return {
      method: line.slice(0, urlAt - 1),
      url: bytes.toString('latin1', urlAt, line.lastIndexOf(' ')),
      headers,
      body: bytes.subarray(bodyAt),
      missing,
    };
  };
}

/** Throws for a value that would end its header, as node:http does. */
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

const CHUNK_END = Buffer.from(LINE_END, 'latin1');

/** The response to a plain request: the same bytes as node:http would write, which does not know of the request. */
class PlainResponse implements Response {
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

  send(reply: Reply, isLast: boolean): void {
    const { status, headers, body, bytes } = reply;
    const length = lengthOf(reply);
    const hasLength = status !== 204;
    const hasBody = hasLength && status !== 304;
    const head = this.#head(status, linesOf(headers) + (hasLength ? `Content-Length: ${length}\r\n` : ''), isLast);
    this.#isLast = isLast;
    if (bytes === undefined || !hasBody) this.#finish(hasBody ? head + body : head, length);
    else this.#finish(Buffer.concat([Buffer.from(head, 'latin1'), bytes]), length);
  }

  begin({ status, headers }: Reply, isLast: boolean): void {
    this.#isLast = isLast;
    this.#connection.write(this.#head(status, linesOf(headers), isLast, 'Transfer-Encoding: chunked\r\n'), 'latin1');
  }

  write(piece: Uint8Array, sent: () => void): boolean {
    const size = Buffer.from(`${piece.length.toString(16)}\r\n`, 'latin1');
    return piece.length === 0 || this.#connection.write(Buffer.concat([size, piece, CHUNK_END]), sent);
  }

  end(): void {
    this.#finish('0\r\n\r\n', 0);
  }

  destroy(): void {
    this.#connection.destroy();
  }

  drained(): Promise<void> {
    return drained(this.#connection);
  }

  onClose(listener: () => void): void {
    this.#connection.once('close', listener);
  }

  /** Sends the reply, or the end of it. `bytes`: of its body. */
  #finish(reply: string | Buffer, bytes: number): void {
    const connection = this.#connection;
    connection.release();
    if (connection.destroyed) return;
    connection.write(reply, 'utf8', () => connection.replySent(bytes));
    if (!this.#isLast) return;
    connection.discard();
    connection.destroySoon();
  }

  #head(status: number, lines: string, isLast: boolean, framing = ''): string {
    const { date, keepAliveSeconds } = this.#context;
    const begin = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}`;
    return isLast
      ? `${begin}Connection: close\r\nDate: ${date()}\r\n${framing}\r\n`
      : `${begin}Date: ${date()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n${framing}\r\n`;
  }
}
