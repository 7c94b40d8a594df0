import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  expiredPage,
  goneWrong,
  resultPage,
  targetPage,
  type WidgetPage,
  workingPage,
} from '../../src/http/shopper/widgetPages.ts';
import type { WidgetResult } from '../../src/spec/widget.ts';
import { allTexts } from '../../src/widget/allTexts.ts';
import { type Browser, noBrowser, startBrowser } from './browser.ts';
import { CHECKOUT, type Gateway, startFrameShop, startFrames } from './fieldFrames.ts';

const axeSource = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

describe('pages around the payment', { skip: noBrowser }, () => {
  let browser: Browser;
  let gateway: Gateway;
  let shop: Awaited<ReturnType<typeof startFrameShop>>;
  before(async () => {
    gateway = await startFrames(() => '*');
    [browser, shop] = await Promise.all([startBrowser(), startFrameShop(() => gateway.url)]);
  });
  afterEach(async () => {
    await browser.clear();
    gateway.pages.clear();
  });
  after(() => Promise.all([browser.close(), gateway.close(), shop.close()]));

  const result = (): WidgetResult => ({
    checkoutId: CHECKOUT,
    resourcePath: `/v1/checkouts/${CHECKOUT}/payment`,
    url: `${shop.url}/thanks?id=${CHECKOUT}`,
    outcome: 'success',
    code: '000.100.110',
    text: 'Thank you. Your payment has gone through.',
  });
  const ended = (more: Partial<Parameters<typeof resultPage>[0]> = {}): WidgetPage =>
    resultPage({ result: result(), shopOrigin: shop.url, language: 'en', ...more });

  /** The page in a frame of the shop's. */
  async function framed(page: WidgetPage): Promise<Page> {
    gateway.pages.set('/page', page);
    const tab = await browser.open();
    await tab.goto(shop.url);
    await tab.evaluate(`new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.onload = resolve;
        frame.src = gateway + '/page';
        document.querySelector('main').append(frame);
      })`);
    return tab;
  }

  test('the page around it is told, and the shopper sees no more than a moment', async () => {
    const tab = await framed(ended());
    await tab.waitForFunction('heard.length > 0');
    assert.deepEqual(await tab.evaluate('heard'), [{ origin: gateway.url, data: { turnpike: 1, result: result() } }]);
    // How long it stays so is the style sheet's to say, and not to be measured on a machine that has other things to do.
    const look = `getComputedStyle(document.querySelector('main')).animationDelay`;
    const delay = await tab.frames()[1]?.evaluate(look);
    assert.equal(delay, '1.5s');
  });

  test('where nobody takes it he reads it, and one press brings the whole tab to the shop', async () => {
    const tab = await framed(ended());
    const link = tab.frameLocator('iframe').getByRole('link', { name: 'Continue to the shop' });
    await link.waitFor({ timeout: 4_000 });
    await link.click();
    await tab.waitForURL(`${shop.url}/thanks**`);
  });

  test('another page around it is told nothing', async () => {
    const tab = await framed(ended({ shopOrigin: 'https://another-shop.example' }));
    await tab.frameLocator('iframe').getByRole('link').waitFor({ timeout: 4_000 });
    assert.deepEqual(await tab.evaluate('heard'), []);
  });

  test('alone in its tab, or without a script, it speaks at once', async () => {
    gateway.pages.set('/page', ended());
    for (const isScripted of [true, false]) {
      const tab = await browser.open({ isScripted });
      await tab.goto(`${gateway.url}/page`);
      assert.equal(await tab.getByRole('status').isVisible(), true);
      assert.equal(await tab.getByRole('link').getAttribute('href'), result().url);
    }
  });

  test('while it works elsewhere the page stays, and goes on when the result arrives', async () => {
    gateway.pages.set('/wait', workingPage({ language: 'en', next: '/wait' }));
    const tab = await browser.open();
    await tab.goto(`${gateway.url}/wait`);
    await tab.evaluate('window.isSame = true');
    await tab.waitForTimeout(3_000);
    assert.ok(gateway.asked.filter((one) => one === 'GET /wait').length >= 2);
    assert.equal(await tab.evaluate('window.isSame'), true);
    gateway.pages.set('/wait', ended());
    await tab.getByRole('link', { name: 'Continue to the shop' }).waitFor({ timeout: 10_000 });
  });

  test('the page of an empty frame shows nothing and finds no fault', async () => {
    gateway.pages.set('/page', targetPage());
    const tab = await browser.open();
    const errors: string[] = [];
    tab.on('console', (message) => errors.push(message.text()));
    await tab.goto(`${gateway.url}/page`);
    assert.deepEqual([await tab.locator('body').innerText(), errors], ['', []]);
  });

  for (const language of ['en', 'de', 'ar', 'ja'] as const)
    for (const scheme of ['light', 'dark'] as const)
      test(`on 320 pixels, ${scheme}, in ${language}: nothing runs over, and everybody can read it`, async () => {
        const { labels } = allTexts[language];
        const reader = { language, shopUrl: shop.url, isTest: true } as const;
        const declined = { ...result(), outcome: 'declined', text: labels.resultDeclinedFunds } as const;
        const pages = {
          success: ended({ language, result: { ...result(), text: labels.resultSuccess } }),
          declined: ended({ language, result: declined }),
          expired: expiredPage(reader),
          wrong: goneWrong(reader),
          working: workingPage({ language, next: '/v1/working' }),
        };
        const tab = await browser.open({ width: 320, height: 480 });
        await tab.emulateMedia({ colorScheme: scheme });
        for (const [name, page] of Object.entries(pages)) {
          gateway.pages.set('/page', page);
          await tab.goto(`${gateway.url}/page`);
          assert.equal(await tab.evaluate('document.documentElement.scrollWidth'), 320, name);
          await tab.evaluate(axeSource);
          const found = await tab.evaluate(
            'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))',
          );
          assert.deepEqual(found, [], name);
        }
      });
});
