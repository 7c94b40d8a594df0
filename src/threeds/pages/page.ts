import { policySource, shell, shown } from '../../spec/reference/parts.ts';
import { labelsFor, languageOf } from '../labels/challengeLabels.ts';
import type { Form } from '../shopper.ts';

/** Any page may embed it in a frame. */
export const ANY_ANCESTOR = '* null';

/** A page with its Content-Security-Policy. It loads no further resources. */
export type Page = { readonly html: string; readonly policy: string };

type PageParts = {
  readonly language: string;
  readonly title: string;
  readonly body: string;
  readonly windowSize?: string;
  readonly script?: string;
  /** Allowed form targets, besides this server. */
  readonly formTargets?: readonly string[];
  /** Allowed frame sources, besides this server. */
  readonly frameSources?: readonly string[];
  /** Redirects there after `seconds`. */
  readonly refresh?: { readonly seconds: number; readonly url: string };
  /** The origins that may embed it in a frame; by default this server. An issuer's page may be embedded anywhere. */
  readonly ancestors?: string;
};

/** Origins for a policy; an invalid URL allows nothing. */
const originsOf = (urls: readonly string[]): readonly string[] => [
  ...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)),
];

/** Whether a shopper may be sent there: an HTTP address of one of these origins; null: of any. */
export function isAllowed(url: string | null, origins: readonly string[] | null): boolean {
  if (url === null || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
  return origins === null || origins.includes(new URL(url).origin);
}

function policyOf({ script, formTargets = [], frameSources = [], ancestors = "'self'" }: PageParts): string {
  return [
    "default-src 'none'",
    `style-src ${policySource(pageStyles)}`,
    `script-src ${script === undefined ? "'none'" : policySource(script)}`,
    'img-src data:',
    `frame-src ${["'self'", ...originsOf(frameSources), ...(frameSources.length > 0 ? ['https:'] : [])].join(' ')}`,
    "base-uri 'none'",
    `form-action ${["'self'", ...originsOf(formTargets), ...(formTargets.length > 0 ? ['https:'] : [])].join(' ')}`,
    `frame-ancestors ${ancestors}`,
  ].join('; ');
}

/** Renders a page in the shopper's language and direction. */
export function pageOf(parts: PageParts): Page {
  const { language, title, body, windowSize, script, refresh } = parts;
  const { direction } = labelsFor(language);
  const html = shell({
    language: languageOf(language),
    direction,
    title,
    style: pageStyles,
    attributes: windowSize !== undefined && /^0[1-5]$/.test(windowSize) ? ` class="w${windowSize}"` : '',
    head: refresh ? `<meta http-equiv="refresh" content="${refresh.seconds};url=${shown(refresh.url)}">` : '',
    body: script === undefined ? body : `${body}\n<script>${script}</script>`,
  });
  return { html, policy: policyOf(parts) };
}

export const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${shown(name)}" value="${shown(value)}">`;

/** A form that a script submits, with a button for browsers without scripts. */
export function sentForm({ url, parameters }: Form, button: string, more = ''): string {
  const fields = parameters.map(({ name, value }) => hidden(name, value)).join('');
  return `<form id="send" method="post" action="${shown(url)}"${more}>${fields}<button>${shown(button)}</button></form>`;
}

/** The style sheet of the pages between shop and bank: small enough for a window of 250 pixels. */
export const pageStyles = `
:root { color-scheme: light dark; --ink: #14181f; --muted: #5b6472; --line: #e3e7ee; --ground: #fff; --raised: #f7f8fa;
  --accent: #0b5fff; --warn: #9a6700; --bad: #c62828; --onAccent: #fff;
  --edge: color-mix(in srgb, var(--muted) 70%, var(--ground));
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --muted: #98a2b3; --line: #2a303a; --ground: #0f1217;
  --raised: #171b22; --accent: #6ea3ff; --warn: #e2b34b; --bad: #ff7b72; --onAccent: #0f1217; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 400 15px/1.45 var(--sans);
  font-variant-numeric: tabular-nums; }
main { max-width: 480px; margin: 0 auto; padding: 16px; }
header { display: flex; align-items: center; gap: 8px; margin-bottom: 16px; font-weight: 700; }
header svg { width: 24px; height: 24px; color: var(--accent); flex: none; }
.badge { margin-inline-start: auto; padding: 0 8px; border: 1px solid currentColor; border-radius: 6px; color: var(--warn);
  font-size: 13px; font-weight: 550; }
h1 { font-size: 20px; line-height: 1.2; margin: 0 0 12px; text-wrap: balance; }
h2 { font-size: 17px; line-height: 1.2; margin: 0 0 8px; }
p { margin: 8px 0; }
dl { margin: 0 0 16px; padding: 8px 12px; background: var(--raised); border-radius: 10px; }
dl div { display: flex; justify-content: space-between; gap: 12px; padding: 4px 0; }
dt { color: var(--muted); }
dd { margin: 0; text-align: end; overflow-wrap: anywhere; font-weight: 550; }
.code { font: 700 20px/1.2 var(--mono); letter-spacing: 2px; user-select: all; direction: ltr; unicode-bidi: isolate; }
.note { padding: 8px 12px; border-inline-start: 4px solid var(--accent); background: var(--raised); }
.wrong { border-color: var(--bad); color: var(--bad); font-weight: 550; }
label { display: block; margin: 12px 0 6px; font-weight: 550; }
input { width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid var(--edge); border-radius: 6px;
  background: var(--ground); color: var(--ink); font: 400 17px/1.45 var(--mono); letter-spacing: 2px; direction: ltr; }
input[aria-invalid=true] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
button { width: 100%; min-height: 44px; margin-top: 12px; padding: 8px 16px; border: 1px solid var(--accent); border-radius: 6px;
  cursor: pointer; background: var(--accent); color: var(--onAccent); font: 550 16px/1.45 var(--sans); }
button.quiet { background: transparent; color: var(--accent); border-color: var(--edge); }
button.bare { background: transparent; color: var(--muted); border-color: transparent; text-decoration: underline;
  text-underline-offset: 3px; }
.panel { padding: 12px; border: 1px solid var(--edge); border-radius: 10px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.w01, .w02, .w04 { line-height: 1.3; }
.w01 main, .w02 main, .w04 main { padding: 4px 12px; }
.w01 label, .w02 label, .w04 label { margin: 4px 0; }
.w01 .panel, .w02 .panel, .w04 .panel { padding: 8px; }
.w01 .pair, .w02 .pair, .w04 .pair { display: flex; flex-wrap: wrap; gap: 0 8px; }
.w01 .pair button, .w02 .pair button, .w04 .pair button { flex: 1 1 0; padding: 4px 8px; font-size: 15px; line-height: 1.2; }
.w01 h1, .w02 h1, .w04 h1 { font-size: 17px; margin-bottom: 6px; }
.w01 header, .w02 header, .w04 header { margin-bottom: 6px; }
.w01 dl, .w02 dl, .w04 dl { margin-bottom: 8px; padding: 4px 8px; }
.w01 dl div, .w02 dl div, .w04 dl div { padding: 0; }
.w01 p, .w02 p, .w04 p { margin: 6px 0; }
.w01 button, .w02 button, .w04 button { margin-top: 8px; }
.w01 { font-size: 14px; line-height: 1.25; }
.w01 main { padding: 2px 8px; }
.w01 header svg { width: 18px; height: 18px; }
.w01 header, .w01 h1 { margin-bottom: 4px; }
.w01 h1, .w01 .code { font-size: 16px; }
.w01 p { margin: 4px 0; }
.w01 dl { margin-bottom: 4px; padding: 2px 6px; }
.w01 label { margin: 2px 0; }
.w01 button { margin-top: 6px; line-height: 1.2; }
.w01 .pair button { font-size: 14px; }
iframe.window { display: block; margin: 0 auto; border: 0; max-width: 100%; background: var(--ground); }
a.button { display: block; min-height: 44px; margin-top: 12px; padding: 9px 16px; border: 1px solid var(--edge); border-radius: 6px;
  color: var(--accent); font: 550 16px/1.45 var(--sans); text-align: center; text-decoration: none; }
.busy { height: 4px; margin: 16px 0; border-radius: 2px; overflow: hidden; background: var(--line); }
.busy::after { content: ""; display: block; width: 40%; height: 100%; background: var(--accent);
  animation: busy 1.4s ease-in-out infinite; }
@keyframes busy { from { transform: translateX(-100%); } to { transform: translateX(250%); } }
@media (prefers-reduced-motion: reduce) { .busy::after { width: 100%; opacity: .5; animation: none; } }
main.step { max-width: 532px; }
main.step iframe { max-width: 100%; border: 0; }
@media (max-width: 421px) { main.step #place { margin-inline: -16px; } }
[hidden] { display: none !important; }
iframe.hidden { position: absolute; width: 1px; height: 1px; border: 0; clip-path: inset(50%); }
`;

/** Sends the one form of a page on its way; without a script the shopper presses its button. */
export const sendScript = `document.getElementById('send').submit();`;
