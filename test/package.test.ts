import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { reachOf } from '../scripts/reach.ts';
import { call, card, pay } from './faults/client.ts';
import { freePort } from './faults/gatewayProcess.ts';

/**
 * The program as a package carries it: JavaScript and built files, with the runtime packages and no other in reach. It must start, take a
 * payment, and serve the widget and the back office.
 */

const root = join(import.meta.dirname, '..');
const { dependencies, files, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly bin: Readonly<Record<string, string>>;
};
const folder = mkdtempSync(join(tmpdir(), 'turnpike-package-'));
let gateway: ChildProcess | null = null;
let [url, backOfficeUrl] = ['', ''];

before(async () => {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/pack.ts'), join(folder, 'dist')]);
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const [port, officePort] = [await freePort(), await freePort()].map(String);
  gateway = spawn(process.execPath, [join(folder, 'dist/src/main.js')], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: port, BACKOFFICE_PORT: officePort, DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: gateway.stdout ?? assert.fail() })) {
    url ||= /ready at (http:\S+)/.exec(line)?.[1] ?? '';
    backOfficeUrl ||= /Back office\s+(http:\S+)/.exec(line)?.[1] ?? '';
    if (url !== '' && backOfficeUrl !== '') return gateway.stdout?.resume();
  }
  assert.fail('the gateway ended while starting');
});

after(async () => {
  if (gateway?.exitCode === null) {
    gateway.kill('SIGTERM');
    assert.deepEqual(await once(gateway, 'exit'), [0, null]);
  }
  rmSync(folder, { recursive: true, force: true });
});

const order = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };

test('a payment is taken', async () => {
  const { body, text } = await pay(url, { fields: { ...order, ...card } });
  assert.equal(body?.result?.code, '000.100.110', text);
});

test('the page of the back office and every file that it names are served', async () => {
  const page = await (await fetch(`${backOfficeUrl}/sign-in`)).text();
  const names = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, name = '']) => name);
  assert.ok(names.length > 5, page);
  for (const name of names) {
    const file = await fetch(backOfficeUrl + name);
    assert.equal(file.status, 200, name);
    assert.ok((await file.bytes()).length > 0, name);
  }
});

test('the widget of a checkout is served', async () => {
  const checkout = await call(url, { method: 'POST', path: '/v1/checkouts', fields: order });
  const loader = await fetch(`${url}/v1/paymentWidgets.js?checkoutId=${checkout.body?.id}`);
  assert.equal(loader.status, 200, checkout.text);
  const [, build = ''] = /"([0-9a-f]{16})"/.exec(await loader.text()) ?? [];
  for (const name of ['js/static.min.js', 'js/frame.min.js', 'labels/de.json', 'img/brand.VISA.svg']) {
    const file = await fetch(`${url}/v1/static/${build}/${name}`);
    assert.equal(file.status, 200, `${build}/${name}`);
  }
});

test('everything that the server can load is in the package', () => {
  const { files: sources } = reachOf();
  assert.ok(sources.size > 500, `${sources.size} files`);
  for (const file of sources) assert.ok(readFileSync(join(folder, 'dist', file.replace(/\.ts$/, '.js'))).length > 0, file);
});

test('every script on the way to the program is in the package', () => {
  const open = ['scripts/run.mjs', ...Object.values(bin)];
  const seen = new Set<string>();
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:from |import\()'(\.[^']+)'/g)) open.push(join(dirname(file), path));
  }
  assert.ok(seen.has('scripts/lean.mjs'), 'imports are read');
  assert.deepEqual(
    [...seen].filter((file) => !files.includes(file)),
    [],
  );
});
