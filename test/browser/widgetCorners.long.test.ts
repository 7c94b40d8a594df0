import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { answerChallenge } from '../../src/testing/playwright.ts';
import { noBrowser } from './browser.ts';
import { ACTION, type Compat, options, startCompat } from './compatShop.ts';

/** Forms that few shops have: gift cards, brands of phones, slips and invoices inside the page. The whole gateway and a real browser. */

const PAID = '000.100.110';
const GIFT = '.wpwl-container-giftCard-GIFTCARD';
const STC = '.wpwl-container-virtualAccount-STC_PAY';

describe('forms that few shops have', { skip: noBrowser }, () => {
  let compat: Compat;
  before(async () => {
    compat = await startCompat();
  });
  afterEach(() => compat.forget());
  after(() => compat.close());

  const shopForm = (brands: string): string => `<form action="${ACTION}" class="paymentWidgets" data-brands="${brands}"></form>`;

  async function open(brands: string, text = '{}', fields = {}): Promise<Page> {
    const html = options(text) + compat.tag(await compat.makeCheckout(fields)) + shopForm(brands);
    const page = await compat.open(html, { isReady: false });
    await page.locator('.wpwl-container form').first().waitFor();
    return page;
  }
  const press = (page: Page, within: string): Promise<void> => page.locator(`${within} button[type=submit]`).click();
  const picture = async (page: Page, name: string): Promise<void> => {
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
  };

  describe('gift cards', () => {
    const number = `${GIFT} .wpwl-control-giftCardNumber`;
    const pin = `${GIFT} .wpwl-control-pin`;

    test('number and PIN pay; the PIN does not outlive a decline', async () => {
      const page = await open('GIFTCARD VISA', '{ onResult(r) { log.push(r.outcome) } }');
      await press(page, GIFT);
      await page.locator(`${GIFT} .wpwl-hint-pinEmptyError`).waitFor();
      assert.equal(await page.locator(`${GIFT} .wpwl-hint-giftCardNumberError`).count(), 1);
      await picture(page, 'gift-faults');
      await page.locator(number).fill('6035 7100 0000 0150');
      await page.locator(pin).fill('0000');
      await page.locator(pin).blur();
      await press(page, GIFT);
      await page.locator(`${GIFT} .wpwl-message.wpwl-has-error`).waitFor();
      assert.deepEqual(await compat.logged(page, 1), ['declined']);
      assert.equal(await page.locator(pin).inputValue(), '');
      await picture(page, 'gift-declined');
      await page.locator(pin).fill('8127');
      await press(page, GIFT);
      const { code, body } = await compat.outcome(page);
      assert.deepEqual([code, body.giftCard, body.paymentBrand], [PAID, { last4Digits: '0150' }, 'GIFTCARD']);
    });

    test('more than it holds is declined, and the card form beside it still pays', async () => {
      const page = await open('GIFTCARD VISA', '{ onResult(r) { log.push(r.code) } }');
      await page.locator(number).fill('6035710000000050');
      await page.locator(pin).fill('8127');
      await press(page, GIFT);
      assert.deepEqual(await compat.logged(page, 1), ['800.100.203']);
      await compat.fillCard(page);
      await compat.pay(page);
      assert.equal((await compat.outcome(page)).code, PAID);
    });

    test('after a success nothing of the PIN is left in a page that stays', async () => {
      const page = await open('GIFTCARD', '{ onResult(r) { log.push(r.outcome); return false } }');
      await page.locator(number).fill('GIFT-2207-AB');
      await page.locator(pin).fill('8127');
      await press(page, GIFT);
      assert.deepEqual(await compat.logged(page, 1), ['success']);
      assert.equal(await page.locator(pin).inputValue(), '');
    });

    test('the number of a bank card has no place there, and is not sent', async () => {
      const page = await open('GIFTCARD');
      await page.locator(number).fill('4200 0000 0000 0000');
      await page.locator(pin).fill('8127');
      await page.locator(`${GIFT} .wpwl-hint-giftCardNumberError`).waitFor();
      assert.equal(await page.evaluate(`wpwl.executePayment('${GIFT.slice(1)}')`), false);
      assert.deepEqual(
        await page.evaluate("performance.getEntriesByType('resource').filter((e) => /payment$/.test(e.name)).length"),
        0,
      );
    });

    test('in another language, too', async () => {
      const page = await open('GIFTCARD', '{ locale: "de" }');
      assert.equal(await page.locator(`${GIFT} .wpwl-brand-name`).textContent(), 'Geschenkkarte');
    });
  });

  describe('brands of phones', () => {
    const phone = `${STC} .wpwl-group-mobilePhone`;

    test('by the number at first, by a code when it is chosen', async () => {
      const page = await open('STC_PAY');
      assert.deepEqual(await page.locator(`${STC} .wpwl-group-paymentMode label`).allTextContents(), [
        'With your mobile number',
        'With a QR code',
      ]);
      assert.ok(await page.locator(`${STC} .wpwl-wrapper-radio-mobile .wpwl-control-radio-mobile`).isChecked());
      await press(page, STC);
      await page.locator(`${STC} .wpwl-hint-mobilePhoneError`).waitFor();
      await picture(page, 'phone-number');
      await page.locator(`${STC} .wpwl-control-mobilePhone`).fill('+966 501234567');
      await page.locator(`${STC} .wpwl-control-radio-qrcode`).check();
      await page.locator(phone).waitFor({ state: 'hidden' });
      assert.ok(await page.locator(`${STC} button[type=submit]`).isEnabled());
      await picture(page, 'phone-code');
      await press(page, STC);
      await page.waitForURL('**/sandbox/bank/**');
      await page.getByRole('button', { name: /^pay /i }).click();
      const { code, body } = await compat.outcome(page);
      assert.deepEqual(
        [code, body.customer?.mobile, body.customParameters],
        [PAID, undefined, { SHOPPER_paymentMode: 'qrcode' }],
      );
    });

    test('the number goes along where it is chosen; pages that hide the choice and press the number work', async () => {
      const hide = `{ onReady() {
        for (const name of ['wrapper-radio-qrcode', 'wrapper-radio-mobile', 'group-paymentMode'])
          document.querySelector('.wpwl-form-virtualAccount-STC_PAY .wpwl-' + name).style.display = 'none';
        const radio = document.querySelector('.wpwl-form-virtualAccount-STC_PAY .wpwl-wrapper-radio-mobile .wpwl-control-radio-mobile');
        radio.setAttribute('checked', true);
        radio.click(); } }`;
      const page = await open('STC_PAY', hide);
      assert.ok(!(await page.locator(`${STC} .wpwl-group-paymentMode`).isVisible()));
      await page.locator(`${STC} .wpwl-control-mobilePhone`).fill('+966 501234567');
      await press(page, STC);
      await page.waitForURL('**/sandbox/bank/**');
      await page.getByRole('button', { name: /^pay /i }).click();
      const { code, body } = await compat.outcome(page);
      assert.deepEqual([code, body.customer.mobile], [PAID, '+966 501234567']);
      assert.deepEqual(body.customParameters, { SHOPPER_paymentMode: 'mobile' });
    });

    test('a number that the shop has sent is not asked for again', async () => {
      const page = await open('STC_PAY', '{}', {
        'customer.mobile': '+966 501234567',
        'customer.givenName': 'Ann',
        'customer.surname': 'Example',
      });
      assert.equal(await page.locator(`${STC} .wpwl-button-brand`).count(), 1);
    });

    test('a Portuguese number becomes the account it stands for', async () => {
      const page = await open('MBWAY');
      const within = '.wpwl-container-virtualAccount-MBWAY';
      await page.locator(`${within} .wpwl-control-mobilePhone`).fill('+351 211 222 333');
      await press(page, within);
      await page.locator(`${within} .wpwl-hint-mobilePhoneError`).waitFor();
      await page.locator(`${within} .wpwl-control-mobilePhone`).fill('911 222 333');
      await page.locator(`${within} .wpwl-control-mobilePhone`).blur();
      await press(page, within);
      await page.waitForURL('**/sandbox/bank/**');
      await page.getByRole('button', { name: /^pay /i }).click();
      const { code, body } = await compat.outcome(page);
      assert.deepEqual([code, body.virtualAccount.accountId], [PAID, '351#911222333']);
    });
  });

  describe('slips and invoices', () => {
    const address = {
      'billing.street1': 'Rua A 1',
      'billing.city': 'Recife',
      'billing.postcode': '50000',
      'billing.country': 'BR',
    };
    const names = { 'customer.givenName': 'Ann', 'customer.surname': 'Example' };
    const boleto = '.wpwl-container-prepayment-BOLETO';

    test('a slip that needs a tax number asks for it under its own name, and nothing else of that kind is taken', async () => {
      const inject = `{ onReady() { for (const name of ['customParameters[BRADESCO_other]', 'customParameters[mine]']) {
        const input = document.createElement('input');
        [input.type, input.name, input.value] = ['hidden', name, 'x'];
        document.querySelector('.wpwl-form').append(input); } } }`;
      const page = await open('BOLETO', inject, { ...address, ...names });
      await page.locator(`${boleto} .wpwl-control-taxNumber`).fill('111.444.777-35');
      await press(page, boleto);
      await page.waitForURL('**/sandbox/bank/**');
      await page.getByRole('button').first().click();
      const { code, body } = await compat.outcome(page);
      assert.equal(code, PAID);
      assert.deepEqual(body.customParameters, { BRADESCO_cpfsacado: '111.444.777-35' });
    });

    for (const [brand, form] of [
      ['PREPAYMENT', 'prepayment-PREPAYMENT'],
      ['AFTERPAY', 'invoice-AFTERPAY'],
      ['PAYPAL', 'virtualAccount-PAYPAL'],
      ['EPS', 'onlineTransfer-EPS'],
    ] as const) {
      test(`${brand} inside the page: its own page is shown there, and the shop is told`, async () => {
        const page = await open(brand, `{ inlineFlow: ['${brand}'], onResult(r) { log.push(r.outcome) } }`);
        const within = `.wpwl-container-${form}`;
        await press(page, within);
        const bank = page.locator(within).frameLocator('iframe.wpwl-target');
        await bank.getByRole('button').first().waitFor();
        assert.match(page.url(), /\/page\d+$/);
        await picture(page, `inline-${brand}`);
        await bank.getByRole('button').first().click();
        const { code } = await compat.outcome(page);
        assert.equal(code, PAID);
        assert.deepEqual(await compat.log(page), ['success']);
      });
    }
  });

  describe('a summary before the payment', () => {
    const handle = (id: string) => compat.client.send('POST', `/v1/checkouts/${id}/payment`, {});
    const card = async (text: string): Promise<{ readonly page: Page; readonly id: string }> => {
      const { id } = await compat.makeCheckout();
      const page = await compat.open(options(text) + compat.tag(id) + shopForm('VISA MASTER'));
      await compat.fillCard(page);
      return { page, id };
    };

    test('the button says so, the shop is told, and nothing is paid before its server says go', async () => {
      const { page, id } = await card('{ useSummaryPage: true, onSaveTransactionData(data) { log.push(data) } }');
      assert.equal(await compat.payButton(page).textContent(), 'Continue');
      await picture(page, 'summary-form');
      await compat.pay(page);
      const [data] = (await compat.logged(page, 1)) as [{ resourcePath: string; fields: Record<string, string> }];
      assert.equal(data.resourcePath, `/v1/checkouts/${id}/payment`);
      const { fields } = data;
      assert.deepEqual([fields.paymentBrand, fields['card.holder'], fields['card.expiryYear']], ['VISA', 'Ann Example', '2034']);
      assert.ok(!JSON.stringify(data).includes('4200000000000000'));
      assert.equal((await compat.status(id)).id, undefined);
      assert.ok(await compat.payButton(page).isEnabled());
      assert.equal(await compat.field(page, 'card.cvv').locator('input').inputValue(), '');
      await picture(page, 'summary-saved');
      const paid = await handle(id);
      assert.deepEqual([paid.code, paid.body.result.cvvResponse], [PAID, 'M']);
    });

    test('a shop that does not listen gets the shopper at its result page', async () => {
      const { page, id } = await card('{ useSummaryPage: "true" }');
      await compat.pay(page);
      const { code, url } = await compat.outcome(page);
      assert.deepEqual([code, url.searchParams.get('id')], ['000.200.000', id]);
      assert.equal((await handle(id)).code, PAID);
    });

    test('what the gateway does not take is told, and the shopper may go on', async () => {
      const listen = 'onSaveTransactionData() { log.push("saved") }, onError(e) { log.push(e.event + " " + e.code) }';
      const { page } = await card(`{ useSummaryPage: true, validation: false, ${listen} }`);
      await page.locator('.wpwl-control-expiry').fill('1334');
      await compat.pay(page);
      assert.deepEqual(await compat.logged(page, 1), ['useSummaryPage 200.300.404']);
      await page.locator('.wpwl-message.wpwl-has-error').waitFor();
      await page.locator('.wpwl-control-expiry').fill('0534');
      await compat.field(page, 'card.cvv').locator('input').fill('123');
      await compat.pay(page);
      assert.deepEqual((await compat.logged(page, 2))[1], 'saved');
    });

    test('the cardholder is asked where the shop sends him, and comes back', async () => {
      const address = {
        'billing.street1': 'A 1',
        'billing.city': 'Berlin',
        'billing.postcode': '10115',
        'billing.country': 'DE',
      };
      const { id } = await compat.makeCheckout(address, compat.secureClient);
      const text = '{ useSummaryPage: true, onSaveTransactionData() { log.push("saved") } }';
      const page = await compat.open(options(text) + compat.tag(id) + shopForm('VISA'));
      await compat.fillCard(page, { number: '4200000000000018' });
      await compat.pay(page);
      await compat.logged(page, 1);
      const pending = await compat.secureClient.send('POST', `/v1/checkouts/${id}/payment`, {});
      assert.equal(pending.code, '000.200.000');
      await page.goto(pending.body.redirect.url);
      await answerChallenge(page);
      assert.equal((await compat.outcome(page, compat.secureClient)).code, PAID);
    });
  });

  describe('Trusted Types', () => {
    for (const [what, directive] of [
      ['any policy', ''],
      ['that of the widget alone', '; trusted-types turnpike'],
    ] as const) {
      test(`a page that takes no bare texts and allows ${what}: two checkouts, and a payment`, async () => {
        const strict = `require-trusted-types-for 'script'${directive}`;
        const [first, second] = [await compat.makeCheckout(), await compat.makeCheckout()];
        const forms = [first, second].map(
          ({ id }) => `<form action="${ACTION}" data-checkout-id="${id}" class="paymentWidgets" data-brands="VISA"></form>`,
        );
        const html = options('{ style: "plain" }') + compat.tag(first) + compat.tag(second) + forms.join('');
        const page = await compat.open(html, { headers: { 'content-security-policy': strict } });
        await page.locator('.wpwl-container-card').nth(1).waitFor();
        await compat.fillCard(page);
        await compat.pay(page);
        assert.equal((await compat.outcome(page)).code, PAID);
      });
    }

    test('where the policy is not allowed the page is told', async () => {
      const headers = { 'content-security-policy': "require-trusted-types-for 'script'; trusted-types other" };
      const page = await compat.open(compat.tag(await compat.makeCheckout()) + shopForm('VISA'), { headers, isReady: false });
      await page.waitForTimeout(500);
      assert.equal(await page.locator('.wpwl-container').count(), 0);
      assert.match(compat.faults.splice(0).join(), /TrustedScriptURL/);
    });
  });
});
