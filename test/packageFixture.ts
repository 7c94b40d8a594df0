import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { call, card, pay } from './faults/client.ts';

/** A release as a stranger meets it: packed, installed in an empty folder, started. */

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
type Manifest = { readonly dependencies: Readonly<Record<string, string>> };
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Readonly<Record<string, string>>;

export const TARBALL = `${name}-${version}.tgz`;

/** Packs a release into `folder`. */
export const packRelease = (folder: string) => run(process.execPath, [join(root, 'scripts/pack.ts'), folder]);

/** Puts a release into `folder`. A run of several such files packs once (scripts/testing/programs.ts), and each gets a copy. */
export async function placeRelease(folder: string): Promise<void> {
  const { TEST_RELEASE = '' } = process.env;
  if (TEST_RELEASE === '') await packRelease(folder);
  else cpSync(TEST_RELEASE, folder, { recursive: true });
}

/**
 * Installs the package from its file without npm, in a tenth of npm's processor time: its dependencies are those of the checkout, and no other
 * package can be resolved.
 */
export async function unpackRelease(release: string, folder: string): Promise<void> {
  const place = join(folder, 'node_modules', name ?? '');
  mkdirSync(place, { recursive: true });
  await run('tar', ['-xzf', join(release, TARBALL), '-C', place, '--strip-components=1']);
  const { dependencies } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Manifest;
  for (const dependency of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', dependency), link);
  }
}

/** Installs the package from its file into an empty folder; other packages come from npm's cache where it has them. */
export async function installRelease(release: string, folder: string, flags: readonly string[]): Promise<void> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const words = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...flags, join(release, TARBALL)];
  await run('npm', words, { cwd: folder });
}

export type Started = { readonly url: string; readonly backOfficeUrl: string; readonly child: ChildProcess };

/** Starts a gateway by a command and reads its addresses from what it prints. */
export async function startRelease(
  program: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Started> {
  const child = spawn(program, [...words], { cwd, env: { HOST: '127.0.0.1', ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  let [url, backOfficeUrl] = ['', ''];
  for await (const line of createInterface({ input: child.stdout ?? assert.fail() })) {
    url ||= /ready at (http:\S+)/.exec(line)?.[1] ?? '';
    backOfficeUrl ||= /Back office\s+(http:\S+)/.exec(line)?.[1] ?? '';
    if (url !== '' && backOfficeUrl !== '') {
      child.stdout?.resume();
      return { url, backOfficeUrl, child };
    }
  }
  return assert.fail('the gateway ended while starting');
}

export async function endRelease({ child }: Started): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
}

const order = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };

export async function assertPays(url: string): Promise<void> {
  const { body, text } = await pay(url, { fields: { ...order, ...card } });
  assert.equal(body?.result?.code, '000.100.110', text);
}

/** The page of the back office, and every file that it names. */
export async function assertBackOffice(backOfficeUrl: string): Promise<void> {
  const page = await (await fetch(`${backOfficeUrl}/sign-in`)).text();
  const names = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  assert.ok(
    ['.css', '.js'].every((end) => names.filter((name) => name.endsWith(end)).length > 0),
    page,
  );
  assert.ok(names.length >= 3, page);
  for (const path of names) {
    const file = await fetch(backOfficeUrl + path);
    assert.equal(file.status, 200, path);
    assert.ok((await file.bytes()).length > 0, path);
  }
}

/** The script of a checkout's widget, and files of its build. */
export async function assertWidget(url: string): Promise<void> {
  const checkout = await call(url, { method: 'POST', path: '/v1/checkouts', fields: order });
  const loader = await fetch(`${url}/v1/paymentWidgets.js?checkoutId=${checkout.body?.id}`);
  assert.equal(loader.status, 200, checkout.text);
  const [, build = ''] = /"([0-9a-f]{16})"/.exec(await loader.text()) ?? [];
  for (const path of ['js/static.min.js', 'js/frame.min.js', 'labels/de.json', 'img/brand.VISA.svg']) {
    const file = await fetch(`${url}/v1/static/${build}/${path}`);
    assert.equal(file.status, 200, `${build}/${path}`);
  }
}
