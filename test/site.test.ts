import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { after, before, test } from 'node:test';
import type { Context } from '../src/cli/command.ts';
import { docsCommand } from '../src/cli/commands/docs.ts';
import { buildSite } from '../src/site/build.ts';
import { finishPage, servedAddress } from '../src/site/finish.ts';
import { renderMarkdown } from '../src/site/markdown.ts';
import { languages } from '../src/site/snippets/languages.ts';
import { siteStyles } from '../src/site/styles.ts';
import { fileNameOf, openApiDocumentNames } from '../src/spec/openApi/documents.ts';
import { startGateway, type TestGateway } from './http/gateway.ts';

const root = join(import.meta.dirname, '..');
const site = buildSite();
const pages = [...site].filter(([, { type }]) => type.startsWith('text/html'));
const textOf = (path: string): string => site.get(path)?.text ?? assert.fail(path);
const idsIn = (html: string): ReadonlySet<string> => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
const ids = new Map(pages.map(([path, { text }]) => [path, idsIn(text)]));

let gateway: TestGateway;
const folder = mkdtempSync(join(tmpdir(), 'turnpike-site-'));
before(async () => {
  gateway = await startGateway();
});
after(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

test('every page of docs is a page of the site, with a title and a place in the navigation', () => {
  const sources = globSync('**/*.md', { cwd: join(root, 'docs') }).map((file) => file.replace(/\.md$/, ''));
  assert.ok(sources.length > 30);
  for (const path of sources) {
    assert.match(textOf(path), /<title>.+ · Turnpike<\/title>/, path);
    assert.ok(textOf('').includes(`href="docs:/${path}"`), path);
  }
});

test('every link within the site leads to a page, and to an anchor where it names one', () => {
  const broken = pages.flatMap(([path, { text }]) =>
    [...text.matchAll(/(?:href|src|data-search)="(docs:\/([^"#]*))?(?:#([^"]*))?"/g)].flatMap(
      ([link, inSite, target = '', anchor]) => {
        const page = inSite === undefined ? path : target;
        if (!site.has(page)) return [`${path}: ${link}`];
        return anchor === undefined || anchor === '' || ids.get(page)?.has(anchor) ? [] : [`${path}: ${link}`];
      },
    ),
  );
  assert.deepEqual(broken, []);
});

test('no page has a script of its own, a style of its own or two things with one id', () => {
  for (const [path, { text }] of pages) {
    assert.doesNotMatch(text, /<script(?! defer src="docs:\/assets\/)|<style|<[^>]+ style="|<[^>]+ on[a-z]+="|javascript:/, path);
    const all = [...text.matchAll(/<[^>]* id="([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(
      all.filter((id, at) => all.indexOf(id) !== at),
      [],
      path,
    );
  }
});

test('tags of every page are closed in order', () => {
  for (const [path, { text }] of pages) {
    const open: string[] = [];
    for (const [, slash, name = ''] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*?>/g)) {
      if (['meta', 'link', 'path', 'input'].includes(name)) continue;
      if (slash) assert.equal(open.pop(), name, path);
      else open.push(name);
    }
    assert.deepEqual(open, [], path);
  }
});

test('a guide shows its requests in every language', () => {
  const text = textOf('guides/refunds');
  for (const { id } of languages) assert.equal(text.match(new RegExp(`data-language="${id}"`, 'g'))?.length, 6, id);
});

test('the search finds parameters, result codes and headings', () => {
  const [, { text } = { text: '' }] = [...site].find(([path]) => path.startsWith('assets/search-')) ?? [];
  const addresses = new Set((JSON.parse(text) as string[][]).map(([address]) => address));
  for (const address of ['reference#card.number', 'reference#800.100.155', 'clock#moving-it', 'guides/webhooks'])
    assert.ok(addresses.has(address), address);
  assert.ok(text.length < 1_500_000, `${text.length}`);
});

const markdown: readonly (readonly [what: string, text: string, html: RegExp])[] = [
  ['HTML is text', 'a <script>alert(1)</script>', /a &lt;script&gt;/],
  ['a link cannot run anything', '[x](javascript:alert)', /^<p>x<\/p>$/],
  ['code keeps its marks', '`a|*b*`', /<code>a\|\*b\*<\/code>/],
  ['bold with code', '**a `b`**', /<strong>a <code>b<\/code><\/strong>/],
  ['a bar in a cell', '| A | B |\n|---|---|\n| `a\\|b` | c |', /<td><code>a\|b<\/code><\/td><td>c<\/td>/],
  [
    'a list with code in it',
    '1. one\n   ```sh\n   x\n   ```\n2. two',
    /<ol><li>one\s*<div class="code">[\s\S]*x<\/code>[\s\S]*<li>two<\/li><\/ol>/,
  ],
  ['a nested list', '- a\n  - b\n- c', /<ul><li>a\s*<ul><li>b<\/li><\/ul><\/li><li>c<\/li><\/ul>/],
];
for (const [what, text, html] of markdown) {
  test(`markdown: ${what}`, () =>
    assert.match(
      renderMarkdown(text, { link: (target) => (target.startsWith('https:') ? target : null), part: () => null }).html,
      html,
    ));
}

test('a gateway serves every page and file of the site, each with its headers', async () => {
  for (const [path, { type }] of site) {
    const answer = await fetch(`${gateway.url}${servedAddress(path)}`);
    assert.equal(answer.status, 200, path);
    assert.equal(answer.headers.get('content-type'), type);
    const text = await answer.text();
    assert.doesNotMatch(text, /"docs:\//);
    if (!type.startsWith('text/html')) continue;
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; connect-src 'self';/);
    assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
  }
  for (const path of ['nothing', 'assets/nothing.js', 'guides/nothing', '..%2f..%2fpackage.json'])
    assert.equal((await fetch(`${gateway.url}/docs/${path}`)).status, 404, path);
});

test('only a gateway of the test environment has the console and its token', () => {
  const page = (kind: 'test' | 'live' | 'static') =>
    finishPage(textOf('console'), { addressOf: servedAddress, base: 'https://pay.example', kind });
  assert.match(page('test'), /<form class="console"[^>]* data-token="\w+/);
  for (const kind of ['live', 'static'] as const) {
    assert.doesNotMatch(page(kind), /<form|data-token/);
    assert.match(page(kind), /console is off|static pages/);
  }
});

test('an address with anything but an origin is not written into a page', () => {
  for (const base of ['https://x.example/"; rm -r . #', 'https://$(id).example', '"><script>']) {
    const text = finishPage(textOf(''), { addressOf: servedAddress, base, kind: 'test' });
    assert.ok(!text.includes(base) && text.includes('curl https://gateway.example/v1/payments'), base);
  }
});

test('docs build writes static files whose links lead to files', async () => {
  const lines: string[] = [];
  const context = { print: (line: string) => lines.push(line) } as unknown as Context;
  assert.equal(await docsCommand.run(['build', '--to', folder, '--base', 'https://pay.example'], context), 0);
  assert.match(lines.join(), new RegExp(`^${site.size + openApiDocumentNames.length} files`));
  for (const name of openApiDocumentNames) {
    const document = JSON.parse(readFileSync(join(folder, fileNameOf(name)), 'utf8'));
    assert.deepEqual(document.servers, [{ url: 'https://pay.example' }], name);
  }
  const files = globSync('**/*.html', { cwd: folder });
  assert.equal(files.length, pages.length);
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    assert.doesNotMatch(text, /gateway\.example|data-token/, file);
    for (const [, target = ''] of text.matchAll(/(?:href|src|data-search)="(?!https?:|mailto:|data:|#)([^"#]+)(?:#[^"]*)?"/g))
      assert.ok(existsSync(join(folder, posix.join(dirname(file), target))), `${file}: ${target}`);
  }
  await assert.rejects(docsCommand.run(['build'], context), /--to: is missing/);
  await assert.rejects(docsCommand.run(['build', '--to', folder, '--base', 'x'], context), /--base/);
  await assert.rejects(docsCommand.run([], context), /build/);
});

/** Relative luminance and contrast as WCAG 2 defines them. */
function luminance(colour: string): number {
  const hex = colour.length === 4 ? colour.slice(1).replace(/./g, '$&$&') : colour.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('every text colour stands out from both grounds, in light and in dark', () => {
  const [light = '', dark = ''] = siteStyles.split('prefers-color-scheme: dark');
  for (const sheet of [light, dark]) {
    const colour = (token: string): string => new RegExp(`--${token}: (#[0-9a-f]+)`).exec(sheet)?.[1] ?? '#000';
    for (const ink of ['ink', 'muted', 'accent', 'good', 'warn', 'bad'])
      for (const ground of ['ground', 'raised']) {
        const [high = 0, low = 0] = [colour(ink), colour(ground)].map(luminance).sort((a, b) => b - a);
        assert.ok((high + 0.05) / (low + 0.05) >= 4.5, `${ink} on ${ground}`);
      }
  }
});
