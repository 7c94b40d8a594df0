import { plainText } from './markdown.ts';

/** One part of a page as the search finds it: address, title of the page, heading, text. */
export type SearchEntry = readonly [address: string, page: string, heading: string, text: string];

const TEXT_MAX = 600;

/** The parts of a page in HTML: one for each heading with an anchor, and one for each row of a list with an anchor. */
export function searchEntries(path: string, title: string, html: string): readonly SearchEntry[] {
  const starts = [...html.matchAll(/<(h[1-3]|div) id="([^"]+)">/g)];
  return starts.map((start, at) => {
    const [opening, tag = '', id = ''] = start;
    const rest = html.slice(start.index + opening.length, starts[at + 1]?.index);
    const end = tag === 'div' ? rest.indexOf('</dt>') : rest.indexOf(`</${tag}>`);
    const heading = textOf(rest.slice(0, Math.max(end, 0)).replace(/<a class="anchor"[\s\S]*?<\/a>/, ''));
    const address = tag === 'h1' ? path : `${path}#${id}`;
    return [address, title, heading, textOf(rest.slice(Math.max(end, 0))).slice(0, TEXT_MAX)];
  });
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** HTML as words. */
const textOf = (html: string): string =>
  plainText(html.replace(/<[^>]+>/g, ' ').replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? ''))
    .replace(/\s+/g, ' ')
    .trim();
