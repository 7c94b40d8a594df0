import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { isApproved } from '../../src/payments/balance.ts';
import { answerChallenge } from '../../src/testing/playwright.ts';
import { type Fields, SHOPPER } from '../http/client.ts';
import { noBrowser } from './browser.ts';
import { CARD, type Compat, FORM, options, startCompat } from './compatShop.ts';

/** Facts 10, group 10, and everything between the click and the shop's result page: one transaction whatever a shopper does. */

const PAID = '000.100.110';
const DECLINED = '800.100.151';
const CHALLENGED = '4200000000000018';
const MINUTE = 60_000;
const TARGET = `${CARD} iframe.wpwl-target`;
const HOLDER = `${CARD} .wpwl-control-cardHolder`;
/** What 3D Secure needs and the shop has asked for before; the browser itself says the rest. */
const known: Fields = Object.fromEntries(Object.entries(SHOPPER).filter(([name]) => !/browser|\.ip$/.test(name)));

describe('ways to the result', { skip: noBrowser }, () => {
  let compat: Compat;
  before(async () => {
    compat = await startCompat();
  });
  afterEach(() => compat.forget());
  after(() => compat.close());

  /** Every payment of a checkout, and how many of them took money. */
  async function transactions(id: string, merchantId: string = sandbox.otherShop.merchantId): Promise<readonly [number, number]> {
    const attempts = await compat.gateway.services.checkouts.store.attempts(merchantId, id);
    return [attempts.length, attempts.filter(isApproved).length];
  }

  describe('10: targets', () => {
    const frame = '<iframe name="bank" title="bank"></iframe><iframe name="thanks" title="thanks"></iframe>';
    for (const [what, text, arrives] of [
      ['none', '{}', 'top'],
      ['_top', '{ paymentTarget: "_top" }', 'top'],
      ['a frame of the page', '{ paymentTarget: "bank" }', 'top'],
      ['a frame each for payment and result', '{ paymentTarget: "bank", shopperResultTarget: "thanks" }', 'thanks'],
      ['shopperResultTarget alone, which counts for nothing', '{ shopperResultTarget: "thanks" }', 'top'],
    ] as const) {
      test(`${what}: the result URL keeps its query and gets id and resourcePath`, async () => {
        const { id } = await compat.makeCheckout();
        const shopForm = '<form action="/result?order=17&name=%C3%A9+x#end" class="paymentWidgets" data-brands="VISA"></form>';
        const page = await compat.open(options(text) + compat.tag(id) + shopForm + frame);
        const address = page.url();
        await compat.fillCard(page);
        await compat.pay(page);
        const at = (): Frame | null => (arrives === 'top' ? page.mainFrame() : page.frame({ name: 'thanks' }));
        for (let tries = 0; tries < 80 && !at()?.url().includes('/result'); tries += 1) await page.waitForTimeout(50);
        const url = new URL(at()?.url() ?? '');
        assert.deepEqual(
          [...url.searchParams],
          [
            ['order', '17'],
            ['name', 'é x'],
            ['id', id],
            ['resourcePath', `/v1/checkouts/${id}/payment`],
          ],
        );
        assert.equal(url.hash, '#end');
        if (arrives !== 'top') assert.equal(page.url(), address, 'the page stays');
        assert.equal((await compat.status(id)).code, PAID);
      });
    }

    for (const [what, attribute, prepared, path] of [
      ['no action, but a URL of the server', '', '/result?from=server', '/result?from=server'],
      [
        'an action beside the URL of the server, which wins',
        'action="/result?from=form"',
        '/result?from=server',
        '/result?from=server',
      ],
      ['an absolute action', 'action="SHOP/result?x=1"', '', '/result?x=1'],
      ['a relative one without a query', 'action="result"', '', '/result?'],
    ] as const) {
      test(`${what}`, async () => {
        const shopperResultUrl = prepared && compat.shop.url + prepared;
        const { id } = await compat.makeCheckout({ shopperResultUrl });
        const shopForm = `<form ${attribute.replace('SHOP', compat.shop.url)} method="post" class="paymentWidgets" data-brands="VISA"></form>`;
        const page = await compat.open(compat.tag(id) + shopForm);
        await compat.fillCard(page);
        await compat.pay(page);
        const { code, url } = await compat.outcome(page);
        assert.deepEqual([code, (url.pathname + url.search).startsWith(path), url.searchParams.get('id')], [PAID, true, id]);
      });
    }

    test('an empty action: back to the page itself', async () => {
      const { id } = await compat.makeCheckout();
      const page = await compat.open(`${compat.tag(id)}<form action="" class="paymentWidgets" data-brands="VISA"></form>`);
      const address = page.url();
      await compat.fillCard(page);
      await compat.pay(page);
      await page.waitForURL(`${address}?**`);
      assert.equal(new URL(page.url()).searchParams.get('id'), id);
    });
  });

  describe('3D Secure', () => {
    const secure = async (): Promise<string> => (await compat.makeCheckout(known, compat.secureClient)).id;
    const merchantId = sandbox.demoShop.merchantId;

    async function assertPaid(page: Page, id: string): Promise<void> {
      const { code, body } = await compat.outcome(page, compat.secureClient);
      assert.deepEqual([code, body.threeDSecure?.eci, body.amount], [PAID, '05', '92.00']);
      assert.deepEqual((await transactions(id, merchantId))[1], 1);
    }

    test('in our frame, where it has room', async () => {
      const id = await secure();
      const hook = '{ onLoadThreeDIframe() { log.push([this.tagName, this.className]) } }';
      const page = await compat.open(options(hook) + compat.tag(id) + FORM);
      const address = page.url();
      await compat.fillCard(page, { number: CHALLENGED });
      await compat.pay(page);
      await page.locator(TARGET).waitFor({ state: 'visible' });
      assert.deepEqual(await compat.logged(page, 1), [['IFRAME', 'wpwl-target']]);
      const size = await page.locator(TARGET).boundingBox();
      assert.ok((size?.height ?? 0) >= 500 && (size?.width ?? 0) >= 250, JSON.stringify(size));
      assert.equal(await page.locator('dialog.wpwl-target-sheet').count(), 0);
      assert.equal(await page.locator(`${CARD} form`).isVisible(), false);
      assert.equal(page.url(), address, 'the page is still the shop');
      await answerChallenge(page);
      await assertPaid(page, id);
    });

    test('in a sheet over the whole window below 600 pixels', async () => {
      const id = await secure();
      const page = await compat.open(compat.tag(id) + FORM, { width: 360, height: 740 });
      await compat.fillCard(page, { number: CHALLENGED });
      await compat.pay(page);
      const sheet = page.locator('dialog.wpwl-target-sheet');
      await sheet.waitFor();
      const box = await sheet.boundingBox();
      assert.deepEqual([box?.x, box?.y, box?.width, box?.height], [0, 0, 360, 740]);
      assert.equal(await page.evaluate("document.querySelector('dialog.wpwl-target-sheet').matches(':modal')"), true);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
      await answerChallenge(page);
      await assertPaid(page, id);
    });

    test('in the whole tab, and a refresh there asks again for the same payment', async () => {
      const id = await secure();
      const page = await compat.open(options('{ paymentTarget: "_top" }') + compat.tag(id) + FORM);
      await compat.fillCard(page, { number: CHALLENGED });
      await compat.pay(page);
      await page.waitForURL(`${compat.gateway.url}/**`);
      await page.waitForLoadState();
      await page.reload();
      await answerChallenge(page);
      await assertPaid(page, id);
      assert.deepEqual(await transactions(id, merchantId), [1, 1]);
    });

    const policy = (frames: string): Fields => ({ 'content-security-policy': `frame-src ${frames}` });

    test('a policy that lets only the gateway into frames: the issuer is inside a page of ours and comes all the same', async () => {
      const id = await secure();
      const page = await compat.open(compat.tag(id) + FORM, { headers: policy(compat.gateway.url) });
      await compat.fillCard(page, { number: CHALLENGED });
      await compat.pay(page);
      await page.locator(TARGET).waitFor({ state: 'visible' });
      await answerChallenge(page);
      await assertPaid(page, id);
    });

    test('a policy that lets only the fields into frames: the whole tab, and one transaction', async () => {
      const id = await secure();
      const page = await compat.open(compat.tag(id) + FORM, { headers: policy(`${compat.gateway.url}/v1/pciIframe.html`) });
      await compat.fillCard(page, { number: CHALLENGED });
      await compat.pay(page);
      await page.waitForURL(`${compat.gateway.url}/**`);
      await answerChallenge(page);
      await assertPaid(page, id);
      assert.deepEqual(await transactions(id, merchantId), [1, 1]);
    });

    test('a bank of another site that the policy keeps out of the frame: the whole tab, and the same payment', async () => {
      const { id } = await compat.makeCheckout();
      const shopForm = '<form action="/result?order=17" class="paymentWidgets" data-brands="PAYPAL"></form>';
      const headers = policy(compat.gateway.url);
      const page = await compat.open(options('{ inlineFlow: ["PAYPAL"] }') + compat.tag(id) + shopForm, {
        headers,
        isReady: false,
      });
      // The sandbox's bank lives at the gateway: here its first answer names the same page at a host of its own.
      await page.route(
        '**/payment',
        async (route) => {
          const answer = await route.fetch({ maxRedirects: 0 });
          const location = `http://bank.example${new URL(answer.headers().location ?? '', compat.gateway.url).pathname}`;
          await route.fulfill({ status: 303, headers: { location } });
        },
        { times: 1 },
      );
      await page.locator('.wpwl-form-virtualAccount-PAYPAL button[type=submit]').click();
      await page.waitForURL('**/sandbox/bank/**');
      await page.getByRole('button', { name: /^pay /i }).click();
      assert.equal((await compat.outcome(page)).code, PAID);
      assert.deepEqual(await transactions(id), [1, 1]);
    });

    test('closed by the shopper: the same session, another card', async () => {
      const id = await secure();
      const page = await compat.open(options('{ onLightboxCancel() { log.push("closed") } }') + compat.tag(id) + FORM);
      await compat.fillCard(page, { number: CHALLENGED });
      await compat.pay(page);
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByRole('alertdialog', { name: 'Cancel this payment?' }).waitFor();
      await page.getByRole('button', { name: 'Keep going' }).click();
      assert.equal(await page.locator(TARGET).isVisible(), true, 'nothing is lost by a slip of the finger');
      await page.keyboard.press('Escape');
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Keep going');
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/cancel.png` });
      await page.getByRole('button', { name: 'Cancel payment' }).click();
      assert.deepEqual(await compat.logged(page, 1), ['closed']);
      const number = compat.field(page, 'card.number').locator('input');
      await number.fill('');
      await number.pressSequentially('4200000000000026');
      await compat.field(page, 'card.cvv').locator('input').pressSequentially('123');
      // What was begun just now could be the first half of a double click: three seconds later it is given up.
      compat.gateway.pass(5_000);
      await compat.pay(page);
      await assertPaid(page, id);
    });

    test('while one form is being paid the others cannot be used, and afterwards they can', async () => {
      const id = await secure();
      const shopForms = `${FORM}<form action="/result?of=b" class="paymentWidgets" data-brands="PAYPAL DIRECTDEBIT_SEPA"></form>`;
      const page = await compat.open(compat.tag(id) + shopForms, { width: 900, height: 1600 });
      const inert = (): Promise<readonly boolean[]> =>
        page.evaluate("[...document.querySelectorAll('.wpwl-container')].map((one) => one.inert)");
      await compat.fillCard(page, { number: CHALLENGED });
      assert.deepEqual(await inert(), [false, false, false]);
      await compat.pay(page);
      await page.locator(TARGET).waitFor({ state: 'visible' });
      assert.deepEqual(await inert(), [false, true, true]);
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/inert.png`, fullPage: true });
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByRole('button', { name: 'Cancel payment' }).click();
      assert.deepEqual(await inert(), [false, false, false]);
    });

    test('refused at the issuer: told with a reason, and the next card pays in the same session', async () => {
      const id = await secure();
      const page = await compat.open(options('{ onResult(r) { log.push(r.outcome) } }') + compat.tag(id) + FORM);
      await compat.fillCard(page, { number: CHALLENGED });
      await compat.pay(page);
      await answerChallenge(page, { isCancelled: true });
      assert.match(String((await compat.logged(page, 1))[0]), /declined|cancelled/);
      await page.locator(`${CARD} .wpwl-message.wpwl-has-error`).waitFor();
      const number = compat.field(page, 'card.number').locator('input');
      await number.fill('');
      await number.pressSequentially('4200000000000026');
      await compat.field(page, 'card.cvv').locator('input').pressSequentially('123');
      await compat.pay(page);
      await assertPaid(page, id);
      assert.deepEqual(await transactions(id, merchantId), [2, 1]);
    });
  });

  describe('a decline', () => {
    test('with onResult: told with code and words, the form is kept but for the security code, and the second try pays', async () => {
      const { id } = await compat.makeCheckout();
      const page = await compat.open(
        options('{ onResult({ outcome, code, text, url }) { log.push({ outcome, code, text, isUrl: url !== null }) } }') +
          compat.tag(id) +
          FORM,
      );
      const address = page.url();
      await compat.fillCard(page, { holder: DECLINED });
      await compat.pay(page);
      const [logged] = (await compat.logged(page, 1)) as { outcome: string; code: string; text: string; isUrl: boolean }[];
      assert.deepEqual([logged?.outcome, logged?.code, logged?.isUrl], ['declined', DECLINED, true]);
      assert.ok((logged?.text ?? '').length > 10 && !/\d{3}\.\d{3}/.test(logged?.text ?? ''));
      const message = page.locator(`${CARD} .wpwl-message.wpwl-has-error`);
      await message.waitFor();
      assert.equal((await message.textContent())?.trim(), logged?.text);
      assert.equal(
        (await compat.field(page, 'card.number').locator('input').inputValue()).replaceAll(' ', ''),
        '4200000000000000',
      );
      assert.equal(await compat.field(page, 'card.cvv').locator('input').inputValue(), '');
      assert.equal(page.url(), address);
      await page.locator(HOLDER).fill('Ann Example');
      await compat.field(page, 'card.cvv').locator('input').pressSequentially('123');
      await compat.pay(page);
      assert.equal((await compat.outcome(page)).code, PAID);
      assert.deepEqual(await transactions(id), [2, 1]);
    });

    test('without onResult, as existing pages expect: on to the result page', async () => {
      const { id } = await compat.makeCheckout();
      const page = await compat.open(compat.tag(id) + FORM);
      await compat.fillCard(page, { holder: DECLINED });
      await compat.pay(page);
      const { code, url } = await compat.outcome(page);
      assert.deepEqual([code, url.searchParams.get('order')], [DECLINED, '17']);
    });
  });

  describe('one transaction', () => {
    test('a double click, with Enter and executePayment at the same time', async () => {
      const { id } = await compat.makeCheckout();
      const page = await compat.open(compat.tag(id) + FORM);
      await compat.fillCard(page);
      await page.evaluate(`{
        const button = document.querySelector('${CARD} .wpwl-button-pay');
        button.click(); button.click(); button.form.requestSubmit();
        wpwl.executePayment('wpwl-container-card'); wpwl.executePayment('wpwl-container-card');
      }`);
      assert.equal((await compat.outcome(page)).code, PAID);
      assert.deepEqual(await transactions(id), [1, 1]);
      assert.equal(compat.shop.arrivals.length, 1);
    });

    test('two tabs that pay at the same moment: both arrive', async () => {
      const { id } = await compat.makeCheckout();
      const html = compat.tag(id) + FORM;
      const tabs = await Promise.all([compat.open(html), compat.open(html)]);
      for (const tab of tabs) await compat.fillCard(tab);
      await Promise.all(tabs.map((tab) => compat.pay(tab)));
      for (const tab of tabs) assert.equal((await compat.outcome(tab)).code, PAID);
      assert.deepEqual((await transactions(id))[1], 1);
    });

    test('a second tab that was open all the time, after the first has paid: the result, and no second payment', async () => {
      const { id } = await compat.makeCheckout();
      const html = compat.tag(id) + FORM;
      const [first, second] = await Promise.all([compat.open(html), compat.open(html)]);
      await compat.fillCard(first);
      await compat.fillCard(second, { number: '5454545454545454' });
      await compat.pay(first);
      assert.equal((await compat.outcome(first)).code, PAID);
      await compat.pay(second);
      const { code, body } = await compat.outcome(second);
      assert.deepEqual([code, body.paymentBrand], [PAID, 'VISA']);
      assert.deepEqual(await transactions(id), [1, 1]);
    });

    for (const target of ['', 'paymentTarget: "_top"']) {
      test(`the back button after paying, ${target || 'from our frame'}: paid, with the way on, and no form`, async () => {
        const { id } = await compat.makeCheckout();
        const page = await compat.open(options(`{ ${target} }`) + compat.tag(id) + FORM);
        const address = page.url();
        await compat.fillCard(page);
        await compat.pay(page);
        assert.equal((await compat.outcome(page)).code, PAID);
        await page.goBack();
        await page.waitForURL(address);
        const link = page.locator('.wpwl-message a.wpwl-link');
        await link.waitFor();
        assert.equal(await page.locator(`${CARD} form`).count(), 0);
        await page.reload();
        await link.waitFor();
        await link.click();
        const { code, url } = await compat.outcome(page);
        assert.deepEqual([code, url.searchParams.get('order'), url.searchParams.get('id')], [PAID, '17', id]);
        assert.deepEqual(await transactions(id), [1, 1]);
      });
    }

    test("a refresh of the gateway's own address in the tab: the shop again, never a raw error", async () => {
      const { id } = await compat.makeCheckout();
      const page = await compat.open(options('{ paymentTarget: "_top" }') + compat.tag(id) + FORM);
      await compat.fillCard(page);
      await compat.pay(page);
      await compat.outcome(page);
      await page.goto(`${compat.gateway.url}/v1/checkouts/${id}/return`);
      assert.equal((await compat.outcome(page)).code, PAID);
      assert.deepEqual(await transactions(id), [1, 1]);
    });
  });

  describe('an end', () => {
    const heard = '{ onError(e) { log.push([e.name, /No payment session found/.test(e.message)]) } }';
    const logged = ['InvalidCheckoutIdError', true];

    test('a checkout that ended while the card was typed: said in words, and nothing is paid', async () => {
      const { id } = await compat.makeCheckout();
      const page = await compat.open(options(heard) + compat.tag(id) + FORM);
      await compat.fillCard(page);
      compat.gateway.pass(31 * MINUTE);
      await compat.pay(page);
      assert.deepEqual((await compat.logged(page, 1))[0], logged);
      await page.locator('.wpwl-message.wpwl-has-error').first().waitFor();
      assert.match((await page.locator('.wpwl-message.wpwl-has-error').first().textContent()) ?? '', /expired/i);
      assert.deepEqual(await transactions(id), [0, 0]);
    });

    test('one that ended before the page was opened', async () => {
      const { id } = await compat.makeCheckout();
      compat.gateway.pass(31 * MINUTE);
      const page = await compat.open(options(heard) + compat.tag(id) + FORM, { isReady: false });
      assert.deepEqual((await compat.logged(page, 1))[0], logged);
    });

    test('one that ends between the sealing and the form: a page in words with a way back, in the whole tab', async () => {
      const { id } = await compat.makeCheckout();
      const page = await compat.open(options('{ paymentTarget: "_top" }') + compat.tag(id) + FORM);
      await compat.fillCard(page);
      await page.route('**/payment', async (route) => {
        compat.gateway.pass(31 * MINUTE);
        await route.continue();
      });
      await compat.pay(page);
      await page.waitForURL(`${compat.gateway.url}/**`);
      assert.match(await page.locator('h1').innerText(), /expired/i);
      assert.doesNotMatch(await page.locator('body').innerText(), /\{|200\.300|undefined/);
      assert.deepEqual(await transactions(id), [0, 0]);
    });

    test('a new checkout from onExpired takes the place of the old one, with everything that was typed', async () => {
      const [{ id }, next] = [await compat.makeCheckout(), await compat.makeCheckout()];
      const page = await compat.open(
        options(`{ onExpired: async () => log.push('asked') && await window.fresh() }`) + compat.tag(id) + FORM,
      );
      await page.exposeFunction('fresh', async () => (await compat.makeCheckout({ amount: '17.00' })).id);
      await compat.fillCard(page);
      compat.gateway.pass(31 * MINUTE);
      await compat.pay(page);
      assert.deepEqual(await compat.logged(page, 1), ['asked']);
      await page.locator(`${CARD} form:not([action*="${id}"])`).waitFor();
      await compat.pay(page);
      const { code, body } = await compat.outcome(page);
      assert.deepEqual([code, body.amount], [PAID, '17.00']);
      assert.deepEqual(
        [await transactions(id), await transactions(next.id)],
        [
          [0, 0],
          [0, 0],
        ],
      );
    });
  });
});
