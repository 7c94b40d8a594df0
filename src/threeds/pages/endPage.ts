import { shown } from '../../spec/reference/parts.ts';
import { labelsFor } from '../labels/challengeLabels.ts';
import type { Form } from '../shopper.ts';
import { bankHeader } from './issuer.ts';
import { ANYBODY, type Page, pageOf, sentForm } from './page.ts';
import { sendScript } from './styles.ts';

type Ended = { readonly language: string; readonly form: Form | null; readonly isYes: boolean };

/** The end of a challenge: back to the shop with the challenge response, or nowhere where nobody waits. */
export function endPage({ language, form, isYes }: Ended): Page {
  const labels = labelsFor(language);
  const says = form === null ? labels.close : isYes ? labels.doneYes : labels.doneNo;
  const body = `<main>${bankHeader(labels)}
<p role="status">${shown(says)}</p>
${form === null ? '' : sentForm(form, labels.back)}</main>`;
  const sending = form === null ? {} : { script: sendScript, formTargets: [form.url] };
  return pageOf({ language, title: labels.bank, body, ancestors: ANYBODY, ...sending });
}

/** Something that is no request of a challenge, or is none any more. */
export function errorPage(language: string): Page {
  const labels = labelsFor(language);
  const body = `<main>${bankHeader(labels)}
<h1>${shown(labels.broken)}</h1>
<p>${shown(labels.brokenHelp)}</p></main>`;
  return pageOf({ language, title: labels.broken, body, ancestors: ANYBODY });
}
