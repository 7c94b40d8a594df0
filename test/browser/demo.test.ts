import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { buildWidget } from '../../src/assets/build.ts';
import { testBankAccounts } from '../../src/spec/cards/testCards.ts';
import { answerChallenge } from '../../src/testing/playwright.ts';
import { allTexts } from '../../src/widget/allTexts.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { onlyLong } from '../long.ts';
import { type Browser, noBrowser, startBrowser, type WindowOptions } from './browser.ts';

/** The demo shop from the product to the result: the whole gateway, the whole widget, a real browser, the strictest policy. */

const axeSource = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const DECLINED = '800.100.151';
const account = testBankAccounts.find(({ brand }) => brand === 'DIRECTDEBIT_SEPA');
const PAID = allTexts.en.labels.resultSuccess;

type Typed = { readonly number?: string; readonly holder?: string; readonly expiry?: string; readonly cvv?: string };

test('there is no demo shop in live', async () => {
  const gateway = await startGateway({ environment: 'live' });
  for (const path of ['/demo', '/demo/checkout', '/demo/result']) assert.equal((await fetch(gateway.url + path)).status, 404);
  await gateway.close();
});

describe('the demo shop', { skip: noBrowser }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  /** What a browser complains about: errors of scripts, and everything that the policy has stopped. */
  const complaints: string[] = [];
  before(async () => {
    gateway = await startGateway({ patienceMs: 5_000, build: await buildWidget() });
    browser = await startBrowser();
  });
  afterEach(async () => {
    await browser.release();
    assert.deepEqual(complaints.splice(0), [], 'the browser had something to complain about');
  });
  after(() => Promise.all([gateway.close(), browser.close()]));

  async function open(path: string, options: WindowOptions = { width: 1280, height: 900 }): Promise<Page> {
    const page = await browser.open(options);
    page.setDefaultTimeout(8_000);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error') complaints.push(line.text());
    });
    await page.goto(gateway.url + path);
    return page;
  }

  const ready = (page: Page): Promise<void> => page.locator('html[data-ready=yes]').waitFor({ state: 'attached' });

  async function openCheckout(query = '', options?: WindowOptions): Promise<Page> {
    const page = await open(`/demo/checkout?language=en&${query}`, options);
    await ready(page);
    return page;
  }

  /** The form of a way to pay, which is chosen first. */
  async function choose(page: Page, way: string): Promise<Locator> {
    await page.locator(`input[name=way][value=${way}]`).check();
    return page.locator(`[data-way=${way}] .wpwl-form`).first();
  }

  const field = (place: Page | Locator, name: string): Locator =>
    place.frameLocator(`.wpwl-container-card iframe[name="${name}"]`).locator('input');

  async function enterCard(
    page: Page,
    { number = '4200000000000000', holder = 'Ann Example', expiry = '0534', cvv = '123' }: Typed = {},
  ) {
    await field(page, 'card.number').pressSequentially(number);
    await page.locator('.wpwl-control-expiry').pressSequentially(expiry);
    await page.locator('.wpwl-control-cardHolder').fill(holder);
    await field(page, 'card.cvv').pressSequentially(cvv);
  }

  const pressPay = (place: Page | Locator): Promise<void> =>
    place.locator('button.wpwl-button-pay[type=submit]:visible').first().click();

  /** Waits until the shop says how it ended; answers the words for the shopper and the code for developers. */
  async function arrive(page: Page): Promise<{ readonly says: string; readonly code: string }> {
    await page.waitForURL('**/demo/result?**');
    const says = (await page.locator('h1').textContent()) ?? '';
    const title = (await page.locator('details summary').textContent()) ?? '';
    return { says, code: /[0-9.]{11}/.exec(title)?.[0] ?? title };
  }

  async function assertPaid(page: Page, text: string = PAID): Promise<void> {
    assert.deepEqual(await arrive(page), { says: text, code: '000.100.110' });
  }

  async function assertNoViolations(page: Page, what: string): Promise<void> {
    await page.evaluate(axeSource);
    const run = `axe.run({ exclude: ['iframe'] }, { iframes: false }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target).join(' ')))`;
    assert.deepEqual(await page.evaluate(run), [], what);
  }

  test('from the product to the payment, by card', async () => {
    const page = await open('/demo?language=en');
    await page.getByLabel('Quantity').selectOption('2');
    await page.waitForURL('**/demo?**quantity=2**');
    assert.match((await page.locator('.total').innerText()) ?? '', /48\.00/);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await ready(page);
    await enterCard(page);
    assert.match(await page.locator('.wpwl-container-card .wpwl-button-pay').innerText(), /48\.00/);
    await pressPay(page);
    await assertPaid(page);
    const { searchParams } = new URL(page.url());
    assert.equal(searchParams.get('resourcePath'), `/v1/checkouts/${searchParams.get('id')}/payment`);
    assert.match(await page.locator('dl').innerText(), /demo-[0-9a-f]{12}[\s\S]*48\.00/);
  });

  test('the panel for developers holds the request and its answer, and neither has left the server before', {
    skip: onlyLong,
  }, async () => {
    const page = await openCheckout();
    const panel = page.locator('details', { hasText: 'API requests' });
    assert.equal(await panel.getAttribute('open'), null);
    await panel.locator('summary').click();
    assert.match(
      await panel.locator('#request0').innerText(),
      /^curl http:\/\/127\.0\.0\.1:\d+\/v1\/checkouts[\s\S]*amount=24\.00/,
    );
    const answer = JSON.parse(await panel.locator('#answer0').innerText());
    assert.match(answer.id, /^[0-9A-F]{32}-/);
    assert.equal(await page.locator('script[src*="paymentWidgets.js"]').getAttribute('integrity'), answer.integrity);
  });

  test('a decline keeps everything but the security code, and the second try succeeds', async () => {
    const page = await openCheckout();
    await enterCard(page, { holder: DECLINED });
    await pressPay(page);
    const message = page.locator('.wpwl-message.wpwl-has-error');
    await message.waitFor();
    assert.match((await message.textContent()) ?? '', /card|bank/i);
    assert.doesNotMatch((await message.textContent()) ?? '', /\d{3}\.\d{3}/, 'no code for a shopper');
    assert.equal((await field(page, 'card.number').inputValue()).replaceAll(' ', ''), '4200000000000000');
    assert.equal(await field(page, 'card.cvv').inputValue(), '');
    await page.locator('.wpwl-control-cardHolder').fill('Ann Example');
    await field(page, 'card.cvv').pressSequentially('123');
    await pressPay(page);
    await assertPaid(page);
  });

  test('3D Secure asks for a code, in a frame of the page', async () => {
    const page = await openCheckout();
    await enterCard(page, { number: '4200000000000018' });
    await pressPay(page);
    await page.locator('[data-way=card] iframe.wpwl-target').waitFor({ state: 'visible' });
    assert.match(page.url(), /\/demo\/checkout/, 'the page is still the shop');
    await answerChallenge(page);
    await assertPaid(page);
  });

  test('3D Secure asks for a code, in the whole tab', { skip: onlyLong }, async () => {
    const page = await openCheckout('secure=tab');
    await enterCard(page, { number: '4200000000000018' });
    await pressPay(page);
    await page.waitForURL((url) => !url.pathname.startsWith('/demo'));
    await answerChallenge(page);
    await assertPaid(page);
  });

  test('a stored card, with its security code', { skip: onlyLong }, async () => {
    const page = await openCheckout('stored=yes');
    const rows = page.locator('.wpwl-group-registration');
    assert.equal(await rows.count(), 2);
    await rows.nth(1).locator('input[type=radio]').check();
    await rows.nth(1).frameLocator('iframe').locator('input').pressSequentially('123');
    await pressPay(page.locator('.wpwl-container-registration'));
    await assertPaid(page);
  });

  test('a card that is saved is offered the next time', { skip: onlyLong }, async () => {
    const page = await openCheckout('save=yes');
    await enterCard(page);
    const box = page.locator('.wpwl-container-card [name=createRegistration]');
    assert.equal(await box.isChecked(), false);
    await box.check();
    await pressPay(page);
    await assertPaid(page);
    assert.match(await page.locator('dl').innerText(), /Saved payment methods\s+Visa •••• 0000\s+Expires 05\/2034/);
    for (const link of ['Continue shopping', 'Turnpike demo']) {
      await page.getByRole('link', { name: link }).click();
      await page.getByRole('button', { name: 'Continue to payment' }).click();
      await ready(page);
      assert.match(await page.locator('.wpwl-group-registration').innerText(), /0000/);
      assert.equal(await page.locator('.wpwl-button-pay[type=submit]:visible').count(), 1, 'one pay button');
      await page.goBack();
      await page.goBack();
    }
  });

  test('after Back the paid order is shown, and an open one is still there', async () => {
    const page = await openCheckout();
    const checkout = new URL(page.url()).searchParams.get('checkout');
    await page.reload();
    await ready(page);
    assert.equal(
      new URL(page.url()).searchParams.get('checkout'),
      checkout,
      'an order that is not paid is the same after a reload',
    );
    await enterCard(page);
    await pressPay(page);
    await assertPaid(page);
    const order = await page.locator('dl').innerText();
    await page.goBack();
    await page.waitForURL('**/demo/result?**');
    assert.equal(await page.locator('h1').textContent(), PAID);
    assert.equal(await page.locator('dl').innerText(), order);
  });

  test('during a challenge no other way to pay can be chosen, and closing it asks first', { skip: onlyLong }, async () => {
    const page = await openCheckout();
    await enterCard(page, { number: '4200000000000018' });
    await pressPay(page);
    await page.locator('[data-way=card] iframe.wpwl-target').waitFor({ state: 'visible' });
    assert.equal(await page.locator('input[name=way][value=paypal]').isDisabled(), true);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('alertdialog', { name: 'Cancel this payment?' }).waitFor();
    await assertNoViolations(page, 'the question');
    await page.getByRole('button', { name: 'Cancel payment' }).click();
    assert.equal(await page.locator('input[name=way][value=paypal]').isEnabled(), true);
  });

  test('SEPA direct debit', { skip: onlyLong }, async () => {
    const page = await openCheckout();
    const form = await choose(page, 'directDebit');
    await form.locator('.wpwl-control-accountHolder').fill('Ann Example');
    await form.locator('.wpwl-control-accountIban').fill(account?.iban ?? '');
    for (const box of await form.locator('input[type=checkbox]').all()) await box.check();
    await pressPay(form);
    await assertPaid(page);
  });

  /** Ways that lead to a page of the simulated bank, and what is pressed there. */
  const elsewhere: readonly (readonly [way: string, button: RegExp])[] = [
    ['transfer', /^pay /i],
    ['paypal', /^pay /i],
    ['invoice', /^agree/i],
    ['prepayment', /have paid/i],
  ];
  for (const [way, button] of elsewhere) {
    test(`${way}: by the page of the bank and back`, { skip: way !== 'transfer' && onlyLong }, async () => {
      const page = await openCheckout();
      const form = await choose(page, way);
      for (const list of await form.locator('select:visible').all()) await list.selectOption('DE');
      for (const text of await form.locator('input[type=text]:visible, input[type=email]:visible').all())
        await text.fill('ann@example.org');
      for (const box of await form.locator('input[type=checkbox]:visible').all()) await box.check();
      await form.locator('button[type=submit]').first().click();
      await page.waitForURL('**/sandbox/bank/**');
      await page.getByRole('button', { name: button }).click();
      await assertPaid(page);
    });
  }

  for (const [language, direction] of [
    ['de', 'ltr'],
    ['ar', 'rtl'],
  ] as const) {
    test(`the shop in ${language}, to the end`, { skip: onlyLong }, async () => {
      const { labels } = allTexts[language];
      const page = await open(`/demo/checkout?language=${language}`, { width: 1280, height: 900, locale: language });
      await ready(page);
      assert.equal(await page.locator('html').getAttribute('dir'), direction);
      assert.equal(await page.locator('h1').textContent(), labels.chooseMethod);
      assert.equal(await page.locator('.wpwl-container-card').getAttribute('dir'), direction);
      assert.match(await page.locator('.wpwl-label-cardNumber').innerText(), new RegExp(labels.cardNumber));
      await enterCard(page);
      await pressPay(page);
      await assertPaid(page, labels.resultSuccess);
    });
  }

  for (const language of ['en', 'de', 'ar', 'fi']) {
    test(`nothing is wider than a phone of 320 pixels, in ${language}`, { skip: onlyLong }, async () => {
      const narrow = { width: 320, height: 640 };
      const page = await open(`/demo?language=${language}`, narrow);
      const html = 'document.documentElement';
      const overhang = (): Promise<number> => page.evaluate(`${html}.scrollWidth - ${html}.clientWidth`);
      assert.equal(await overhang(), 0, 'product');
      await page.goto(`${gateway.url}/demo/checkout?language=${language}&stored=yes&save=yes`);
      await ready(page);
      for (const summary of await page.locator('summary').all()) await summary.click();
      for (const way of await page.locator('input[name=way]').all()) {
        await way.check();
        assert.equal(await overhang(), 0, (await way.getAttribute('value')) ?? '');
      }
      await page.goto(`${gateway.url}/demo/result?language=${language}&resourcePath=/v1/checkouts/A/payment`);
      await page.locator('summary').click();
      assert.equal(await overhang(), 0, 'result');
    });
  }

  test('everything by keyboard: from the product to the result', { skip: onlyLong }, async () => {
    const page = await open('/demo?language=en');
    const { keyboard } = page;
    const tabTo = async (isThere: () => Promise<boolean>): Promise<void> => {
      for (let presses = 0; presses < 60; presses += 1) {
        await keyboard.press('Tab');
        if (await isThere()) return;
      }
      assert.fail('never reached');
    };
    const at = (selector: string) => (): Promise<boolean> =>
      page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`);
    await tabTo(at('form.buy button'));
    await keyboard.press('Enter');
    await ready(page);
    // A window without the focus shows none.
    await page.bringToFront();
    await tabTo(at('iframe[name="card.number"]'));
    await keyboard.type('4200000000000000');
    await tabTo(at('.wpwl-control-expiry'));
    await keyboard.type('0534');
    await tabTo(at('.wpwl-control-cardHolder'));
    await keyboard.type('Ann Example');
    await tabTo(at('iframe[name="card.cvv"]'));
    await keyboard.type('123');
    await tabTo(at('.wpwl-container-card .wpwl-button-pay'));
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
    assert.equal(outline, 'solid', 'where he is can be seen');
    await keyboard.press('Enter');
    await assertPaid(page);
  });

  for (const query of ['style=plain&theme=dark', 'style=logos&theme=light', 'style=none']) {
    test(`the widget as ${query}`, { skip: onlyLong }, async () => {
      const page = await openCheckout(query);
      await enterCard(page);
      await pressPay(page);
      await assertPaid(page);
    });
  }

  for (const theme of ['light', 'dark']) {
    test(`axe finds nothing on the pages of the shop, ${theme}`, { skip: theme === 'dark' && onlyLong }, async () => {
      const page = await open(`/demo?language=en&theme=${theme}`);
      const judge = (what: string): Promise<void> => assertNoViolations(page, what);
      await judge('product');
      await page.goto(`${gateway.url}/demo/checkout?language=en&theme=${theme}&stored=yes`);
      await ready(page);
      for (const summary of await page.locator('summary').all()) await summary.click();
      await judge('checkout');
      await page.goto(`${gateway.url}/demo/result?language=en&theme=${theme}&resourcePath=/v1/checkouts/A/payment`);
      await page.locator('summary').click();
      await judge('result');
    });
  }

  test('pictures for the README', { skip: process.env.PICTURES === undefined && 'only with PICTURES=1' }, async () => {
    const folder = join(import.meta.dirname, '..', '..', 'docs', 'images');
    mkdirSync(folder, { recursive: true });
    for (const [width, height] of [
      [1280, 860],
      [320, 640],
    ] as const) {
      const page = await open('/demo?language=en&theme=light', { width, height });
      const take = async (name: string): Promise<void> => {
        const path = join(folder, `demo-${name}-${width}.png`);
        await page.evaluate('window.scrollTo(0, 0)');
        await page.screenshot({ path, fullPage: width === 320 && name !== 'checkout' });
        assert.ok(statSync(path).size <= 120 * 1024, `${path}: ${statSync(path).size} bytes`);
      };
      await take('product');
      await page.getByRole('button', { name: 'Continue to payment' }).click();
      await ready(page);
      await enterCard(page);
      await take('checkout');
      await pressPay(page);
      await arrive(page);
      await take('result');
    }
  });
});
