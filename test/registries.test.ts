import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withPublication } from '../scripts/docs.ts';
import { exampleDocuments } from '../scripts/release/exampleLocks.ts';
import { isPublished, publicationFragments, TARBALL } from '../scripts/release/publication.ts';
import { PROMISES, promisesIn, startsUninstalled } from './registries.ts';

/** Until a release is published, no text promises a registry that does not have this program (scripts/release/publication.ts is the switch). */

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** History may stand, tests have the examples, and locks of others name what others need. */
const NOT_SEEN =
  /^(?:CHANGELOG\.md|decisions\/|test\/|bench\/|package-lock\.json|scripts\/release\/publication\.ts)|\.(?:png|svg|ico|gz|br|woff2?)$|\.test\.ts$/;
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => !NOT_SEEN.test(path));
const isPage = (path: string): boolean => path.endsWith('.md');

test('no page, program, example or file for containers promises a registry', { skip: isPublished && 'it is published' }, () => {
  assert.ok(files.length > 1_000 && files.filter(isPage).length > 40, `${files.length} files`);
  const found = files.flatMap((path) => promisesIn(read(path)).map(({ kind, text }) => `${path}: ${kind}: ${text}`));
  assert.deepEqual(found, []);
  assert.deepEqual(
    files.filter((path) => isPage(path) && startsUninstalled(read(path))),
    [],
  );
});

test('images are built where they are used, or named at a place that is nobody', () => {
  const [compose, kubernetes, page] = [read('deploy/compose.yaml'), read('deploy/kubernetes.yaml'), read('docs/installing.md')];
  assert.match(compose, /image: turnpike:\S+\n +pull_policy: build\n +build:/);
  assert.match(kubernetes, /image: registry\.example\/turnpike:/);
  const firstRun = page.search(/podman run /);
  assert.ok(firstRun > page.search(/podman build [^\n]*-t turnpike:/) && firstRun > 0);
});

test('control: each kind of promise is found, planted into a page', () => {
  const readme = read('README.md');
  for (const [kind, { examples }] of Object.entries(PROMISES)) {
    for (const example of examples) {
      const found = promisesIn(`${readme}\n${example}\n`).filter((one) => one.kind === kind);
      assert.equal(found.length, 1, `${kind}: ${example}`);
      assert.deepEqual(promisesIn(`${readme}\n\`\`\`sh\n${example}\n\`\`\`\n`).length > 0, true, example);
    }
  }
  assert.equal(startsUninstalled('Without a checkout, `npx turnpike` starts the sandbox.'), true);
  assert.equal(startsUninstalled('```sh\nnpx turnpike\n```'), true);
  assert.equal(startsUninstalled(`npm install ./dist/${TARBALL}\nnpx turnpike\n`), false);
  assert.equal(startsUninstalled('npx turnpike verify'), false);
});

test('one switch turns pages, examples and lock files to the registry, and back', () => {
  const pages = Object.keys(publicationFragments(true));
  assert.ok(pages.length >= 8, pages.join());
  for (const page of pages) {
    const [now, then] = [withPublication(page, read(page), false), withPublication(page, read(page), true)];
    assert.notEqual(then, now, page);
    assert.deepEqual(promisesIn(now), [], page);
    assert.doesNotMatch(then, /\.tgz(?! |\n)/, page);
    assert.equal(withPublication(page, then, false), now, page);
    assert.equal(isPublished ? then : now, read(page), page);
  }
  for (const page of [
    'README.md',
    'docs/installing.md',
    'docs/testing.md',
    'docs/client.md',
    'docs/goingLive.md',
    'docs/upgrading.md',
  ]) {
    const then = withPublication(page, read(page), true);
    assert.ok(promisesIn(then).length > 0 || startsUninstalled(then), `${page} names no registry`);
    assert.doesNotMatch(then, /No registry has/);
  }
  const documents = exampleDocuments(read, true);
  assert.equal(documents.length, 6);
  for (const { path, text } of documents) {
    assert.doesNotMatch(text, /file:/, path);
    if (path.endsWith('package.json')) assert.equal(promisesIn(text).length, 1, path);
  }
  const back = exampleDocuments((path) => documents.find((one) => one.path === path)?.text ?? null, isPublished);
  for (const { path, text } of back) assert.equal(text, read(path), path);
});
