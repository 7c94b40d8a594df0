import { shown } from '../../spec/reference/parts.ts';
import { labelsFor } from '../labels/challengeLabels.ts';
import { bankHeader, type ChallengeView, summary, titleOf } from './issuer.ts';
import { ANY_ANCESTOR, hidden, type Page, pageOf } from './page.ts';

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
