import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { secretRows, settingRows } from '../../../src/connectors/sepa/settings.ts';

const page = readFileSync('docs/connectors/sepa.md', 'utf8');

test('the page of the connector names every setting with its default, and every secret', () => {
  const names = [...Object.keys(settingRows), ...Object.keys(secretRows)];
  assert.deepEqual(
    names.filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
  const defaults = Object.entries(settingRows).flatMap(([name, { fallback }]) =>
    fallback === undefined || fallback === '' || name === 'port' ? [] : [`| \`${name}\` | ${fallback} |`],
  );
  assert.deepEqual(
    defaults.filter((row) => !page.includes(row)),
    [],
  );
});
