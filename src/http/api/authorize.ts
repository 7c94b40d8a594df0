import { check } from '../../form/check.ts';
import type { Checked } from '../../form/checked.ts';
import type { Scope } from '../../payments/read.ts';
import type { Reply } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Services } from '../services.ts';
import { authenticate } from './authenticate.ts';

export type Authorized = { readonly scope: Scope; readonly checked: Checked; readonly entityId: string };

/** The door of requests about what is there already: whoever may see a merchant's things, whether or not payments are taken there. */
export function authorize(services: Services, request: Request): Authorized | Reply {
  const { respond, environment } = services;
  const admitted = authenticate(services, request);
  if ('status' in admitted) return admitted;
  const { entity, decoded } = admitted;
  if (entity.merchantId === null) return respond.result('800.900.201', entity.id);
  const { isLenient, cardNumbersInText: cardNumbers } = entity.settings;
  const checked = check(decoded, { endpoint: request.endpoint, isLenient, cardNumbers, source: 'server', environment });
  if ('faults' in checked) return respond.result('200.300.404', entity.id, { faults: checked.faults });
  const scope = { merchantId: entity.merchantId, entityId: entity.channel?.entityId ?? null };
  return { scope, checked, entityId: entity.id };
}
