import type { IncomingMessage, ServerResponse } from 'node:http';
import { ticks } from '../../runtime/ticks.ts';
import type { Bodies } from './budget.ts';

const NONE = Buffer.alloc(0);

/** Whether the head announces a body that is too long. It is refused before a byte of it is read. */
export const announcesTooMuch = ({ headers }: Pick<IncomingMessage, 'headers'>, bytesMax: number): boolean =>
  Number(headers['content-length'] ?? 0) > bytesMax;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** A body comes in at most so many pieces, and one more for so many bytes: each is work, however short it is. */
export const bodyPiecesMax = 1_024;
export const bodyPieceBytes = 256;
/** The cost of a piece in memory beside its bytes, until the body is complete. */
const PIECE_COST_BYTES = 512;

/** Whether so many bytes have come in more pieces than a client has reason to send. */
export const comesInCrumbs = (pieces: number, bytes: number): boolean => pieces > bodyPiecesMax + bytes / bodyPieceBytes;

/** `tooLong`, `crumbs` and `full` are passed on as soon as they are known, `gone` when the client left before the end. */
export type Body = Buffer | 'tooLong' | 'crumbs' | 'full' | 'gone';

export type Arrival = {
  readonly bodies: Bodies;
  readonly bytesMax: number;
  /** Asked when there is a body. */
  readonly senderOf: () => Sender;
};

/** Whether the sender is known before the body is read; if not, its network, or null where many share the address. */
export type Sender = { readonly is: 'known' } | { readonly is: 'unknown'; readonly network: string | null };

/** Reads the body and passes it on, once. The bytes of a complete body stay counted until `releaseBody`. */
export function readBody(request: IncomingMessage, { bodies, bytesMax, senderOf }: Arrival, done: (body: Body) => void): void {
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
    bodies.hold(-held);
  };
  const giveUp = (why: Exclude<Body, Buffer>) => {
    stop();
    for (const chunk of chunks) chunk.fill(0);
    done(why);
  };
  const waiting = sender.is === 'unknown' ? bodies.beginUnread(sender.network, () => giveUp('full')) : null;
  const onData = (chunk: Buffer) => {
    const cost = chunk.length + PIECE_COST_BYTES;
    length += chunk.length;
    held += cost;
    bodies.hold(cost);
    chunks.push(chunk);
    waiting?.hold(cost);
    if (isOver) return;
    if (length > bytesMax) giveUp('tooLong');
    else if (comesInCrumbs(chunks.length, length)) giveUp('crumbs');
    else if (bodies.isFull(sender.is === 'known')) giveUp('full');
  };
  const onEnd = () => {
    stop();
    bodies.hold(length);
    if (length > JOINED_BYTES) void joinInTicks(chunks, length).then(done);
    else done(chunks.length === 1 ? (chunks[0] as Buffer) : joinInto(Buffer.allocUnsafe(length), 0, chunks));
  };
  const onClose = () => giveUp('gone');
  request.on('data', onData).on('end', onEnd).on('close', onClose);
}

/** The request is answered: its body is overwritten unless something still reads it, and counts no more. */
export function releaseBody(bodies: Bodies, body: Buffer, isReadOn: boolean): void {
  bodies.hold(-body.length);
  // Card numbers and security codes do not stay in freed memory longer than the request.
  if (!isReadOn) body.fill(0);
}

/** As many bytes as are joined in one tick of the event loop. */
const JOINED_BYTES = 1024 * 1024;

async function joinInTicks(chunks: Buffer[], length: number): Promise<Buffer> {
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

/** Overwrites the chunks, which are not read again. */
function joinInto(body: Buffer, start: number, chunks: readonly Buffer[]): Buffer {
  let at = start;
  for (const chunk of chunks) {
    at += chunk.copy(body, at);
    chunk.fill(0);
  }
  return body;
}

/** The file did not arrive: the sender left, or was too slow. */
export class CutOff extends Error {
  override readonly name = 'CutOff';
}

/** How much of a file must arrive in each interval, and the time for all of it. The server itself cuts off a sender that sends nothing. */
export type Pace = { readonly ms: number; readonly bytes: number; readonly totalMs: number };

type ArrivingFile = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly pace: Pace;
  /** Called when the body begins to be read, and when that is over. */
  readonly isRead: (isRead: boolean) => void;
};

/** A body piece by piece, as fast as the handler reads it. */
export async function* piecesOf({ request, response, pace, isRead }: ArrivingFile): AsyncGenerator<Uint8Array> {
  if (request.headers.expect !== undefined) response.writeContinue();
  isRead(true);
  const beganAt = performance.now();
  let [since, bytes] = [beganAt, 0];
  const pieces = request.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await pieces.next().catch(() => Promise.reject(new CutOff('the file did not arrive whole')));
      if (next.done === true) break;
      const piece = next.value as Buffer;
      bytes += piece.length;
      const now = performance.now();
      if (now - beganAt > pace.totalMs) throw new CutOff('the file arrives too slowly');
      if (now - since > pace.ms) {
        if (bytes < pace.bytes) throw new CutOff('the file arrives too slowly');
        [since, bytes] = [now, 0];
      }
      yield piece;
    }
  } finally {
    isRead(false);
    await pieces.return?.();
  }
}
