import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { adyenUnderTest } from '../connectors/adyen/server.ts';
import { openTrial } from '../connectors/contract.ts';
import { createClient, type Fields } from '../http/client.ts';
import { type Browser, noBrowser, startBrowser, startShop, type WindowOptions } from './browser.ts';

/** The gateway's page for native 3D Secure, with a script that stands in for Adyen Web. */
describe('a shopper who is authenticated on a page of the gateway', { skip: noBrowser }, () => {
  let trial: Awaited<ReturnType<typeof openTrial>>;
  let browser: Browser;
  let shop: Awaited<ReturnType<typeof startShop>>;
  let client: ReturnType<typeof createClient>;
  before(async () => {
    [trial, browser, shop] = await Promise.all([
      openTrial(adyenUnderTest, { payments: 0, seed: 1 }),
      startBrowser(),
      startShop(),
    ]);
    client = createClient(trial.gateway.url, trial.shop);
  });
  afterEach(() => browser.release());
  after(() => Promise.all([trial.close(), browser.close(), shop.close()]));

  async function begin(flow: string, more: Fields = {}): Promise<{ readonly id: string; readonly url: string }> {
    const fields = {
      ...adyenUnderTest.shopper?.requests[0],
      'card.holder': `native ${flow}`,
      shopperResultUrl: `${shop.url}/result`,
      amount: '12.00',
      currency: 'EUR',
      paymentType: 'DB',
      'customer.browser.language': 'en',
      ...more,
    };
    const { id = '', redirect, result } = await trial.post(fields);
    assert.equal(result.code, '000.200.000');
    return { id, url: redirect?.url ?? '' };
  }

  /** A page that has broken no policy and met no error. */
  async function open(url: string, options: WindowOptions = {}) {
    const page = await browser.open({ width: 390, height: 844, ...options });
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(url);
    return { page, faults };
  }

  const challenge = (page: Page) => page.frameLocator('iframe[name="challenge"]');
  const arrive = (page: Page) => page.waitForURL(`${shop.url}/**`);
  const codeOf = async (id: string) => (await client.read(id)).code;

  test('pays by fingerprint and challenge, with the keyboard alone', async () => {
    const { id, url } = await begin('both');
    const { page, faults } = await open(url);
    const confirm = challenge(page).getByRole('button', { name: 'Confirm' });
    await confirm.waitFor();
    assert.equal(await page.locator('#failed').isVisible(), false);
    assert.equal(await page.locator('#progress').isVisible(), false, 'the bank is there: nothing to wait for');
    const wide = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
    assert.ok(wide <= 0, `the page is ${wide} px wider than a phone`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await arrive(page);
    assert.equal(new URL(page.url()).searchParams.get('id'), id);
    assert.equal(await codeOf(id), '000.100.112');
    assert.deepEqual(faults, []);
    assert.equal((await trial.server.booked({ merchantId: trial.shop.ownerId, id })).times, 1);
    await page.goBack();
    await arrive(page);
    assert.equal((await trial.server.booked({ merchantId: trial.shop.ownerId, id })).times, 1);
  });

  test('needs no challenge', async () => {
    const { id, url } = await begin('frictionless');
    const { page, faults } = await open(url);
    await arrive(page);
    assert.equal(await codeOf(id), '000.100.112');
    assert.deepEqual(faults, []);
  });

  test('refuses at the bank', async () => {
    const { id, url } = await begin('challenge');
    const { page } = await open(url, { width: 1280 });
    await challenge(page).getByRole('button', { name: 'Refuse' }).click();
    await arrive(page);
    assert.equal(await codeOf(id), '100.380.401');
  });

  test('loads the page again in the middle of the challenge', async () => {
    const { id, url } = await begin('both');
    const { page } = await open(url);
    await challenge(page).getByRole('button', { name: 'Confirm' }).waitFor();
    await page.reload();
    await challenge(page).getByRole('button', { name: 'Confirm' }).click();
    await arrive(page);
    assert.equal(await codeOf(id), '000.100.112');
  });

  test('has an error of the component, and tries again', async () => {
    const { id, url } = await begin('challenge');
    const { page } = await open(url);
    await challenge(page).getByRole('button', { name: 'Break' }).click();
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    assert.equal(await retry.evaluate((button) => button.matches(':focus')), true, 'the keyboard is there');
    await page.keyboard.press('Enter');
    await challenge(page).getByRole('button', { name: 'Confirm' }).click();
    await arrive(page);
    assert.equal(await codeOf(id), '000.100.112');
  });

  test('does not get the script, and goes back to the shop', async () => {
    const { id, url } = await begin('challenge', { 'customer.browser.language': 'de' });
    const page = await browser.open();
    await page.route('**/adyen.js', (route) => route.abort());
    await page.goto(url);
    await page.getByRole('heading', { name: 'Die Bestätigung hat nicht geklappt' }).waitFor();
    await page.getByRole('link', { name: 'Zurück zum Shop' }).click();
    await arrive(page);
    assert.equal(await codeOf(id), '000.200.000', 'the shop waits as for every shopper who is away');
  });

  test('gets another script than the one that was agreed', async () => {
    const { url } = await begin('challenge');
    const { page } = await open('about:blank');
    await page.route('**/v1/component/**', async (route) => {
      const reply = await route.fetch();
      const body = (await reply.text()).replace(
        '&quot;integrity&quot;:null',
        `&quot;integrity&quot;:&quot;sha384-${'A'.repeat(64)}&quot;`,
      );
      await route.fulfill({ response: reply, body });
    });
    await page.goto(url);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });

  test('has no scripts', async () => {
    const { url } = await begin('challenge');
    const page = await browser.open({ isScripted: false });
    await page.goto(url);
    await page.locator('noscript p').waitFor();
    await page.locator('noscript a').click();
    await arrive(page);
  });
});
