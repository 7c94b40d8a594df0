import { amountOf } from '../money/amount.ts';
import { shown } from '../spec/reference/parts.ts';
import { isResultCode, resultCodes } from '../spec/resultCodes.ts';
import { CARDS_MAX, type Choices, priceText, QUANTITY_MAX, queryOf, shopCurrencies, styles, themes, totalOf } from './choices.ts';
import { type Exchange, exchanged, testData } from './developer.ts';
import { type ShopWords, shopWords } from './labels/words.ts';
import { type Choice, forDevelopers, hidden, languageChoices, page, type Shop, select } from './page.ts';
import { checkoutScript, productScript, resultScript } from './scripts.ts';

/** The only thing there is to buy: drawn by us. */
const picture =
  '<svg class="picture" viewBox="0 0 240 200" role="img" aria-hidden="true">' +
  '<ellipse class="shade" cx="112" cy="178" rx="76" ry="8"/>' +
  '<path class="handle" d="M160 78c34-6 44 14 36 36-7 20-26 30-46 28"/>' +
  '<path class="clay" d="M46 50h124c0 44-6 92-22 120a8 8 0 0 1-7 4H75a8 8 0 0 1-7-4C52 142 46 94 46 50z"/>' +
  '<path class="glaze" d="M46 50h124c0 20-1 40-5 60-14 8-26-6-40 0s-22 12-38 4-24 2-36-2c-4-20-5-42-5-62z"/>' +
  '<ellipse class="rim" cx="108" cy="50" rx="62" ry="12"/><ellipse class="inside" cx="108" cy="51" rx="52" ry="8"/></svg>';

const counts: readonly Choice[] = Array.from({ length: QUANTITY_MAX }, (_, at) => [String(at + 1), String(at + 1)]);

/** Earlier choices that are not fields of the form. */
const kept = ({ choices }: Shop): string => {
  const { style, theme, stored, save, secure, cards } = choices;
  return [
    ...Object.entries({ style, theme, stored, save, secure }).map(([name, value]) => hidden(name, value)),
    ...cards.map((id) => hidden('card', id)),
  ].join('');
};

/** One product, how many of it, in which currency, in which language. It works without its script. */
export function productPage(shop: Shop): string {
  const { choices, locale, nonce } = shop;
  const { currency, quantity, language } = choices;
  const words = shopWords[language];
  const price = (count: number): string => priceText(totalOf(currency, count), currency, locale);
  const main = `<div class="product">
<div class="show">${picture}</div>
<form class="buy" action="/demo/checkout" method="get">
<h1>${shown(words.product)}</h1>
<p class="price"><bdi>${shown(price(1))}</bdi></p>
<p class="about">${shown(words.about)}</p>
<div class="fields">
${select('quantity', words.quantity, { choices: counts, now: String(quantity) })}
${select('currency', words.currency, { choices: shopCurrencies.map((code) => [code, code]), now: currency })}
${select('language', words.language, { choices: languageChoices(), now: language })}
</div>
${kept(shop)}
<p class="total"><span>${shown(words.total)}</span> <bdi>${shown(price(quantity))}</bdi></p>
<button type="submit" class="button">${shown(words.toPayment)}</button>
</form>
</div>`;
  return page(shop, {
    title: words.product,
    kind: 'product-page',
    main,
    scripts: `<script nonce="${nonce}">${productScript}</script>`,
  });
}

/** A checkout that the shop's server has prepared, and how it did it. */
export type Prepared = { readonly id: string; readonly integrity: string | null; readonly exchanges: readonly Exchange[] };

type Way = { readonly name: string; readonly brands: string; readonly text: (words: ShopWords) => string };

const ways: readonly Way[] = [
  { name: 'card', brands: 'VISA MASTER AMEX MAESTRO', text: ({ card }) => card },
  { name: 'directDebit', brands: 'DIRECTDEBIT_SEPA', text: ({ directDebit }) => directDebit },
  { name: 'transfer', brands: 'SOFORTUEBERWEISUNG', text: ({ transfer }) => transfer },
  { name: 'paypal', brands: 'PAYPAL', text: () => 'PayPal' },
  { name: 'invoice', brands: 'AFTERPAY', text: ({ invoice }) => invoice },
  { name: 'prepayment', brands: 'PREPAYMENT', text: ({ prepayment }) => prepayment },
];

/** A direct debit is in euros. */
const waysIn = (currency: string): readonly Way[] => ways.filter(({ name }) => name !== 'directDebit' || currency === 'EUR');

/** The HTML that a shop would write into its page. */
function optionsOf({ language, style, theme, save, stored, secure }: Choices): object {
  return {
    locale: language,
    style,
    theme,
    brandDetection: true,
    showCVVHint: true,
    saveCard: save === 'yes',
    ...(stored === 'yes' && { registrations: { requireCvv: true }, removeCards: true }),
    ...(secure === 'tab' && { paymentTarget: '_top' }),
  };
}

