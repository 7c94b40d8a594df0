import { connect } from 'node:net';
import { afterAttended } from '../attended.ts';

/** How a body of unknown or known length is put on the wire. */
export const framings = {
  /** Its length is in the head. */
  known: (body: Buffer) => ({ header: `Content-Length: ${body.length}`, wire: body }),
  /** In one chunk. */
  chunk: (body: Buffer) => ({ header: CHUNKED, wire: Buffer.concat([sizeLine(body.length), body, END]) }),
  /** In chunks of one byte. */
  crumbs: (body: Buffer) => ({ header: CHUNKED, wire: crumbsOf(body) }),
} as const satisfies Readonly<Record<string, (body: Buffer) => { readonly header: string; readonly wire: Buffer }>>;

export type Framing = keyof typeof framings;

const CHUNKED = 'Transfer-Encoding: chunked';
const sizeLine = (bytes: number): Buffer => Buffer.from(`${bytes.toString(16)}\r\n`);
const END = Buffer.from('\r\n0\r\n\r\n');
const CRUMB = Buffer.from('1\r\n \r\n');

function crumbsOf(body: Buffer): Buffer {
  const wire = Buffer.alloc(body.length * CRUMB.length + END.length - 2, CRUMB);
  for (let at = 0; at < body.length; at += 1) wire[at * CRUMB.length + 3] = body[at] as number;
  wire.set(END.subarray(2), body.length * CRUMB.length);
  return wire;
}

export type Wired = { readonly port: number; readonly bytes: Buffer };

export type WireOptions = {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly framing: Framing;
};

/** A request on a connection of its own. */
export function wired({ port, method, path, headers, body, framing }: WireOptions): Wired {
  const { header, wire } = framings[framing](body);
  const lines = Object.entries({ Host: 'gateway', ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path} HTTP/1.1`, ...lines, header, '', ''].join('\r\n');
  return { port, bytes: Buffer.concat([Buffer.from(head, 'latin1'), wire]) };
}

/** Far longer than any answer takes in time that this process runs. */
const HANG_MS = 60_000;
const STATUS = /^HTTP\/1\.1 (\d{3}) /;

/** The status of the answer; 0: the connection ended without one, -1: nothing came for a minute. */
export function send({ port, bytes }: Wired): Promise<number> {
  return new Promise((resolve) => {
    let status = 0;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const leaveOff = afterAttended(HANG_MS, () => {
      status = -1;
      socket.destroy();
    });
    socket.on('data', (chunk: Buffer) => {
      if (status === 0) status = Number(STATUS.exec(chunk.toString('latin1', 0, 13))?.[1] ?? 0);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      leaveOff();
      resolve(status);
    });
    socket.end(bytes);
  });
}
