import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { badgeMark } from '../../../test/badgeMark.ts';
import { brands } from '../../spec/cards/brands.ts';
import { badgeAlone, badgeFrom, badgeGrid, badgeRules, drawBadges, lettersOf, SIZE_MIN } from './badges.ts';

test('every brand has a badge and a place of its own', () => {
  const names = Object.keys(brands);
  const places = new Set(names.map((name) => new RegExp(`\\.wpwl-brand-${name}\\) \\{\\s+([^;]+);`).exec(badgeRules())?.[1]));
  assert.equal(places.size, names.length);
  assert.ok(names.every((name) => drawBadges().includes(`id="${name}"`)));
});

test('one badge alone stands where it stands among all', () => {
  const alone = badgeAlone(drawBadges(), 'MASTER') ?? '';
  assert.equal(alone.split('\n', 1)[0], drawBadges().split('\n', 1)[0], 'the same size and style');
  assert.match(alone, /<use href="#MASTER" x="64" y="0"/);
  assert.equal(alone.match(/<symbol /g)?.length, 1);
  assert.ok(alone.endsWith('</svg>\n'));
  assert.deepEqual(
    ['NOBODY', '', 'MASTER" '].map((name) => badgeAlone(drawBadges(), name)),
    [null, null, null],
  );
});

test('the bitmap for older pages was drawn from the badges as they are, on the same grid', () => {
  const png = readFileSync(join(import.meta.dirname, 'brand.png'));
  assert.ok(
    png.includes(Buffer.from(badgeMark(), 'latin1')),
    'the badges have changed: draw the bitmap again with `npm run badges`',
  );
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  const { columns, width, height } = badgeGrid;
  const rows = Math.ceil(Object.keys(brands).length / columns);
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2 * columns * width, 2 * rows * height]);
  assert.ok(png.length <= 65_536, `${png.length} bytes`);
});

test('every badge can be read: its letters are large enough, and no line of it is too long', () => {
  const drawn = Object.keys(brands).map((name) => ({ name, ...lettersOf(name) }));
  const tooWide = drawn.filter(({ lines, size }) => lines.some((line) => line.length * size > 57 * 2.5));
  assert.deepEqual([drawn.filter(({ size }) => size < SIZE_MIN), tooWide], [[], []]);
});

test('an image takes the place of a badge, and there is none of an unknown brand', () => {
  const own = badgeFrom('AMEX', 'data:image/png;base64,eA==') ?? '';
  assert.equal(own.split('>', 1)[0], drawBadges().split('>', 1)[0], 'the same size');
  assert.match(own, /<image href="data:image\/png;base64,eA==" x="128" y="0" width="64" height="40"\/>/);
  assert.equal(badgeFrom('NOBODY', 'data:image/png;base64,eA=='), null);
});
