import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createClient, type Fields, type Reply } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { type Browser, noBrowser, startBrowser, startShop } from './browser.ts';

const NO_CARD = { 'card.number': '', 'card.holder': '', 'card.expiryMonth': '', 'card.expiryYear': '', 'card.cvv': '' };

describe('a shopper at the bank of the sandbox', { skip: noBrowser }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  let shop: Awaited<ReturnType<typeof startShop>>;
  let client: ReturnType<typeof createClient>;
  before(async () => {
    [gateway, browser, shop] = await Promise.all([startGateway({ patienceMs: 500 }), startBrowser(), startShop()]);
    client = createClient(gateway.url);
  });
  after(() => Promise.all([gateway.close(), browser.close(), shop.close()]));

  const pay = (fields: Fields = {}): Promise<Reply> =>
    client.pay({
      ...NO_CARD,
      paymentBrand: 'SOFORTUEBERWEISUNG',
      'bankAccount.country': 'DE',
      shopperResultUrl: `${shop.url}/result?order=17`,
      ...fields,
    });

  async function arrive(page: Page): Promise<URL> {
    await page.waitForURL(`${shop.url}/**`);
    assert.equal(await page.getByRole('heading').textContent(), 'Back at the shop');
    return new URL(page.url());
  }

  for (const [button, code] of [
    [/^pay/i, '000.100.110'],
    [/decline/i, '800.100.152'],
    [/cancel/i, '100.396.101'],
  ] as const) {
    test(`he presses ${button}, arrives at the shop, and the shop learns ${code}`, async () => {
      const pending = await pay();
      const page = await browser.open();
      await page.goto(pending.body.redirect.url);
      await page.getByRole('button', { name: button }).first().click();
      const url = await arrive(page);
      assert.deepEqual([url.searchParams.get('order'), url.searchParams.get('id')], ['17', pending.id]);
      const asked = await client.send('GET', url.searchParams.get('resourcePath') ?? '', {});
      assert.equal(asked.code, code);
    });
  }

  test('everything can be done by keyboard', async () => {
    const pending = await pay();
    const page = await browser.open();
    await page.goto(pending.body.redirect.url);
    await page.keyboard.press('Tab');
    const focused = await page.locator(':focus').getAttribute('value');
    assert.equal(focused, 'pay');
    await page.keyboard.press('Enter');
    await arrive(page);
    assert.equal((await client.read(pending.id)).code, '000.100.110');
  });

  test('he goes back in his browser and pays again: it stays one payment', async () => {
    const pending = await pay();
    const page = await browser.open();
    await page.goto(pending.body.redirect.url);
    await page.getByRole('button', { name: /^pay/i }).first().click();
    await arrive(page);
    await page.goto(pending.body.redirect.url);
    assert.equal(await page.getByRole('button', { name: /^pay/i }).count(), 0, 'there is nothing left to pay');
    assert.equal((await client.read(pending.id)).code, '000.100.110');
  });

  test('the page speaks his language and fits his phone', async () => {
    const pending = await pay({ 'customer.givenName': 'Ann', 'customer.surname': 'Example', 'customer.language': 'DE' });
    for (const width of [320, 1280]) {
      const page = await browser.open({ width });
      await page.goto(pending.body.redirect.url);
      assert.equal(await page.locator('html').getAttribute('lang'), 'de');
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      assert.equal(overflow, 0);
    }
  });

  test('a page of ours loads nothing from elsewhere and complains of nothing', async () => {
    const pending = await pay();
    const page = await browser.open();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(gateway.url)) complaints.push(request.url());
    });
    await page.goto(pending.body.redirect.url);
    assert.deepEqual(complaints, []);
  });
});
