import { isCheckoutId } from '../../checkouts/checkout.ts';
import { type Choices, choicesOf, queryOf, totalOf } from '../../demo/choices.ts';
import type { Exchange } from '../../demo/developer.ts';
import { shopWords } from '../../demo/labels/words.ts';
import type { Shop } from '../../demo/page.ts';
import { checkoutPage, type Prepared, productPage, resultPage, unpreparedPage } from '../../demo/pages.ts';
import { sandbox } from '../../merchants/sandbox.ts';
import { amountText } from '../../money/amount.ts';
import { testCards } from '../../spec/cards/testCards.ts';
import { type LanguageCode, languageCalled } from '../../spec/languages.ts';
import { allTexts } from '../../widget/allTexts.ts';
import { localeOf } from '../../widget/languages.ts';
import { brandName } from '../../widget/runtime/forms/brandNames.ts';
import { type Handle, type Handler, originFor } from '../handler.ts';
import { notFound } from '../replies.ts';
import type { Request } from '../request.ts';
import { route } from '../route.ts';
import type { Services } from '../services.ts';
import { framedPageHeaders, type Reply, seeOther, unnamed } from '../transport/reply.ts';

const { channelId, token } = sandbox.demoShop;
type Fields = Readonly<Record<string, string>>;

/** Only scripts and styles with the page's nonce run: the widget has to work under that policy. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "frame-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const preferred = ({ headers }: Request): LanguageCode =>
  (headers['accept-language'] ?? '')
    .split(',')
    .map((tag) => languageCalled(tag.split(';', 1)[0] ?? ''))
    .find((code) => code !== undefined) ?? 'en';

function shopOf(services: Pick<Services, 'publicUrl' | 'trust' | 'world'>, request: Request): Shop {
  const choices = choicesOf(new URLSearchParams(request.query), preferred(request));
  return {
    nonce: services.world.ids.random(),
    origin: originFor(services, request) ?? '',
    choices,
    locale: localeOf(choices.language),
    words: allTexts[choices.language].labels,
    brandName,
  };
}

const pageReply = ({ nonce }: Shop, status: number, body: string): Reply => ({
  ...unnamed,
  status,
  headers: framedPageHeaders(policyOf(nonce)),
  body,
});

/** A shopper whose address the shop knows. */
const shopper: Fields = {
  'customer.givenName': 'Ann',
  'customer.surname': 'Example',
  'customer.email': 'ann@example.org',
  'billing.street1': '17 Market Street',
  'billing.city': 'Springfield',
  'billing.postcode': '12345',
  'billing.country': 'DE',
};

function checkoutFields({ choices }: Shop, orderNumber: string, cards: readonly string[]): Fields {
  const { quantity, currency, language } = choices;
  return {
    entityId: channelId,
    amount: amountText(totalOf(currency, quantity)),
    currency,
    paymentType: 'DB',
    merchantTransactionId: orderNumber,
    integrity: 'true',
    ...shopper,
    'cart.items[0].merchantItemId': 'cup',
    'cart.items[0].name': shopWords[language].product,
    'cart.items[0].quantity': String(quantity),
    'cart.items[0].price': amountText(totalOf(currency, 1)),
    ...Object.fromEntries(cards.map((id, at) => [`registrations[${at}].id`, id])),
  };
}

const storedBrands = ['VISA', 'MASTER'] as const;

function registrationFields(brand: string, year: number): Fields {
  return {
    entityId: channelId,
    paymentBrand: brand,
    'card.number': testCards.find((card) => card.brand === brand && card.threeDSecure === 'none')?.number ?? '',
    'card.holder': `${shopper['customer.givenName']} ${shopper['customer.surname']}`,
    'card.expiryMonth': '05',
    'card.expiryYear': String(year),
  };
}

type Answer = {
  readonly id?: string;
  readonly integrity?: string;
  readonly isDone?: boolean;
  readonly amount?: string;
  readonly currency?: string;
  readonly resourcePath?: string;
};

function read({ answer }: Exchange): Answer {
  try {
    return JSON.parse(answer) as Answer;
  } catch {
    return {};
  }
}

const INTEGRITY = /^sha384-[A-Za-z0-9+/=]{64}$/;

/** The checkout in the address: the shopper has reloaded the page, or has come back to it. */
function knownCheckout(query: URLSearchParams): { readonly id: string; readonly integrity: string } | null {
  const [id, integrity] = [query.get('checkout') ?? '', query.get('integrity') ?? ''];
  return isCheckoutId(id) && INTEGRITY.test(integrity) ? { id, integrity } : null;
}

