import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { TARBALL } from '../packageFixture.ts';

/** An example as a reader of its README has it: copied beside the packed package, and every command of the README run by a shell. */

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** What a checkout has beside the sources of an example. */
const NOT_COPIED = ['node_modules', 'dist'];

export type Checkout = {
  /** A folder like a checkout, with `dist/` and `examples/`. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
};

/** `release` has the packed package. A shim stands for a program, and gets the real one as `$REAL`. */
export function createCheckout(folder: string, release: string, env: NodeJS.ProcessEnv, npm: string | null): Checkout {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  cpSync(join(release, TARBALL), join(folder, 'dist', TARBALL));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  // The package is packed already: `npm run pack` is a test of its own.
  const isPacked = `[ "$1 $2" = 'run pack' ] && exec test -f dist/*.tgz`;
  const real = `REAL=$(PATH="\${PATH#*:}" command -v npm)\nexport REAL`;
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${isPacked}\n${real}\n${npm ?? 'exec "$REAL" "$@"'}\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  return { folder, env: { ...env, PATH: `${bin}:${env.PATH ?? ''}` } };
}

export function copyExample({ folder }: Checkout, name: string): string {
  const place = join(folder, 'examples', name);
  const from = join(root, 'examples', name);
  cpSync(from, place, { recursive: true, filter: (path) => !NOT_COPIED.some((part) => path === join(from, part)) });
  return place;
}

/** The blocks of commands of an example's README, in their order. */
export const blocksOf = (name: string): readonly string[] =>
  [...readFileSync(join(root, 'examples', name, 'README.md'), 'utf8').matchAll(/^( *)```sh\n([\s\S]*?)^ *```/gm)].map(
    ([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim(),
  );

/** Runs a block in the checkout. Returns what it prints. */
export async function runBlock({ folder, env }: Checkout, block: string, cwd = folder): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-ec', block], { cwd, env, maxBuffer: 16_777_216 }).catch(
    (error: { readonly stdout: string; readonly stderr: string }) =>
      assert.fail(`${block}\n${error.stdout}\n${error.stderr}`.slice(-6_000)),
  );
  return stdout;
}

/** A command that keeps running: returns when it has printed an address. */
export async function serveBlock({ env }: Checkout, block: string, cwd: string) {
  const ports = { PORT: '0', BACKOFFICE_PORT: '0', HOST: '127.0.0.1' };
  const child = spawn('/bin/sh', ['-ec', `exec ${block}`], {
    cwd,
    env: { ...env, ...ports },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const exit = once(child, 'exit');
  const end = async () => {
    process.kill(-(child.pid ?? assert.fail()), 'SIGTERM');
    await exit;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /ready at (http:\S+)/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, end };
  }
  return assert.fail(`${block} ended before it was ready`);
}

/** Folders that a README leads to exist there: `cd` in its first block. */
export function folderOf({ folder }: Checkout, block: string): string {
  const [, path = ''] = /^cd (\S+)/m.exec(block) ?? [];
  const place = join(folder, path);
  assert.ok(existsSync(place), place);
  return place;
}

export const nodeFolder = dirname(process.execPath);
