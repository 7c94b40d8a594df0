import { decode } from '../../form/decode.ts';
import { hearResults } from '../../payments/callbacks.ts';
import { namedBy } from '../../payments/paymentName.ts';
import { methodPage } from '../../threeds/pages/methodPage.ts';
import { acsAt } from '../../threeds/sandbox/server.ts';
import { nothingHere } from '../server/errorReplies.ts';
import { originFor } from '../server/origin.ts';
import { jsonHeaders, type Reply, unnamed } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Rooms } from '../services.ts';
import { framedReply, parsed } from '../shopper/threeDS.ts';

/** The issuers of the sandbox. There are none in live. */

const sandboxAt = (rooms: Rooms, request: Request): string | null =>
  rooms.environment === 'test' ? originFor(rooms, request) : null;
const posted = ({ body }: Request): Record<string, string> => Object.fromEntries(decode(body).fields);
const asked = ({ query }: Request, name: string): string => new URLSearchParams(query).get(name) ?? '';

/** The page in the hidden frame. */
export function acsMethod(rooms: Rooms, request: Request): Reply {
  const origin = sandboxAt(rooms, request);
  if (origin === null) return nothingHere(rooms.respond);
  const threeDSMethodData = decode(request.body).fields.get('threeDSMethodData') ?? '';
  const { status, page } = methodPage({ threeDSMethodData, isSilent: asked(request, 'silent') !== '', origins: [origin] });
  return framedReply(page, status);
}

type Acs = ReturnType<typeof acsAt>;
type Step = ReturnType<Acs['act']>;

/** The directory server of the sandbox stands in this process: what it would post is handed over. */
async function challenged(rooms: Rooms, step: Step): Promise<Reply> {
  await send(rooms, step.sends);
  return framedReply(step.page, step.status);
}

/** The results that an issuer's step sends: before the answer, or after it. */
async function send(rooms: Rooms, sends: Step['sends']): Promise<void> {
  for (const { when, rreq, url } of sends) {
    const named = namedBy(new URL(url).pathname.split('/').at(-2) ?? null);
    if (!named) continue;
    const deliver = () => hearResults(rooms.at(named.merchantId).world, named, rreq);
    if (when === 'before') await deliver();
    else void deliver().catch((error: unknown) => rooms.world.alarm('results of the sandbox got lost', { why: String(error) }));
  }
}

/** The shopper arrives at his issuer. */
export async function acsChallenge(rooms: Rooms, request: Request): Promise<Reply> {
  const origin = sandboxAt(rooms, request);
  if (origin === null) return nothingHere(rooms.respond);
  return challenged(rooms, acsAt(origin).open(asked(request, 'ticket'), posted(request), rooms.world.clock.now()));
}

/** What he does there. */
export async function acsAction(rooms: Rooms, request: Request): Promise<Reply> {
  const origin = sandboxAt(rooms, request);
  if (origin === null) return nothingHere(rooms.respond);
  return challenged(rooms, acsAt(origin).act(posted(request), rooms.world.clock.now()));
}

/** An app's SDK talks to the issuer: JSON in clear, both ways. */
export async function acsApp(rooms: Rooms, request: Request): Promise<Reply> {
  const origin = sandboxAt(rooms, request);
  if (origin === null) return nothingHere(rooms.respond);
  const { reply, sends } = acsAt(origin).app(asked(request, 'ticket'), parsed(request.body), rooms.world.clock.now());
  await send(rooms, sends);
  return { ...unnamed, status: 200, headers: jsonHeaders, body: JSON.stringify(reply) };
}
