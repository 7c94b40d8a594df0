import { anyCheckout } from '../checkouts/find.ts';
import { unknownBodyBytesMax } from '../form/limits.ts';
import { pick, pickInSlices } from '../form/pick.ts';
import { sandbox } from '../merchants/sandbox.ts';
import { parsePaymentRef } from '../payments/payment.ts';
import { ticks } from '../runtime/ticks.ts';
import { type EndpointName, endpoints } from '../spec/endpoints.ts';
import { resultsName } from '../threeds/sandbox/directoryServer.ts';
import { formOf, LONG_FORM_BYTES, type Request } from './request.ts';
import type { Services } from './services.ts';

/**
 * The services under the test clock of the merchant that a call is about, while any merchant has moved one. Authorisation comes later and
 * does not depend on the clock.
 */
export const underMerchantClock = async (services: Services, request: Request): Promise<Services> =>
  services.forMerchant(await merchantOf(services, request));

const ofDemo: ReadonlySet<EndpointName> = new Set(['demoProduct', 'demoCheckout', 'demoResult']);

async function merchantOf(
  services: Pick<Services, 'checkouts' | 'directory' | 'webhooks'>,
  request: Request,
): Promise<string | null> {
  const { endpoint, id } = request;
  if (ofDemo.has(endpoint)) return sandbox.demoShop.merchantId;
  if (endpoints[endpoint].access === 'admin') return ofAdmin(services, request);
  const form = formOf(request);
  const fields = request.body.length > LONG_FORM_BYTES ? await pickInSlices(form, NAMES, ticks.next) : pick(form, NAMES);
  const byEntity = merchantAt(services, fields.get('entityId') || fields.get('authentication.entityId') || '');
  // The merchant of an access token is answered by its own clock, whatever object the path names.
  return endpoints[endpoint].access === 'token'
    ? byEntity
    : ((await ofShopper(services, id)) ?? ofIssuer(request, fields) ?? byEntity);
}

/** The parameters that name the merchant. */
const NAMES = ['entityId', 'authentication.entityId', 'state'];

/** The merchant of the payment or the checkout in the path. */
async function ofShopper({ checkouts }: Pick<Services, 'checkouts'>, id: string | null): Promise<string | null> {
  return parsePaymentRef(id)?.merchantId ?? (id === null ? null : ((await anyCheckout(checkouts, id))?.merchantId ?? null));
}

/** The merchant of the ticket that a cardholder brings to the issuers of the sandbox. */
function ofIssuer({ query }: Request, fields: ReadonlyMap<string, string>): string | null {
  return (
    parsePaymentRef(resultsName(new URLSearchParams(query).get('ticket') ?? '', fields.get('state') ?? ''))?.merchantId ?? null
  );
}

const merchantAt = ({ directory }: Pick<Services, 'directory'>, entityId: string): string | null =>
  directory.entity(entityId)?.merchantId ?? null;

/** The merchant of the webhook in the path, or of the entity that is named. */
async function ofAdmin(services: Pick<Services, 'directory' | 'webhooks'>, { id, query, body }: Request): Promise<string | null> {
  const webhook = id === null ? undefined : (await services.webhooks.store.webhooks()).find((one) => one.id === id);
  return merchantAt(services, webhook?.entityId ?? new URLSearchParams(query).get('entityId') ?? entityIn(body));
}

const NAMED = /"entityId"\s*:\s*"([0-9a-f]{32})"/;

/**
 * The entity that a JSON body names. The caller is not authenticated yet: a long body is not parsed, and only its beginning is searched.
 * Without a finding the call runs by the real clock.
 */
export function entityIn(body: Buffer): string {
  if (body.length > unknownBodyBytesMax) return NAMED.exec(body.toString('latin1', 0, unknownBodyBytesMax))?.[1] ?? '';
  try {
    const { entityId } = JSON.parse(body.toString('utf8')) as { readonly entityId?: unknown };
    return typeof entityId === 'string' ? entityId : '';
  } catch {
    return '';
  }
}