/** JSON inside a script: nothing in it may end the element. */
const inScript = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const yesNo: readonly Choice[] = [
  ['no', 'No'],
  ['yes', 'Yes'],
];
const named = (values: readonly string[]): readonly Choice[] => values.map((value) => [value, value]);

/** Options for developers; each choice prepares a new checkout. */
function settings({ choices }: Shop): string {
  const { quantity, currency, language, style, theme, stored, save, secure, cards } = choices;
  return `<details class="developer" ${forDevelopers}><summary>Widget settings</summary>
<form id="settings" action="/demo/checkout" method="get">
<div class="fields">
${select('language', 'Language', { choices: languageChoices(), now: language })}
${select('style', 'Style', { choices: named(styles), now: style })}
${select('theme', 'Theme', { choices: named(themes), now: theme })}
${select('stored', 'Stored cards', { choices: yesNo, now: stored })}
${select('save', 'Offer to save the card', { choices: yesNo, now: save })}
${select('secure', '3D Secure', {
  choices: [
    ['frame', 'in a frame'],
    ['tab', 'full page'],
  ],
  now: secure,
})}
</div>
${hidden('quantity', String(quantity))}${hidden('currency', currency)}${cards.map((id) => hidden('card', id)).join('')}
<button type="submit" class="quiet">Apply</button>
</form>
</details>`;
}

function order({ choices, locale }: Shop, words: ShopWords): string {
  const { quantity, currency } = choices;
  const price = priceText(totalOf(currency, quantity), currency, locale);
  return `<section class="order" aria-labelledby="order-title"><h2 id="order-title">${shown(words.order)}</h2>
<p class="line"><span><bdi dir="ltr">${quantity} ×</bdi> ${shown(words.product)}</span> <bdi>${shown(price)}</bdi></p>
<p class="total"><span>${shown(words.total)}</span> <bdi>${shown(price)}</bdi></p></section>`;
}

const wayOf = (words: ShopWords, { name, text }: Way, at: number): string =>
  `<label class="way"><input type="radio" name="way" value="${name}"${at === 0 ? ' checked' : ''}>` +
  `<span>${shown(text(words))}</span></label>`;

/** The page with the widget: two tags, as on any shop's page, and all the rest is the shop's own. */
export function checkoutPage(shop: Shop, { id, integrity, exchanges }: Prepared): string {
  const { choices, nonce, origin, words: paying } = shop;
  const words = shopWords[choices.language];
  const action = shown(`/demo/result?${queryOf(choices)}`);
  const offered = waysIn(choices.currency);
  const checked = integrity === null ? '' : ` integrity="${shown(integrity)}" crossorigin="anonymous"`;
  const main = `<div class="split" data-checkout="${shown(id)}" data-integrity="${shown(integrity ?? '')}">
<div class="paying">
<fieldset class="ways"><legend><h1>${shown(paying.chooseMethod)}</h1></legend>
${offered.map((way, at) => wayOf(words, way, at)).join('\n')}
</fieldset>
${offered
  .map(
    ({ name, brands }, at) =>
      `<div data-way="${name}"${at === 0 ? '' : ' hidden'}>` +
      `<form action="${action}" class="paymentWidgets" data-brands="${brands}"></form></div>`,
  )
  .join('\n')}
</div>
<aside>
${order(shop, words)}
${testData}
</aside>
</div>
${settings(shop)}
${exchanged({ title: 'API requests', exchanges, origin })}
<details class="developer" ${forDevelopers}><summary>Widget events</summary><ol id="events"></ol></details>`;
  const scripts = `<script nonce="${nonce}">var wpwlOptions = ${inScript(optionsOf(choices))};</script>
<script nonce="${nonce}">${checkoutScript}</script>
<script nonce="${nonce}" src="${shown(`${origin}/v1/paymentWidgets.js?checkoutId=${encodeURIComponent(id)}`)}"${checked}></script>`;
  return page(shop, { title: words.order, kind: 'checkout-page', main, scripts });
}

/** The page when the gateway created no checkout: a message for the shopper, and the API requests for developers. */
export function unpreparedPage(shop: Shop, exchanges: readonly Exchange[]): string {
  const { choices, nonce, origin, words } = shop;
  const main = `<div class="outcome bad"><h1>${shown(words.resultError)}</h1>
<p><a class="button" href="/demo/checkout?${shown(queryOf(choices))}">${shown(words.tryAgain)}</a></p></div>
${exchanged({ title: 'API requests', exchanges, origin })}`;
  return page(shop, {
    title: words.tryAgain,
    kind: 'result-page',
    main,
    scripts: `<script nonce="${nonce}">${resultScript}</script>`,
  });
}

