import { policySource, shell, shown } from '../../spec/reference/parts.ts';
import { labelsFor, languageOf } from '../labels/challengeLabels.ts';
import type { Form } from '../shopper.ts';
import { pageStyles } from './styles.ts';

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
  /** Who may embed it in a frame; by default this server. An issuer's page may be embedded anywhere. */
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
