import type { Page } from '../../../payments/shopperStep.ts';
import { testMerchantAccount } from '../../../spec/cards/testCards.ts';
import { mark, policySource, shell, shown } from '../../../spec/reference/parts.ts';
import type { BankState } from './bank.ts';
import { bankFlowOf } from './bankFlows.ts';
import { brandName } from './labels/brandNames.ts';
import type { MessageKey } from './labels/labels.ts';
import { type Language, languageFor, writtenAmount, writtenTime } from './languages.ts';
import { pageStyles } from './pageStyles.ts';
import type { Ticket } from './ticket.ts';

/** The input of a page; `languages` is the browser's Accept-Language header. */
export type BankView = { readonly ticket: Ticket; readonly state: BankState; readonly languages: string };

/** The page allows its own style and nothing else. */
const policy = `style-src ${policySource(pageStyles)}; img-src data:;`;

/** Isolates the text direction of values. */
const isolated = (text: string): string => `<bdi>${shown(text)}</bdi>`;

/** A label with its placeholder replaced by markup. */
const filled = (label: string, gap: '{amount}' | '{time}', markup: string): string => shown(label).replace(gap, () => markup);

const amountOf = (language: Language, { amount, currency }: Ticket): string => writtenAmount(language, BigInt(amount), currency);

/** Longer amounts are shown smaller, so that they fit on one line. */
const LARGE_SIGNS_MAX = 14;

const fact = (name: string, markup: string, kind = ''): string =>
  `<div${kind && ` class="${kind}"`}><dt>${shown(name)}</dt><dd>${markup}</dd></div>`;

const ACCOUNT = testMerchantAccount.number.replace(/.{4}(?=.)/g, '$& ');

const timeOf = (language: Language, at: number): string =>
  `<time datetime="${new Date(at).toISOString()}">${isolated(writtenTime(language, at))}</time>`;

/** Instructions for a transfer: account, reference and deadline. */
const instructions = (language: Language, { reference, until }: Ticket): string => {
  const { labels } = language;
  return `${fact(labels.account, isolated(ACCOUNT))}
${fact(labels.reference, isolated(reference))}
${fact(labels.payBy, timeOf(language, until))}
`;
};

function facts(language: Language, ticket: Ticket, state: BankState): string {
  const { labels } = language;
  const { descriptor, brand } = ticket;
  const amount = amountOf(language, ticket);
  const isToPay = state === 'open' && bankFlowOf(ticket) === 'slip';
  return `<dl>
${fact(labels.amount, isolated(amount), amount.length > LARGE_SIGNS_MAX ? 'sum long' : 'sum')}
${descriptor && fact(labels.recipient, isolated(descriptor))}
${brand && fact(labels.method, isolated(brandName(brand)))}
${isToPay ? instructions(language, ticket) : ''}</dl>`;
}

const button = (choice: string, markup: string, attributes = ''): string =>
  `<button name="choice" value="${choice}"${attributes}>${markup}</button>`;

const form = (...buttons: readonly string[]): string =>
  `<form method="post" aria-labelledby="title">\n${buttons.join('\n')}\n</form>`;

/** The choice to decide later, with its deadline. */
const postponing = (language: Language, label: string, { until }: Ticket): string =>
  `${button('later', shown(label), ' aria-describedby="hint"')}
<p class="hint" id="hint">${filled(language.labels.laterHint, '{time}', timeOf(language, until))}</p>`;

function choosing(language: Language, ticket: Ticket): string {
  const { labels } = language;
  const first = (markup: string): string => button('pay', markup, ' class="first"');
  switch (bankFlowOf(ticket)) {
    case 'spot':
      return form(
        first(filled(labels.pay, '{amount}', isolated(amountOf(language, ticket)))),
        button('decline', shown(labels.decline)),
        button('cancel', shown(labels.cancel)),
        postponing(language, labels.later, ticket),
      );
    case 'slip':
      return form(
        first(shown(labels.havePaid)),
        postponing(language, labels.payLater, ticket),
        button('cancel', shown(labels.cancel)),
      );
    case 'invoice':
      return form(
        first(shown(labels.agree)),
        button('cancel', shown(labels.disagree)),
        button('decline', shown(labels.decline)),
        postponing(language, labels.later, ticket),
      );
  }
}

function messageFor(ticket: Ticket, state: BankState): MessageKey {
  const kind = bankFlowOf(ticket);
  if (state === 'open' && kind === 'slip') return 'instructions';
  if (kind !== 'invoice') return state;
  return state === 'open' ? 'invoice' : state === 'paid' ? 'agreed' : state;
}

/** The way back for a decided payment: the choice `later` changes nothing. */
const leaving = ({ labels }: Language): string => form(button('later', shown(labels.back), ' class="first"'));

type PageParts = {
  readonly language: Language;
  readonly message: MessageKey;
  readonly state: BankState | 'lost';
  readonly rest: string;
};

function renderPage({ language, message, state, rest }: PageParts): string {
  const { tag, direction, labels } = language;
  const { title, text } = labels[message];
  const body = `<div class="page">
<header>${mark}<span lang="en">Turnpike</span><span class="badge" lang="en">TEST</span></header>
<main>
<p class="notice"><strong>${shown(labels.simulator)}</strong> ${shown(labels.notice)}</p>
<div class="body ${state}">
<h1 id="title">${shown(title)}</h1>
<p class="said">${shown(text)}</p>
${rest}
</div>
</main>
</div>`;
  return shell({ language: tag, direction, title: `${title} · ${labels.simulator}`, style: pageStyles, body });
}

/** A payment that is over has no actions: the bank does not redirect the shopper. */
const actionsByState: Readonly<Record<BankState, (language: Language, ticket: Ticket) => string>> = {
  open: choosing,
  paid: leaving,
  refused: leaving,
  over: () => '',
};

/** The page of the simulated bank or wallet. It works without a script. */
export function bankPage({ ticket, state, languages }: BankView): Page {
  const language = languageFor(ticket.language, languages);
  const rest = `${facts(language, ticket, state)}\n${actionsByState[state](language, ticket)}`;
  const html = renderPage({ language, message: messageFor(ticket, state), state, rest });
  return {
    is: 'page',
    status: state === 'over' ? 410 : 200,
    html,
    policy,
    ...(ticket.isOfWidget && { framedFor: ticket.entityId }),
  };
}

/** For an address without a valid ticket. */
export function notFoundPage(languages: string): Page {
  const language = languageFor(null, languages);
  return { is: 'page', status: 404, html: renderPage({ language, message: 'lost', state: 'lost', rest: '' }), policy };
}
