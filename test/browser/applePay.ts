import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { options } from './compatShop.ts';
import { APPLE, BAD_TOKEN, errors, MASTER, MESSAGE, PAID, stays, type WalletStage } from './walletStage.ts';

const { merchantId } = sandbox.otherShop;

/** Apple Pay in the payment widget. */
export function applePayTests(stage: WalletStage): void {
  const { open, shopPage, log, heard, lastOf, named, apple, active, walletValue, does, sent, form } = stage;

  describe('Apple Pay', () => {
    for (const [what, number] of [
      ['a Visa', '4200000000000000'],
      ['a Mastercard', MASTER],
    ] as const) {
      test(`${what} in the wallet pays, and the sheet is told in Apple's order`, async () => {
        const { id, page } = await shopPage('APPLEPAY', `{ ${errors} }`);
        await apple(page).click();
        await active(page);
        await does(page, `agree({ number: '${number}' })`);
        const { code, body, url } = await stage.compat.outcome(page);
        assert.deepEqual([code, url.searchParams.get('id')], [PAID, id], JSON.stringify(body));
        assert.deepEqual(
          [body.paymentBrand, body.card.bin, body.card.last4Digits],
          ['APPLEPAY', number.slice(0, 6), number.slice(-4)],
          JSON.stringify(body),
        );
        assert.deepEqual(await log(page), ['new 3', 'begin', 'validated Other Shop', ['completePayment', 0]]);
        assert.deepEqual(await sent(id), [1, 1]);
      });
    }

    test('the sheet opens before the click is over, not after it', async () => {
      const { page } = await shopPage('APPLEPAY', '{}', { before: { believesScripts: true } });
      await apple(page).waitFor();
      assert.equal(await page.evaluate("document.querySelector('.wpwl-apple-pay-button').click(); wallet.isShown()"), true);
      await active(page);
    });

    test('a page may have a button of its own', async () => {
      const own = '<button id="own" onclick="wpwl.executePayment(\'wpwl-container-virtualAccount-APPLEPAY\')">Buy</button>';
      const { id } = await stage.compat.makeCheckout();
      const page = await open(options('{}') + stage.compat.tag(id) + form('APPLEPAY') + own);
      await apple(page).waitFor();
      await page.locator('#own').click();
      await active(page);
      await does(page, 'agree()');
      assert.equal((await stage.compat.outcome(page)).code, PAID);
    });

    test('the request: from the checkout where the page says nothing', async () => {
      const { page } = await shopPage('APPLEPAY', '{}', { checkout: { 'merchant.name': 'Corner', 'merchant.country': 'AT' } });
      await apple(page).click();
      await active(page);
      const { supportedNetworks, ...request } = await walletValue<{ supportedNetworks: string[] }>(page, 'request');
      assert.deepEqual(request, {
        countryCode: 'AT',
        currencyCode: 'EUR',
        merchantCapabilities: ['supports3DS'],
        total: { type: 'final', label: 'Corner', amount: '92.00' },
      });
      assert.ok(supportedNetworks.includes('visa') && supportedNetworks.includes('masterCard'));
      assert.equal(await apple(page).getAttribute('lang'), 'en');
    });

    test('the request: as the page wants it, functions looked up in the click', async () => {
      const text = `{ locale: 'de', applePay: { version: 5, displayName: 'My Shop', countryCode: ['GB'], currencyCode: 'GBP',
        supportedNetworks: ['visa'], merchantCapabilities: ['supports3DS', 'supportsDebit'], supportedCountries: ['GB'],
        requiredBillingContactFields: ['postalAddress'], requiredShippingContactFields: ['email'], buttonStyle: 'white-outline',
        shippingMethods: [{ identifier: 'a', label: 'A', amount: '0.00' }], unknown: 1 } }`;
      const { page } = await shopPage('APPLEPAY', text);
      await apple(page).waitFor();
      await page.evaluate(`Object.assign(wpwlOptions.applePay, { total: () => ({ label: 'Sum', amount: 92 }),
        lineItems: () => [{ label: 'Tea', amount: '92.00' }] })`);
      await apple(page).click();
      await active(page);
      assert.deepEqual(await walletValue(page, 'request'), {
        supportedCountries: ['GB'],
        requiredBillingContactFields: ['postalAddress'],
        requiredShippingContactFields: ['email'],
        shippingMethods: [{ identifier: 'a', label: 'A', amount: '0.00' }],
        countryCode: 'GB',
        currencyCode: 'EUR',
        supportedNetworks: ['visa'],
        merchantCapabilities: ['supports3DS', 'supportsDebit'],
        total: { type: 'final', label: 'Sum', amount: '92' },
        lineItems: [{ label: 'Tea', amount: '92.00' }],
      });
      assert.equal((await log(page))[0], 'new 5');
      assert.equal(await apple(page).getAttribute('lang'), 'de');
      assert.match((await apple(page).getAttribute('class')) ?? '', /wpwl-apple-pay-button-white-with-line/);
    });

    test('what the shopper changes is answered by the page, and what he tells goes with the payment', async () => {
      const text = `{ applePay: { submitOnPaymentAuthorized: ['customer', 'billing', 'shipping'],
        onPaymentMethodSelected: (m) => ({ newLineItems: [{ label: m.type, amount: '92.00' }] }),
        onShippingContactSelected: async (c) => ({ errors: [{ code: 'shippingContactInvalid', contactField: 'postalCode', message: c.postalCode }] }),
        onShippingMethodSelected() { throw new Error('shop') },
        onCouponCodeChanged: (code) => ({ newTotal: { label: code, amount: '92.00' } }),
        onPaymentAuthorized: (p) => p.shippingContact.emailAddress ? undefined
          : Promise.resolve({ status: 'FAILURE', errors: [{ code: 'shippingContactInvalid', contactField: 'emailAddress', message: 'no mail' }] }) } }`;
      const { page } = await shopPage('APPLEPAY', text);
      await apple(page).click();
      await active(page);
      for (const act of ["'shippingContact', { postalCode: '1' }", "'shippingMethod', {}", "'couponCode', 'X'"]) {
        await does(page, `change(${act})`);
        await active(page);
      }
      assert.deepEqual(stage.compat.faults.splice(0), ['shop'], 'for the log of the page');
      const billing = `{ givenName: 'Ann', familyName: 'Bill', addressLines: ['1 High St', 'Flat 2'], locality: 'Linz', postalCode: '4020', countryCode: 'at' }`;
      const shipping = (mail: string) =>
        `{ givenName: 'Sam', familyName: 'Ship', emailAddress: '${mail}', phoneNumber: '+43123456', addressLines: ['2 Low St'], locality: 'Graz', postalCode: '8010', countryCode: 'AT' }`;
      await does(page, `agree({}, { billingContact: ${billing}, shippingContact: ${shipping('')} })`);
      await heard(page, named('completePayment'));
      await active(page);
      await does(page, `agree({}, { billingContact: ${billing}, shippingContact: ${shipping('sam@example.org')} })`);
      const { code, body } = await stage.compat.outcome(page);
      assert.equal(code, PAID, JSON.stringify(body));
      assert.partialDeepStrictEqual(body, {
        customer: { givenName: 'Sam', surname: 'Ship', email: 'sam@example.org', phone: '+43123456' },
        billing: { street1: '1 High St', street2: 'Flat 2', city: 'Linz', postcode: '4020', country: 'AT' },
        shipping: { street1: '2 Low St', city: 'Graz', postcode: '8010', country: 'AT' },
        applePay: { cardNetwork: 'Visa', cardType: 'debit' },
      });
      assert.deepEqual((await log(page)).slice(3), [
        ['paymentMethod', '92.00', 1, []],
        ['shippingContact', '92.00', 0, [['shippingContactInvalid', 'postalCode', '1']]],
        ['shippingMethod', '92.00', 0, []],
        ['couponCode', '92.00', 0, []],
        ['completePayment', 1, ['shippingContactInvalid', 'emailAddress', 'no mail']],
        ['completePayment', 0],
      ]);
    });

    test('a closed sheet: an event of the widget, or the hook of the page; the shopper may open it again', async () => {
      const { id, page } = await shopPage('APPLEPAY', `{ ${errors} }`);
      await apple(page).click();
      await active(page);
      await does(page, 'close()');
      await heard(page, named('WidgetError'));
      assert.deepEqual((await log(page)).at(-1), ['WidgetError', 'closed', 'APPLEPAY', null, 'Apple Pay was closed']);
      assert.equal(await page.locator(MESSAGE).count(), 0, 'closing is no fault');
      await page.evaluate("wpwlOptions.applePay = { onCancel: (code) => log.push(['onCancel', code]) }");
      await apple(page).click();
      await active(page);
      await does(page, 'close()');
      await heard(page, named('onCancel'));
      assert.deepEqual((await log(page)).at(-1), ['onCancel', 'CANCELED']);
      assert.deepEqual(await sent(id), [0, 0]);
      await apple(page).click();
      await active(page);
      await does(page, 'agree()');
      assert.equal((await stage.compat.outcome(page)).code, PAID);
    });

    const availability: readonly [what: string, text: string, device: object, isThere: boolean, asked?: unknown[]][] = [
      ['a device without it', '', { isThere: false }, false],
      ['a page that is not secure', '', { isSecure: false }, false],
      ['a device that is too old for the version', 'version: 14', { versionMax: 13 }, false],
      ['a device as old as the version', 'version: 14', { versionMax: 14 }, true],
      [
        'a card, asked for',
        "checkAvailability: 'canMakePaymentsWithActiveCard'",
        {},
        true,
        ['activeCard', `merchant.${merchantId}`],
      ],
      [
        'no card, asked for',
        "checkAvailability: 'canMakePaymentsWithActiveCard', merchantIdentifier: 'm'",
        { hasCard: false },
        false,
        ['activeCard', 'm'],
      ],
      ['no card, not asked for', "checkAvailability: 'canMakePayments'", { hasCard: false }, true],
      [
        'capabilities unknown',
        "checkAvailability: 'applePayCapabilities', merchantIdentifier: 'm'",
        { status: 'paymentCredentialStatusUnknown' },
        true,
        ['capabilities', 'm'],
      ],
      [
        'no capabilities',
        "checkAvailability: 'applePayCapabilities', merchantIdentifier: 'm'",
        { status: 'applePayUnsupported' },
        false,
        ['capabilities', 'm'],
      ],
    ];
    for (const [what, text, device, isThere, asked] of availability) {
      test(`${what}: ${isThere ? 'shown' : 'gone, and the shop is walletValue'}`, async () => {
        const { page } = await shopPage('APPLEPAY', `{ ${errors}, applePay: { ${text} } }`, { before: device });
        if (isThere) await apple(page).waitFor();
        else {
          await heard(page, named('WidgetError'));
          assert.deepEqual(lastOf(page).slice(0, 3), ['WidgetError', 'unavailable', 'APPLEPAY']);
          assert.equal(await page.locator(APPLE).count(), 0);
        }
        if (asked) assert.deepEqual((await log(page))[0], asked);
      });
    }

    test('a merchant session that is refused: the sheet goes, the page is told why, and another try succeeds', async () => {
      const { id, page } = await shopPage('APPLEPAY', `{ ${errors} }`, { before: { validationUrl: 'https://evil.example/' } });
      await apple(page).click();
      await page.locator(MESSAGE).waitFor();
      const [, , aborted, error] = (await log(page)) as [unknown, unknown, unknown, string[]];
      assert.deepEqual([aborted, error.slice(0, 3)], ['abort', ['WidgetError', 'error', 'APPLEPAY']]);
      assert.match(error[4] ?? '', /^Apple Pay could not be opened for this shop: /);
      assert.deepEqual(await sent(id), [0, 0]);
      await page.evaluate("wallet.validationUrl = 'https://apple-pay-gateway-cert.apple.com/paymentservices/startSession'");
      await apple(page).click();
      await active(page);
      await does(page, 'agree()');
      assert.equal((await stage.compat.outcome(page)).code, PAID);
    });

    for (const again of ['on the same sheet', 'with the button'] as const) {
      test(`a token that does not open is declined, and the shopper tries again ${again}`, async () => {
        const { id, page } = await shopPage('APPLEPAY', `{ ${errors}, ${stays} }`);
        await apple(page).click();
        await active(page);
        await does(page, "agree({ fault: 'tampered' })");
        await page.locator(MESSAGE).waitFor();
        assert.deepEqual((await log(page)).slice(3), [
          ['declined', BAD_TOKEN],
          ['completePayment', 1],
        ]);
        assert.deepEqual(await sent(id), [0, 0]);
        if (again === 'with the button') {
          await does(page, 'close()');
          await apple(page).click();
        }
        await active(page);
        await does(page, 'agree()');
        const { code } = await stage.compat.outcome(page);
        assert.deepEqual([code, await sent(id)], [PAID, [1, 1]]);
        assert.deepEqual((await log(page)).at(-1), ['completePayment', 0]);
        assert.ok(!(await log(page)).some(named('WidgetError')));
      });
    }

    test('a shop that says no, before or after, stops it, and nothing is sent', async () => {
      const { id, page } = await shopPage('APPLEPAY', `{ ${errors}, onBeforeSubmitVirtualAccount: () => false }`);
      await apple(page).click();
      await heard(page, (line) => line === 'abort');
      await page.evaluate(`delete wpwlOptions.onBeforeSubmitVirtualAccount;
        wpwlOptions.applePay = { onPaymentAuthorized: () => ({ status: 'ABORT' }) }`);
      await apple(page).click();
      await active(page);
      await does(page, 'agree()');
      await page.waitForFunction('!wallet.isShown()');
      await page.waitForFunction(`!document.querySelector('${APPLE} form').inert`);
      assert.deepEqual([(await log(page)).at(-1), await sent(id)], ['abort', [0, 0]]);
      assert.ok(!(await log(page)).some(named('WidgetError')), 'the shop knows what it has done');
    });

    test('a widget that is unloaded takes its sheet along', async () => {
      const { page } = await shopPage('APPLEPAY', '{}');
      await apple(page).click();
      await active(page);
      await page.evaluate('wpwl.unload()');
      assert.equal((await log(page)).at(-1), 'abort');
    });

    test("Apple's own button, where the page has loaded it", async () => {
      const define = `<script>customElements.define('apple-pay-button', class extends HTMLElement {});</script>`;
      const { id } = await stage.compat.makeCheckout();
      const text = "{ locale: 'fr-FR', applePay: { buttonSource: 'js', buttonStyle: 'white-with-line', buttonType: 'buy' } }";
      const page = await open(define + options(text) + stage.compat.tag(id) + form('APPLEPAY'));
      const button = page.locator(`${APPLE} apple-pay-button`);
      await button.waitFor({ state: 'attached' });
      const attributes = await Promise.all(['buttonstyle', 'type', 'locale'].map((name) => button.getAttribute(name)));
      assert.deepEqual(attributes, ['white-outline', 'buy', 'fr-FR']);
    });
  });
}
