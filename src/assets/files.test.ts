import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { drawBadges } from '../widget/images/badges.ts';
import { createSelfCheck, createWidgetFiles, withBrandImages } from './files.ts';

const picture = { name: 'img/brand.svg', type: 'image/svg+xml', bytes: Buffer.from(drawBadges()) };
const files = createWidgetFiles(
  { name: 'own', files: [picture] },
  { asset: async (build, name) => (build === 'other' && name === picture.name ? { build, ...picture } : null) },
);

test('each brand has a picture of its own, of this build and of others', async () => {
  for (const build of ['own', 'other']) {
    const badge = await files.file(build, 'img/brand.VISA.svg');
    assert.deepEqual([badge?.build, badge?.name, badge?.type], [build, 'img/brand.VISA.svg', 'image/svg+xml']);
    assert.match(Buffer.from(badge?.bytes ?? []).toString('utf8'), /^<svg .*Visa.*<\/svg>\n$/s);
    assert.ok((badge?.bytes.length ?? 0) < 1_000);
    assert.equal(await files.file(build, 'img/brand.VISA.svg'), badge, 'made once');
  }
  for (const name of ['img/brand.NOBODY.svg', 'img/brand..svg', 'img/brand.VISA.png'])
    assert.equal(await files.file('own', name), null, name);
  assert.equal(await files.file('gone', 'img/brand.VISA.svg'), null);
});

const build = { name: '0123456789abcdef', files: [picture] };

function inFolder(files: Readonly<Record<string, string | Buffer>>, act: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'brands-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return act(folder).finally(() => rmSync(folder, { recursive: true }));
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1"/></svg>';

test("the operator's image takes the place of the badge, in the grid of the picture, under another build", () =>
  inFolder({ 'VISA.svg': svg, 'MASTER.png': Buffer.from([137, 80]), '.keep': '' }, async (folder) => {
    const own = await withBrandImages(build, folder);
    assert.match(own.name, /^[0-9a-f]{16}$/);
    assert.notEqual(own.name, build.name);
    assert.deepEqual(await withBrandImages(build, folder), own, 'the same images make the same build');
    const files = createWidgetFiles(own, { asset: async () => null });
    const text = async (brand: string) =>
      Buffer.from((await files.file(own.name, `img/brand.${brand}.svg`))?.bytes ?? []).toString('utf8');
    const visa = await text('VISA');
    assert.equal(visa.split('>', 1)[0], drawBadges().split('>', 1)[0], 'the same size as the picture of all');
    assert.ok(
      visa.includes(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}" x="0" y="0" width="64" height="40"`),
    );
    assert.match(await text('MASTER'), /data:image\/png;base64,[^"]+" x="64" y="0"/);
    assert.match(await text('AMEX'), /<text [^>]*>AMEX</, 'the others keep their letters');
    assert.deepEqual(
      await createSelfCheck({ build: own, files, store: { asset: async () => null }, reload: async () => build })(),
      [],
      'the check of the files knows them',
    );
  }));

test('an empty folder changes nothing', () =>
  inFolder({}, async (folder) => assert.equal(await withBrandImages(build, folder), build)));

const wrong: readonly (readonly [file: string, content: string | Buffer, says: RegExp])[] = [
  ['NOBODY.svg', svg, /NOBODY\.svg: must be the name of a payment brand/],
  ['visa.svg', svg, /visa\.svg: must be the name/],
  ['VISA.txt', 'x', /VISA\.txt: must be the name/],
  ['VISA.png', Buffer.alloc(102_401), /VISA\.png has 102401 bytes: must have at most 102400/],
];
for (const [file, content, says] of wrong)
  test(`the operator gets: ${says.source}`, () =>
    inFolder({ [file]: content }, (folder) => assert.rejects(withBrandImages(build, folder), says)));
