import type { IncomingHttpHeaders } from 'node:http';
import { unknownBodyBytesMax } from '../../form/limits.ts';

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

const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';
const HEAD_BYTES_MAX = 8_192;

/** A request line and header lines of printable ASCII: no bare line feeds, no folded lines, no blanks before a colon. */
const HEAD = /^(?:GET|POST|PUT|DELETE) \/[\w\-.~:/?[\]@!$&'()*+,;=%]* HTTP\/1\.1(?:\r\n[\w!#$%&'*+.^`|~-]+:[\t -~]*)+$/;

/** Headers that change how a message is framed, or what happens to its connection: the HTTP server reads such requests. */
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

/** A name of a header as a client writes it, with its colon, and in lower case. */
type Name = { readonly written: string; readonly lower: string };

/** The names of headers that have come: nearly every request has those of the one before, in the same order. */
const knownNames = new Map<string, Name>();
const NAMES_MAX = 256;
const NAME_LENGTH_MAX = 40;
/** Which name stood last in which line. */
const inLines: Name[] = [];
const LINES_MAX = 32;

/** The name of the header in a line. The one that stood there in the request before is compared without making a text of it. */
function nameIn(line: string, at: number): Name {
  const latest = inLines[at];
  if (latest !== undefined && line.startsWith(latest.written)) return latest;
  const written = line.slice(0, line.indexOf(':') + 1);
  const known = knownNames.get(written) ?? { written: ownText(written), lower: ownText(written.slice(0, -1).toLowerCase()) };
  if (written.length > NAME_LENGTH_MAX) return known;
  if (knownNames.size < NAMES_MAX) knownNames.set(known.written, known);
  if (at < LINES_MAX) inLines[at] = known;
  return known;
}

/** A text with memory of its own. A part of a head would keep all of it, with its access token, for as long as the part is kept. */
const ownText = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** The same without a copy: from the bytes where it stands. */
function ownValue(bytes: Buffer, line: string, lineAt: number, from: number): string {
  let [start, end] = [from, line.length];
  while (start < end && isBlank(line.charCodeAt(start))) start += 1;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end -= 1;
  return bytes.toString('latin1', lineAt + start, lineAt + end);
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** The headers of lines that the pattern above allows; null when one of them is not plain, or was sent twice. */
function headersIn(bytes: Buffer, lines: readonly string[]): IncomingHttpHeaders | null {
  const headers: IncomingHttpHeaders = {};
  let lineAt = (lines[0] as string).length + LINE_END.length;
  for (let at = 1; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const { written, lower: name } = nameIn(line, at);
    const value = ownValue(bytes, line, lineAt, written.length);
    // What every object has, such as a constructor, counts as sent before.
    if (headers[name] !== undefined) return null;
    if (notPlain.has(name) && !(name === 'connection' && value.toLowerCase() === 'keep-alive')) return null;
    headers[name] = value;
    lineAt += line.length + LINE_END.length;
  }
  return headers;
}

const LENGTH = /^[0-9]{1,5}$/;

/** The length of the body; -1: the header says something else. */
const lengthIn = (value: string | undefined): number => (value === undefined ? 0 : LENGTH.test(value) ? Number(value) : -1);

/**
 * Reads bytes that are one plain request, or its head and a part of its body; null for everything else, which may be a shorter part,
 * several requests, or none. What this reads, the HTTP server of Node.js reads in the same way.
 */
export function readPlain(bytes: Buffer): PlainRequest | null {
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
  if (length < 0 || length > unknownBodyBytesMax || missing < 0) return null;
  const line = lines[0] as string;
  const urlAt = line.indexOf(' ') + 1;
  return {
    method: line.slice(0, urlAt - 1),
    url: bytes.toString('latin1', urlAt, line.lastIndexOf(' ')),
    headers,
    body: bytes.subarray(bodyAt),
    missing,
  };
}
