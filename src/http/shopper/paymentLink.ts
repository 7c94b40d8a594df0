import { decisiveAttempt, outcomeOf } from '../../checkouts/attempts.ts';
import { type Checkout, isOver, linkPathOf } from '../../checkouts/checkout.ts';
import { anyCheckout } from '../../checkouts/find.ts';
import { sessionOf } from '../../checkouts/session.ts';
import { codeOf } from '../../payments/outboxEvent.ts';
import type { WidgetBrand } from '../../spec/widget.ts';
import type { Services } from '../services.ts';
import { framedPageHeaders, type Reply, unnamed } from '../transport/reply.ts';
import type { Request } from '../transport/request.ts';
import { resultText } from '../transport/resultText.ts';
import { expiredReply, languageFor } from './checkoutReply.ts';
import { type LinkMethod, paymentLinkPage } from './paymentLinkPage.ts';

/** The methods of the page: all cards in one form, every other brand in a form of its own. */
function methodsOf(offered: readonly WidgetBrand[], wanted: readonly string[]): readonly LinkMethod[] {
  const chosen = offered.filter(({ name, form }) => (wanted.length === 0 ? form === 'card' : wanted.includes(name)));
  const cards = chosen.filter(({ form }) => form === 'card').map(({ name }) => name);
  const others = chosen.filter(({ form }) => form !== 'card').map(({ name }) => ({ brands: [name], isCard: false }));
  return [...(cards.length === 0 ? [] : [{ brands: cards, isCard: true }]), ...others];
}

const languageOf = (request: Request, checkout: Checkout) => checkout.link?.language ?? languageFor(request, checkout);

/**
 * The page of a payment link. After a payment it shows the result; after a declined one also the form again, because the link can still be
 * paid. The address grants nothing but paying, and is not passed on to other sites.
 */
export async function paymentLink(
  services: Pick<Services, 'checkouts' | 'environment' | 'replies' | 'world'>,
  request: Request,
): Promise<Reply> {
  const { checkouts } = services;
  const checkout = await anyCheckout(checkouts, request.id ?? '');
  if (!checkout?.link) return expiredReply(services, request, null);
  const attempt = decisiveAttempt(await checkouts.store.attempts(checkout.merchantId, checkout.id));
  const outcome = attempt && outcomeOf(attempt);
  const isDone = outcome === 'success' || outcome === 'pending';
  if (!isDone && isOver(checkout, checkouts.world.clock.now())) return expiredReply(services, request, checkout);
  const session = await sessionOf(checkouts, checkout);
  const language = languageOf(request, checkout);
  const page = paymentLinkPage({
    id: checkout.id,
    path: linkPathOf(checkout),
    nonce: services.world.ids.random(),
    language,
    merchantName: session.merchantName,
    amount: session.amount,
    currency: session.currency,
    description: checkout.link.description,
    reference: checkout.fields.merchantTransactionId ?? null,
    expiresAt: checkout.expiresAt,
    isTest: session.isTest,
    result: attempt && outcome && { outcome, text: resultText(codeOf(attempt), language, false) },
    methods: isDone ? [] : methodsOf(session.brands, checkout.link.brands),
  });
  return {
    ...unnamed,
    status: 200,
    ndc: checkout.id,
    entityId: checkout.entityId,
    headers: framedPageHeaders(page.policy),
    body: page.html,
  };
}
