import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { EXAMPLES } from '../../scripts/release/exampleLocks.ts';
import { packRelease } from '../packageFixture.ts';
import { blocksOf, type Checkout, copyExample, createCheckout, folderOf, nodeFolder, runBlock } from './readmes.ts';

/** The commands of every example's README, with npm and a registry: what readmes.test.ts takes from the checkout is installed here. */

const box = mkdtempSync(join(tmpdir(), 'turnpike-examples-'));
const release = join(box, 'release');
let checkout: Checkout | null = null;

suite('examples of a registry', () => {
  // Of the suite: the removal of so many files takes longer than a file may take after its last test.
  after(() => rmSync(box, { recursive: true, force: true, maxRetries: 5 }));

  before(async () => {
    await packRelease(release);
    const env = {
      ...process.env,
      PATH: `${nodeFolder}:${process.env.PATH ?? ''}`,
      npm_config_prefer_offline: 'true',
      npm_config_ignore_scripts: 'true',
    };
    checkout = createCheckout(join(box, 'tür kasse', 'turnpike'), release, env, null);
  });

  for (const name of EXAMPLES)
    test(`${name} is installed by npm, and works`, async () => {
      const here = checkout ?? assert.fail('not packed');
      const [install = ''] = blocksOf(name);
      copyExample(here, name);
      const printed = await runBlock(here, install);
      const place = folderOf(here, install);
      assert.ok(existsSync(join(place, 'node_modules/turnpike/package.json')));
      if (name === 'shop-tests') assert.match(printed, /pass 4\n. fail 0\n/u, printed);
      if (name === 'medusa-payment') assert.ok(existsSync(join(place, 'dist/provider.js')));
      if (name === 'first-payment') assert.match(await runBlock(here, 'npx turnpike --version', place), /^\d+\.\d+\.\d+/);
    });
});
