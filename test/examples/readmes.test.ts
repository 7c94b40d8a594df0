import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { EXAMPLES } from '../../scripts/release/exampleLocks.ts';
import { packageManifest } from '../../scripts/release/packageManifest.ts';
import { isPublished } from '../../scripts/release/publication.ts';
import { placeRelease, TARBALL, unpackRelease } from '../packageFixture.ts';
import { blocksOf, type Checkout, copyExample, createCheckout, folderOf, nodeFolder, runBlock, serveBlock } from './readmes.ts';

/**
 * Every example, installed from the packed package as its README says, in a folder whose path has a blank and an umlaut. npm only checks the lock
 * file here, without the registry, and the packages are those of the checkout; readmes.long.test.ts lets npm install them.
 */

const root = join(import.meta.dirname, '..', '..');
const box = mkdtempSync(join(tmpdir(), 'turnpike-examples-'));
const release = join(box, 'release');
const installed = join(box, 'installed');
after(() => rmSync(box, { recursive: true, force: true }));

/** npm without a registry and without a cache: whatever the lock file does not say is missing. */
const NPM = `if [ "$1" = ci ]; then
  "$REAL" "$@" --dry-run --offline --cache '${join(box, 'cache')}' > '${join(box, 'npm.log')}' 2>&1 || { cat '${join(box, 'npm.log')}'; exit 1; }
  exec cp -a '${join(installed, 'node_modules')}' node_modules
fi
exec "$REAL" "$@"`;

let checkout: Checkout | null = null;
const here = (): Checkout => checkout ?? assert.fail('not packed');

before(async () => {
  await placeRelease(release);
  mkdirSync(installed);
  await unpackRelease(release, installed);
  mkdirSync(join(installed, 'node_modules/.bin'));
  await runBlock({ folder: installed, env: process.env }, 'ln -s ../turnpike/scripts/turnpike.mjs node_modules/.bin/turnpike');
  const env = { PATH: `${nodeFolder}:${process.env.PATH ?? ''}`, HOME: box, NODE_COMPILE_CACHE: join(box, 'compiled') };
  checkout = createCheckout(join(box, 'tür kasse', 'turnpike'), release, env, NPM);
});

test('every example has a README, a lock file and what it needs from the package', () => {
  assert.deepEqual(globSync('*', { cwd: join(root, 'examples') }).sort(), [...EXAMPLES].sort());
  for (const name of EXAMPLES) {
    const lock = readFileSync(join(root, 'examples', name, 'package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as { readonly packages: Readonly<Record<string, { readonly version: string }>> };
    const { dependencies, optionalDependencies, version } = packageManifest();
    for (const [needed, its] of Object.entries({ ...dependencies, ...optionalDependencies, turnpike: version }))
      assert.equal(packages[`node_modules/${needed}`]?.version, its, `${name}: ${needed}`);
    const places = [...lock.matchAll(/"resolved": "([^"]+)"/g)].map(([, place]) => place);
    assert.deepEqual(places, isPublished ? [] : [`file:../../dist/${TARBALL}`], name);
  }
});

test('first-payment: three programs pay at the sandbox that the package starts', async () => {
  const [install = '', start = '', pay = ''] = blocksOf('first-payment');
  copyExample(here(), 'first-payment');
  const folder = folderOf(here(), install);
  await runBlock(here(), install);
  const gateway = await serveBlock(here(), start, folder);
  try {
    const { env } = here();
    const printed = await runBlock({ ...here(), env: { ...env, TURNPIKE_URL: gateway.url } }, pay, folder);
    const lines = printed.trim().split('\n');
    assert.equal(pay.split('\n').length, 3);
    assert.deepEqual(lines.slice(0, 3), ['success', 'success', 'success 92.00'], printed);
    assert.equal(lines.at(-1), 'success 10.00', printed);
  } finally {
    await gateway.end();
  }
});

test('shop-tests: the tests of the shop pass', async () => {
  const [install = ''] = blocksOf('shop-tests');
  copyExample(here(), 'shop-tests');
  const printed = await runBlock(here(), install);
  assert.match(printed, /(?:#|ℹ) pass 4\n(?:#|ℹ) fail 0\n/u, printed);
});

test('medusa-payment: npm accepts its lock file; its README names the Node that Medusa needs', async () => {
  const [install = ''] = blocksOf('medusa-payment');
  const place = copyExample(here(), 'medusa-payment');
  const commands = install.split('\n').filter((line) => line !== 'npm run build');
  await runBlock(here(), commands.join('\n'));
  assert.ok(existsSync(join(place, 'node_modules/turnpike/package.json')));
  const { engines } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as { readonly engines: { node: string } };
  const needed = nodesOf(readFileSync(join(place, 'package-lock.json'), 'utf8'));
  assert.deepEqual([engines.node, needed], [`>=${needed}`, needed]);
  assert.ok(readFileSync(join(place, 'README.md'), 'utf8').includes(`Node ${needed} or newer`));
});

/** The newest Node that a locked package asks for as its oldest, without the patch version where it is 0. */
function nodesOf(lock: string): string {
  const asked = [...lock.matchAll(/"node": ">= ?v?(\d+)(?:\.(\d+))?(?:\.\d+)?"/g)].map(
    ([, major, minor]) => [Number(major), Number(minor ?? 0)] as const,
  );
  const [major, minor] = asked.reduce((most, one) => (one[0] > most[0] || (one[0] === most[0] && one[1] > most[1]) ? one : most));
  return `${major}.${minor}`;
}

test('control: a package that the lock file lacks, and a version that it does not have, are found', async () => {
  const [install = ''] = blocksOf('shop-tests');
  const place = join(here().folder, 'examples/shop-tests');
  const isRefused = async (file: string, change: (content: Content) => void) => {
    const path = join(place, file);
    const before = readFileSync(path, 'utf8');
    const content = JSON.parse(before) as Content;
    change(content);
    writeFileSync(path, JSON.stringify(content));
    await assert.rejects(runBlock(here(), install), /ENOTCACHED|are in sync/, file);
    writeFileSync(path, before);
  };
  await isRefused('package-lock.json', ({ packages }) => {
    assert.ok(delete packages['node_modules/xmlchars']);
  });
  await isRefused('package.json', ({ devDependencies }) => {
    devDependencies.turnpike = '1.0.1';
  });
});

type Content = { readonly packages: Record<string, object>; readonly devDependencies: Record<string, string> };
