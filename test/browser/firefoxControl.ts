import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBrowser } from './browser.ts';

/** Started by `firefox.long.test.ts` alone: tests that pass in this Firefox, and one that only passes elsewhere. */
const browser = await startBrowser();
const page = await browser.open();
const agent = await page.evaluate('navigator.userAgent');
const isStill = await page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches");
await browser.close();
for (const [name, found, expected] of [
  ['in Firefox', agent, /Firefox/],
  ['without motion', isStill, /true/],
  ['in Chromium', agent, /Chrome/],
] as const)
  test(name, () => assert.match(String(found), expected));
