import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Build, Office } from './asset.ts';
import { readOffice, readWidget, writeOffice, writeWidget } from './packaged.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

test('a package carries the widget and the back office as they were built', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-assets-'));
  try {
    const widget: Build = {
      name: 'abc',
      files: [
        { name: 'js/loader.js', type: 'text/javascript', bytes: bytes('run()') },
        { name: 'img/brand.png', type: 'image/png', bytes: Buffer.from([0, 255, 13, 10]) },
      ],
    };
    const page = { type: 'text/css', bytes: bytes('a{}'), gzip: bytes('packed'), brotli: bytes('packed more') };
    const office: Office = {
      files: new Map([['main.js', { ...page, type: 'text/javascript' }]]).set('office.css', page),
      script: 'main.js',
      style: 'office.css',
      calendar: 'calendar.css',
      preloads: ['chunk.js'],
      frame: ['Layout.js'],
    };
    await Promise.all([writeWidget(folder, widget), writeOffice(folder, office)]);
    assert.deepEqual(await readWidget(folder), widget);
    assert.deepEqual(await readOffice(folder), office);
    rmSync(join(folder, 'office', 'main.js.br'));
    await assert.rejects(readOffice(folder), { code: 'ENOENT' }, 'a package that lacks a file is not taken for whole');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
