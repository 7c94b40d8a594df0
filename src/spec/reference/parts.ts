import { type Need, type Row, ruleSentence, type Secrecy, type Section, secrecyOf } from '../row.ts';

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

/** One thing and what is to be said about it. */
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
