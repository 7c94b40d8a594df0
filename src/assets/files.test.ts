import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawBadges } from '../widget/images/badges.ts';
import { createWidgetFiles } from './files.ts';

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
