import { shown } from '../spec/reference/parts.ts';
import { priceText, QUANTITY_MAX, shopCurrencies, totalOf } from './choices.ts';
import { shopWords } from './labels/words.ts';
import { type Choice, hidden, languageChoices, page, type Shop, select } from './page.ts';
import { productScript } from './scripts.ts';

/** The only thing there is to buy: drawn by us. */
export const picture =
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
