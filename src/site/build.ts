import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { sandbox } from '../merchants/sandbox.ts';
import { testCards } from '../spec/cards/testCards.ts';
import { referenceBody } from '../spec/reference/page.ts';
import { shown } from '../spec/reference/parts.ts';
import { BASE, CONSOLE_END, CONSOLE_START, type Site, type SiteFile } from './finish.ts';
import { layoutPage, type SiteFrame, type SitePage } from './layout.ts';
import { codeBlock, plainText, type Rendered, renderMarkdown } from './markdown.ts';
import { groupsOf } from './pages.ts';
import { siteScript } from './script.ts';
import { guides } from './snippets/guides.ts';
import { languages } from './snippets/languages.ts';
import { siteStyles } from './styles.ts';

/** Makes the documentation site from the pages in `docs/`, the tables of the API, and the requests of the guides. */

const root = join(import.meta.dirname, '..', '..');
/** Where files lead that are not part of the site: the text stands without a link. */
const docs = join(root, 'docs');

const HTML = 'text/html; charset=utf-8';
const nameOf = (stem: string, ending: string, text: string): string => `${stem}-${hash('sha256', text).slice(0, 16)}.${ending}`;

export function buildSite(): Site {
  const sources = new Map(
    globSync('**/*.md', { cwd: docs }).map((file) => [
      file.replaceAll('\\', '/').replace(/\.md$/, ''),
      readFileSync(join(docs, file), 'utf8'),
    ]),
  );
  const existing = new Set([...sources.keys(), 'reference', 'console']);
  const pages = [...sources].map(([path, text]) => pageOf(path, text, existing));
  const made = [...pages, referencePage(), consolePage()];
  const titles = new Map(made.map(({ path, title }) => [path, title]));
  const groups = groupsOf(existing);
  const all = [firstPage(groups, titles), ...made];
  const index = JSON.stringify(all.flatMap(({ path, title, html }) => searchEntries(path, title, html)));
  const frame: SiteFrame = {
    groups,
    titles,
    style: nameOf('site', 'css', siteStyles),
    script: nameOf('site', 'js', siteScript),
    search: nameOf('search', 'json', index),
  };
  const files: [string, SiteFile][] = [
    ...all.map((page): [string, SiteFile] => [page.path, { type: HTML, text: layoutPage(page, frame) }]),
    [`assets/${frame.style}`, { type: 'text/css; charset=utf-8', text: siteStyles }],
    [`assets/${frame.script}`, { type: 'text/javascript; charset=utf-8', text: siteScript }],
    [`assets/${frame.search}`, { type: 'application/json; charset=utf-8', text: index }],
  ];
  return new Map(files);
}

/** The address of a link: a page of the site, a place outside, or none for other files of the repository. */
function addressOf(from: string, target: string, existing: ReadonlySet<string>): string | null {
  if (/^(?:https?|mailto):/.test(target)) return target;
  if (target.startsWith('#')) return target;
  const [file = '', anchor] = target.split('#');
  const [document] = /openapi(?:\.[a-z]+)*\.json$/.exec(file) ?? [];
  if (document !== undefined) return `${BASE}/${document}`;
  const path = posix.normalize(posix.join(dirname(from), file)).replace(/\.md$/, '');
  if (!file.endsWith('.md') || !existing.has(path)) return null;
  return `docs:/${path}${anchor === undefined ? '' : `#${anchor}`}`;
}

function pageOf(path: string, text: string, existing: ReadonlySet<string>): SitePage {
  const guide = guides.find(({ page }) => page === path);
  const part = (name: string): string | null => {
    if (name === 'set up') return snippetsOf((language) => language.setUp);
    const step = guide?.steps.find(({ id }) => `step ${id}` === name);
    return step === undefined ? null : snippetsOf((language) => language.step(step));
  };
  const rendered: Rendered = renderMarkdown(text, { link: (target) => addressOf(path, target, existing), part });
  return { path, title: rendered.title, html: rendered.html, headings: rendered.headings };
}

const snippetsOf = (textOf: (language: (typeof languages)[number]) => string): string =>
  `<div class="snippets">${languages
    .map(
      (language) =>
        `<div class="snippet" data-language="${language.id}" data-label="${language.label}"><p>${language.label}</p>${codeBlock(textOf(language), language.label)}</div>`,
    )
    .join('')}</div>`;

