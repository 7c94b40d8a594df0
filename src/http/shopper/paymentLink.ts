import { type Checkout, decisiveAttempt, isOver, linkPathOf, outcomeOf } from '../../checkouts/checkout.ts';
import { anyCheckout } from '../../checkouts/find.ts';
import { sessionOf } from '../../checkouts/session.ts';
import { codeOf } from '../../payments/commitPayment.ts';
import type { LanguageCode } from '../../spec/languages.ts';
import { shell, shown } from '../../spec/reference/parts.ts';
import type { WidgetBrand, WidgetResult } from '../../spec/widget.ts';
import { allTexts } from '../../widget/allTexts.ts';
import { amountTextOf, directionOf, localeOf } from '../../widget/languages.ts';
import { brandName } from '../../widget/runtime/forms/brandNames.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import { framedPageHeaders, type Reply, unnamed } from '../transport/reply.ts';
import { expiredReply, languageFor, resultText } from './checkoutReply.ts';

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

/** Brands that share one form of the widget. */
type LinkMethod = { readonly brands: readonly string[]; readonly isCard: boolean };

type PaymentLinkView = {
  readonly id: string;
  readonly path: string;
  /** Only scripts and styles with this value run. */
  readonly nonce: string;
  readonly language: LanguageCode;
  readonly merchantName: string;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly description: string | null;
  readonly reference: string | null;
  readonly expiresAt: number;
  readonly isTest: boolean;
  /** The result so far; null: nothing was tried. */
  readonly result: { readonly outcome: WidgetResult['outcome']; readonly text: string } | null;
  /** Empty: there is nothing left to pay, or no method. */
  readonly methods: readonly LinkMethod[];
};

const styles = `
:root { color-scheme: light dark; --ink: #14181f; --muted: #5b6472; --ground: #f7f8fa; --raised: #fff; --line: #d8dce3; --accent: #0b5fff;
  --good: #0a7a4b; --warn: #9a6700; --bad: #c62828; --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --muted: #98a2b3; --ground: #0f1217; --raised: #171b22; --line: #2b323d;
  --accent: #6ea3ff; --good: #4cc38a; --warn: #e2b34b; --bad: #ff7b72; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 400 16px/1.45 var(--sans); }
main { display: grid; gap: 24px; max-width: 528px; margin: 0 auto; padding: 32px 16px 48px; }
.merchant { margin: 0; color: var(--muted); overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 32px; line-height: 1.2; font-weight: 600; font-variant-numeric: tabular-nums; }
.about { margin: 8px 0 0; overflow-wrap: anywhere; }
.small { margin: 4px 0 0; color: var(--muted); font-size: 14px; overflow-wrap: anywhere; }
.result { margin: 0; padding: 16px; border: 1px solid var(--line); border-inline-start: 4px solid var(--muted); border-radius: 6px;
  background: var(--raised); }
.success { border-inline-start-color: var(--good); }
.pending { border-inline-start-color: var(--warn); }
.declined, .cancelled { border-inline-start-color: var(--bad); }
details { border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
details + details { margin-top: 8px; }
summary { min-height: 48px; padding: 12px 16px; cursor: pointer; font-weight: 550; }
.form { padding: 0 16px 16px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.test { margin: 0; color: var(--warn); font-size: 14px; font-weight: 550; }
`;

/** The origin's own frames, scripts with the nonce, and whatever page of an issuer a challenge frames. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "frame-src 'self' https:",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const inScript = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const CARDS_NAMED_MAX = 4;

/** The brands of a form in words; many cards are named by the first few. */
const methodName = ({ brands }: LinkMethod): string => {
  const names = brands.slice(0, CARDS_NAMED_MAX).map(brandName).join(', ');
  return brands.length > CARDS_NAMED_MAX ? `${names} …` : names;
};

/** The page of a payment link: who is paid, how much and what for, then the result or the ways to pay. */
function paymentLinkPage(view: PaymentLinkView): { readonly html: string; readonly policy: string } {
  const { id, path, nonce, language, merchantName, description, reference, result, methods } = view;
  const { labels } = allTexts[language];
  const locale = localeOf(language);
  const amount = amountTextOf(view.amount, view.currency, locale);
  const form = ({ brands }: LinkMethod): string =>
    `<form action="${shown(path)}" class="paymentWidgets" data-brands="${shown(brands.join(' '))}"></form>`;
  const choices = methods
    .map(
      (method, at) =>
        `<details name="method"${at === 0 ? ' open' : ''}><summary>${shown(methodName(method))}</summary><div class="form">${form(method)}</div></details>`,
    )
    .join('\n');
  const [only] = methods;
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(view.expiresAt);
  const isDone = result?.outcome === 'success' || result?.outcome === 'pending';
  const main = [
    '<main>',
    `<header><p class="merchant">${shown(merchantName)}</p><h1>${shown(amount)}</h1>`,
    description === null ? '' : `<p class="about">${shown(description)}</p>`,
    reference === null ? '' : `<p class="small"><bdi>${shown(reference)}</bdi></p>`,
    isDone ? '' : `<p class="small">${shown(labels.expires.replace('{date}', until))}</p>`,
    '</header>',
    view.isTest ? `<p class="test">${shown(labels.testMode)}</p>` : '',
    result === null ? '' : `<p class="result ${result.outcome}" role="status">${shown(result.text)}</p>`,
    !isDone && methods.length === 0 ? `<p class="result declined" role="status">${shown(labels.unavailable)}</p>` : '',
    only && methods.length === 1 ? form(only) : `<div>${choices}</div>`,
    '</main>',
  ];
  const options = { locale: language, style: 'card', brandDetection: true, showCVVHint: true };
  // With a hook the widget stays on the page after a decline, and keeps what the shopper has entered.
  const scripts = `<script nonce="${nonce}">var wpwlOptions = ${inScript(options)}; wpwlOptions.onResult = () => {};</script>
<script nonce="${nonce}" src="/v1/paymentWidgets.js?checkoutId=${encodeURIComponent(id)}"></script>`;
  const html = shell({
    language,
    direction: directionOf(language),
    title: [amount, merchantName].filter(Boolean).join(' · '),
    style: styles,
    nonce,
    body: `${main.filter(Boolean).join('\n')}${methods.length === 0 ? '' : `\n${scripts}`}`,
  });
  return { html, policy: policyOf(nonce) };
}
