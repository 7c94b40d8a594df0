import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Build } from '../src/assets/asset.ts';
import { buildWidget } from '../src/assets/build.ts';
import { createWidgetFiles } from '../src/assets/files.ts';
import { languageCodes } from '../src/spec/languages.ts';

/** What a shopper has to load, packed as the gateway sends it. The figures are printed with every run. */

const KB = 1024;
const packed = (bytes: Uint8Array | string): number => gzipSync(bytes, { level: 9 }).length;
const inKb = (size: number): string => `${Math.round((size / KB) * 10) / 10} KB`;

describe('sizes of the widget', () => {
  let build: Build;
  before(async () => {
    build = await buildWidget();
  });

  const sizeOf = (name: string): number => {
    const file = build.files.find((one) => one.name === name);
    assert.ok(file, `${name} is not built`);
    return packed(file.bytes);
  };

  test('the loader of a checkout: at most 3 KB', async (t) => {
    const files = createWidgetFiles(build, { asset: async () => null });
    const checkout = { id: `${'A0'.repeat(16)}.gateway-node-17`, origin: 'https://payments.shop.example', isRegistering: false };
    const size = packed((await files.loader({ ...checkout, build: build.name })) ?? '');
    t.diagnostic(`loader ${inKb(size)}`);
    assert.ok(size > 0 && size <= 3 * KB, inKb(size));
  });

  for (const [what, name, most] of [
    ['the runtime with all forms', 'js/static.min.js', 35],
    ['the wallets, which only pages with a wallet load', 'js/wallets.min.js', 5],
    ['the script of a field frame', 'js/frame.min.js', 12],
  ] as const) {
    test(`${what}: at most ${most} KB`, (t) => {
      const size = sizeOf(name);
      t.diagnostic(`${name} ${inKb(size)}`);
      assert.ok(size <= most * KB, inKb(size));
    });
  }

  test('each language: at most 4 KB', (t) => {
    const sizes = languageCodes.map((code): [string, number] => [code, sizeOf(`labels/${code}.json`)]);
    t.diagnostic(sizes.map(([code, size]) => `${code} ${inKb(size)}`).join(', '));
    assert.deepEqual(
      sizes.filter(([, size]) => size > 4 * KB),
      [],
    );
  });

  test('what the page itself loads before the form can be used: at most 45 KB', (t) => {
    const names = ['js/loader.js', 'js/static.min.js', 'css/card.css', 'labels/en.json'];
    const sum = names.reduce((all, name) => all + sizeOf(name), 0);
    t.diagnostic(`page side ${inKb(sum)}`);
    assert.ok(sum <= 45 * KB, inKb(sum));
  });

  test('what comes before the form can be used, in one language and style', (t) => {
    const names = ['js/loader.js', 'js/static.min.js', 'css/card.css', 'labels/en.json', 'js/frame.min.js'];
    const sizes = names.map((name) => [name, sizeOf(name)] as const);
    const sum = sizes.reduce((all, [, size]) => all + size, 0);
    t.diagnostic(`${sizes.map(([name, size]) => `${name} ${inKb(size)}`).join(', ')}; together ${inKb(sum)}`);
    assert.ok(sum <= 64 * KB, inKb(sum));
  });
});
