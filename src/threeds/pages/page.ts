import { shown } from '../../spec/reference/parts.ts';
import { policySource, shell } from '../../spec/reference/shell.ts';
import { labelsFor, languageOf } from '../labels/challengeLabels.ts';
import type { Form } from '../shopper.ts';
import { pageStyles } from './styles.ts';

/** Anybody may show it in a frame. */
export const ANYBODY = '* null';

/** A page with the whole value of its Content-Security-Policy. It loads nothing from anywhere. */
export type Page = { readonly html: string; readonly policy: string };

type Parts = {
  readonly language: string;
  readonly title: string;
  readonly body: string;
  readonly windowSize?: string;
  readonly script?: string;
  /** Where its forms may go, besides this server. */
  readonly formTargets?: readonly string[];
  /** What it may show in a frame, besides this server. */
  readonly frameSources?: readonly string[];
  /** Goes there by itself after so many seconds. */
  readonly refresh?: { readonly seconds: number; readonly url: string };
  /** Who may show it in a frame; this server when nothing is said. The page of an issuer lives in one of anybody's. */
  readonly ancestors?: string;
};

/** The server of an address, as a policy names it; an address that is none allows nothing. */
const originsOf = (urls: readonly string[]): readonly string[] => [
  ...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)),
];

/** Whether a shopper may be sent there: an address of the web, on one of these servers; null: on any. */
export function isAllowed(url: string | null, origins: readonly string[] | null): boolean {
  if (url === null || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
  return origins === null || origins.includes(new URL(url).origin);
}

function policyOf({ script, formTargets = [], frameSources = [], ancestors = "'self'" }: Parts): string {
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

/** The frame of every page, in the shopper's language and direction. */
export function pageOf(parts: Parts): Page {
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

/** A form that a script sends, or a button where no script runs. */
export function sentForm({ url, parameters }: Form, button: string, more = ''): string {
  const fields = parameters.map(({ name, value }) => hidden(name, value)).join('');
  return `<form id="send" method="post" action="${shown(url)}"${more}>${fields}<button>${shown(button)}</button></form>`;
}
