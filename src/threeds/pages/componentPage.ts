import { mark, policySource, shell, shown } from '../../spec/reference/parts.ts';
import { labelsFor, languageOf } from '../labels/challengeLabels.ts';
import { hidden, type Page, pageStyles } from './page.ts';

type File = { readonly url: string; readonly integrity: string | null };

type ComponentHost = {
  readonly component: {
    readonly script: File;
    readonly style: File | null;
    readonly origins: readonly string[];
    readonly begin: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
  readonly token: string;
  readonly wasRefused: boolean;
  /** Where the page is, and where its form goes. */
  readonly path: string;
  /** Where the shopper goes without a result; null: nowhere. */
  readonly backUrl: string | null;
  /** A shop's page contains it: the way back stays in the frame. */
  readonly isInFrame: boolean;
  readonly language: string;
  readonly ancestors?: string;
};

/** After so long without anything to see, the page offers the ways out as well. */
const QUIET_MS = 30_000;

/**
 * Loads the script and lets it begin. Its first result is sent; later ones are not. An error, or a script that does not arrive, shows the
 * ways out. A page that comes back from the browser's memory is loaded anew: its step may be over.
 */
const scriptWith = (begin: string): string => `
const begin = ${begin};
const part = (id) => document.getElementById(id);
const { component, refused } = document.querySelector('main').dataset;
const { script, data } = JSON.parse(component);
let isSent = false;
const show = (name) => {
  part('progress').hidden = name !== 'progress';
  part('failed').hidden = name !== 'failed';
  part('place').hidden = name === 'failed';
};
const fail = () => {
  if (isSent || !part('failed').hidden) return;
  show('failed');
  part('retry').focus();
};
const send = (result) => {
  if (isSent) return;
  if (typeof result !== 'string') return fail();
  isSent = true;
  show('progress');
  part('place').hidden = true;
  part('send').elements.result.value = result;
  part('send').submit();
};
const offer = () => {
  if (!isSent && part('place').offsetHeight < 100) part('failed').hidden = false;
};
const start = () => {
  show('progress');
  AbortSignal.timeout(${QUIET_MS}).addEventListener('abort', offer);
  new ResizeObserver(() => {
    if (!isSent && part('failed').hidden) part('progress').hidden = part('place').offsetHeight >= 100;
  }).observe(part('place'));
  const loaded = Object.assign(document.createElement('script'), { crossOrigin: 'anonymous', src: script.url });
  if (script.integrity) loaded.integrity = script.integrity;
  loaded.onerror = fail;
  loaded.onload = () => {
    try {
      Promise.resolve(begin(data, part('place'), send, fail)).catch(fail);
    } catch {
      fail();
    }
  };
  document.head.append(loaded);
};
let isFresh = refused === 'yes';
part('retry').addEventListener('click', () => {
  if (!isFresh) return location.reload();
  isFresh = false;
  start();
});
addEventListener('pageshow', (event) => event.persisted && location.reload());
if (isFresh) show('failed');
else start();
`;

const linked = ({ url, integrity }: File): string =>
  `<link rel="stylesheet" href="${shown(url)}" crossorigin="anonymous"${integrity === null ? '' : ` integrity="${shown(integrity)}"`}>`;

/**
 * The page on which a script of the acquirer works. The policy names the files that it loads and the servers that it asks; the frames of
 * issuers have no addresses that could be listed, and the forms into those frames neither.
 */
export function componentHostPage(host: ComponentHost): Page {
  const { component, token, wasRefused, path, backUrl, isInFrame, language, ancestors = "'self'" } = host;
  const { script, style, origins, begin, data } = component;
  const labels = labelsFor(language);
  const back =
    backUrl === null
      ? ''
      : `<a class="button" href="${shown(backUrl)}" target="${isInFrame ? '_self' : '_top'}" rel="noreferrer">${shown(labels.back)}</a>`;
  const code = scriptWith(begin);
  const body = `<main class="step" data-component="${shown(JSON.stringify({ script, data }))}" data-refused="${wasRefused ? 'yes' : 'no'}">
<header>${mark}<span>Turnpike</span></header>
<div id="progress" role="status" hidden><h1>${shown(labels.moment)}</h1><div class="busy" aria-hidden="true"></div></div>
<div id="place"></div>
<section id="failed" role="alert" hidden><h1>${shown(labels.failed)}</h1><p>${shown(labels.failedHelp)}</p>
<button id="retry" type="button">${shown(labels.retry)}</button>${back}</section>
<noscript><h1>${shown(labels.title)}</h1><p>${shown(labels.needsScript)}</p>${back}</noscript>
<form id="send" method="post" action="${shown(path)}" hidden>${hidden('step', token)}${hidden('result', '')}</form>
</main>
<script>${code}</script>`;
  const html = shell({
    language: languageOf(language),
    direction: labels.direction,
    title: labels.title,
    style: pageStyles,
    head: style === null ? '' : linked(style),
    body,
  });
  const asked = origins.join(' ');
  const policy = [
    "default-src 'none'",
    `script-src ${policySource(code)} ${script.url}`,
    `style-src ${policySource(pageStyles)}${style === null ? '' : ` ${style.url}`}`,
    `connect-src ${asked}`,
    `img-src data: ${asked}`,
    `frame-src https: ${asked}`,
    "base-uri 'none'",
    `form-action 'self' https: ${asked}`,
    `frame-ancestors ${ancestors}`,
  ].join('; ');
  return { html, policy };
}
