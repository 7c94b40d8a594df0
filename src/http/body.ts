import type { IncomingMessage } from 'node:http';
import { bodyBytesMax } from '../form/limits.ts';

const NONE = Buffer.alloc(0);

/** What the head of a request says about its body is believed: a longer one is refused before a byte of it is read. */
export const announcesTooMuch = ({ headers }: IncomingMessage): boolean => Number(headers['content-length'] ?? 0) > bodyBytesMax;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** `tooLong` is said as soon as there is too much of it, `gone` when the client left before the end. */
export type Body = Buffer | 'tooLong' | 'gone';

/** Reads the body and hands it over, once. */
export function readBody(request: IncomingMessage, done: (body: Body) => void): void {
  if (!hasBody(request)) {
    done(NONE);
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  const tell = (body: Body) => {
    request.off('data', onData).off('end', onEnd).off('close', onClose);
    done(body);
  };
  const onData = (chunk: Buffer) => {
    length += chunk.length;
    if (length > bodyBytesMax) tell('tooLong');
    else chunks.push(chunk);
  };
  const onEnd = () => tell(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
  const onClose = () => tell('gone');
  request.on('data', onData).on('end', onEnd).on('close', onClose);
}
