import { mark, shown } from '../spec/reference/parts.ts';
import type { Heading } from './markdown.ts';
import type { Group } from './pages.ts';

/** The frame of every page. Links within the site begin with `docs:/` until the site is served or written. */

export type SitePage = {
  /** Below the site, without an ending; empty: the first page. */
  readonly path: string;
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
};

export type SiteFrame = {
  readonly groups: readonly Group[];
  readonly titles: ReadonlyMap<string, string>;
  /** The names of the files that every page loads. */
  readonly style: string;
  readonly script: string;
  readonly search: string;
};

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='%230b5fff' " +
  "stroke-width='2' stroke-linecap='round'%3E%3Cpath d='M4 4.5V14M1.5 7.5h13'/%3E%3C/svg%3E";

export function layoutPage(page: SitePage, frame: SiteFrame): string {
  const { path, title, html, headings } = page;
  const name = path === '' ? 'Turnpike documentation' : `${title} · Turnpike`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${shown(name)}</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="docs:/assets/${frame.style}">
<script defer src="docs:/assets/${frame.script}" data-search="docs:/assets/${frame.search}"
 data-first="docs:/" data-pages="docs:/page"></script>
</head>
<body>
<a class="skip" href="#site-main">Skip to the content</a>
<header class="top">
<a class="brand" href="docs:/">${mark}Turnpike docs</a>
<a class="menu" href="#site-pages">All pages</a>
<div class="search" role="search" hidden>
<label class="heard" for="site-search">Search the documentation</label>
<input id="site-search" type="search" placeholder="Search" autocomplete="off" role="combobox" aria-expanded="false"
 aria-controls="site-found" aria-autocomplete="list"><kbd aria-hidden="true">/</kbd>
<ul id="site-found" role="listbox" aria-label="Search results" hidden></ul>
</div>
</header>
<div class="page">
<main id="site-main">
${html}
${neighboursOf(path, frame)}
</main>
<nav class="pages" id="site-pages" aria-label="All pages">${navigationOf(path, frame)}</nav>
${contentsOf(headings)}
</div>
</body>
</html>
`;
}

function navigationOf(current: string, { groups, titles }: SiteFrame): string {
  const parts = groups.map(({ title, pages }) => {
    const items = pages.map((page) => {
      const now = page === current ? ' aria-current="page"' : '';
      return `<li><a href="docs:/${page}"${now}>${shown(titles.get(page) ?? page)}</a></li>`;
    });
    return `<p>${shown(title)}</p><ul>${items.join('')}</ul>`;
  });
  return `<div class="groups">${parts.join('')}</div>`;
}

function contentsOf(headings: readonly Heading[]): string {
  const own = headings.filter(({ level }) => level === 2);
  if (own.length < 2) return '';
  const items = own.map(({ id, text }) => `<li><a href="#${id}">${shown(text)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`;
}

function neighboursOf(current: string, { groups, titles }: SiteFrame): string {
  const order = ['', ...groups.flatMap(({ pages }) => pages)];
  const at = order.indexOf(current);
  const link = (page: string | undefined, rel: 'prev' | 'next', word: string): string =>
    page === undefined
      ? ''
      : `<a rel="${rel}" href="docs:/${page}"><span>${word}</span>${shown(page === '' ? 'Start' : (titles.get(page) ?? page))}</a>`;
  return `<nav class="neighbours" aria-label="Previous and next page">${link(order[at - 1], 'prev', 'Previous')}${link(order[at + 1], 'next', 'Next')}</nav>`;
}
