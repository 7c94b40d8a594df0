import { mark, shown } from '../../spec/reference/parts.ts';
import { type Labels, labelsFor, languageOf } from '../labels/challengeLabels.ts';
import { decodeMethodData, encodeMessage } from '../messages/message.ts';
import type { Ticket } from '../sandbox/ticket.ts';
import type { Form } from '../shopper.ts';
import { ANY_ANCESTOR, hidden, isAllowed, type Page, pageOf, sendScript, sentForm } from './page.ts';

type ChallengeView = {
  readonly ticket: Pick<Ticket, 'merchant' | 'amount' | 'card' | 'language'>;
  readonly windowSize: string;
  readonly actionUrl: string;
  /** The page's own state, sealed. */
  readonly state: string;
};

const bankHeader = ({ bank }: Labels): string =>
  `<header>${mark}<span>${shown(bank)}</span><span class="badge">TEST</span></header>`;

/** `92.00`, `EUR` in the shopper's language. Intl formats the digits of the string, so the amount never becomes a float. */
function moneyIn(language: string, { text, currency }: NonNullable<Ticket['amount']>): string {
  return new Intl.NumberFormat(languageOf(language), { style: 'currency', currency }).format(text as `${number}`);
}

/** Merchant, amount and card. */
function summary(labels: Labels, { merchant, amount, card, language }: ChallengeView['ticket']): string {
  const rows: readonly (readonly [string, string])[] = [
    [labels.merchant, merchant],
    ...(amount === null ? [] : [[labels.amount, moneyIn(language, amount)] as const]),
    [labels.card, `•••• ${card.slice(-4)}`],
  ];
  const row = ([name, value]: readonly [string, string]): string =>
    `<div><dt>${shown(name)}</dt><dd><bdi>${shown(value)}</bdi></dd></div>`;
  return `<dl>${rows.map(row).join('')}</dl>`;
}

const titleOf = (labels: Labels, { amount }: ChallengeView['ticket']): string =>
  amount === null ? labels.titleWithoutPayment : labels.title;

/** A challenge in the issuer's app. The sandbox shows the app as a panel on the page. It needs no script. */
export function appPage({ ticket, windowSize, actionUrl, state }: ChallengeView): Page {
  const labels = labelsFor(ticket.language);
  const title = titleOf(labels, ticket);
  const body = `<main>${bankHeader(labels)}
<h1>${shown(title)}</h1>
<p>${shown(labels.appLead)}</p>
<form method="post" action="${shown(actionUrl)}">
${hidden('state', state)}
<section class="panel" aria-labelledby="app"><h2 id="app">${shown(labels.appTitle)}</h2>
${summary(labels, ticket)}
<div class="pair"><button name="action" value="confirm">${shown(labels.confirm)}</button>
<button name="action" value="deny" class="quiet">${shown(labels.deny)}</button></div>
</section>
<button name="action" value="cancel" class="bare">${shown(labels.cancel)}</button>
</form></main>`;
  return pageOf({ language: ticket.language, title, body, windowSize, ancestors: ANY_ANCESTOR });
}

export type Note = 'wrong' | 'resent' | null;

type CodeView = ChallengeView & {
  /** The correct code: the page of the sandbox shows it. */
  readonly code: string;
  readonly left: number;
  readonly note: Note;
};

