import { liveCheckout } from '../../checkouts/find.ts';
import { walletSessionOf, walletSessionRequest } from '../../checkouts/walletSession.ts';
import { decodeFew } from '../../form/decode.ts';
import type { Limit } from '../../merchants/settings.ts';
import type { Outcome } from '../handler.ts';
import type { Services } from '../services.ts';
import type { Reply } from '../transport/reply.ts';
import type { Request } from '../transport/request.ts';
import { noSession } from './checkoutReply.ts';

/** Where the setting `throttle` says nothing: each call may lead to a call to the wallet. */
const LIMIT: Limit = { requests: 600, perSeconds: 60 };

/** Lets a page open the sheet of a wallet. The caller holds a checkout, and its origin is one of the channel's. */
export async function walletSession(services: Pick<Services, 'checkouts' | 'replies'>, request: Request): Promise<Outcome> {
  const { checkouts, replies } = services;
  const checkout = await liveCheckout(checkouts, request.id ?? '');
  if (!checkout) return noSession(services, null);
  const { entityId, id: ndc } = checkout;
  const { fields, repeated } = decodeFew(request.body);
  // Of two values under one name, neither is used.
  const once = (name: string): string | undefined => (repeated.has(name) ? undefined : fields.get(name));
  const sessionRequest = walletSessionRequest(checkouts, checkout, {
    validationUrl: once('validationUrl'),
    paymentBrand: once('paymentBrand'),
    origin: request.headers.origin,
  });
  if (sessionRequest.is === 'faulty') return replies.result('200.300.404', entityId, { ndc, faults: sessionRequest.faults });
  const { walletSession: limit = LIMIT } = sessionRequest.channel.throttle;
  const run = async (): Promise<Reply> => {
    const proof = await walletSessionOf(checkouts, checkout, sessionRequest);
    if (proof.is === 'session') return replies.json(200, proof.session, { ndc, entityId });
    return replies.result('900.100.700', entityId, { ndc, remark: proof.says, why: proof.why });
  };
  return { kind: 'authorized', entityId, limit, ndc, run };
}
