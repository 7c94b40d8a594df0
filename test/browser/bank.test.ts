import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Fields, Reply } from '../http/client.ts';
import { onlyLong } from '../long.ts';
import { noBrowser, type Sandbox, startSandbox, type WindowOptions } from './browser.ts';

const NO_CARD = { 'card.number': '', 'card.holder': '', 'card.expiryMonth': '', 'card.expiryYear': '', 'card.cvv': '' };
const BANK = { paymentBrand: 'SOFORTUEBERWEISUNG', 'bankAccount.country': 'DE' };
const SLIP = { paymentBrand: 'PREPAYMENT', 'bankAccount.country': '' };
const INVOICE = { paymentBrand: 'AFTERPAY', 'bankAccount.country': '' };
const TELLS_NOTHING = { 'customParameters[SIMULATOR_confirm]': 'never' };
const MINUTE_MS = 60_000;
const PAY = /^pay /i;

const PAID = '000.100.110';
const CANCELLED = '100.396.101';
const PENDING = '000.200.000';
const DECLINED = '800.100.152';

describe('a shopper at the bank of the sandbox', { skip: noBrowser }, () => {
  let here: Sandbox;
  before(async () => {
    here = await startSandbox();
  });
  afterEach(() => here.browser.release());
  after(() => here.close());

  const pay = (fields: Fields = {}): Promise<Reply> =>
    here.client.pay({ ...NO_CARD, ...BANK, shopperResultUrl: here.shopperResultUrl, ...fields });

  /** A payment and the page it leads to. */
  async function goToBank(fields: Fields = {}, options: WindowOptions = {}) {
    const pending = await pay(fields);
    const { url } = pending.body.redirect;
    const page = await here.browser.open(options);
    await page.goto(url);
    return { id: pending.id, url: url as string, page };
  }

  const press = (page: Page, name: RegExp) => page.getByRole('button', { name }).click();

  /** The far side, the shop and its messages tell one story, and the story has one end. */
  async function assertEnds(id: string, code: string): Promise<void> {
    assert.equal((await here.client.read(id)).code, code);
    const messages = here.messages(id);
    assert.deepEqual(
      messages.filter((one) => one !== PENDING),
      code === PENDING ? [] : [code],
    );
    assert.equal(messages.at(-1), code);
  }

  for (const [brand, button, code] of [
    [BANK, PAY, PAID],
    [BANK, /decline/i, DECLINED],
    [BANK, /cancel/i, CANCELLED],
    [BANK, /later/i, PENDING],
    [SLIP, /have paid/i, PAID],
    [SLIP, /pay later/i, PENDING],
    [SLIP, /cancel/i, CANCELLED],
    [INVOICE, /^agree/i, PAID],
    [INVOICE, /do not agree/i, CANCELLED],
    [INVOICE, /simulate a decline/i, DECLINED],
  ] as const) {
    test(`${brand.paymentBrand}: he presses ${button}, arrives at the shop, and the shop learns ${code}`, {
      skip: brand !== BANK && onlyLong,
    }, async () => {
      const { id, page } = await goToBank(brand);
      await press(page, button);
      const url = await here.arrive(page);
      assert.deepEqual([url.searchParams.get('order'), url.searchParams.get('id')], ['17', id]);
      const asked = await here.client.send('GET', url.searchParams.get('resourcePath') ?? '', {});
      assert.equal(asked.code, code);
      await assertEnds(id, code);
    });
  }

  for (const [brand, button, code] of [
    [BANK, PAY, PAID],
    [SLIP, /cancel/i, CANCELLED],
    [INVOICE, /^agree/i, PAID],
  ] as const) {
    test(`${brand.paymentBrand}: ${button} in a browser that runs no scripts`, { skip: brand !== BANK && onlyLong }, async () => {
      const { id, page } = await goToBank(brand, { isScripted: false });
      await press(page, button);
      await here.arrive(page);
      await assertEnds(id, code);
    });
  }

  test('everything can be done by keyboard', async () => {
    for (const [brand, order] of [
      [BANK, ['pay', 'decline', 'cancel', 'later']],
      [SLIP, ['pay', 'later', 'cancel']],
      [INVOICE, ['pay', 'cancel', 'decline', 'later']],
    ] as const) {
      const { id, page } = await goToBank(brand);
      for (const choice of order) {
        await page.keyboard.press('Tab');
        assert.equal(await page.locator(':focus').getAttribute('value'), choice);
        const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
        assert.equal(outline, 'solid', 'where he is can be seen');
      }
      for (let back = 1; back < order.length; back += 1) await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await here.arrive(page);
      await assertEnds(id, PAID);
    }
  });

  test('he pays, goes back in his browser, and tries it again: it stays one payment', async () => {
    const { id, page, url } = await goToBank();
    await press(page, PAY);
    await here.arrive(page);
    await page.goBack();
    assert.equal(page.url(), url);
    assert.equal(await page.getByRole('heading').textContent(), 'Paid', 'the page was not kept from before');
    assert.equal(await page.getByRole('button').count(), 1);
    await press(page, /back to the shop/i);
    await here.arrive(page);
    await assertEnds(id, PAID);
  });

  test('he goes back after a decline: what he decided stands', { skip: onlyLong }, async () => {
    const { id, page } = await goToBank();
    await press(page, /decline/i);
    await here.arrive(page);
    await page.goBack();
    assert.equal(await page.getByRole('heading').textContent(), 'Not paid');
    await press(page, /back to the shop/i);
    await here.arrive(page);
    await assertEnds(id, DECLINED);
  });

  test('he presses twice as fast as he can', async () => {
    const { id, page } = await goToBank();
    await page.getByRole('button', { name: PAY }).dblclick();
    await here.arrive(page);
    await assertEnds(id, PAID);
  });

  for (const [first, second, code] of [
    [PAY, /cancel/i, PAID],
    [/cancel/i, PAY, CANCELLED],
    [PAY, PAY, PAID],
    [/later/i, PAY, PAID],
  ] as const) {
    test(`two tabs: ${first} in the one, then ${second} in the other`, { skip: onlyLong }, async () => {
      const { id, url, page } = await goToBank();
      const other = await page.context().newPage();
      await other.goto(url);
      await press(page, first);
      await here.arrive(page);
      await press(other, second);
      await here.arrive(other);
      await assertEnds(id, code);
    });
  }

  test('two tabs at the same time: one of the two, and the same for everybody', async () => {
    const { id, url, page } = await goToBank();
    const other = await page.context().newPage();
    await other.goto(url);
    await Promise.all([press(page, PAY), press(other, /cancel/i)]);
    await Promise.all([here.arrive(page), here.arrive(other)]);
    const { code } = await here.client.read(id);
    assert.ok(code === PAID || code === CANCELLED, code);
    await assertEnds(id, code);
  });

  test('he closes the tab without deciding, comes back by the same address, and pays', async () => {
    const { id, url, page } = await goToBank();
    await page.close();
    await assertEnds(id, PENDING);
    const again = await here.browser.open();
    await again.goto(url);
    await press(again, PAY);
    await here.arrive(again);
    await assertEnds(id, PAID);
  });

  test('he pays and his browser dies on the way back, and the bank tells nothing: we ask', async () => {
    const { id, page } = await goToBank(TELLS_NOTHING);
    // The bank has the decision; its answer, which would send the shopper back, never arrives.
    await page.route('**/sandbox/bank/**', async (route) => {
      assert.equal((await route.fetch({ maxRedirects: 0 })).status(), 303);
      await route.abort();
    });
    const cut = page.waitForEvent('requestfailed');
    await press(page, PAY);
    await cut;
    await page.close();
    await assertEnds(id, PENDING);
    here.gateway.pass(2 * MINUTE_MS);
    await here.gateway.work('sweep');
    await assertEnds(id, PAID);
  });

  test('he decides later, more than once, and pays in the end', async () => {
    const { id, url, page } = await goToBank();
    for (const button of [/later/i, /later/i]) {
      await page.goto(url);
      await press(page, button);
      await here.arrive(page);
      await assertEnds(id, PENDING);
    }
    await page.goto(url);
    await press(page, PAY);
    await here.arrive(page);
    await assertEnds(id, PAID);
  });

  test('he leaves the page open and comes back to it late: there is nothing to pay any more', async () => {
    const { id, url, page } = await goToBank();
    here.gateway.pass(31 * MINUTE_MS);
    await press(page, PAY);
    assert.equal(await page.getByRole('heading').textContent(), 'No longer open');
    assert.equal(await page.getByRole('button').count(), 0);
    for (let round = 0; round < 2; round += 1) await here.gateway.work('sweep');
    await assertEnds(id, '100.396.103');
    await page.goto(url);
    assert.equal(await page.getByRole('heading').textContent(), 'No longer open');
    await assertEnds(id, '100.396.103');
  });

  test('who transfers the money himself has days for it', async () => {
    const { id, url, page } = await goToBank(SLIP);
    await press(page, /pay later/i);
    await here.arrive(page);
    here.gateway.pass(13 * 24 * 60 * MINUTE_MS);
    await here.gateway.work('sweep');
    await assertEnds(id, PENDING);
    await page.goto(url);
    assert.match((await page.locator('dl').innerText()) ?? '', /XX00 0000 0000 0000 0000[\s\S]*[0-9]{4}\.[0-9]{4}\.[0-9]{4}/);
    await press(page, /have paid/i);
    await here.arrive(page);
    await assertEnds(id, PAID);
  });

  test('the page speaks his language and fits his phone', { skip: onlyLong }, async () => {
    const customer = { 'customer.givenName': 'Ann', 'customer.surname': 'Example' };
    for (const brand of [BANK, SLIP, INVOICE]) {
      for (const [language, lang] of [
        ['DE', 'de'],
        ['HU', 'hu'],
        ['AR', 'ar'],
      ] as const) {
        const { url } = (await pay({ ...brand, ...customer, 'customer.language': language })).body.redirect;
        for (const width of [320, 1280]) {
          const page = await here.browser.open({ width });
          await page.goto(url);
          assert.equal(await page.locator('html').getAttribute('lang'), lang);
          const overflow = await page.evaluate<number>(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          assert.equal(overflow, 0);
          const heights = await page.evaluate<number[]>(
            '[...document.querySelectorAll("button")].map((one) => one.offsetHeight)',
          );
          assert.ok(heights.length >= 3 && heights.every((height) => height >= 44), 'a thumb finds every button');
        }
      }
    }
  });

  test('a page of ours loads nothing from elsewhere and complains of nothing', { skip: onlyLong }, async () => {
    for (const brand of [BANK, SLIP, INVOICE]) {
      const pending = await pay(brand);
      const page = await here.browser.open();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('request', (request) => {
        if (!request.url().startsWith(here.gateway.url)) complaints.push(request.url());
      });
      await page.goto(pending.body.redirect.url);
      assert.deepEqual(complaints, []);
    }
  });
});
