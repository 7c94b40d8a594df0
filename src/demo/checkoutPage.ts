import { shown } from '../spec/reference/parts.ts';
import { type Choices, priceText, queryOf, styles, themes, totalOf } from './choices.ts';
import { type Exchange, exchanged, testData } from './developer.ts';
import { type ShopWords, shopWords } from './labels/words.ts';
import { type Choice, forDevelopers, hidden, languageChoices, page, type Shop, select } from './page.ts';
import { checkoutScript, resultScript } from './scripts.ts';

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
export function optionsOf({ language, style, theme, save, stored, secure }: Choices): object {
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