/** The page of a known order: paid, it is shown as such; open, it can be paid. Null: there is none like it any more. */
function knownOrder(shop: Shop, known: Prepared): Reply | null {
  const { choices } = shop;
  const { isDone, amount, currency, resourcePath = '' } = known.exchanges[0] ? read(known.exchanges[0]) : {};
  if (isDone) return seeOther(`/demo/result?${queryOf(choices)}&${new URLSearchParams({ id: known.id, resourcePath })}`);
  const isSame = amount === amountText(totalOf(choices.currency, choices.quantity)) && currency === choices.currency;
  return isSame ? pageReply(shop, 200, checkoutPage(shop, known)) : null;
}

const YEARS_AHEAD = 3;
const RESOURCE = /^\/v1\/checkouts\/[A-Za-z0-9.-]{1,80}\/(?:payment|registration)$/;

/**
 * The pages of the demo shop, in the test environment only. Its server calls the gateway as any merchant's does, by requests with the
 * sandbox's token that are routed and checked like all others; only the socket between them is left out, so that it works behind any
 * proxy.
 */
export function createDemo(handle: Handle): Readonly<Record<'demoProduct' | 'demoCheckout' | 'demoResult', Handler>> {
  async function send(
    services: Services,
    pageRequest: Request,
    [method, path, fields]: ['GET' | 'POST', string, Fields],
  ): Promise<Exchange> {
    const form = new URLSearchParams(fields).toString();
    const routed = route(method, method === 'GET' ? `${path}?${form}` : path);
    const headers = { host: pageRequest.headers.host ?? '', authorization: `Bearer ${token}` };
    const body = Buffer.from(method === 'GET' ? '' : form);
    const reply =
      routed.is === 'found'
        ? await handle(services, { side: 'gateway', ...routed, method, headers, body, message: pageRequest.message })
        : notFound(services.replies);
    // A card number is masked as everywhere else: first six and last four.
    const shown = Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      name === 'card.number' ? `${value.slice(0, 6)}******${value.slice(-4)}` : value,
    ]);
    return { method, path, fields: shown, token, status: reply.status, answer: reply.body };
  }

  async function storedCards(services: Services, request: Request, { stored, cards }: Choices): Promise<readonly Exchange[]> {
    if (stored === 'no' || cards.length > 0) return [];
    const year = new Date(services.world.clock.now()).getUTCFullYear() + YEARS_AHEAD;
    return Promise.all(
      storedBrands.map((brand) => send(services, request, ['POST', '/v1/registrations', registrationFields(brand, year)])),
    );
  }

  return {
    demoProduct(services: Pick<Services, 'environment' | 'publicUrl' | 'replies' | 'trust' | 'world'>, request) {
      if (services.environment !== 'test') return notFound(services.replies);
      const shop = shopOf(services, request);
      return pageReply(shop, 200, productPage(shop));
    },

    async demoCheckout(services, request) {
      if (services.environment !== 'test') return notFound(services.replies);
      const shop = shopOf(services, request);
      const { choices } = shop;
      const known = knownCheckout(new URLSearchParams(request.query));
      const exchange = known && (await send(services, request, ['GET', `/v1/checkouts/${known.id}/widget`, {}]));
      const again = exchange && knownOrder(shop, { ...known, exchanges: [exchange] });
      if (again) return again;
      const storing = await storedCards(services, request, choices);
      const offered = choices.stored === 'no' ? [] : [...choices.cards, ...storing.flatMap((one) => read(one).id ?? [])];
      const fields = checkoutFields(shop, `demo-${services.world.ids.random().slice(0, 12)}`, offered);
      const creating = await send(services, request, ['POST', '/v1/checkouts', fields]);
      const exchanges = [...storing, creating];
      const { id, integrity = null } = read(creating);
      if (creating.status !== 200 || id === undefined) return pageReply(shop, 502, unpreparedPage(shop, exchanges));
      return pageReply(shop, 200, checkoutPage(shop, { id, integrity, exchanges }));
    },

    async demoResult(services, request) {
      if (services.environment !== 'test') return notFound(services.replies);
      const shop = shopOf(services, request);
      const path = new URLSearchParams(request.query).get('resourcePath') ?? '';
      // Only paths that the gateway itself has named are read: a shopper could write anything into the address bar.
      const exchanges = RESOURCE.test(path) ? [await send(services, request, ['GET', path, { entityId: channelId }])] : [];
      return pageReply(shop, 200, resultPage(shop, exchanges));
    },
  };
}
