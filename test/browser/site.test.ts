import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { onlyLong } from '../long.ts';
import { createSample } from '../sample.ts';
import { type Browser, noBrowser, startBrowser, type WindowOptions } from './browser.ts';

/** The documentation site in a real browser, under its policy. */

const axeSource = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
/** Set it to see the pages. */
const PICTURES = process.env.TURNPIKE_SITE_PICTURES;

/** The two longest pages take the checker half a minute each. */
const LOOKED_AT = ['/docs', '/docs/guides/first-payment', '/docs/console', '/docs/clock'];
const LONGEST = ['/docs/reference', '/docs/result-codes'];
/** A whole `npm test` takes half of the pages in each of its looks. */
const isSampled = createSample(2);

describe('the documentation site', { skip: noBrowser }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  const complaints: string[] = [];
  before(async () => {
    gateway = await startGateway();
    browser = await startBrowser();
  });
  afterEach(async () => {
    await browser.release();
    assert.deepEqual(complaints.splice(0), []);
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
  });

  async function open(path: string, options: WindowOptions = {}): Promise<Page> {
    const page = await browser.open(options);
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(gateway.url + path);
    return page;
  }

  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280])
      test(`axe finds nothing, and nothing is wider than the page, ${colorScheme}, ${width} px`, {
        skip: (width === 390) === (colorScheme === 'dark') && onlyLong,
      }, async () => {
        for (const path of [...LOOKED_AT.filter(() => isSampled()), ...(onlyLong ? [] : LONGEST)]) {
          const page = await open(path, { width, height: 900 });
          await page.emulateMedia({ colorScheme });
          await page.evaluate(axeSource);
          const found = await page.evaluate(
            'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html }) => html).join(" ")))',
          );
          assert.deepEqual(found, [], path);
          assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} scrolls sideways`);
          if (PICTURES) {
            mkdirSync(PICTURES, { recursive: true });
            await page.screenshot({ path: join(PICTURES, `${path.replaceAll('/', '_')}-${colorScheme}-${width}.png`) });
          }
          await browser.release();
        }
      });

  test('the search is reached with /, and leads to a parameter', async () => {
    const page = await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('card.number');
    await page
      .getByRole('option', { name: /^card\.number/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/reference#card.number');
    await page.locator('[id="card.number"]').waitFor({ state: 'visible' });
  });

  test('the chosen language is remembered on the next page', async () => {
    const page = await open('/docs/guides/first-payment');
    assert.equal(await page.locator('.snippet:visible').first().getAttribute('data-language'), 'curl');
    await page.getByRole('button', { name: 'Python' }).first().click();
    await page.goto(`${gateway.url}/docs/guides/refunds`);
    assert.deepEqual(
      await page
        .locator('.snippet:visible')
        .evaluateAll((all) => [...new Set(all.map((one) => one.getAttribute('data-language')))]),
      ['python'],
    );
  });

  test('without a script every language is shown', async () => {
    const page = await open('/docs/guides/first-payment', { isScripted: false });
    assert.equal(await page.locator('.snippets').first().locator('pre:visible').count(), 7);
  });

  test('the console sends what it shows, and no card but a test card', async () => {
    const page = await open('/docs/console');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('#console-answer', { hasText: '000.100.110' }).waitFor();
    assert.match(await page.locator('#console-request').innerText(), /card\.number=4200000000000000/);
    let sent = 0;
    page.on('request', () => {
      sent += 1;
    });
    const fields = page.getByLabel('Parameters, one per line');
    await fields.fill((await fields.inputValue()).replace('4200000000000000', '4539 1488 0343 6467'));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('#console-answer', { hasText: 'Nothing was sent' }).waitFor();
    assert.equal(sent, 0);
  });
});
