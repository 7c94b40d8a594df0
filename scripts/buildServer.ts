import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildNumberOf } from '../src/http/buildNumber.ts';
import { bundleProgram } from './release/bundle.ts';

/**
 * `node scripts/buildServer.ts FOLDER`: the gateway of this checkout as `npm start` runs it. It appears in the folder whole. A few earlier builds stay:
 * a gateway that runs from one of them loads parts of it later.
 */
const BUILDS_KEPT = 5;

const root = join(import.meta.dirname, '..');
const [, , folder] = process.argv;
if (folder === undefined) throw new Error('usage: node scripts/buildServer.ts FOLDER');
const builds = dirname(folder);
const aside = `${folder}-${process.pid}`;
mkdirSync(builds, { recursive: true });
try {
  // Places are relative to the folder, and both have the same depth.
  await bundleProgram({ root, program: 'src/main.ts', folder: aside, buildNumber: buildNumberOf(join(root, 'src')) });
  try {
    renameSync(aside, folder);
  } catch {
    // Another start has built the same.
  }
} finally {
  rmSync(aside, { recursive: true, force: true });
}
const byAge = readdirSync(builds)
  .map((name) => join(builds, name))
  .toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
for (const old of byAge.slice(BUILDS_KEPT)) rmSync(old, { recursive: true, force: true });
