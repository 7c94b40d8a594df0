import { shown } from '../../spec/reference/parts.ts';
import { labelsFor } from '../labels/challengeLabels.ts';
import { bankHeader, type ChallengeView, summary, titleOf } from './issuer.ts';
import { ANY_ANCESTOR, hidden, type Page, pageOf } from './page.ts';

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
