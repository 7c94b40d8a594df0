import { check } from '../../form/check.ts';
import type { Checked } from '../../form/checked.ts';
import type { PaymentScope } from '../../payments/read.ts';
import type { Handler } from '../handler.ts';
import type { Reply } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Services } from '../services.ts';
import { type Authenticated, authenticated } from './authenticate.ts';

/** The objects that the caller may see, and the checked fields of its request. */
export type Authorized = {
  readonly kind: 'authorized';
  readonly scope: PaymentScope;
  readonly checked: Checked;
  readonly entityId: string;
};

/**
 * A handler of an endpoint about objects of a merchant: behind an access token, with checked fields. It works for a channel that takes no
 * payments any more, too.
 */
export const authorized = (
  handle: (services: Services, caller: Authorized, request: Request) => Reply | Promise<Reply>,
): Handler =>
  authenticated((services, authenticatedCaller, request) => {
    const caller = authorize(services, authenticatedCaller, request);
    return caller.kind === undefined ? caller : handle(services, caller, request);
  });

function authorize(
  { replies, environment }: Pick<Services, 'environment' | 'replies'>,
  { entity, decoded }: Authenticated,
  { endpoint }: Request,
): Authorized | Reply {
  if (entity.merchantId === null) return replies.result('800.900.201', entity.id);
  const { isLenient, cardNumbersInText: cardNumbers } = entity.settings;
  const checked = check(decoded, { endpoint, isLenient, cardNumbers, source: 'server', environment });
  if (checked.is === 'faulty') return replies.result('200.300.404', entity.id, { faults: checked.faults });
  const scope = { merchantId: entity.merchantId, entityId: entity.channel?.entityId ?? null };
  return { kind: 'authorized', scope, checked, entityId: entity.id };
}
