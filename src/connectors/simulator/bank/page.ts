import { type Page, paymentRefText, type ShopperPages } from '../../../payments/payment.ts';
import type { AcquirerAnswer } from '../../../payments/ports.ts';
import { testMerchantAccount } from '../../../spec/cards/testCards.ts';
import { endpoints } from '../../../spec/endpoints.ts';
import { mark, policySource, shell, shown } from '../../../spec/reference/parts.ts';
import type { ConnectorNeeds } from '../../ports.ts';
import { type AcquirerRecords, answerAt, undecided } from '../acquirerRecords.ts';
import {
  answerByChoice,
  type BankState,
  bankFlowOf,
  bankFlows,
  createConfirmer,
  readTicket,
  type ShopperChoice,
  type Ticket,
} from './choices.ts';
import { brandName } from './labels/brandNames.ts';
import { type Language, languageFor, type MessageKey, writtenAmount, writtenTime } from './languages.ts';

/** The input of a page; `languages` is the browser's Accept-Language header. */
type BankView = { readonly ticket: Ticket; readonly state: BankState; readonly languages: string };

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

/** The style sheet of the simulated bank; the page names its hash in the Content-Security-Policy. */
const pageStyles = `
:root { color-scheme: light dark; --ink: #14181f; --muted: #5b6472; --line: #e3e7ee; --ground: #f7f8fa; --card: #fff;
  --accent: #0b5fff; --onAccent: #fff; --good: #0a7a4b; --warn: #9a6700;
  --edge: color-mix(in srgb, var(--muted) 70%, var(--card));
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --muted: #98a2b3; --line: #2a303a; --ground: #0f1217;
  --card: #171b22; --accent: #6ea3ff; --onAccent: #0f1217; --good: #4cc38a; --warn: #e2b34b; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 400 15px/1.45 var(--sans);
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.page { max-width: 464px; margin: 0 auto; padding: 16px 16px 48px; }
header { display: flex; align-items: center; gap: 12px; min-height: 44px; margin-bottom: 12px; font-size: 17px; font-weight: 700; }
header svg { flex: none; width: 28px; height: 28px; color: var(--accent); }
.badge { margin-inline-start: auto; padding: 2px 8px; border: 1px solid currentColor; border-radius: 6px; color: var(--warn);
  font-size: 13px; font-weight: 550; }
main { background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: clip; }
.notice { margin: 0; padding: 12px 16px; border-bottom: 1px solid var(--line); color: var(--muted); font-size: 13px;
  text-wrap: pretty; }
.notice::before { content: ""; display: block; height: 8px; margin: -12px -16px 12px;
  background: repeating-linear-gradient(-45deg, var(--warn) 0 12px, var(--card) 12px 24px); }
.notice strong { display: block; color: var(--warn); font-size: 15px; font-weight: 550; }
.body { padding: 24px 16px 16px; }
h1 { margin: 0; font-size: 26px; font-weight: 700; line-height: 1.2; text-wrap: balance; }
.said { margin: 8px 0 0; color: var(--muted); text-wrap: pretty; }
.paid h1::before, .refused h1::before { content: ""; display: inline-block; width: 12px; height: 12px; margin-inline-end: 12px;
  border: 2px solid var(--muted); border-radius: 50%; }
.paid h1::before { border-color: var(--good); background: var(--good); }
dl { margin: 24px 0 0; }
dl div { padding: 12px 0; border-top: 1px solid var(--line); }
dt { color: var(--muted); }
dd { margin: 0; font-weight: 550; }
.sum dd { font-size: 34px; font-weight: 700; line-height: 1.2; }
.sum.long dd { font-size: 20px; }
time { white-space: nowrap; }
form { margin-top: 12px; }
button { display: block; width: 100%; min-height: 48px; margin-top: 12px; padding: 8px 16px; border: 1px solid var(--edge);
  border-radius: 6px; background: transparent; color: var(--ink); font: 550 16px/1.45 var(--sans);
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; cursor: pointer; }
button.first { border-color: var(--accent); background: var(--accent); color: var(--onAccent); }
button:hover { border-color: var(--ink); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.hint { margin: 8px 0 0; color: var(--muted); font-size: 13px; }
@media (min-width: 600px) {
  .page { padding-top: 64px; }
  .notice { padding-inline: 24px; }
  .notice::before { margin-inline: -24px; }
  .body { padding: 32px 24px 24px; }
  dl div:not(.sum) { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; }
}
@media (max-width: 359px) { .sum dd { font-size: 26px; } .sum.long dd { font-size: 17px; } }
`;

/** The page allows its own style and nothing else. */
const policy = `style-src ${policySource(pageStyles)}; img-src data:;`;

type BankNeeds = Pick<ConnectorNeeds, 'clockOf' | 'sleep' | 'notify'> & { readonly records: AcquirerRecords };

/** The bank or wallet that the shopper is redirected to. It keeps its own records and notifies the gateway as directed. */
export function createBank({ clockOf, sleep, notify, records }: BankNeeds): ShopperPages {
  const confirm = createConfirmer({ sleep, notify });
  const now = ({ merchantId }: Ticket): number => clockOf(merchantId).now();

  /** Records are in memory: a payment without one was begun before a restart or on another node. */
  const known = (ticket: Ticket): AcquirerAnswer['is'] => {
    const { paymentId, paymentType, amount } = ticket;
    const entry = records.add(paymentId, undecided({ familyId: paymentId, paymentType, amount: BigInt(amount) }), 'open');
    return answerAt(entry, now(ticket)).is;
  };

  async function decide(ticket: Ticket, choice: ShopperChoice): Promise<void> {
    known(ticket);
    const answer = answerByChoice[choice](ticket);
    if (answer === null) return;
    const entry = records.settle(ticket.paymentId, answer, now(ticket));
    // The first decision counts.
    if (entry?.answer === answer) await confirm(ticket, answer);
  }

  return {
    show(text, languages) {
      const ticket = readTicket(text);
      return ticket
        ? bankPage({ ticket, state: stateOf(ticket, known(ticket), now(ticket)), languages })
        : notFoundPage(languages);
    },
    async act(text, form, languages): Promise<Page> {
      const ticket = readTicket(text);
      if (!ticket) return notFoundPage(languages);
      const choice = bankFlows[bankFlowOf(ticket)].choices.find((one) => one === form.get('choice'));
      const state = stateOf(ticket, known(ticket), now(ticket));
      if (choice === undefined || state === 'over') return bankPage({ ticket, state, languages });
      if (state === 'open') await decide(ticket, choice);
      return {
        is: 'redirect',
        location: endpoints.shopperReturn.path.replace('{id}', paymentRefText({ ...ticket, id: ticket.paymentId })),
      };
    },
  };
}

function stateOf({ until }: Ticket, is: AcquirerAnswer['is'], now: number): BankState {
  if (is === 'approved') return 'paid';
  if (is === 'declined') return 'refused';
  return is === 'cancelled' || now >= until ? 'over' : 'open';
}
