import { Marked, type RendererObject, type TokenizerAndRendererExtension, type TokenizerObject } from 'marked';
import { shown } from '../spec/reference/parts.ts';

/** Renders the pages in `docs/`. HTML in a page is shown as text, so a page can bring no script. */

export type Heading = { readonly level: number; readonly id: string; readonly text: string };

export type Rendered = {
  readonly html: string;
  /** The text of the first heading of level 1. */
  readonly title: string;
  readonly headings: readonly Heading[];
};

export type RenderOptions = {
  /** The address of a link; null: the text stands without a link. */
  readonly link: (target: string) => string | null;
  /** Replaces the lines between `<!-- name -->` and `<!-- /name -->`; null: they stay. */
  readonly part: (name: string) => string | null;
};

export function renderMarkdown(text: string, options: RenderOptions): Rendered {
  const headings: Heading[] = [];
  const marked = new Marked({ tokenizer: withoutHtml, renderer: rendererFor(options, headings), extensions: [partsOf(options)] });
  const html = marked.parse(text, { async: false }).trimEnd();
  return { html, headings, title: headings.find(({ level }) => level === 1)?.text ?? '' };
}

/** Markdown without its marks, for titles and the search. */
export const plainText = (text: string): string =>
  text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`([^`]*)`/g, '$1')
    .replace(/\*\*?([^*]+)\*\*?/g, '$1')
    .replace(/\\([|*_`])/g, '$1')
    .trim();

/** A block of code; the site's script adds the button that copies it. */
export const codeBlock = (text: string, language: string): string =>
  `<div class="code"><pre tabindex="0" role="group" aria-label="${shown(languageLabel(language))}"><code>${shown(text)}</code></pre></div>`;

const languageLabels: Readonly<Record<string, string>> = {
  sh: 'Commands',
  bash: 'Commands',
  json: 'JSON',
  js: 'JavaScript',
  html: 'HTML',
};
const languageLabel = (language: string): string => languageLabels[language] ?? (language === '' ? 'Text' : language);

/** HTML and `~` are ordinary text. */
const withoutHtml: TokenizerObject = { html: () => undefined, tag: () => undefined, del: () => undefined };

/** The anchor that GitHub gives to a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** A name that no earlier heading of the page has. */
function freshId(anchor: string, headings: readonly Heading[]): string {
  let id = anchor;
  for (let count = 1; headings.some((heading) => heading.id === id); count += 1) id = `${anchor}-${count}`;
  return id;
}

/** The HTML of the site. Pictures are left out, because the site brings none. */
const rendererFor = ({ link }: RenderOptions, headings: Heading[]): RendererObject => ({
  heading({ depth, text, tokens }) {
    const id = freshId(anchorOf(text), headings);
    headings.push({ level: depth, id, text: plainText(text) });
    const anchor = depth === 1 ? '' : `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
    return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${anchor}</h${depth}>\n`;
  },
  paragraph({ tokens }) {
    const html = this.parser.parseInline(tokens);
    return html === '' ? '' : `<p>${html}</p>\n`;
  },
  code: ({ text, lang = '' }) => `${codeBlock(text, lang)}\n`,
  list({ ordered, start, items }) {
    const tag = ordered ? 'ol' : 'ul';
    const first = ordered && start !== 1 ? ` start="${start}"` : '';
    return `<${tag}${first}>${items.map((item) => this.listitem(item)).join('')}</${tag}>\n`;
  },
  listitem({ tokens }) {
    return `<li>${this.parser.parse(tokens).trim()}</li>`;
  },
  table({ header, rows }) {
    const inner = ({ tokens }: (typeof header)[number]) => this.parser.parseInline(tokens);
    const head = header.map((cell) => (cell.text === '' ? '<td></td>' : `<th scope="col">${inner(cell)}</th>`)).join('');
    const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${inner(cell)}</td>`).join('')}</tr>`).join('\n');
    return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>\n`;
  },
  image: () => '',
  link({ href, tokens }) {
    const address = link(href);
    const inner = this.parser.parseInline(tokens);
    return address === null ? inner : `<a href="${shown(address)}">${inner}</a>`;
  },
});

/** Parts between two comments are replaced by what the site has for them; other comments are left out. */
const partsOf = ({ part }: RenderOptions): TokenizerAndRendererExtension => ({
  name: 'part',
  level: 'block',
  start: (text) => /^<!-- /m.exec(text)?.index,
  tokenizer(text) {
    const [comment, name = ''] = /^<!-- (\/?[\w -]+) -->(?:\n|$)/.exec(text) ?? [];
    if (comment === undefined) return undefined;
    const html = part(name);
    if (html === null) return { type: 'part', raw: comment, html: '' };
    const end = `\n<!-- /${name} -->`;
    const at = text.indexOf(end);
    if (at < 0) throw new Error(`the comment <!-- ${name} --> has no end`);
    return { type: 'part', raw: text.slice(0, at + end.length), html };
  },
  renderer: ({ html }) => `${html}\n`,
});
