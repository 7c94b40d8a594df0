import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Endpoint, endpoints } from '../../spec/endpoints.ts';
import type { Routed } from '../route.ts';

/** Whether the body is a file: it is read after the sender was authorised, and never into memory. */
export const takesFile = (routed: Routed): boolean =>
  routed.is === 'found' && (endpoints[routed.endpoint] as Endpoint).takes === 'file';

/** The file did not arrive: the sender left, or was too slow. */
export class CutOff extends Error {
  override readonly name = 'CutOff';
}

/** How much must arrive in each interval, and the time for all of it. The server itself cuts off a sender that sends nothing. */
export type Pace = { readonly ms: number; readonly bytes: number; readonly totalMs: number };

type Arriving = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly pace: Pace;
  /** Called when the body begins to be read, and when that is over. */
  readonly isRead: (isRead: boolean) => void;
};

/** A body piece by piece, as fast as the handler reads it. */
export async function* piecesOf({ request, response, pace, isRead }: Arriving): AsyncGenerator<Uint8Array> {
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
