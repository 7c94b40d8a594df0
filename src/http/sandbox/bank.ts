import { decodeFew } from '../../form/decode.ts';
import type { Page } from '../../payments/payment.ts';
import type { Request } from '../handler.ts';
import { notFound } from '../replies.ts';
import type { Services } from '../services.ts';
import { ancestorsOf } from '../shopper/checkoutReply.ts';
import { pageHeaders, type Reply, seeOther, unnamed } from '../transport/reply.ts';

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
