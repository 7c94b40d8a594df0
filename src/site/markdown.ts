import { shown } from '../spec/reference/parts.ts';

/**
 * The part of Markdown that the pages in `docs/` use: headings, paragraphs, lists, tables, fenced code, quotes, and inline code, emphasis
 * and links. HTML in a page is shown as text, so a page can bring no script.
 */

export type Heading = { readonly level: number; readonly id: string; readonly text: string };

export type Rendered = {
  readonly html: string;
  /** The text of the first heading of level 1. */
  readonly title: string;
  readonly headings: readonly Heading[];
};

export type RenderOptions = {
  /** Where a link leads; null: its text stands without a link. */
  readonly link: (target: string) => string | null;
  /** What replaces the lines between `<!-- name -->` and `<!-- /name -->`; null: they stay. */
  readonly part: (name: string) => string | null;
};

/** The anchor that GitHub gives to a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Markdown without its marks, for titles and the search. */
export const plainText = (text: string): string =>
  text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`([^`]*)`/g, '$1')
    .replace(/\*\*?([^*]+)\*\*?/g, '$1')
    .replace(/\\([|*_`])/g, '$1')
    .trim();

type Reader = {
  readonly lines: readonly string[];
  at: number;
  readonly options: RenderOptions;
  readonly headings: Heading[];
  readonly ids: Set<string>;
};

export function renderMarkdown(text: string, options: RenderOptions): Rendered {
  const headings: Heading[] = [];
  const html = renderBlocks({ lines: text.split('\n'), at: 0, options, headings, ids: new Set() });
  return { html, headings, title: headings.find(({ level }) => level === 1)?.text ?? '' };
}

const FENCE = /^(\s*)```(\w*)\s*$/;
const MARK = /^<!-- ([\w -]+) -->$/;
const ITEM = /^(\s*)([-*]|\d+\.) +(.*)$/;
const isTableRule = (line: string): boolean => /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/.test(line) && line.includes('-');
const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

function renderBlocks(reader: Reader): string {
  const parts: string[] = [];
  while (reader.at < reader.lines.length) {
    const html = renderBlock(reader);
    if (html !== '') parts.push(html);
  }
  return parts.join('\n');
}

function renderBlock(reader: Reader): string {
  const line = reader.lines[reader.at] ?? '';
  if (isBlank(line)) {
    reader.at += 1;
    return '';
  }
  if (MARK.test(line) || line.startsWith('<!-- /')) return renderMark(reader, line);
  if (FENCE.test(line)) return renderFence(reader);
  if (/^#{1,6} /.test(line)) return renderHeading(reader, line);
  if (line.startsWith('>')) return renderQuote(reader);
  if (ITEM.test(line)) return renderList(reader);
  if (line.startsWith('|') && isTableRule(reader.lines[reader.at + 1] ?? '')) return renderTable(reader);
  return renderParagraph(reader);
}

/** A marked part is replaced, or read on as if the mark were not there. */
function renderMark(reader: Reader, line: string): string {
  reader.at += 1;
  const name = MARK.exec(line)?.[1] ?? '';
  const replacement = name === '' ? null : reader.options.part(name);
  if (replacement === null) return '';
  const end = reader.lines.indexOf(`<!-- /${name} -->`, reader.at);
  if (end < 0) throw new Error(`the mark <!-- ${name} --> has no end`);
  reader.at = end + 1;
  return replacement;
}

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

function renderFence(reader: Reader): string {
  const [, indent = '', language = ''] = FENCE.exec(reader.lines[reader.at] ?? '') ?? [];
  const start = reader.at + 1;
  let end = start;
  while (end < reader.lines.length && reader.lines[end]?.trim() !== '```') end += 1;
  reader.at = end + 1;
  const lines = reader.lines.slice(start, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  return codeBlock(lines.join('\n'), language);
}

