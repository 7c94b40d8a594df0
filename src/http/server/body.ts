import type { IncomingMessage } from 'node:http';
import { bodyBytesMax, publicBodyBytesMax, unknownBodyBytesMax } from '../../form/limits.ts';
import { type Endpoint, endpoints } from '../../spec/endpoints.ts';
import type { Routed } from './route.ts';

const NONE = Buffer.alloc(0);

/** How long a body may be: shorter where no token is asked for. */
export const bodyMaxOf = (routed: Routed): number => {
  const access = routed.is === 'found' ? (endpoints[routed.endpoint] as Endpoint).access : 'none';
  return access === 'none' || access === 'door' ? publicBodyBytesMax : bodyBytesMax;
};

/** What the head of a request says about its body is believed: a longer one is refused before a byte of it is read. */
export const announcesTooMuch = ({ headers }: IncomingMessage, bytesMax: number): boolean =>
  Number(headers['content-length'] ?? 0) > bytesMax;

/** Whether it is worth a look at the token before the body is read. */
export const mayBeLong = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > unknownBodyBytesMax;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** All bodies that are being read at this moment. */
export type Buffers = { bytes: number };

/** 32 of the longest bodies at once: whoever sends more than that, from however many connections, does not fill the memory. */
export const buffersBytesMax = 32 * bodyBytesMax;

/** `tooLong` and `full` are said as soon as it is so, `gone` when the client left before the end. */
export type Body = Buffer | 'tooLong' | 'full' | 'gone';

/** Reads the body and hands it over, once. */
export function readBody(request: IncomingMessage, buffers: Buffers, bytesMax: number, done: (body: Body) => void): void {
  if (!hasBody(request)) {
    done(NONE);
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  const tell = (body: Body) => {
    request.off('data', onData).off('end', onEnd).off('close', onClose);
    buffers.bytes -= length;
    done(body);
  };
  const onData = (chunk: Buffer) => {
    length += chunk.length;
    buffers.bytes += chunk.length;
    chunks.push(chunk);
    if (length > bytesMax) tell('tooLong');
    else if (buffers.bytes > buffersBytesMax) tell('full');
  };
  const onEnd = () => tell(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
  const onClose = () => tell('gone');
  request.on('data', onData).on('end', onEnd).on('close', onClose);
}
