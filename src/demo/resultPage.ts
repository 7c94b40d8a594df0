import { amountOf } from '../money/amount.ts';
import { shown } from '../spec/reference/parts.ts';
import { isResultCode, resultCodes } from '../spec/resultCodes.ts';
import { CARDS_MAX, type Choices, priceText, queryOf } from './choices.ts';
import { type Exchange, exchanged } from './developer.ts';
import { shopWords } from './labels/words.ts';
import { page, type Shop } from './page.ts';
import { resultScript } from './scripts.ts';

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
