import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { ACTION, CARD, type Compat, FORM, options, startCompat } from './compatShop.ts';

/** What a page's own functions are asked and told, and what becomes of the payment by their answers. */

const PAID = '000.100.110';
const NOTHING_YET = '000.200.000';

describe('hooks of pages', { skip: noBrowser }, () => {
  let compat: Compat;
  before(async () => {
    compat = await startCompat();
  });
  afterEach(() => compat.forget());
  after(() => compat.close());

  async function openWith(text: string, form = FORM, before = '') {
    const checkout = await compat.makeCheckout();
    const page = await compat.open(before + options(`{ ${text} }`) + compat.tag(checkout) + form);
    return { checkout, page };
  }

  async function assertPaid(page: Page): Promise<void> {
    const { code, body } = await compat.outcome(page);
    assert.equal(code, PAID, JSON.stringify(body));
  }

  /** Answers of a hook that let a payment go on. */
  const goesOn: readonly (readonly [says: string, hook: string])[] = [
    ['nothing', 'onBeforeSubmitCard(event) { log.push(event.target.tagName) }'],
    ['true, having prevented the default', 'onBeforeSubmitCard(event) { event.preventDefault(); log.push(1); return true }'],
    ['null', 'onBeforeSubmitCard() { log.push(1); return null }'],
    [
      'a promise of true, after a while',
      'onBeforeSubmitCard() { return new Promise((go) => setTimeout(() => { log.push(1); go(true) }, 150)) }',
    ],
    ['a promise of its own kind', 'onBeforeSubmitCardPromise() { log.push(1); return Promise.resolve() }'],
  ];
  for (const [says, hook] of goesOn) {
    test(`a hook that answers ${says} lets the payment go on`, async () => {
      const { page } = await openWith(`${hook}, onAfterSubmit() { log.push('after') }`);
      await compat.fillCard(page);
      await compat.pay(page);
      await assertPaid(page);
      const lines = await compat.log(page);
      assert.equal(lines.length, 2, JSON.stringify(lines));
      assert.equal(lines[1], 'after');
      if (says === 'nothing') assert.match(String(lines[0]), /^(?:FORM|BUTTON)$/);
    });
  }

  /** Answers of a hook that stop it; `isThrown`: the page's own log has a line about it. */
  const stops: readonly (readonly [says: string, hook: string, isThrown?: boolean])[] = [
    ['answers false', 'onBeforeSubmitCard() { log.push(1); return false }'],
    ['answers a promise of false', 'async onBeforeSubmitCard() { log.push(1); return false }'],
    ['rejects', 'onBeforeSubmitCard() { log.push(1); return Promise.reject() }'],
    ['answers what has a then', 'onBeforeSubmitCard() { log.push(1); return { then(go) { go(false) } } }'],
    ['throws', "onBeforeSubmitCard() { log.push(1); throw new Error('a mistake of the shop') }", true],
    ['rejects under the name for promises', "onBeforeSubmitCardPromise() { log.push(1); return Promise.reject('no') }"],
  ];
  for (const [says, hook, isThrown = false] of stops) {
    test(`a hook that ${says} stops the payment; the form stays as it is and can be sent later`, async () => {
      const { page, checkout } = await openWith(`${hook}, onAfterSubmit() { log.push('after') }`);
      await compat.fillCard(page);
      await compat.pay(page);
      assert.deepEqual(await compat.logged(page, 1), [1]);
      const button = compat.payButton(page);
      await page.waitForFunction(`!document.querySelector('${CARD} .wpwl-button-pay').disabled`);
      assert.equal((await compat.status(checkout)).code, NOTHING_YET);
      assert.deepEqual(compat.faults.splice(0), isThrown ? ['a mistake of the shop'] : []);
      await page.evaluate('wpwlOptions = {}');
      await button.click();
      await assertPaid(page);
      assert.deepEqual(await compat.log(page), [1]);
    });
  }

  test('while a hook thinks, a second press does nothing', async () => {
    const { page } = await openWith(`onBeforeSubmitCard() {
      log.push('asked');
      return new Promise((go) => { window.go = go });
    }`);
    await compat.fillCard(page);
    await compat.pay(page);
    await compat.logged(page, 1);
    await page.evaluate(`{
      document.querySelector('.wpwl-button-pay').click();
      document.querySelector('.wpwl-form-card').requestSubmit();
      wpwl.executePayment('wpwl-container-card').then((isSent) => { log.push(isSent); go(true); });
    }`);
    await assertPaid(page);
    assert.deepEqual(await compat.log(page), ['asked', false]);
  });

  test('a hook may take its time over what it fetches, and what it writes into the form then is sent', async () => {
    const { page } = await openWith(`async onBeforeSubmitCard() {
      await fetch('/result');
      const input = document.createElement('input');
      Object.assign(input, { type: 'hidden', name: 'customParameters[SHOPPER_order]', value: '4711' });
      this.$form[0].append(input);
      this.$form.find('.wpwl-control-cardHolder').val('Ann Late');
    }`);
    await compat.fillCard(page);
    await compat.pay(page);
    const { code, body } = await compat.outcome(page);
    assert.deepEqual([code, body.customParameters, body.card.holder], [PAID, { SHOPPER_order: '4711' }, 'Ann Late']);
  });

  test('each kind of form asks its own hook', async () => {
    const form = `<form action="${ACTION}" class="paymentWidgets" data-brands="VISA PAYPAL"></form>`;
    const { page } = await openWith(
      `onBeforeSubmitCard() { log.push('card'); return false },
       onBeforeSubmitVirtualAccount() { log.push('account'); return window.isGood }`,
      form,
    );
    const paypal = page.locator('.wpwl-container-virtualAccount-PAYPAL .wpwl-button-brand');
    await page.evaluate('window.isGood = false');
    await paypal.click();
    assert.deepEqual(await compat.logged(page, 1), ['account']);
    await page.evaluate('window.isGood = true');
    await paypal.click();
    await page.waitForURL('**/sandbox/bank/**');
    await page.getByRole('button', { name: /^pay /i }).click();
    await assertPaid(page);
    assert.deepEqual(await compat.log(page), ['account', 'account']);
  });

  test('frames are handed over as pages expect them, without any jQuery of theirs', async () => {
    const { page } = await openWith(`
      onReadyIframeCommunication() {
        const [first] = this.$iframe;
        log.push(['ready', this.$iframe[0].name, this.$iframe.get(0) === first, this.$iframe.height() > 10, this.$iframe.length]);
      },
      onFocusIframeCommunication() { this.$iframe.addClass('own-focus'); log.push(['focus', this.$iframe[0].name]) },
      onBlurIframeCommunication() {
        this.$iframe.removeClass('own-focus').parent().css('outline-style', 'dotted');
        log.push(['blur', this.$iframe.attr('name'), this.$iframe[0].className.includes('own-focus')]);
      }`);
    await compat.logged(page, 2);
    const ready = (await compat.log(page)) as string[][];
    assert.deepEqual(
      ready.toSorted((one, other) => String(one[1]).localeCompare(String(other[1]))),
      [
        ['ready', 'card.cvv', true, true, 1],
        ['ready', 'card.number', true, true, 1],
      ],
    );
    await compat.field(page, 'card.number').locator('input').click();
    assert.equal(await page.locator('iframe.own-focus').getAttribute('name'), 'card.number');
    await page.locator('.wpwl-control-cardHolder').click();
    assert.deepEqual((await compat.logged(page, 4)).slice(2), [
      ['focus', 'card.number'],
      ['blur', 'card.number', false],
    ]);
    const outline = "getComputedStyle(document.querySelector('.wpwl-wrapper-cardNumber')).outlineStyle";
    assert.equal(await page.evaluate(outline), 'dotted');
    await compat.fillCard(page);
    await compat.pay(page);
    await assertPaid(page);
  });

  test('fields that are left say whether they are right, and their form is at hand', async () => {
    const left = (name: string): string =>
      `onBlur${name}(isValid) { log.push(['${name}', isValid, this.$form.find('.wpwl-control-brand').val()]) }`;
    const { page } = await openWith(['CardNumber', 'SecurityCode', 'CardHolder', 'ExpiryDate'].map(left).join(', '));
    await compat.field(page, 'card.number').locator('input').fill('4200');
    await page.locator('.wpwl-control-cardHolder').click();
    assert.deepEqual(await compat.logged(page, 1), [['CardNumber', false, 'VISA']]);
    await compat.fillCard(page, { number: '5200000000000007' });
    await compat.payButton(page).focus();
    const lines = (await compat.logged(page, 6)) as [string, boolean, string][];
    const last = Object.fromEntries(lines.map(([name, isValid, brand]) => [name, [isValid, brand]]));
    assert.deepEqual(last, {
      CardNumber: [true, 'MASTER'],
      CardHolder: [true, 'MASTER'],
      ExpiryDate: [true, 'MASTER'],
      SecurityCode: [true, 'MASTER'],
    });
    await compat.pay(page);
    await assertPaid(page);
  });

  test("where a page has a jQuery, hooks are given that page's own objects", async () => {
    const jquery = '<script>window.jQuery = (elements) => Object.assign([...elements], { ofThePage: true })</script>';
    const { page } = await openWith(
      `onReadyIframeCommunication() { log.push([this.$iframe.ofThePage, this.$iframe[0].tagName]) },
       onBeforeSubmitCard() { log.push([this.$form.ofThePage, this.$form[0].className.includes('wpwl-form-card')]) }`,
      FORM,
      jquery,
    );
    await compat.fillCard(page);
    await compat.pay(page);
    await assertPaid(page);
    assert.deepEqual(await compat.log(page), [
      [true, 'IFRAME'],
      [true, 'IFRAME'],
      [true, true],
    ]);
  });

  test('a page that leaves in onAfterSubmit, or hides the form there, has paid', async () => {
    const { page, checkout } = await openWith("onAfterSubmit() { location.href = '/result?by=page' }");
    await compat.fillCard(page);
    await compat.pay(page);
    await page.waitForURL('**/result?by=page**');
    let code = '';
    for (let tries = 0; tries < 20 && code !== PAID; tries += 1) {
      if (tries > 0) await page.waitForTimeout(100);
      ({ code } = await compat.status(checkout));
    }
    assert.equal(code, PAID);
    const hiding = await openWith("onAfterSubmit() { document.querySelector('.wpwl-container').style.display = 'none' }");
    await compat.fillCard(hiding.page);
    await compat.pay(hiding.page);
    await assertPaid(hiding.page);
  });

  test('a decline on a page without a hook for it: the shop is told, and he may go back and try again', async () => {
    const { page } = await openWith('');
    await compat.fillCard(page, { holder: '800.100.151' });
    await compat.pay(page);
    assert.equal((await compat.outcome(page)).code, '800.100.151');
    await page.goBack();
    await compat.ready(page);
    await compat.fillCard(page);
    await compat.pay(page);
    await assertPaid(page);
  });

  test('a hook that throws where nothing is asked stops nothing', async () => {
    const { page } = await openWith(`onReady() { throw new Error('in onReady') },
      onChangeBrand() { throw new Error('in onChangeBrand') },
      onAfterSubmit() { throw new Error('in onAfterSubmit') }`);
    await compat.fillCard(page);
    await compat.pay(page);
    await assertPaid(page);
    assert.deepEqual(compat.faults.splice(0), ['in onReady', 'in onChangeBrand', 'in onAfterSubmit']);
  });
});
