import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import { createClient, type Fields, SHOPPER } from '../http/client.ts';
import { freshShops } from '../http/freshShops.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { onlyLong } from '../long.ts';
import { type Browser, noBrowser, startBrowser, startShop } from './browser.ts';

describe('a cardholder who is asked by his issuer', { skip: noBrowser }, () => {
  const { shops, rows } = freshShops(1, { isLenient: true, threeDSecure: true });
  let gateway: TestGateway;
  let browser: Browser;
  let shop: Awaited<ReturnType<typeof startShop>>;
  let client: ReturnType<typeof createClient>;
  before(async () => {
    [gateway, browser, shop] = await Promise.all([startGateway({ patienceMs: 500, rows }), startBrowser(), startShop()]);
    client = createClient(gateway.url);
  });
  afterEach(() => browser.release());
  after(() => Promise.all([gateway.close(), browser.close(), shop.close()]));

  const pay = (number: string, fields: Fields = {}) =>
    client.pay({ 'card.number': number, ...SHOPPER, shopperResultUrl: `${shop.url}/result?order=17`, ...fields });

  async function codeOn(page: Page | FrameLocator): Promise<string> {
    const text = await page.locator('body').innerText();
    return /\b[0-9]{6}\b/.exec(text)?.[0] ?? '';
  }

  async function arrive(page: Page): Promise<URL> {
    await page.waitForURL(`${shop.url}/**`);
    return new URL(page.url());
  }

  test('a hidden frame, and he is through', async () => {
    const pending = await pay('4200000000000091');
    const page = await browser.open();
    await page.goto(pending.body.redirect.url);
    const url = await arrive(page);
    assert.equal(url.searchParams.get('order'), '17');
    assert.equal((await client.read(pending.id)).code, '000.100.110');
  });

  test('the browser tells what the shop has not sent', async () => {
    const lenient = createClient(gateway.url, shops[0]?.channels[0]);
    const pending = await lenient.pay({ 'card.number': '4012888888881881', shopperResultUrl: `${shop.url}/result` });
    const page = await browser.open({ width: 390 });
    await page.goto(pending.body.redirect.url);
    await page.locator('input[name="code"]').waitFor();
    await page.locator('input[name="code"]').fill(await codeOn(page));
    await page.locator('button[value="submit"]').click();
    await arrive(page);
    assert.equal((await lenient.read(pending.id)).code, '000.100.110');
    const stored = await gateway.world.store.payment(shops[0]?.merchant.entityId ?? '', pending.id);
    assert.equal(stored?.threeDS?.state.browser?.['customer.browser.screenWidth'], String(await page.evaluate('screen.width')));
  });

  for (const [what, fields] of [
    ['on a page of its own', {}],
    ['in a window of 250 by 400', { 'customer.browser.challengeWindow': '1' }],
  ] as [string, Fields][]) {
    test(`a code, ${what}`, async () => {
      const pending = await pay('4200000000000042', fields);
      const page = await browser.open({ width: 800 });
      await page.goto(pending.body.redirect.url);
      const isFramed = what.includes('window');
      const issuer: Page | FrameLocator = isFramed ? page.frameLocator('iframe.window') : page;
      await issuer.locator('input[name="code"]').waitFor();
      await issuer.locator('input[name="code"]').fill(await codeOn(issuer));
      await issuer.locator('button[value="submit"]').click();
      await arrive(page);
      assert.equal((await client.read(pending.id)).code, '000.100.110');
    });
  }

  test('three wrong codes, and nothing is charged', { skip: onlyLong }, async () => {
    const pending = await pay('4200000000000018');
    const page = await browser.open();
    await page.goto(pending.body.redirect.url);
    for (let tries = 0; tries < 3; tries += 1) {
      await page.locator('input[name="code"]').fill('000000');
      await page.locator('button[value="submit"]').click();
    }
    await arrive(page);
    const outcome = await client.read(pending.id);
    assert.deepEqual([outcome.status, outcome.code], [400, '100.380.401']);
  });

  test('he cancels at his issuer', async () => {
    const pending = await pay('4200000000000018');
    const page = await browser.open();
    await page.goto(pending.body.redirect.url);
    await page.locator('button[value="cancel"]').click();
    await arrive(page);
    assert.equal((await client.read(pending.id)).code, '100.396.101');
  });

  test('asked apart, on a small telephone and by keyboard alone: he confirms and is charged', async () => {
    const apart = { 'threeDSecure.decoupled': 'true', 'customParameters[SIMULATOR_3dsDecides]': '3600' };
    const pending = await pay('4200000000000018', apart);
    const page = await browser.open({ width: 320, height: 640 });
    await page.goto(pending.body.threeDSecure.challenge.acsURL);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
    await page.keyboard.press('Tab');
    assert.equal(await page.locator(':focus').getAttribute('value'), 'confirm');
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    assert.equal((await client.read(pending.id)).code, '000.100.110');
  });

  test('a code by keyboard alone: what he types is sent by Enter', { skip: onlyLong }, async () => {
    const pending = await pay('4200000000000018');
    const page = await browser.open({ width: 320, height: 640 });
    await page.goto(pending.body.redirect.url);
    await page.locator('input[name="code"]').waitFor();
    assert.equal(await page.locator(':focus').getAttribute('name'), 'code');
    await page.keyboard.type(await codeOn(page));
    await page.keyboard.press('Enter');
    await arrive(page);
    assert.equal((await client.read(pending.id)).code, '000.100.110');
  });

  const windows: readonly (readonly [size: string, width: number, height: number])[] = [
    ['1', 250, 400],
    ['2', 390, 400],
    ['3', 500, 600],
    ['4', 600, 400],
  ];
  for (const [size, width, height] of windows) {
    for (const kind of ['code', 'app']) {
      test(`the page of kind ${kind} fits a window of ${width} by ${height}, every button of it in sight`, {
        skip: size !== '1' && onlyLong,
      }, async () => {
        const directives = { 'customer.browser.challengeWindow': size, 'customParameters[SIMULATOR_3dsPage]': kind };
        const pending = await pay('4200000000000018', directives);
        const page = await browser.open({ width: 800 });
        await page.goto(pending.body.redirect.url);
        const issuer = page.frameLocator('iframe.window');
        await issuer.locator('button[value="cancel"]').waitFor();
        const frame = page.frames().at(-1);
        const html = 'document.documentElement';
        const service = await frame?.evaluate(
          `[${html}.scrollWidth - ${html}.clientWidth, ${html}.scrollHeight - ${html}.clientHeight]`,
        );
        assert.deepEqual(service, [0, 0]);
      });
    }
  }

  test('two tabs, and the page once more after the end: one payment', async () => {
    const pending = await pay('4200000000000018');
    const [page, other] = [await browser.open(), await browser.open()];
    for (const tab of [page, other]) {
      await tab.goto(pending.body.redirect.url);
      await tab.locator('input[name="code"]').waitFor();
    }
    await page.locator('input[name="code"]').fill(await codeOn(page));
    await page.locator('button[value="submit"]').click();
    await arrive(page);
    assert.equal((await client.read(pending.id)).code, '000.100.110');
    await other.locator('button[value="cancel"]').click();
    await arrive(other);
    await page.goto(pending.body.redirect.url);
    await arrive(page);
    assert.equal((await client.read(pending.id)).code, '000.100.110');
  });
});
