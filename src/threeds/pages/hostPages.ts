import { mark, shown } from '../../spec/reference/parts.ts';
import { type Labels, labelsFor } from '../labels/challengeLabels.ts';
import { type Form, windowSizes } from '../shopper.ts';
import { ANY_ANCESTOR, hidden, type Page, pageOf, sendScript, sentForm } from './page.ts';

/** The gateway's pages between the shop and the issuer. */

const header = `<header>${mark}<span>Turnpike</span></header>`;

/** A live region for screen readers around the heading: one element cannot be both. */
const moment = ({ moment: text }: Labels): string => `<div role="status"><h1>${shown(text)}</h1></div>`;

/**
 * The method is complete when the frame has returned to our own origin. Reading the address of a frame of another origin throws.
 */
const methodScript = `
const frame = document.getElementById('frame');
frame.addEventListener('load', () => {
  try {
    if (frame.contentWindow.location.href.startsWith(frame.dataset.done)) document.getElementById('go').submit();
  } catch {}
});
document.getElementById('send').submit();
`;

type MethodHost = {
  readonly form: Form;
  /** The last address of the hidden frame: the method notification. */
  readonly doneUrl: string;
  readonly continueUrl: string;
  readonly language: string;
  readonly seconds: number;
  readonly ancestors?: string;
};

/** Contains the hidden frame of the 3DS method, and continues when it has completed or timed out. */
export function methodHostPage({ form, doneUrl, continueUrl, language, seconds, ancestors }: MethodHost): Page {
  const labels = labelsFor(language);
  const body = `<main>${header}
${moment(labels)}
<iframe id="frame" class="hidden" name="frame" title="3D Secure" tabindex="-1" aria-hidden="true"
 data-done="${shown(doneUrl)}"></iframe>
<div hidden>${sentForm(form, labels.goOn, ' target="frame"')}</div>
<form id="go" method="get" action="${shown(continueUrl)}">${queryFields(continueUrl)}
<button class="quiet">${shown(labels.goOn)}</button></form>
</main>`;
  return pageOf({
    language,
    title: labels.moment,
    body,
    script: methodScript,
    formTargets: [form.url],
    frameSources: [form.url],
    refresh: { seconds, url: continueUrl },
    ...(ancestors !== undefined && { ancestors }),
  });
}

/** A GET form drops the query of its action: it is sent as fields. */
function queryFields(url: string): string {
  const [, query = ''] = (url.split('#')[0] ?? '').split(/\?(.*)/s);
  return [...new URLSearchParams(query)].map(([name, value]) => hidden(name, value)).join('');
}

/** Fills the form with what only a script knows of the browser. Without scripts the shopper presses the button. */
const browserScript = `
const form = document.getElementById('send');
const known = {
  language: navigator.language,
  screenHeight: screen.height,
  screenWidth: screen.width,
  screenColorDepth: screen.colorDepth,
  timezone: new Date(performance.timeOrigin).getTimezoneOffset(),
  javaEnabled: typeof navigator.javaEnabled === 'function' && navigator.javaEnabled(),
};
for (const [name, value] of Object.entries(known)) form.elements[name].value = value;
form.submit();
`;

const browserFields = ['language', 'screenHeight', 'screenWidth', 'screenColorDepth', 'timezone', 'javaEnabled'] as const;

/** Collects the browser data that the merchant has not sent. */
export function browserHostPage({ url, language, ancestors }: BrowserHost): Page {
  const labels = labelsFor(language);
  const form = sentForm({ url, parameters: browserFields.map((name) => ({ name, value: '' })) }, labels.goOn);
  return pageOf({
    language,
    title: labels.moment,
    body: `<main>${header}${moment(labels)}${form}</main>`,
    script: browserScript,
    formTargets: [url],
    ...(ancestors !== undefined && { ancestors }),
  });
}

type BrowserHost = { readonly url: string; readonly language: string; readonly ancestors?: string };

type ChallengeHost = {
  readonly form: Form;
  readonly windowSize: string;
  readonly language: string;
  readonly ancestors?: string;
};

/** Sends the shopper to the issuer: in a frame of the agreed size, or with the whole page. */
export function challengeHostPage({ form, windowSize, language, ancestors }: ChallengeHost): Page {
  const labels = labelsFor(language);
  const size = windowSizes[windowSize] ?? null;
  const sent = {
    language,
    title: labels.title,
    script: sendScript,
    formTargets: [form.url],
    ...(ancestors !== undefined && { ancestors }),
  };
  if (size === null) {
    const body = `<main>${header}${moment(labels)}${sentForm(form, labels.goOn)}</main>`;
    return pageOf({ ...sent, body });
  }
  const frame =
    `<iframe class="window" name="challenge" title="${shown(labels.title)}" ` +
    `width="${size.width}" height="${size.height}"></iframe>`;
  const sentInto = sentForm(form, labels.goOn, ' target="challenge"');
  const body = `${frame}<noscript><main>${sentInto.replace(' id="send"', '')}</main></noscript>
<div hidden>${sentInto}</div>`;
  return pageOf({ ...sent, body, frameSources: [form.url] });
}

type Return = {
  readonly continueUrl: string;
  readonly language: string;
  /** The browsing context to continue in: the tab, or the frame around the issuer's when a shop's page contains it. */
  readonly target?: '_top' | '_parent' | '_self';
};

/** After the return: leaves the frame and continues to the shop. */
export function returnPage({ continueUrl, language, target = '_top' }: Return): Page {
  const labels = labelsFor(language);
  const body = `<main>${header}${moment(labels)}
<form id="send" method="get" target="${target}" action="${shown(continueUrl)}">${queryFields(continueUrl)}
<button>${shown(labels.back)}</button></form></main>`;
  return pageOf({
    language,
    title: labels.moment,
    body,
    script: sendScript,
    formTargets: [continueUrl],
    ancestors: ANY_ANCESTOR,
  });
}
