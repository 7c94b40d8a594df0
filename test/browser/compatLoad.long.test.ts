import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { ACTION, CARD, type Compat, FORM, options, startCompat } from './compatShop.ts';

/** How pages bring the widget's script, name their brands and set their options: each of them can be paid on, or is told why not. */

const PAID = '000.100.110';
const READY = '{ onReady() { log.push("ready") } }';
const form = (inside: string): string => `<form action="${ACTION}" class="paymentWidgets" ${inside}</form>`;

describe('the script of the widget', { skip: noBrowser }, () => {
  let compat: Compat;
  before(async () => {
    compat = await startCompat();
  });
  afterEach(() => compat.forget());
  after(() => compat.close());

  /** Pays with a card, and answers what the shop's server is told about it. */
  async function payOn(page: Page, typed?: Parameters<Compat['fillCard']>[1]) {
    await compat.fillCard(page, typed);
    await compat.pay(page);
    const { code, body } = await compat.outcome(page);
    assert.equal(code, PAID, JSON.stringify(body));
    return body;
  }

  /** The names in the list of brands. */
  const listed = (page: Page): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('.wpwl-control-brand option')].map(({ value }) => value)`);

  test('brands stand in the order of the page; one that nobody knows is left out and told to developers', async () => {
    const warnings: string[] = [];
    const checkout = await compat.makeCheckout();
    const page = await compat.open(FORM, { isReady: false });
    page.on('console', (line) => {
      if (line.type() === 'warning') warnings.push(line.text());
    });
    const brands = form('data-brands="PAYPAL MASTER NONSENSE EPS VISA">');
    await page.goto(compat.shop.page(options(READY) + compat.tag(checkout) + brands));
    await compat.ready(page);
    assert.deepEqual(await listed(page), ['MASTER', 'VISA']);
    const containers = `[...document.querySelectorAll('.wpwl-container')].map((one) => one.className.split(' ')[1])`;
    assert.deepEqual(await page.evaluate(containers), [
      'wpwl-container-virtualAccount-PAYPAL',
      'wpwl-container-card',
      'wpwl-container-onlineTransfer-EPS',
    ]);
    assert.match(warnings.join('\n'), /NONSENSE/);
    const { paymentBrand, card } = await payOn(page, { number: '5200000000000007' });
    assert.deepEqual([paymentBrand, card.last4Digits], ['MASTER', '0007']);
  });

  test('old pages have their brands as the text of the form', async () => {
    const page = await compat.open(compat.tag(await compat.makeCheckout()) + form('>\n  AMEX VISA\n'));
    assert.deepEqual(await listed(page), ['AMEX', 'VISA']);
    assert.equal(await page.getByText('AMEX VISA').isVisible(), false, 'no shopper reads it');
    const { paymentBrand } = await payOn(page, { number: '377777777777770', cvv: '1234' });
    assert.equal(paymentBrand, 'AMEX');
  });

  /** Where a page may set its options. */
  const places: readonly (readonly [where: string, page: (tag: string, text: string) => string])[] = [
    ['before the tag', (tag, text) => `<script>wpwlOptions = ${text}</script>${tag}${FORM}`],
    ['after tag and form', (tag, text) => `${tag}${FORM}<script>window.wpwlOptions = ${text}</script>`],
    [
      'when the document is ready',
      (tag, text) =>
        `${tag}<script>document.addEventListener('DOMContentLoaded', () => { wpwlOptions = ${text} })</script>${FORM}`,
    ],
    ['by let', (tag, text) => `<script>let wpwlOptions = ${text}</script>${tag}${FORM}`],
  ];
  for (const [where, html] of places) {
    test(`options are set ${where}; names that nobody knows are ignored, and flags may be words`, async () => {
      const text = `{ style: 'plain', locale: 'de', requireCvv: 'false', maskCvv: "true", onSuccess() {}, foo: { bar: 1 },
        registrations: { hideInitialPaymentForms: 'false' }, onReady(containers) { log.push(containers) } }`;
      const page = await compat.open(html(compat.tag(await compat.makeCheckout()), text));
      assert.deepEqual(await compat.log(page), [[{ containerKey: 'card', ccMethods: ['VISA', 'MASTER'] }]]);
      assert.equal(await page.locator('.wpwl-label-cardNumber').textContent(), 'Kartennummer');
      assert.equal(await page.locator('iframe[name="card.cvv"]').count(), 0);
      assert.equal(await page.locator('link[href$="/plain.css"]').count(), 1);
      await payOn(page, { cvv: '' });
    });
  }

  test('hooks that are set in onReady count, and options that are deleted break nothing', async () => {
    const text = `{ onReady() {
      wpwlOptions.onBeforeSubmitCard = () => { log.push('asked'); window.wpwlOptions = undefined; return true; };
      wpwlOptions.onAfterSubmit = () => log.push('never: it is gone by then');
    } }`;
    const page = await compat.open(options(text) + compat.tag(await compat.makeCheckout()) + FORM);
    await compat.fillCard(page);
    await compat.pay(page);
    assert.deepEqual(await compat.logged(page, 1), ['asked']);
    assert.equal((await compat.outcome(page)).code, PAID);
  });

  /** How pages bring the script into themselves. `src` is its address, the form stands in the page already. */
  const arrivals: readonly (readonly [how: string, page: (src: string) => string])[] = [
    ['async, before the form', (src) => `<script async src="${src}"></script>${FORM}`],
    ['with defer, before the form', (src) => `<script defer src="${src}"></script>${FORM}`],
    ['after the form', (src) => `${FORM}<script src="${src}"></script>`],
    ['for anonymous CORS', (src) => `<script src="${src}" crossorigin="anonymous"></script>${FORM}`],
    ['as a module', (src) => `${FORM}<script type="module" src="${src}"></script>`],
    [
      'fetched and evaluated, as $.getScript does',
      (src) => `${FORM}<script>addEventListener('load', () => {
        const request = new XMLHttpRequest();
        request.open('GET', '${src}');
        request.onload = () => (0, eval)(request.responseText);
        request.send();
      })</script>`,
    ],
    [
      'fetched into an element that is thrown away at once',
      (src) => `${FORM}<script>fetch('${src}').then((answer) => answer.text()).then((text) => {
        const script = document.createElement('script');
        script.text = text;
        document.head.appendChild(script).remove();
      })</script>`,
    ],
    [
      'by a page that removes all scripts again, our runtime among them',
      (src) => `${FORM}<script>addEventListener('load', () => {
        const script = document.createElement('script');
        script.src = '${src}';
        script.onload = () => document.querySelectorAll('script').forEach((one) => one.remove());
        document.body.append(script);
      })</script>`,
    ],
  ];
  for (const [how, html] of arrivals) {
    test(`it comes ${how}`, async () => {
      const { id } = await compat.makeCheckout();
      const page = await compat.open(options(READY) + html(`${compat.gateway.url}/v1/paymentWidgets.js?checkoutId=${id}`));
      assert.deepEqual(await compat.log(page), ['ready']);
      const { ndc } = await payOn(page);
      assert.equal(ndc, id);
    });
  }

  test('with the integrity that the checkout was given', async () => {
    const checkout = await compat.makeCheckout({ integrity: 'true' });
    const page = await compat.open(compat.tag(checkout, `integrity="${checkout.integrity}" crossorigin="anonymous"`) + FORM);
    await payOn(page);
  });

  test('a page that brings it twice has one form and one payment', async () => {
    const checkout = await compat.makeCheckout();
    const tag = compat.tag(checkout);
    const page = await compat.open(`${options(READY)}${tag}${FORM}${tag}<script async src="/nowhere.js"></script>`);
    await page.evaluate(`document.body.append(Object.assign(document.createElement('script'),
      { src: document.querySelector('script[src*=paymentWidgets]').src, onload: () => log.push('third') }))`);
    assert.deepEqual(await compat.logged(page, 2), ['ready', 'third']);
    assert.equal(await page.locator(CARD).count(), 1);
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/payment')) posts.push(request.url());
    });
    await compat.fillCard(page);
    await compat.payButton(page).dblclick();
    assert.equal((await compat.outcome(page)).code, PAID);
    assert.equal(posts.length, 1);
  });

  /** How a checkout is named in the script's address. */
  const names: readonly (readonly [says: string, name: (id: string) => string])[] = [
    ['percent-encoded', (id) => id.replaceAll('.', '%2E').replaceAll('-', '%2D')],
    ['with another parameter behind it', (id) => `${id}&v=2`],
  ];
  for (const [says, name] of names) {
    test(`the checkout is named ${says}`, async () => {
      const { id } = await compat.makeCheckout();
      const page = await compat.open(compat.tag(name(id)) + FORM);
      assert.equal((await payOn(page)).ndc, id);
    });
  }

  for (const suffix of ['/registration', '%2Fregistration']) {
    test(`${suffix} behind the checkout stores the card and charges nothing`, async () => {
      const { id } = await compat.makeCheckout({ createRegistration: 'true', amount: '', currency: '', paymentType: '' });
      const page = await compat.open(compat.tag(id + suffix) + FORM);
      assert.deepEqual(await page.evaluate('[wpwl.checkout.endpoint, wpwl.checkout.id]'), ['/registration', id]);
      await compat.fillCard(page);
      await compat.pay(page);
      const { code, body, url } = await compat.outcome(page);
      assert.equal(url.searchParams.get('resourcePath'), `/v1/checkouts/${id}/registration`);
      assert.deepEqual([code, body.amount, body.card.last4Digits], [PAID, undefined, '0000']);
    });
  }

  /** What is no checkout, as it stands in real pages. */
  const wrong: readonly (readonly [says: string, name: (id: string) => string])[] = [
    ['with a quote behind it', (id) => `${id}'`],
    ['that nobody has made', (id) => id.replace(/^.{8}/, '00000000')],
    ['that a template has not filled in', () => '%7B%7B%20checkoutId%20%7D%7D'],
  ];
  for (const [says, name] of wrong) {
    test(`a checkout ${says} is told to the page as an error`, async () => {
      const { id } = await compat.makeCheckout();
      const hook = '{ onError(error) { log.push([error.name, error.message, error instanceof Error]) } }';
      const tag = compat.tag(name(id));
      const late = `<script>addEventListener('DOMContentLoaded', () => { window.wpwlOptions = ${hook} })</script>`;
      const deferred = compat.tag(name(id), 'defer');
      for (const html of [options(hook) + tag + FORM, tag + FORM + options(hook), deferred + FORM + late]) {
        const page = await compat.open(html, { isReady: false });
        const [[error, message, isError] = []] = (await compat.logged(page, 1)) as [string, string, boolean][];
        assert.deepEqual([error, isError], ['InvalidCheckoutIdError', true]);
        assert.match(message ?? '', /No payment session found/);
      }
      assert.equal((await compat.status(id)).code, '000.200.000');
    });
  }
});
