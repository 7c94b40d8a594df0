import { shown } from '../../spec/reference/parts.ts';
import { labelsFor } from '../labels/challengeLabels.ts';
import type { Form } from '../shopper.ts';
import { bankHeader } from './issuer.ts';
import { ANY_ANCESTOR, type Page, pageOf, sentForm } from './page.ts';
import { sendScript } from './styles.ts';

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
