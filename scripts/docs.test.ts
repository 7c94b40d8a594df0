import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { connectorKinds } from '../src/connectors/registry.ts';
import { openApi } from '../src/spec/openApi/openApi.ts';
import { deriveAnswerSchemas } from './answerSchemas.ts';
import { connectorParts } from './connectorPages.ts';
import { derivedDocuments, read } from './docs.ts';

const root = join(import.meta.dirname, '..');
const pages = globSync('{*.md,docs/**/*.md,decisions/*.md}', { cwd: root });

for (const { path, text } of derivedDocuments()) {
  test(`${path} is what the sources say; npm run docs writes it anew`, () => assert.ok(read(path) === text));
}

test('no type of a reply shares its name with another component of the document', () => {
  const { components } = openApi('/', { byEndpoint: {}, components: {} }) as {
    readonly components: { readonly schemas: object };
  };
  const shared = Object.keys(deriveAnswerSchemas().components).filter((name) => Object.hasOwn(components.schemas, name));
  assert.deepEqual(shared, []);
});

for (const kind of connectorKinds.values()) {
  if (kind.accounts === undefined) continue;
  test(`the page of ${kind.name} has every table of the connector`, () => {
    const page = read(`docs/connectors/${kind.name}.md`);
    for (const [part, text] of connectorParts(kind))
      assert.ok(page.includes(text), `npm run docs, with the mark <!-- ${part} -->`);
  });
}

test('every path that a page names exists', () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`((?:src|test|scripts|bench|decisions|docs)\/[\w./*-]+)`/g)].map(([, path = '']) => ({
      page,
      path,
    })),
  );
  assert.ok(named.length >= 80, `only ${named.length} paths seen`);
  assert.deepEqual(
    named.filter(({ path }) => globSync(path, { cwd: root }).length === 0),
    [],
  );
});

test('every link between pages leads to a file, and to a heading where it names one', () => {
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].map(([, path = '', anchor]) => ({
      page,
      path,
      anchor,
    })),
  );
  assert.ok(links.length >= 40, `only ${links.length} links seen`);
  const broken = links.filter(({ page, path, anchor }) => {
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsIn(read(target)).includes(anchor);
  });
  assert.deepEqual(broken, []);
});

/** The anchors that GitHub gives to headings. */
const anchorsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
