import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expiredPage } from '../../src/http/shopper/widgetPages.ts';
import { answerChallenge } from '../../src/testing/playwright.ts';
import { type ChallengeLanguage, challengeLabels } from '../../src/threeds/labels/challengeLabels.ts';
import { methodHostPage } from '../../src/threeds/pages/hostPages.ts';
import { appPage, codePage, endPage, errorPage } from '../../src/threeds/pages/issuerPages.ts';
import { allTexts } from '../../src/widget/allTexts.ts';
import { type Fields, OTHER, SHOPPER } from '../http/client.ts';
import { signedInAs } from '../http/userFixture.ts';
import { noBrowser } from './browser.ts';
import { type Compat, FORM, options, startCompat } from './compatShop.ts';

/** Shoppers who zoom, force colours, want no motion, are on a slow line, or let no page store anything: the widget and the pages around it. */

const { labels } = allTexts.en;
const PAID = '000.100.110';
/** What 3D Secure asks of an address; the widget adds what it knows of the browser. */
const known: Fields = Object.fromEntries(Object.entries(SHOPPER).filter(([name]) => !/browser|\.ip$/.test(name)));
const CHALLENGED = '4200000000000018';
/** A window of 1280 by 1024 at 400 %, and one of 1000 by 1600. */
const ZOOMED = { width: 320, height: 256 };
const NARROW = { width: 250, height: 400 };
/** Most browsers take it from the width of a page that is too long. */
const SCROLL_BAR = 15;
const BANK: Fields = {
  ...{ 'card.number': '', 'card.holder': '', 'card.expiryMonth': '', 'card.expiryYear': '', 'card.cvv': '' },
  ...{ paymentBrand: 'SOFORTUEBERWEISUNG', 'bankAccount.country': 'DE' },
};
/** Its longest word is wider than the page. */
const MERCHANT = 'Donaudampfschifffahrtsgesellschaft mit beschränkter Haftung';
/** Larger than every wait of a test. */
const PATIENCE_MS = 60_000;

