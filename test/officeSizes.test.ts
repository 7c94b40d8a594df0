import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Office, theOffice } from '../src/assets/backOffice.ts';

/** How much a browser is sent before the first page of the back office stands. */

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

test('the door is small: what every page begins with', async () => {
  const office = await theOffice();
  const first = new Set([office.style, ...importedBy(office, office.script)]);
  assert.deepEqual([...first].toSorted(), [office.style, office.script, ...office.preloads].toSorted(), 'all of it is announced');
  const bytes = weightOf(office, first);
  assert.ok(bytes < BYTES_MAX, `${bytes} bytes`);
});

test('so is the dashboard, where everybody arrives', async () => {
  const office = await theOffice();
  const page = [...office.files.keys()].find((name) => name.startsWith('Dashboard-'));
  assert.ok(page);
  const first = new Set([office.style, ...importedBy(office, office.script), ...importedBy(office, page)]);
  const bytes = weightOf(office, first);
  assert.ok(bytes < BYTES_MAX, `${bytes} bytes`);
});

test('nothing in the scripts is made of text, and nothing comes from elsewhere', async () => {
  const { files } = await theOffice();
  for (const [name, { bytes, type }] of files) {
    const text = Buffer.from(bytes).toString('utf8');
    if (type.startsWith('text/javascript')) assert.doesNotMatch(text, /\beval\(|new Function\(/, name);
    assert.doesNotMatch(text, /sourceMappingURL|@import|url\(["']?https?:/, name);
  }
});