function referencePage(): SitePage {
  const body = referenceBody(BASE);
  const headings = [...body.matchAll(/<h2 id="([^"]+)">([^<]+)<\/h2>/g)].map(([, id = '', text = '']) => ({
    level: 2,
    id,
    text,
  }));
  const data = `The same as data: <a href="${BASE}/openapi.json">OpenAPI 3.1</a>.`;
  const lead = `<p>Made from the tables that the gateway itself reads. ${data} <a href="docs:/generatedClients">How to generate a client</a>.</p>`;
  return {
    path: 'reference',
    title: 'API reference',
    html: `<h1 id="api-reference">API reference</h1>${lead}\n${body}`,
    headings,
  };
}

function firstPage(groups: ReturnType<typeof groupsOf>, titles: ReadonlyMap<string, string>): SitePage {
  const lists = groups.map(
    ({ title, pages }) =>
      `<h2 id="${shown(title.toLowerCase())}">${shown(title)}</h2><ul class="cards">${pages
        .map((page) => `<li><a href="docs:/${page}">${shown(titles.get(page) ?? page)}</a></li>`)
        .join('')}</ul>`,
  );
  const { channelId, token } = sandbox.demoShop;
  const command = `curl ${BASE}/v1/payments -H "Authorization: Bearer ${token}" \\
  -d entityId=${channelId} -d paymentType=DB -d amount=92.00 -d currency=EUR -d paymentBrand=VISA \\
  -d card.number=4200000000000000 -d "card.holder=Ann Example" -d card.expiryMonth=05 -d card.expiryYear=2034 -d card.cvv=123`;
  const html = `<h1 id="documentation">Documentation</h1>
<p>A first payment in the sandbox; the <a href="docs:/guides/first-payment">first guide</a> explains it.</p>
${codeBlock(command, 'sh')}
${lists.join('\n')}`;
  const headings = groups.map(({ title }) => ({ level: 2, id: title.toLowerCase(), text: title }));
  return { path: '', title: 'Documentation', html, headings };
}

/** A form that sends requests to the sandbox of the gateway that serves it. */
function consolePage(): SitePage {
  const { channelId, token } = sandbox.demoShop;
  const samples = guides.flatMap(({ page, steps }) =>
    steps.flatMap(({ id, method, path, form }) => {
      if (form === undefined || path.startsWith('/admin/')) return [];
      const fields = Object.entries(form).map(([name, value]) => `${name}=${value.replace('{entityId}', channelId)}`);
      const label = `${method} ${path} (${page.replace('guides/', '')}: ${id})`;
      return [
        `<option data-method="${method}" data-path="${shown(path)}" data-fields="${shown(fields.join('\n'))}">${shown(label)}</option>`,
      ];
    }),
  );
  const cards = testCards.map(({ number }) => number).join(' ');
  const html = `<h1 id="ask-the-sandbox">Ask the sandbox</h1>
<p>The form sends the request that it shows to the sandbox of this gateway, for the demo shop, and shows the answer. Only test
cards are sent. Replace names in braces with ids of earlier answers.</p>
${CONSOLE_START}<noscript><p>The console needs JavaScript.</p></noscript>
<form class="console" id="console" hidden data-token="${token}" data-cards="${cards}">
<label for="step">Example</label><select id="step" name="step">${samples.join('')}</select>
<label for="method">Method</label>
<select id="method" name="method"><option>POST</option><option>GET</option><option>DELETE</option></select>
<label for="path">Path</label><input id="path" name="path" spellcheck="false" autocomplete="off">
<label for="fields">Parameters, one per line</label>
<textarea id="fields" name="fields" spellcheck="false" autocomplete="off"></textarea>
<button type="submit" name="send" class="button">Send</button>
</form>
<h2 id="request">Request</h2>
<div class="code"><pre tabindex="0" role="group" aria-label="Request" id="console-request"></pre></div>
<h2 id="answer">Answer</h2>
<div class="code"><pre tabindex="0" role="group" aria-label="Answer" aria-live="polite" id="console-answer">Nothing sent yet.</pre></div>
${CONSOLE_END}`;
  return { path: 'console', title: 'Ask the sandbox', html, headings: [] };
}

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
