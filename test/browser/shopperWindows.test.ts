import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, noBrowser, startBrowser, startShop } from './browser.ts';

/** Everything that a page can find of a test before it. */
const LEFT = `(async () => ({
  cookie: document.cookie,
  local: localStorage.length,
  session: sessionStorage.length,
  databases: (await indexedDB.databases()).length,
  caches: 'caches' in globalThis ? (await caches.keys()).length : 0,
  name: globalThis.name,
  planted: 'planted' in globalThis,
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  clipboard: (await navigator.permissions.query({ name: 'clipboard-read' })).state,
  width: innerWidth,
  heading: document.querySelector('h1')?.textContent,
}))()`;

const NOTHING = {
  ...{ cookie: '', local: 0, session: 0, databases: 0, caches: 0, name: '', planted: false, dark: false, clipboard: 'prompt' },
  ...{ width: 360, heading: 'Back at the shop' },
};

type Plant = readonly [what: string, plant: (page: Page, url: string) => Promise<unknown>];

/** What a test can leave behind in a window that is used again. */
const removable: readonly Plant[] = [
  ['a cookie', (page) => page.evaluate(`document.cookie = 'a=1; max-age=600'`)],
  ['a database', (page) => page.evaluate(`new Promise((done) => { indexedDB.open('a').onsuccess = () => done(0); })`)],
  ['another tab', async (page, url) => (await page.context().newPage()).goto(url)],
  ['the name of the window', (page) => page.evaluate(`globalThis.name = 'a'`)],
  ['dark colours', (page) => page.emulateMedia({ colorScheme: 'dark' })],
  ['another size', (page) => page.setViewportSize({ width: 800, height: 600 })],
  ['a permission', (page) => page.context().grantPermissions(['clipboard-read'])],
];
const routes: readonly Plant[] = [
  ['a route', (page) => page.route('**/*', (route) => route.abort())],
  ['a route of the context', (page) => page.context().route('**/*', (route) => route.abort())],
];
/** What stays until the window is closed. */
const lasting: readonly Plant[] = [
  ['a stored value', (page) => page.evaluate(`localStorage.setItem('a', '1')`)],
  ['a value of the session', (page) => page.evaluate(`sessionStorage.setItem('a', '1')`)],
  ['a script', (page) => page.addInitScript('globalThis.planted = 1')],
  ['a script of the context', (page) => page.context().addInitScript('globalThis.planted = 1')],
  ['a function', (page) => page.exposeFunction('planted', () => 1)],
];

describe('a window of a shopper', { skip: noBrowser }, () => {
  let browser: Browser;
  let shop: Awaited<ReturnType<typeof startShop>>;
  before(async () => {
    [browser, shop] = await Promise.all([startBrowser(), startShop()]);
  });
  afterEach(() => browser.release());
  after(() => Promise.all([browser.close(), shop.close()]));

  async function openWith(plants: readonly Plant[]): Promise<Page> {
    const page = await browser.open();
    await page.goto(shop.url);
    for (const [, plant] of plants) await plant(page, shop.url);
    return page;
  }

  test('is used again, and the next test finds nothing of the one before', async () => {
    const page = await openWith([...removable, ...routes]);
    let heard = 0;
    page.on('load', () => {
      heard += 1;
    });
    await browser.release();
    const next = await browser.open();
    assert.equal(next, page);
    await next.goto(shop.url);
    assert.deepEqual(await next.evaluate(LEFT), NOTHING);
    assert.equal(next.context().pages().length, 1);
    assert.equal(heard, 0, 'a listener of the test before');
  });

  for (const plant of lasting) {
    test(`is closed after ${plant[0]}`, async () => {
      const page = await openWith([plant]);
      await browser.release();
      assert.ok(page.isClosed());
      const next = await browser.open();
      await next.goto(shop.url);
      assert.deepEqual(await next.evaluate(LEFT), NOTHING);
    });
  }

  test('without a release everything is found', async () => {
    const page = await openWith([...removable, ...lasting]);
    await page.goto(shop.url);
    const stored = { cookie: 'a=1', local: 1, session: 1, databases: 1, name: 'a', planted: true };
    const found = { ...NOTHING, ...stored, dark: true, clipboard: 'granted', width: 800 };
    assert.deepEqual(await page.evaluate(LEFT), found);
    assert.equal(page.context().pages().length, 2);
  });
});
