import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { refusals } from '../../../src/connectors/adyen/codes.ts';
import { redirectTypes } from '../../../src/connectors/adyen/paymentMethods.ts';
import { secretRows, settingRows } from '../../../src/connectors/adyen/settings.ts';

const page = readFileSync('docs/connectors/adyen.md', 'utf8');

test('the page of the connector names every setting, secret, redirect brand and decline code', () => {
  const names = [...Object.keys(settingRows), ...Object.keys(secretRows), ...Object.keys(redirectTypes)];
  const rows = refusals.map(({ code, name, ours }) => `| ${code} | ${name} | ${ours} |`);
  assert.deepEqual(
    [...names.map((name) => `\`${name}\``), ...rows].filter((text) => !page.includes(text)),
    [],
  );
});
