import type { Faulty } from '../../form/check.ts';
import type { Checked } from '../../form/checked.ts';
import type { PaymentScope } from '../../payments/read.ts';
import type { Handler } from '../handler.ts';
import type { Services } from '../services.ts';
import type { Reply } from '../transport/reply.ts';
import type { Request } from '../transport/request.ts';
import { authenticated } from './authenticate.ts';
import { checkOnce } from './plainQuery.ts';

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
  authenticated((services, { entity, decoded }, request) => {
    const { replies, environment } = services;
    const { merchantId } = entity;
    if (merchantId === null) return replies.result('800.900.201', entity.id);
    const { isLenient, cardNumbersInText: cardNumbers } = entity.settings;
    const run = (checked: Checked | Faulty) => {
      if (checked.is === 'faulty') return replies.result('200.300.404', entity.id, { faults: checked.faults });
      const scope = { merchantId, entityId: entity.channel?.entityId ?? null };
      return handle(services, { kind: 'authorized', scope, checked, entityId: entity.id }, request);
    };
    const outcome = checkOnce(decoded, { endpoint: request.endpoint, isLenient, cardNumbers, source: 'server', environment });
    return outcome instanceof Promise ? outcome.then(run) : run(outcome);
  });
