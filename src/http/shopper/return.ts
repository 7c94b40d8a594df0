import { decode } from '../../form/decode.ts';
import { onShopperReturn } from '../../payments/callbacks.ts';
import { namedBy } from '../../payments/paymentName.ts';
import type { Page } from '../../payments/ports.ts';
import { resultUrlOf } from '../../payments/resultUrl.ts';
import { nothingHere } from '../server/errorReplies.ts';
import { pageHeaders, type Reply, seeOther, unnamed } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Services } from '../services.ts';
import { ancestorsOf } from './checkoutReply.ts';

/** Browsers hold a form's policy against every redirect that follows it, and the last one leads to the shop, wherever that is. */
function pageReply(services: Services, page: Page): Reply {
  if ('location' in page) return seeOther(page.location);
  const { status, html, policy, framedFor } = page;
  const ancestors = framedFor === undefined ? "'none'" : ancestorsOf(services, framedFor);
  return { ...unnamed, status, headers: pageHeaders(policy, "'self' https: http:", ancestors), body: html };
}

const languagesOf = ({ headers }: Request): string => headers['accept-language'] ?? '';
/** The bank lives with the simulator, and there is no simulator in live. */
const pagesOf = ({ environment, world }: Services) => (environment === 'test' ? world.connector('simulator')?.pages : undefined);

/** The page on which the shopper decides. */
export function bankPage(services: Services, request: Request): Reply {
  const pages = pagesOf(services);
  return pages ? pageReply(services, pages.show(request.id ?? '', languagesOf(request))) : nothingHere(services.respond);
}

/** What he decided. */
export async function bankChoice(services: Services, request: Request): Promise<Reply> {
  const pages = pagesOf(services);
  if (!pages) return nothingHere(services.respond);
  const { fields } = decode(request.body);
  return pageReply(services, await pages.act(request.id ?? '', fields, languagesOf(request)));
}

/** He is back: the far side is asked what he did, and he goes on to the shop, which asks us. */
export async function shopperReturn({ world, respond }: Services, request: Request): Promise<Reply> {
  const named = namedBy(request.id);
  const payment = named && (await onShopperReturn(world, named));
  const url = payment && resultUrlOf(payment);
  return url ? seeOther(url) : nothingHere(respond);
}
