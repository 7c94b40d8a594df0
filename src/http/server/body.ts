import type { IncomingMessage } from 'node:http';
import { readsLists } from '../../form/catalogue.ts';
import { bodyBytesMax, publicBodyBytesMax, unknownBodyBytesMax } from '../../form/limits.ts';
import { type Endpoint, type EndpointName, endpoints } from '../../spec/endpoints.ts';
import type { Routed } from './route.ts';

const NONE = Buffer.alloc(0);

/** The longest body of an endpoint: shorter where no token is needed, and where no lists are read that could fill a longer one. */
export const bodyMaxOf = (routed: Routed): number => (routed.is === 'found' ? bodiesMax[routed.endpoint] : publicBodyBytesMax);

const bodiesMax = Object.fromEntries(
  Object.entries<Endpoint>(endpoints).map(([name, { access }]) => {
    const isShort = access === 'none' || access === 'signIn' || (access === 'token' && !readsLists(name as EndpointName));
    return [name, isShort ? publicBodyBytesMax : bodyBytesMax];
  }),
) as Readonly<Record<EndpointName, number>>;

/** Whether the head announces a body that is too long. It is refused before a byte of it is read. */
export const announcesTooMuch = ({ headers }: IncomingMessage, bytesMax: number): boolean =>
  Number(headers['content-length'] ?? 0) > bytesMax;

/** Whether the body may be so long that the token is checked before it is read. */
export const mayBeLong = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > unknownBodyBytesMax;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** The bytes of all bodies that are being read. */
export type Buffers = {
  bytes: number;
  /** Default: `buffersBytesMax`; a part of it where several threads read. */
  readonly bytesMax?: number;
};

/** 32 of the longest bodies at once: clients cannot fill the memory, from however many connections they send. */
export const buffersBytesMax = 32 * bodyBytesMax;

/** `tooLong` and `full` are passed on as soon as they are known, `gone` when the client left before the end. */
export type Body = Buffer | 'tooLong' | 'full' | 'gone';

/** Reads the body and passes it on, once. */
export function readBody(request: IncomingMessage, buffers: Buffers, bytesMax: number, done: (body: Body) => void): void {
  if (!hasBody(request)) {
    done(NONE);
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = (body: Body) => {
    request.off('data', onData).off('end', onEnd).off('close', onClose);
    buffers.bytes -= length;
    done(body);
  };
  const onData = (chunk: Buffer) => {
    length += chunk.length;
    buffers.bytes += chunk.length;
    chunks.push(chunk);
    if (length > bytesMax) finish('tooLong');
    else if (buffers.bytes > (buffers.bytesMax ?? buffersBytesMax)) finish('full');
  };
  const onEnd = () => {
    const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length);
    if (chunks.length > 1) for (const chunk of chunks) chunk.fill(0);
    finish(body);
  };
  const onClose = () => finish('gone');
  request.on('data', onData).on('end', onEnd).on('close', onClose);
}
