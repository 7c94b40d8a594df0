import { hash } from 'node:crypto';
import { type Need, type Row, ruleSentence, type Secrecy, type Section, secrecyOf } from '../row.ts';

/** A part of the page with an entry in its table of contents. */
export type Chapter = { readonly id: string; readonly title: string; readonly text: string };

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text that is shown as it is. */
export const shown = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

const needs: Readonly<Record<Need, string>> = { R: 'required', C: 'conditional', O: 'optional' };

const kept: Readonly<Record<Secrecy, string>> = {
  pan: 'Stored encrypted; shown as first six and last four digits.',
  account: 'Stored encrypted; shown as its last four characters.',
  hidden: 'Stored encrypted; never shown.',
  never: 'Never stored, never shown.',
};

export const code = (text: string, kind = ''): string => `<code${kind && ` class="${kind}"`}>${shown(text)}</code>`;

/** A block to copy: one click selects it all, and it can be scrolled with the keyboard. */
export const listing = (label: string, text: string): string =>
  `<pre class="id" tabindex="0" role="group" aria-label="${shown(label)}">${shown(text)}</pre>`;

/** Closed at first; the number says how much is inside, and of what to those who listen. */
export const details = (title: string, [count, things]: readonly [number, string], inner: string): string =>
  `<details><summary>${shown(title)}<span class="count">${count}<span class="heard"> ${things}</span></span></summary>` +
  `${inner}</details>`;

/** A term and its description. */
export const entry = (term: string, about: readonly string[], id?: string): string =>
  `<div${id === undefined ? '' : ` id="${shown(id)}"`}><dt>${term}</dt><dd>${about.filter(Boolean).join('')}</dd></div>`;

export const paragraph = (text: string, kind = ''): string => (text ? `<p${kind && ` class="${kind}"`}>${text}</p>` : '');

function parameter(name: string, { need, format, note, secret, lenient }: Row<unknown>, id: string | undefined): string {
  const term = `${code(name, 'id')} <span class="need ${need}">${needs[need]}</span>`;
  const marks = [
    secret ? `<span class="mark">${kept[secrecyOf(secret)]}</span>` : '',
    lenient ? '<span class="mark soft">Any printable text on a lenient channel.</span>' : '',
  ].join('');
  return entry(
    term,
    [paragraph(shown(format.label), 'format'), paragraph(shown(ruleSentence(format))), note ? paragraph(shown(note)) : '', marks],
    id,
  );
}

/** The rows of a section as a list of terms; two columns, or one on a narrow screen. */
export function rowList(rows: Section['rows'], idOf?: (name: string) => string): string {
  const items = Object.entries(rows).map(([name, row]) => parameter(name, row, idOf?.(name)));
  return `<dl>${items.join('')}</dl>`;
}

/** The frame of every page of the gateway: the same head for all, and no content from other servers. */
type Shell = {
  /** As browsers name it. */
  readonly language: string;
  readonly direction?: 'ltr' | 'rtl';
  readonly title: string;
  readonly style: string;
  /** Allows the style where the policy goes by nonces. */
  readonly nonce?: string;
  /** Of value to who searches; the others are a shopper's own. */
  readonly isPublic?: boolean;
  /** A field of a form is no page of its own. */
  readonly isBare?: boolean;
  /** More attributes of the root and of the body, each with a blank in front; more elements in the head. */
  readonly root?: string;
  readonly attributes?: string;
  readonly head?: string;
  readonly body: string;
};

/** A whole page. Its body stands as it is given; title and language are made safe here. */
export function shell({ language, direction, title, style, nonce, body, ...more }: Shell): string {
  const { isPublic = false, isBare = false, root = '', attributes = '', head = '' } = more;
  const [lang, dir] = [` lang="${shown(language)}"`, direction === undefined ? '' : ` dir="${direction}"`];
  const lines = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ...(isPublic ? [] : ['<meta name="robots" content="noindex">']),
    `<title>${shown(title)}</title>`,
    ...(isBare ? [] : ['<link rel="icon" href="data:,">']),
    ...(head === '' ? [] : [head]),
    `<style${nonce === undefined ? '' : ` nonce="${shown(nonce)}"`}>${style}</style>`,
  ];
  return `<!doctype html>
<html${lang}${dir}${root}>
<head>
${lines.join('\n')}
</head>
<body${attributes}>
${body}
</body>
</html>
`;
}

/** A style or script within a page, as its policy allows it. */
export const policySource = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

/** A lowered toll bar: a post and a bar across it. */
export const mark =
  '<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true">' +
  '<path d="M4 4.5V14M1.5 7.5h13"/></svg>';
