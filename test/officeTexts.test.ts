import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { adminAccess, endpoints } from '../src/spec/endpoints.ts';

/** What the back office says: in English and German alike, and nowhere but in its texts. */

const office = join(import.meta.dirname, '..', 'src', 'backoffice');
const tables = globSync('texts/*.ts', { cwd: office }).filter((path) => basename(path) !== 'texts.ts');
const pages = globSync('**/*.tsx', { cwd: office });

type Table = Readonly<Record<string, string | ((...about: unknown[]) => string)>>;
const isTexts = (one: unknown): one is { readonly en: Table; readonly de: Table } =>
  typeof one === 'object' && one !== null && 'en' in one && 'de' in one;

for (const path of tables) {
  test(`${path}: every text is there in both languages`, async () => {
    const found = Object.values(await import(join(office, path))).filter(isTexts);
    assert.ok(found.length > 0, 'no texts');
    for (const { en, de } of found) {
      assert.deepEqual(Object.keys(de).toSorted(), Object.keys(en).toSorted());
      for (const [key, text] of Object.entries(en)) {
        assert.equal(typeof de[key], typeof text, key);
        assert.notEqual(text, '', key);
        assert.notEqual(de[key], '', key);
      }
      const texts = [...Object.values(en), ...Object.values(de)].filter((text) => typeof text === 'string');
      assert.deepEqual(
        texts.filter((text) => text.includes('!')),
        [],
        'nothing is shouted',
      );
    }
  });
}

/** The pages name a text by its key, or put the key together of words that the gateway sends. */
test('every text is used', async () => {
  const sources = globSync('src/{app,backoffice,payments,spec}/**/*.{ts,tsx}', { cwd: join(office, '..', '..') });
  const code = sources
    .filter((path) => !path.startsWith(join('src', 'backoffice', 'texts')))
    .map((path) => readFileSync(join(office, '..', '..', path), 'utf8'))
    .join('\n');
  const known = new Set(code.match(/\w+/g));
  // Keys that are put together: `type${type}`, `${account}Says`, `${kind}.${what}`.
  const beginnings = [...code.matchAll(/`(\w+)\$\{/g)].map(([, beginning = '']) => beginning);
  const endings = [...code.matchAll(/\}(\w+)`/g)].map(([, ending = '']) => ending);
  const isUsed = (key: string): boolean =>
    key.split('.').every((part) => known.has(part)) ||
    beginnings.some((beginning) => key.startsWith(beginning)) ||
    endings.some((ending) => key.endsWith(ending));
  const all = await Promise.all(tables.map((path) => import(join(office, path))));
  const keys = all.flatMap((table) => Object.values(table).filter(isTexts)).flatMap(({ en }) => Object.keys(en));
  assert.equal(isUsed('thisIsPlanted'), false);
  assert.deepEqual(
    keys.filter((key) => !isUsed(key)),
    [],
  );
});

/** Attributes that users read or hear. */
const SAID = new Set(['title', 'label', 'placeholder', 'aria-label', 'alt', 'description', 'says', 'act']);
/** An address of the web shows a format and is the same in every language. */
const hasWords = (text: string): boolean => /\p{L}{2,}/u.test(text) && !text.startsWith('https://');

function wordsIn(path: string): string[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(join(office, path), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TSX,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && hasWords(node.text)) found.push(node.text.trim());
    if (
      ts.isJsxAttribute(node) &&
      SAID.has(node.name.getText(source)) &&
      node.initializer &&
      ts.isStringLiteral(node.initializer)
    ) {
      if (hasWords(node.initializer.text)) found.push(node.initializer.text);
    }
    if (
      ts.isJsxExpression(node) &&
      node.expression &&
      ts.isStringLiteralLike(node.expression) &&
      !ts.isJsxAttribute(node.parent)
    ) {
      if (hasWords(node.expression.text)) found.push(node.expression.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.map((text) => `${path}: ${text}`);
}

test('no page says anything that is not among the texts', () => {
  assert.ok(pages.length > 30, `only ${pages.length} files were seen`);
  assert.deepEqual(pages.flatMap(wordsIn), []);
});

test('every audited endpoint has a label', async () => {
  const { auditActionTexts } = await import(join(office, 'texts', 'audit.ts'));
  const audited = Object.entries(endpoints).filter(
    ([, { access, method }]) => adminAccess.some((one) => one === access) && method !== 'GET',
  );
  assert.ok(audited.length > 60, `only ${audited.length} endpoints were seen`);
  assert.deepEqual(
    audited.filter(([name]) => auditActionTexts.en[name] === undefined).map(([name]) => name),
    [],
  );
});
