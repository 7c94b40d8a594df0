import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Office } from '../src/assets/asset.ts';
import { theOffice } from '../src/assets/assets.ts';

/** How many bytes a browser loads before it shows the first page of the back office. */

const BYTES_MAX = 250_000;

const weightOf = ({ files }: Office, names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + (files.get(name)?.brotli.length ?? Number.POSITIVE_INFINITY), 0);

/** A script and what it imports before it runs. */
function importedBy({ files }: Office, name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = Buffer.from(files.get(name)?.bytes ?? []).toString('utf8');
  for (const [, next = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) importedBy({ files } as Office, next, seen);
  return seen;
}

test('what every page begins with is small, and announced before it is asked for', async () => {
  const office = await theOffice();
  const first = new Set([office.style, ...importedBy(office, office.script)]);
  assert.deepEqual([...first].toSorted(), [office.style, office.script, ...office.preloads].toSorted(), 'all of it is announced');
  assert.ok(weightOf(office, first) < BYTES_MAX);
});

/** The pages before sign-in, and the frame around the first page after it. */
const pages = { 'the sign-in': ['SignIn'], 'the dashboard, where everybody arrives,': ['Layout', 'Dashboard'] } as const;

for (const [page, parts] of Object.entries(pages)) {
  test(`${page} is small`, async () => {
    const office = await theOffice();
    const scripts = parts.map((part) => [...office.files.keys()].find((name) => name.startsWith(`${part}-`)) ?? part);
    const first = new Set([office.style, ...[office.script, ...scripts].flatMap((name) => [...importedBy(office, name)])]);
    const bytes = weightOf(office, first);
    assert.ok(bytes < BYTES_MAX, `${bytes} bytes`);
  });
}

/** Plain HTTP knows no other compression. */
const GZIP_MAX = 250 * 1_024;

test('the list of payments is small without brotli too', async () => {
  const office = await theOffice();
  const scripts = ['Layout', 'Payments'].map(
    (part) => [...office.files.keys()].find((name) => name.startsWith(`${part}-`)) ?? part,
  );
  const first = new Set([office.style, ...[office.script, ...scripts].flatMap((name) => [...importedBy(office, name)])]);
  const bytes = [...first].reduce((sum, name) => sum + (office.files.get(name)?.gzip.length ?? Number.POSITIVE_INFINITY), 0);
  assert.ok(bytes <= GZIP_MAX, `${bytes} bytes`);
});

/** Each script costs the browser and the gateway a request. */
const SCRIPTS_MAX = 12;

test('the list of payments is a few scripts', async () => {
  const office = await theOffice();
  const scripts = ['Layout', 'Payments'].map(
    (part) => [...office.files.keys()].find((name) => name.startsWith(`${part}-`)) ?? part,
  );
  const count = new Set([office.script, ...scripts].flatMap((name) => [...importedBy(office, name)])).size;
  assert.ok(count <= SCRIPTS_MAX, `${count} scripts, at most ${SCRIPTS_MAX}`);
});

test('nothing in the scripts is made of text, and nothing comes from elsewhere', async () => {
  const { files } = await theOffice();
  for (const [name, { bytes, type }] of files) {
    const text = Buffer.from(bytes).toString('utf8');
    if (type.startsWith('text/javascript')) assert.doesNotMatch(text, /\beval\(|new Function\(/, name);
    assert.doesNotMatch(text, /sourceMappingURL|@import|url\(["']?https?:/, name);
  }
});
