import { decodeFew } from '../../form/decode.ts';
import { onThreeDSResults } from '../../payments/callbacks.ts';
import type { Page } from '../../payments/payment.ts';
import { parsePaymentRef } from '../../payments/payment.ts';
import { parsedJson } from '../../runtime/json.ts';
import { methodPage } from '../../threeds/pages/issuerPages.ts';
import { acsAt } from '../../threeds/sandbox/directoryServer.ts';
import { originFor } from '../handler.ts';
import { notFound } from '../replies.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import { ancestorsOf } from '../shopper/checkoutReply.ts';
import { framedReply } from '../shopper/threeDS.ts';
import { jsonHeaders, pageHeaders, type Reply, seeOther, unnamed } from '../transport/reply.ts';

/** `form-action` allows every address: browsers apply it to each redirect behind a form, and the last one leads to the shop. */
function pageReply(services: Pick<Services, 'checkouts'>, page: Page): Reply {
  if (page.is === 'redirect') return seeOther(page.location);
  const { status, html, policy, framedFor } = page;
  const ancestors = framedFor === undefined ? "'none'" : ancestorsOf(services, framedFor);
  return { ...unnamed, status, headers: pageHeaders(policy, "'self' https: http:", ancestors), body: html };
}

const languagesOf = ({ headers }: Request): string => headers['accept-language'] ?? '';
/** The bank belongs to the simulator, which exists in the test environment alone. */
const pagesOf = ({ environment, world }: Pick<Services, 'environment' | 'world'>) =>
  environment === 'test' ? world.connector('simulator', '')?.pages : undefined;

/** The page of the sandbox's bank, on which the shopper decides. */
export function bankPage(services: Pick<Services, 'checkouts' | 'environment' | 'replies' | 'world'>, request: Request): Reply {
  const pages = pagesOf(services);
  return pages ? pageReply(services, pages.show(request.id ?? '', languagesOf(request))) : notFound(services.replies);
}

/** The shopper's decision. */
export async function bankChoice(
  services: Pick<Services, 'checkouts' | 'environment' | 'replies' | 'world'>,
  request: Request,
): Promise<Reply> {
  const pages = pagesOf(services);
  if (!pages) return notFound(services.replies);
  const { fields } = decodeFew(request.body);
  return pageReply(services, await pages.act(request.id ?? '', fields, languagesOf(request)));
}

/** The issuers of the sandbox, in the test environment alone. */

const sandboxAt = (services: Pick<Services, 'environment' | 'publicUrl' | 'trust'>, request: Request): string | null =>
  services.environment === 'test' ? originFor(services, request) : null;
const posted = ({ body }: Request): Record<string, string> => Object.fromEntries(decodeFew(body).fields);
const queryParameter = ({ query }: Request, name: string): string => new URLSearchParams(query).get(name) ?? '';

/** The page in the hidden frame. */
export function acsMethod(services: Pick<Services, 'environment' | 'publicUrl' | 'replies' | 'trust'>, request: Request): Reply {
  const origin = sandboxAt(services, request);
  if (origin === null) return notFound(services.replies);
  const threeDSMethodData = decodeFew(request.body).fields.get('threeDSMethodData') ?? '';
  const { status, page } = methodPage({
    threeDSMethodData,
    isSilent: queryParameter(request, 'silent') !== '',
    origins: [origin],
  });
  return framedReply(page, status);
}

type Acs = ReturnType<typeof acsAt>;
type Step = ReturnType<Acs['act']>;

/** The directory server of the sandbox runs in this process: its post is a function call. */
async function challenged(services: Pick<Services, 'forMerchant' | 'world'>, step: Step): Promise<Reply> {
  await send(services, step.sends);
  return framedReply(step.page, step.status);
}

/** The results that a step of the issuer sends: before the reply, or after it. */
async function send(services: Pick<Services, 'forMerchant' | 'world'>, sends: Step['sends']): Promise<void> {
  for (const { when, rreq, url } of sends) {
    const named = parsePaymentRef(new URL(url).pathname.split('/').at(-2) ?? null);
    if (!named) continue;
    const deliver = () => onThreeDSResults(services.forMerchant(named.merchantId).world, named, rreq);
    if (when === 'before') await deliver();
    else
      void deliver().catch((error: unknown) => services.world.alarm('results of the sandbox got lost', { why: String(error) }));
  }
}

/** The shopper arrives at the issuer. */
export async function acsChallenge(
  services: Pick<Services, 'environment' | 'forMerchant' | 'publicUrl' | 'replies' | 'trust' | 'world'>,
  request: Request,
): Promise<Reply> {
  const origin = sandboxAt(services, request);
  if (origin === null) return notFound(services.replies);
  return challenged(services, acsAt(origin).open(queryParameter(request, 'ticket'), posted(request), services.world.clock.now()));
}

/** The shopper's action on the issuer's page. */
export async function acsAction(
  services: Pick<Services, 'environment' | 'forMerchant' | 'publicUrl' | 'replies' | 'trust' | 'world'>,
  request: Request,
): Promise<Reply> {
  const origin = sandboxAt(services, request);
  if (origin === null) return notFound(services.replies);
  return challenged(services, acsAt(origin).act(posted(request), services.world.clock.now()));
}

/** The SDK of an app talks to the issuer: JSON in clear, both ways. */
export async function acsApp(
  services: Pick<Services, 'environment' | 'forMerchant' | 'publicUrl' | 'replies' | 'trust' | 'world'>,
  request: Request,
): Promise<Reply> {
  const origin = sandboxAt(services, request);
  if (origin === null) return notFound(services.replies);
  const { reply, sends } = acsAt(origin).app(
    queryParameter(request, 'ticket'),
    parsedJson(request.body.toString('utf8')),
    services.world.clock.now(),
  );
  await send(services, sends);
  return { ...unnamed, status: 200, headers: jsonHeaders, body: JSON.stringify(reply) };
}
