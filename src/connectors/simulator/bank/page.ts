import type { Page } from '../../../payments/ports.ts';
import { shown } from '../../../spec/reference/parts.ts';
import { mark, policySource, shell } from '../../../spec/reference/shell.ts';
import type { BankState } from './bank.ts';
import { kindOf } from './kinds.ts';
import { brandName } from './labels/brandNames.ts';
import type { Saying } from './labels/labels.ts';
import { type Language, languageFor, writtenAmount, writtenTime } from './languages.ts';
import { pageStyles } from './pageStyles.ts';
import type { Ticket } from './ticket.ts';

/** What a page of the bank shows, and the browser's Accept-Language text. */
export type BankView = { readonly ticket: Ticket; readonly state: BankState; readonly languages: string };

/** The page runs its own style and nothing else. */
const policy = `style-src ${policySource(pageStyles)}; img-src data:;`;

/** Text of others keeps its own direction, whatever signs it is made of. */
const foreign = (text: string): string => `<bdi>${shown(text)}</bdi>`;

/** A label with the markup that belongs in its gap. */
const filled = (label: string, gap: '{amount}' | '{time}', markup: string): string => shown(label).replace(gap, () => markup);

const amountOf = (language: Language, { amount, currency }: Ticket): string => writtenAmount(language, BigInt(amount), currency);

/** An amount of more signs than this is written smaller, so that it stays on one line. */
const LARGE_SIGNS_MAX = 14;

const fact = (name: string, markup: string, kind = ''): string =>
  `<div${kind && ` class="${kind}"`}><dt>${shown(name)}</dt><dd>${markup}</dd></div>`;

/** No country has this code: whoever takes the page for real finds no bank that sends money there. */
const ACCOUNT = 'XX00 0000 0000 0000 0000';

const timeOf = (language: Language, at: number): string =>
  `<time datetime="${new Date(at).toISOString()}">${foreign(writtenTime(language, at))}</time>`;

/** Where to, with what to be known by, and until when he pays by himself. */
const instructions = (language: Language, { reference, until }: Ticket): string => {
  const { labels } = language;
  return `${fact(labels.account, foreign(ACCOUNT))}
${fact(labels.reference, foreign(reference))}
${fact(labels.payBy, timeOf(language, until))}
`;
};

function facts(language: Language, ticket: Ticket, state: BankState): string {
  const { labels } = language;
  const { descriptor, brand } = ticket;
  const amount = amountOf(language, ticket);
  const isToPay = state === 'open' && kindOf(ticket) === 'slip';
  return `<dl>
${fact(labels.amount, foreign(amount), amount.length > LARGE_SIGNS_MAX ? 'sum long' : 'sum')}
${descriptor && fact(labels.recipient, foreign(descriptor))}
${brand && fact(labels.method, foreign(brandName(brand)))}
${isToPay ? instructions(language, ticket) : ''}</dl>`;
}

const button = (choice: string, markup: string, attributes = ''): string =>
  `<button name="choice" value="${choice}"${attributes}>${markup}</button>`;

const form = (...buttons: readonly string[]): string =>
  `<form method="post" aria-labelledby="title">\n${buttons.join('\n')}\n</form>`;

/** Leaves everything open, and says for how long. */
const postponing = (language: Language, label: string, { until }: Ticket): string =>
  `${button('later', shown(label), ' aria-describedby="hint"')}
<p class="hint" id="hint">${filled(language.labels.laterHint, '{time}', timeOf(language, until))}</p>`;

function choosing(language: Language, ticket: Ticket): string {
  const { labels } = language;
  const first = (markup: string): string => button('pay', markup, ' class="first"');
  switch (kindOf(ticket)) {
    case 'spot':
      return form(
        first(filled(labels.pay, '{amount}', foreign(amountOf(language, ticket)))),
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

/** What he has to know first: how to pay by himself, or what he agrees to by an invoice. */
function sayingOf(ticket: Ticket, state: BankState): Saying {
  const kind = kindOf(ticket);
  if (state === 'open' && kind === 'slip') return 'instructions';
  if (kind !== 'invoice') return state;
  return state === 'open' ? 'invoice' : state === 'paid' ? 'agreed' : state;
}

/** Where everything is decided, leaving it as it is takes the shopper back. */
const leaving = ({ labels }: Language): string => form(button('later', shown(labels.back), ' class="first"'));

type Sheet = {
  readonly language: Language;
  readonly said: Saying;
  readonly state: BankState | 'lost';
  readonly rest: string;
};

function sheet({ language, said, state, rest }: Sheet): string {
  const { tag, direction, labels } = language;
  const { title, text } = labels[said];
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

/** A payment that is over has no way left: the bank does not send the shopper on from there. */
const ways: Readonly<Record<BankState, (language: Language, ticket: Ticket) => string>> = {
  open: choosing,
  paid: leaving,
  refused: leaving,
  over: () => '',
};

/** The simulated bank or wallet as the shopper finds it. It works without a script. */
export function bankPage({ ticket, state, languages }: BankView): Page {
  const language = languageFor(ticket.language, languages);
  const rest = `${facts(language, ticket, state)}\n${ways[state](language, ticket)}`;
  const html = sheet({ language, said: sayingOf(ticket, state), state, rest });
  return { status: state === 'over' ? 410 : 200, html, policy, ...(ticket.isOfWidget && { framedFor: ticket.entityId }) };
}

/** For an address that nobody of ours has written. */
export function lostPage(languages: string): Page {
  const language = languageFor(null, languages);
  return { status: 404, html: sheet({ language, said: 'lost', state: 'lost', rest: '' }), policy };
}