function renderHeading(reader: Reader, line: string): string {
  reader.at += 1;
  const [, marks = '', text = ''] = /^(#+) (.*)$/.exec(line) ?? [];
  const anchor = anchorOf(text);
  let id = anchor;
  for (let count = 1; reader.ids.has(id); count += 1) id = `${anchor}-${count}`;
  reader.ids.add(id);
  const level = marks.length;
  reader.headings.push({ level, id, text: plainText(text) });
  const link = level === 1 ? '' : `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
  return `<h${level} id="${id}">${renderInline(text, reader.options)}${link}</h${level}>`;
}

function renderQuote(reader: Reader): string {
  const inner: string[] = [];
  while (reader.lines[reader.at]?.startsWith('>')) {
    inner.push((reader.lines[reader.at] ?? '').replace(/^> ?/, ''));
    reader.at += 1;
  }
  return `<blockquote>${renderBlocks({ ...reader, lines: inner, at: 0 })}</blockquote>`;
}

/** A list with whatever its items contain: text, further lists, code. */
function renderList(reader: Reader): string {
  const [, indent = '', mark = ''] = ITEM.exec(reader.lines[reader.at] ?? '') ?? [];
  const isOrdered = /\d/.test(mark);
  const items: string[] = [];
  const first = Number.parseInt(mark, 10);
  while (reader.at < reader.lines.length) {
    const found = ITEM.exec(reader.lines[reader.at] ?? '');
    if (!found || found[1] !== indent || /\d/.test(found[2] ?? '') !== isOrdered) break;
    items.push(renderItem(reader, indent.length, found[3] ?? ''));
  }
  const start = isOrdered && first !== 1 ? ` start="${first}"` : '';
  const tag = isOrdered ? 'ol' : 'ul';
  return `<${tag}${start}>${items.join('')}</${tag}>`;
}

function renderItem(reader: Reader, indent: number, first: string): string {
  const lines = [first];
  reader.at += 1;
  let isCode = false;
  for (; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at] ?? '';
    const inner = line.search(/\S/);
    if (FENCE.test(line)) isCode = !isCode;
    if (!isCode && isBlank(line)) {
      const next = reader.lines[reader.at + 1] ?? '';
      if (isBlank(next) || next.search(/\S/) <= indent) break;
    } else if (inner >= 0 && inner <= indent) break;
    lines.push(line);
  }
  if (isBlank(reader.lines[reader.at]) && ITEM.test(reader.lines[reader.at + 1] ?? '')) reader.at += 1;
  const margin = Math.min(...lines.slice(1).flatMap((line) => (isBlank(line) ? [] : [line.search(/\S/)])));
  const own = lines.map((line, at) => (at === 0 || !Number.isFinite(margin) ? line : line.slice(margin)));
  const html = renderBlocks({ ...reader, lines: own, at: 0 });
  // A single paragraph needs no tag of its own.
  const alone = /^<p>((?:(?!<p>)[\s\S])*)<\/p>$/.exec(html)?.[1];
  return `<li>${alone ?? html.replace(/^<p>([\s\S]*?)<\/p>/, '$1')}</li>`;
}

/** The cells of a row. A bar after a backslash, or within inline code, is a character. */
export function cellsOf(line: string): readonly string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function renderTable(reader: Reader): string {
  const header = cellsOf(reader.lines[reader.at] ?? '');
  reader.at += 2;
  const rows: (readonly string[])[] = [];
  for (; reader.lines[reader.at]?.startsWith('|'); reader.at += 1) rows.push(cellsOf(reader.lines[reader.at] ?? ''));
  const cell = (text: string) => renderInline(text, reader.options);
  const head = header.map((text) => (text === '' ? '<td></td>' : `<th scope="col">${cell(text)}</th>`)).join('');
  const body = rows.map((row) => `<tr>${header.map((_, at) => `<td>${cell(row[at] ?? '')}</td>`).join('')}</tr>`);
  return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

function renderParagraph(reader: Reader): string {
  const lines: string[] = [];
  while (!isBlank(reader.lines[reader.at])) {
    const line = reader.lines[reader.at] ?? '';
    if (
      lines.length > 0 &&
      (FENCE.test(line) || ITEM.test(line) || MARK.test(line) || line.startsWith('|') || /^#{1,6} /.test(line))
    )
      break;
    lines.push(line.trim());
    reader.at += 1;
  }
  const html = renderInline(lines.join('\n'), reader.options);
  return html === '' ? '' : `<p>${html}</p>`;
}

const INLINE =
  /(?<code>`+)(?<text>.+?)\k<code>|!\[(?<alt>[^\]]*)\]\([^)]*\)|\[(?<label>(?:`[^`]*`|[^\]])+)\]\((?<target>[^)\s]+)\)|\*\*(?<strong>.+?)\*\*|(?<![\w*])\*(?<em>[^*\s](?:[^*]*[^*\s])?)\*(?!\w)|(?<url>https?:\/\/[^\s)<>"'`]+[\w/])/gs;

/** Inline marks. Pictures are left out: the site brings none. */
export function renderInline(text: string, options: RenderOptions): string {
  let html = '';
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    html += shown(text.slice(from, match.index)).replace(/\\([|*_`\\])/g, '$1');
    html += renderSpan(match.groups ?? {}, options);
    from = match.index + match[0].length;
  }
  return html + shown(text.slice(from)).replace(/\\([|*_`\\])/g, '$1');
}

function renderSpan(span: Readonly<Record<string, string | undefined>>, options: RenderOptions): string {
  if (span.code !== undefined) return `<code>${shown((span.text ?? '').replace(/^ (.+) $/, '$1'))}</code>`;
  if (span.alt !== undefined) return '';
  if (span.label !== undefined) return renderLink(span.label, span.target ?? '', options);
  if (span.strong !== undefined) return `<strong>${renderInline(span.strong, options)}</strong>`;
  if (span.em !== undefined) return `<em>${renderInline(span.em, options)}</em>`;
  const [url = '', address = options.link(url)] = [span.url];
  return address === null ? shown(url) : `<a href="${shown(address)}">${shown(url)}</a>`;
}

function renderLink(label: string, target: string, options: RenderOptions): string {
  const address = options.link(target);
  const inner = renderInline(label, { ...options, link: () => null });
  return address === null ? inner : `<a href="${shown(address)}">${inner}</a>`;
}
