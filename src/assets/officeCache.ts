import { hash } from 'node:crypto';
import { glob, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

/** The build of unchanged sources is kept. It is only a cache, so a folder that cannot be written does no harm. */

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'node_modules', '.cache', 'turnpike', 'office');

/** Everything that the built pages depend on. */
const SOURCES = ['src/{backoffice,spec,money,assets}/**/*.{ts,tsx,css,json}', 'package-lock.json'];

async function nameOfSources(): Promise<string> {
  const paths = (await Array.fromAsync(glob(SOURCES, { cwd: root }))).toSorted();
  const sums = await Promise.all(paths.map(async (path) => `${path} ${hash('sha256', await readFile(join(root, path)))}`));
  return `${hash('sha256', sums.join('\n')).slice(0, 32)}.bin`;
}

/** Puts it down whole or not at all, and takes away what other sources gave. */
async function keep(name: string, made: unknown): Promise<void> {
  await mkdir(folder, { recursive: true });
  const draft = join(folder, `${name}.${process.pid}`);
  await writeFile(draft, serialize(made));
  await rename(draft, join(folder, name));
  const others = (await readdir(folder)).filter((other) => other.endsWith('.bin') && other !== name);
  await Promise.all(others.map((other) => rm(join(folder, other), { force: true })));
}

/** The build of the present sources, from the cache or by `make`. */
export async function cachedOffice<Made>(make: () => Promise<Made>): Promise<Made> {
  const name = await nameOfSources();
  const found = await readFile(join(folder, name)).catch(() => null);
  if (found) return deserialize(found) as Made;
  const made = await make();
  await keep(name, made).catch(() => {});
  return made;
}