/** A challenge with a one-time code. It needs no script. */
export function codePage({ ticket, windowSize, actionUrl, state, code, left, note }: CodeView): Page {
  const labels = labelsFor(ticket.language);
  const title = titleOf(labels, ticket);
  const isWrong = note === 'wrong';
  const says = isWrong ? `${labels.wrong} ${labels.triesLeft} ${left}` : note === 'resent' ? labels.resent : '';
  const message =
    says && `<p id="note" class="note${isWrong ? ' wrong' : ''}" role="${isWrong ? 'alert' : 'status'}">${shown(says)}</p>`;
  const about = [isWrong ? 'note' : '', 'help'].filter(Boolean).join(' ');
  // In a low window the focus would scroll the amount away.
  const focus = windowSize === '03' || windowSize === '05' ? ' autofocus' : '';
  const body = `<main>${bankHeader(labels)}
<h1>${shown(title)}</h1>
${summary(labels, ticket)}
${message}
<p id="help">${shown(labels.codeLead)} ${shown(labels.sandboxCode)} <bdi class="code">${shown(code)}</bdi></p>
<form method="post" action="${shown(actionUrl)}">
${hidden('state', state)}
<label for="code">${shown(labels.codeLabel)}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" dir="ltr"${focus}
 aria-describedby="${about}"${isWrong ? ' aria-invalid="true"' : ''}>
<button name="action" value="submit">${shown(labels.submit)}</button>
<div class="pair"><button name="action" value="resend" class="quiet">${shown(labels.resend)}</button>
<button name="action" value="cancel" class="bare">${shown(labels.cancel)}</button></div>
</form></main>`;
  return pageOf({ language: ticket.language, title, body, windowSize, ancestors: ANY_ANCESTOR });
}

type EndView = { readonly language: string; readonly form: Form | null; readonly isYes: boolean };

/** The end of a challenge: posts the challenge response to the shop, or asks to close the page. */
export function endPage({ language, form, isYes }: EndView): Page {
  const labels = labelsFor(language);
  const says = form === null ? labels.close : isYes ? labels.doneYes : labels.doneNo;
  const body = `<main>${bankHeader(labels)}
<p role="status">${shown(says)}</p>
${form === null ? '' : sentForm(form, labels.back)}</main>`;
  const sending = form === null ? {} : { script: sendScript, formTargets: [form.url] };
  return pageOf({ language, title: labels.bank, body, ancestors: ANY_ANCESTOR, ...sending });
}

/** For a request that is not of an open challenge. */
export function errorPage(language: string): Page {
  const labels = labelsFor(language);
  const body = `<main>${bankHeader(labels)}
<h1>${shown(labels.broken)}</h1>
<p>${shown(labels.brokenHelp)}</p></main>`;
  return pageOf({ language, title: labels.broken, body, ancestors: ANY_ANCESTOR });
}

type MethodCall = {
  readonly threeDSMethodData: string | undefined;
  readonly isSilent: boolean;
  /** The origins that may be notified; null: any. */
  readonly origins: readonly string[] | null;
};

/**
 * The issuer's 3DS method page of the sandbox. It posts the id to the notification URL of the method data; a silent one posts nothing.
 */
export function methodPage({ threeDSMethodData, isSilent, origins }: MethodCall): {
  readonly status: 200 | 400;
  readonly page: Page;
} {
  const data = decodeMethodData(threeDSMethodData ?? '');
  const url = data?.threeDSMethodNotificationURL ?? '';
  const id = data?.threeDSServerTransID;
  const isOk = id !== undefined && /^[0-9a-f-]{36}$/i.test(id) && isAllowed(url, origins);
  if (!isOk) return { status: 400, page: errorPage('en') };
  const title = labelsFor('en').moment;
  if (isSilent) return { status: 200, page: pageOf({ language: 'en', title, body: `<p>${title}</p>`, ancestors: ANY_ANCESTOR }) };
  const value = encodeMessage({ threeDSServerTransID: id });
  const body = sentForm({ url, parameters: [{ name: 'threeDSMethodData', value }] }, labelsFor('en').goOn);
  return {
    status: 200,
    page: pageOf({ language: 'en', title, body, script: sendScript, formTargets: [url], ancestors: ANY_ANCESTOR }),
  };
}

/** The empty page of the hidden frame after the notification. */
export const methodDonePage = (): Page => pageOf({ language: 'en', title: 'ok', body: '<p>ok</p>', ancestors: ANY_ANCESTOR });
