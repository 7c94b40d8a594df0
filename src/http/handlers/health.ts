import type { Reply } from '../reply.ts';
import type { Request } from '../request.ts';
import type { Responder } from '../respond.ts';
import type { Rooms } from '../rooms.ts';

const PING_MS_MAX = 2_000;

/** The process answers; nothing else is promised. */
export const live = ({ respond }: { readonly respond: Responder }, _request: Request): Reply =>
  respond.json(200, { status: 'live' });

export const unready = (respond: Responder, status: 'starting' | 'stopping' | 'store out of order'): Reply =>
  respond.json(503, { status });

/** Whether payments can be taken: the store answers in time. */
export async function ready({ respond, world, ping }: Rooms, _request: Request): Promise<Reply> {
  try {
    await world.timers.within(PING_MS_MAX, ping());
    return respond.json(200, { status: 'ready' });
  } catch {
    return unready(respond, 'store out of order');
  }
}