describe('shoppers under other conditions', { skip: noBrowser }, () => {
  let compat: Compat;
  before(async () => {
    compat = await startCompat();
  });
  afterEach(() => compat?.forget());
  after(() => compat?.close());

  async function openWidget(window = {}, text = '{}'): Promise<Page> {
    const checkout = await compat.makeCheckout(known, compat.secureClient);
    const page = await compat.open(`${options(text)}${compat.tag(checkout)}${FORM}`, window);
    page.setDefaultTimeout(PATIENCE_MS);
    return page;
  }

  /** Every page that a shopper may see on the way, by its address. */
  async function addresses(): Promise<Readonly<Record<string, string>>> {
    const { gateway, secureClient, shop } = compat;
    const { ask } = await signedInAs(gateway);
    const link = await ask('POST', '/paymentLinks', { entityId: OTHER.entityId, amount: '92.50', currency: 'EUR' });
    const shopperResultUrl = `${shop.url}/result?order=17`;
    const redirected = async (client: Compat['client'], fields: Fields): Promise<string> => {
      const { body } = await client.pay({ ...SHOPPER, shopperResultUrl, ...fields });
      return body.redirect.url;
    };
    return {
      product: `${gateway.url}/demo?language=en`,
      checkout: `${gateway.url}/demo/checkout?language=en&stored=yes`,
      result: `${gateway.url}/demo/result?language=en`,
      link: link.body.url,
      issuer: await redirected(secureClient, { 'card.number': CHALLENGED }),
      'issuer in a frame': await redirected(secureClient, {
        'card.number': CHALLENGED,
        'customer.browser.challengeWindow': '1',
      }),
      bank: await redirected(compat.client, BANK),
      wallets: `${gateway.url}/sandbox/wallets`,
    };
  }

  /** Opens each of these pages and waits until it shows something to press. */
  async function visit(look: (page: Page, name: string) => Promise<void>, window = {}): Promise<void> {
    for (const [name, url] of Object.entries(await addresses())) {
      const page = await compat.browser.open(window);
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(url);
      await page.locator('button:visible, a:visible, iframe.window').first().waitFor();
      await look(page, name);
    }
  }

  const overhang = (page: Page): Promise<readonly string[]> =>
    page.evaluate(`(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      const wide = [...document.querySelectorAll('body *')].filter((el) => el.checkVisibility() && el.getBoundingClientRect().right > clientWidth + 1);
      return scrollWidth > clientWidth ? wide.map((el) => el.tagName + '.' + el.className) : [];
    })()`);

  for (const size of [ZOOMED, NARROW])
    test(`zoom of 400 %, ${size.width} by ${size.height}: no page scrolls sideways`, async () => {
      await visit(async (page, name) => assert.deepEqual(await overhang(page), [], name), size);
    });

  /** Pages of 3D Secure and around the widget with most on them. Those that send the shopper on by themselves come without that script. */
  function rendered(language: ChallengeLanguage, windowSize: string): Readonly<Record<string, string>> {
    const ticket = { merchant: MERCHANT, amount: { text: '1234567.89', currency: 'EUR' }, card: '4200000042', language };
    const view = { ticket, windowSize, actionUrl: '/', state: 'x' };
    const form = { url: `${compat.shop.url}/result`, parameters: [] };
    const pages = {
      code: codePage({ ...view, code: '123456', left: 2, note: 'wrong' }),
      app: appPage(view),
      error: errorPage(language),
      back: endPage({ language, form, isYes: true }),
      method: methodHostPage({ form, doneUrl: form.url, continueUrl: `${form.url}?a=1`, language, seconds: 600 }),
      expired: expiredPage({ language, shopUrl: form.url, isTest: true }),
    };
    return Object.fromEntries(
      Object.entries(pages).map(([name, { html }]) => [name, html.replace(/<script>.*?<\/script>/s, '')]),
    );
  }

  test('zoom of 400 %: no page of an issuer or around the widget scrolls sideways, in any language', async () => {
    const page = await compat.browser.open({ ...NARROW, width: NARROW.width - SCROLL_BAR });
    for (const language of Object.keys(challengeLabels) as ChallengeLanguage[])
      for (const windowSize of ['01', '05'])
        for (const [name, html] of Object.entries(rendered(language, windowSize))) {
          await page.goto(compat.shop.page(html));
          assert.deepEqual(await overhang(page), [], `${name} ${windowSize} ${language}`);
        }
  });

  const low: readonly (readonly [size: string, width: number, height: number])[] = [
    ['01', 250, 400],
    ['02', 390, 400],
    ['04', 600, 400],
  ];
  for (const [windowSize, width, height] of low)
    test(`a challenge in a window of ${width} by ${height} needs no scrolling, in any language`, async () => {
      const page = await compat.browser.open({ width, height });
      const tall: string[] = [];
      for (const language of Object.keys(challengeLabels) as ChallengeLanguage[]) {
        const ticket = { merchant: 'Demo Shop', amount: { text: '92.00', currency: 'EUR' }, card: '4200000042', language };
        const view = { ticket, windowSize, actionUrl: '/', state: 'x' };
        for (const [kind, { html }] of Object.entries({
          code: codePage({ ...view, code: '123456', left: 2, note: null }),
          app: appPage(view),
        })) {
          await page.goto(compat.shop.page(html.replace(/<script>.*?<\/script>/s, '')));
          const over = await page.evaluate<number>('document.documentElement.scrollHeight - innerHeight');
          if (over > 0) tall.push(`${kind} ${language}: ${over} px`);
        }
      }
      assert.deepEqual(tall, []);
    });

  test('zoom of 400 %: the widget fits, says what is wrong, and pays through a challenge', async () => {
    const page = await openWidget(ZOOMED);
    await compat.pay(page);
    await page.locator('.wpwl-hint').first().waitFor();
    assert.deepEqual(await overhang(page), []);
    await compat.fillCard(page, { number: CHALLENGED });
    await compat.pay(page);
    await answerChallenge(page);
    assert.equal((await compat.outcome(page, compat.secureClient)).code, PAID);
  });

  /** Fields and buttons that cannot be told from the page behind them. */
  const borderless = (page: Page): Promise<readonly string[]> =>
    page.evaluate(`[...document.querySelectorAll('input:not([type=hidden]), select, button, iframe.wpwl-control')]
      .filter((el) => el.checkVisibility() && el.getBoundingClientRect().width > 30)
      .filter((el) => [el, ...el.children].every((part) => {
        const { borderTopStyle, borderTopWidth, textDecorationLine } = getComputedStyle(part);
        return (borderTopStyle === 'none' || borderTopWidth === '0px') && textDecorationLine === 'none';
      }))
      .map((el) => el.tagName + '.' + el.className + ' ' + el.innerText)`);

  test('forced colours: every field and button has a border, and the focus is seen', async () => {
    const page = await openWidget();
    await page.emulateMedia({ forcedColors: 'active' });
    assert.deepEqual(await borderless(page), []);
    await compat.payButton(page).focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    assert.notEqual(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'none');
    await visit(async (other, name) => {
      await other.emulateMedia({ forcedColors: 'active' });
      assert.deepEqual(await borderless(other), [], name);
    });
  });

  test('control: a page that is too wide, a button without a border, an endless motion are found', async () => {
    const page = await openWidget();
    assert.deepEqual([await overhang(page), await borderless(page), await endless(page)], [[], [], 0]);
    await page.addStyleTag({
      content: `body { min-width: 2000px } .wpwl-button-pay { border: 0 !important; animation: turn 1s infinite !important }
        @keyframes turn { to { rotate: 1turn } }`,
    });
    assert.notDeepEqual(await overhang(page), []);
    assert.equal((await borderless(page)).length, 1);
    assert.equal(await endless(page), 1);
  });

  const endless = (page: Page): Promise<number> =>
    page.evaluate(`document.getAnimations().filter((one) => one.effect?.getTiming().iterations === Infinity
      && one.playState === 'running').length`);

  test('reduced motion: nothing moves without end, and a payment shows its progress all the same', async () => {
    const page = await openWidget();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await compat.fillCard(page);
    assert.equal(await endless(page), 0);
    await compat.pay(page);
    assert.equal((await compat.outcome(page, compat.secureClient)).code, PAID);
    await visit(async (other, name) => {
      await other.emulateMedia({ reducedMotion: 'reduce' });
      assert.equal(await endless(other), 0, name);
    });
  });

  test('a slow line: the form says that it works, and impatient clicks pay once', async () => {
    const page = await openWidget();
    await compat.fillCard(page);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    const slow = { offline: false, latency: 1_500, downloadThroughput: 6_000, uploadThroughput: 6_000 };
    await devtools.send('Network.emulateNetworkConditions', slow);
    const before = compat.gateway.lines.length;
    await compat.pay(page);
    await page.locator('.wpwl-container-card.wpwl-busy form[aria-busy=true]').waitFor({ state: 'attached' });
    // As an impatient shopper does, wherever the button is by now.
    for (let clicks = 0; clicks < 6; clicks += 1)
      await page.evaluate(`document.querySelector('.wpwl-container-card .wpwl-button-pay')?.click()`).catch(() => {});
    assert.equal((await compat.outcome(page, compat.secureClient)).code, PAID);
    const posts = compat.gateway.lines.slice(before).filter((line) => /"POST"/.test(line) && /\/payment"/.test(line));
    assert.equal(posts.length, 1, posts.join('\n'));
  });

  test('no cookie is set on the way of a payment, so that none can be blocked', async () => {
    const page = await openWidget();
    const cookies: string[] = [];
    page.on('response', async (response) => {
      const set = await response.headerValue('set-cookie').catch(() => null);
      if (set !== null) cookies.push(`${response.url()}: ${set}`);
    });
    await page.reload();
    await compat.ready(page);
    await compat.fillCard(page, { number: CHALLENGED });
    await compat.pay(page);
    await answerChallenge(page);
    assert.equal((await compat.outcome(page, compat.secureClient)).code, PAID);
    assert.deepEqual([cookies, await page.context().cookies()], [[], []]);
  });

  /** What a browser does that lets pages store nothing: to read the property throws. */
  const DENIED = `for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore'])
    Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } });
    Object.defineProperty(Document.prototype, 'cookie', { get() { throw new DOMException('denied', 'SecurityError') }, set() { throw new DOMException('denied', 'SecurityError') } });`;

  test('storage is denied to every page and frame: the widget pays through a challenge', async () => {
    const page = await openWidget({ script: DENIED });
    assert.equal(
      await page.evaluate(`(() => { try { return String(localStorage) } catch (error) { return error.name } })()`),
      'SecurityError',
    );
    await compat.fillCard(page, { number: CHALLENGED });
    await compat.pay(page);
    await answerChallenge(page);
    assert.equal((await compat.outcome(page, compat.secureClient)).code, PAID);
  });

  test('the accessibility tree: names, roles, and what is wrong', async () => {
    const page = await openWidget();
    await compat.pay(page);
    await page.locator('.wpwl-hint').first().waitFor();
    const tree = await page.locator('.wpwl-container-card').ariaSnapshot();
    for (const line of [`textbox "${labels.expiryDate}"`, 'button "Pay €92.00"'])
      assert.ok(tree.includes(line), `${line}\n${tree}`);
    for (const [name, label] of [
      ['card.number', labels.cardNumber],
      ['card.cvv', labels.cvv],
    ] as const) {
      const input = compat.field(page, name).locator('input');
      await compat.field(page, name).locator('input[aria-invalid=true]').waitFor();
      assert.match(
        await compat.field(page, name).locator('body').ariaSnapshot(),
        new RegExp(`textbox "${label.replace(/[()]/g, '.')}`),
      );
      const says = await input.evaluate((el) =>
        (el as unknown as { ariaDescribedByElements: { textContent: string }[] }).ariaDescribedByElements
          ?.map((one) => one.textContent)
          .join(' '),
      );
      assert.ok((says ?? '').length > 5, `${name}: ${says}`);
    }
  });

  test('the accessibility tree of the issuer and of a payment link', async () => {
    await visit(async (page, name) => {
      const tree = await page.locator('body').ariaSnapshot();
      if (name === 'issuer')
        for (const part of ['heading', 'textbox "One-time code"', 'button "Confirm"']) assert.ok(tree.includes(part), tree);
      if (name === 'link') for (const part of ['heading "€92.50" [level=1]', 'button']) assert.ok(tree.includes(part), tree);
    });
  });
});
