import type { IncomingMessage } from 'node:http';
import { readsLists } from '../../form/catalogue.ts';
import { bodyBytesMax, bodyPieceBytes, bodyPiecesMax, publicBodyBytesMax, unknownBodyBytesMax } from '../../form/limits.ts';
import { ticks } from '../../runtime/ticks.ts';
import { type Endpoint, type EndpointName, endpoints } from '../../spec/endpoints.ts';
import type { Message } from '../handler.ts';
import type { Routed } from '../route.ts';
import { createUnreadBodies, type UnreadBodies, unreadBytesMax } from './unreadBodies.ts';

const NONE = Buffer.alloc(0);

/** The longest body of an endpoint: short but where a token is needed and lists are read, which could fill a longer one. */
export const bodyMaxOf = (routed: Routed): number => (routed.is === 'found' ? bodiesMax[routed.endpoint] : publicBodyBytesMax);

const bodiesMax = Object.fromEntries(
  Object.entries<Endpoint>(endpoints).map(([name, { access }]) => {
    const isLong = access === 'token' && readsLists(name as EndpointName);
    return [name, isLong ? bodyBytesMax : publicBodyBytesMax];
  }),
) as Readonly<Record<EndpointName, number>>;

/** Whether the head announces a body that is too long. It is refused before a byte of it is read. */
export const announcesTooMuch = ({ headers }: Pick<Message, 'headers'>, bytesMax: number): boolean =>
  Number(headers['content-length'] ?? 0) > bytesMax;

/** Whether the body may be so long that the token is checked before it is read. */
export const mayBeLong = ({ headers }: Pick<Message, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > unknownBodyBytesMax;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** The bytes of all bodies that are being read, or whose requests are not answered yet. */
export type Buffers = {
  bytes: number;
  readonly bytesMax: number;
  readonly unread: UnreadBodies;
};

/** 32 of the longest bodies together: clients cannot fill the memory, from however many connections they send. */
const buffersBytesMax = 32 * bodyBytesMax;

/** `sharers`: how many threads read. */
export const createBuffers = (sharers = 1): Buffers => ({
  bytes: 0,
  bytesMax: buffersBytesMax / sharers,
  unread: createUnreadBodies({
    ofNetwork: unreadBytesMax.ofNetwork,
    all: Math.max(unreadBytesMax.all / sharers, unreadBytesMax.ofNetwork),
  }),
});

/** Senders that are not known fill no more than half of it. */
export const isFull = ({ bytes, bytesMax }: Pick<Buffers, 'bytes' | 'bytesMax'>, isKnown = true): boolean =>
  bytes > (isKnown ? bytesMax : bytesMax / 2);

/** What a piece costs in memory beside its bytes, until the body is whole. */
const PIECE_COST_BYTES = 512;

/** Whether so many bytes have come in more pieces than a client has reason to send. */
export const comesInCrumbs = (pieces: number, bytes: number): boolean => pieces > bodyPiecesMax + bytes / bodyPieceBytes;

/** `tooLong`, `crumbs` and `full` are passed on as soon as they are known, `gone` when the client left before the end. */
export type Body = Buffer | 'tooLong' | 'crumbs' | 'full' | 'gone';

export type Arrival = {
  readonly buffers: Buffers;
  readonly bytesMax: number;
  /** Asked when there is a body. */
  readonly senderOf: () => Sender;
};

/** Whether the sender is known before the body is read; if not, its network, or null where many share the address. */
export type Sender = { readonly is: 'known' } | { readonly is: 'unknown'; readonly network: string | null };

/** Reads the body and passes it on, once. The bytes of a whole body stay counted until `releaseBody`. */
export function readBody(request: IncomingMessage, { buffers, bytesMax, senderOf }: Arrival, done: (body: Body) => void): void {
  if (!hasBody(request)) {
    done(NONE);
    return;
  }
  const sender = senderOf();
  const chunks: Buffer[] = [];
  let [length, held, isOver] = [0, 0, false];
  const stop = () => {
    isOver = true;
    request.off('data', onData).off('end', onEnd).off('close', onClose);
    waiting?.end();
    buffers.bytes -= held;
  };
  const giveUp = (why: Exclude<Body, Buffer>) => {
    stop();
    for (const chunk of chunks) chunk.fill(0);
    done(why);
  };
  const waiting = sender.is === 'unknown' ? buffers.unread.begin(sender.network, () => giveUp('full')) : null;
  const onData = (chunk: Buffer) => {
    const cost = chunk.length + PIECE_COST_BYTES;
    length += chunk.length;
    held += cost;
    buffers.bytes += cost;
    chunks.push(chunk);
    waiting?.hold(cost);
    if (isOver) return;
    if (length > bytesMax) giveUp('tooLong');
    else if (comesInCrumbs(chunks.length, length)) giveUp('crumbs');
    else if (isFull(buffers, sender.is === 'known')) giveUp('full');
  };
  const onEnd = () => {
    stop();
    buffers.bytes += length;
    if (length > JOINED_BYTES) void joinInTurns(chunks, length).then(done);
    else done(chunks.length === 1 ? (chunks[0] as Buffer) : joinInto(Buffer.allocUnsafe(length), 0, chunks));
  };
  const onClose = () => giveUp('gone');
  request.on('data', onData).on('end', onEnd).on('close', onClose);
}

/** The request is answered: its body is overwritten unless something still reads it, and counts no more. */
export function releaseBody(buffers: Pick<Buffers, 'bytes'>, body: Buffer, isReadOn: boolean): void {
  buffers.bytes -= body.length;
  // Card numbers and security codes do not stay in freed memory longer than the request.
  if (!isReadOn) body.fill(0);
}

/** As many bytes as are joined in one turn of the event loop. */
const JOINED_BYTES = 1024 * 1024;

async function joinInTurns(chunks: Buffer[], length: number): Promise<Buffer> {
  const rest = ticks.ofForm();
  await rest();
  const body = Buffer.allocUnsafeSlow(length);
  for (let at = 0; chunks.length > 0; ) {
    let [count, bytes] = [0, 0];
    for (; count < chunks.length && bytes < JOINED_BYTES; count += 1) bytes += (chunks[count] as Buffer).length;
    joinInto(body, at, chunks.splice(0, count));
    at += bytes;
    await rest();
  }
  return body;
}

/** The chunks are overwritten: nobody reads them any more. */
function joinInto(body: Buffer, start: number, chunks: readonly Buffer[]): Buffer {
  let at = start;
  for (const chunk of chunks) {
    at += chunk.copy(body, at);
    chunk.fill(0);
  }
  return body;
}