/** The part of the gateway's reply that the shop reads. */
type Answered = {
  readonly merchantTransactionId?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly registrationId?: string;
  readonly paymentBrand?: string;
  readonly card?: { readonly last4Digits?: string; readonly expiryMonth?: string; readonly expiryYear?: string };
  readonly result?: { readonly code?: string; readonly description?: string };
};

type Outcome = { readonly kind: 'good' | 'waiting' | 'bad'; readonly text: string; readonly hint?: string };

/** In words for a shopper, who never sees a code. */
function outcomeOf({ words }: Shop, code: string): Outcome {
  const means = isResultCode(code) ? resultCodes[code].means : null;
  if (means === 'approved') return { kind: 'good', text: words.resultSuccess };
  if (means === 'pending') return { kind: 'waiting', text: words.resultPending };
  if (means === 'declined') return { kind: 'bad', text: words.resultDeclined };
  return { kind: 'bad', text: words.expired, hint: words.expiredHint };
}

const signs = { good: 'M5 12.5l4.5 4.5L19 7.5', waiting: 'M12 7v5.5l3.5 2', bad: 'M12 6v8M12 18h.01' } as const;

const sign = (kind: Outcome['kind']): string =>
  '<svg class="sign" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" ' +
  `stroke-linejoin="round" aria-hidden="true"><path d="${signs[kind]}"/></svg>`;

function read(text: string): Answered {
  try {
    return JSON.parse(text) as Answered;
  } catch {
    return {};
  }
}

const factRow = (label: string, value: string): string => `<div><dt>${shown(label)}</dt><dd>${value}</dd></div>`;

/** The card that the payment has saved, as its owner knows it again. */
function savedCard({ words, brandName }: Shop, { registrationId, paymentBrand = '', card }: Answered): readonly string[] {
  if (registrationId === undefined || card?.last4Digits === undefined) return [];
  const { last4Digits, expiryMonth, expiryYear } = card;
  const date = expiryMonth && expiryYear ? words.expires.replace('{date}', `${expiryMonth}/${expiryYear}`) : '';
  const value = `<bdi>${shown(brandName(paymentBrand))} <span dir="ltr">•••• ${shown(last4Digits)}</span></bdi>`;
  return [factRow(words.storedCards, `${value}${date === '' ? '' : `<br><span class="muted">${shown(date)}</span>`}`)];
}

/** A saved card is offered the next time, before the cards that were offered already. */
const nextChoices = (choices: Choices, registrationId: string | undefined): Choices =>
  registrationId === undefined
    ? choices
    : {
        ...choices,
        stored: 'yes',
        cards: [registrationId, ...choices.cards.filter((id) => id !== registrationId)].slice(0, CARDS_MAX),
      };

/** The result page: the shop's server has queried the gateway and shows the result in plain words. */
export function resultPage(shop: Shop, exchanges: readonly Exchange[]): string {
  const { choices, locale, nonce, origin, words: paying } = shop;
  const words = shopWords[choices.language];
  const answered = read(exchanges.at(-1)?.answer ?? '');
  const { merchantTransactionId, amount, currency, registrationId, result } = answered;
  const outcome = outcomeOf(shop, result?.code ?? '');
  const paid = amount === undefined ? undefined : amountOf(amount);
  const later = nextChoices(choices, registrationId);
  const next = queryOf(later);
  const facts = [
    ...(merchantTransactionId === undefined
      ? []
      : [factRow(words.orderNumber, `<code class="id">${shown(merchantTransactionId)}</code>`)]),
    ...(paid === undefined || currency === undefined
      ? []
      : [factRow(words.total, `<bdi>${shown(priceText(paid, currency, locale))}</bdi>`)]),
    ...savedCard(shop, answered),
  ];
  const main = `<div class="outcome ${outcome.kind}">
${sign(outcome.kind)}
<h1>${shown(outcome.text)}</h1>
${outcome.hint === undefined ? '' : `<p>${shown(outcome.hint)}</p>`}
${facts.length === 0 ? '' : `<dl>${facts.join('')}</dl>`}
<p class="next">${
    outcome.kind === 'bad' ? `<a class="button" href="/demo/checkout?${shown(next)}">${shown(paying.tryAgain)}</a>` : ''
  }<a class="${outcome.kind === 'bad' ? 'other' : 'button'}" href="/demo?${shown(next)}">${shown(words.again)}</a></p>
</div>
${exchanged({ title: `For developers: ${result?.code ?? 'no code'}`, exchanges, origin })}`;
  return page(
    { ...shop, choices: later },
    {
      title: outcome.text,
      kind: 'result-page',
      main,
      scripts: `<script nonce="${nonce}">${resultScript}</script>`,
    },
  );
}
