import { addressOf, isInside } from '../peer.ts';
import { type Reply, textHeaders } from '../reply.ts';
import type { Request } from '../request.ts';
import type { Rooms } from '../rooms.ts';
import { nothingHere } from '../turnAway.ts';

/** Figures for Prometheus, told only to who stands on a loopback or private network: to others there is no such page. */
export async function metrics({ respond, metrics: figures, directory, trust, health }: Rooms, request: Request): Promise<Reply> {
  if (!isInside(addressOf(request.message, trust))) return nothingHere(respond);
  const body = figures.page({ directoryMs: directory.ageMs(), jobs: health.jobs() });
  return { status: 200, headers: textHeaders, body, code: null, ndc: null, entityId: null };
}
