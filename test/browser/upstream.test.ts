import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Chain, startChain } from '../connectors/upstream/chain.ts';
import { type Fields, SHOPPER } from '../http/client.ts';
import { type Browser, noBrowser, startBrowser, startShop } from './browser.ts';

describe('a shopper who is sent through two gateways', { skip: noBrowser }, () => {
  let chain: Chain;
  let browser: Browser;
  let shop: Awaited<ReturnType<typeof startShop>>;
  before(async () => {
    [chain, browser, shop] = await Promise.all([startChain(), startBrowser(), startShop()]);
  });
  after(() => Promise.all([chain.close(), browser.close(), shop.close()]));

  const pay = (fields: Fields) =>
    chain.client.pay({ testMode: 'EXTERNAL', ...SHOPPER, shopperResultUrl: `${shop.url}/result?order=17`, ...fields });

  async function arrive(page: Page): Promise<URL> {
    await page.waitForURL(`${shop.url}/**`);
    return new URL(page.url());
  }

  test('confirms a payment at the issuer, and it is captured and refunded', async () => {
    const { client, farClient } = chain;
    const pending = await pay({ paymentType: 'PA', 'card.number': '4200000000000042' });
    assert.equal(pending.code, '000.200.000', JSON.stringify(pending.body));
    assert.ok(pending.body.redirect.url.startsWith(chain.far.url));
    const page = await browser.open({ width: 800 });
    await page.goto(pending.body.redirect.url);
    await page.locator('input[name="code"]').waitFor();
    const code = /\b[0-9]{6}\b/.exec(await page.locator('body').innerText())?.[0] ?? '';
    await page.locator('input[name="code"]').fill(code);
    await page.locator('button[value="submit"]').click();
    const url = await arrive(page);
    assert.equal(url.searchParams.get('order'), '17');
    assert.equal(url.searchParams.get('id'), pending.id, 'the shop knows the payment by our id');
    const paid = await client.read(pending.id);
    assert.equal(paid.code, '000.100.112', JSON.stringify(paid.body));
    const far = await farClient.read(paid.body.resultDetails.ConnectorTxID1);
    assert.equal(far.body.threeDSecure.authenticationStatus, 'Y');
    const captured = await client.capture(pending.id, '92.00', { testMode: 'EXTERNAL' });
    assert.equal(captured.code, '000.100.112');
    assert.equal((await client.refund(captured.id, '92.00', { testMode: 'EXTERNAL' })).code, '000.100.112');
  });

  test('cancels at the issuer, and nothing is charged on either side', async () => {
    const { client, farClient } = chain;
    const pending = await pay({ 'card.number': '4200000000000018' });
    const page = await browser.open();
    await page.goto(pending.body.redirect.url);
    await page.locator('button[value="cancel"]').click();
    await arrive(page);
    const ended = await client.read(pending.id);
    assert.equal(ended.code, '100.396.101', JSON.stringify(ended.body));
    assert.equal((await farClient.read(ended.body.resultDetails.ConnectorTxID1)).code, '100.396.101');
  });
});
