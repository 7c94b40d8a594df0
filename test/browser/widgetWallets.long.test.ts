import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { isApproved } from '../../src/payments/balance.ts';
import type { Fields } from '../http/client.ts';
import { noBrowser } from './browser.ts';
import { type Compat, options, startCompat } from './compatShop.ts';
import { appleStandIn, googleStandIn } from './walletStandIns.ts';

/** Wallets of devices in the payment widget: stand-ins of their sheets, real tokens of the sandbox's issuer, the whole gateway behind it. */

const PAID = '000.100.110';
const BAD_TOKEN = '200.100.603';
const SCRIPT = 'https://pay.google.com/gp/p/js/pay.js';
const APPLE = '.wpwl-container-virtualAccount-APPLEPAY';
const GOOGLE = '.wpwl-container-virtualAccount-GOOGLEPAY';
const MESSAGE = '.wpwl-message.wpwl-has-error';
const { channelId, merchantId } = sandbox.otherShop;
const MASTER = '5454545454545454';

const errors = 'onError(e) { log.push([e.name, e.event, e.brand, e.code ?? null, e.message]) }';
const stays = 'onResult(r) { log.push([r.outcome, r.code]) }';

describe('wallets of devices', { skip: noBrowser }, () => {
  let compat: Compat;
  const logs = new WeakMap<Page, unknown[]>();
  before(async () => {
    compat = await startCompat();
  });
  afterEach(async () => {
    await compat.browser.clear();
    await compat.forget();
  });
  after(() => compat.close());

  /** A token as the wallet of a device would make it: for this merchant alone, whoever asks. */
  async function issueToken(wallet: string, order: Fields, addressee = `turnpike ${merchantId}`): Promise<string> {
    const fault: Fields = addressee === `turnpike ${merchantId}` ? {} : { fault: 'otherMerchant' };
    const fields = { entityId: channelId, wallet, number: '4200000000000000', ...fault, ...order };
    const response = await fetch(`${compat.gateway.url}/sandbox/wallets?format=json`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    const { token } = (await response.json()) as { token?: string };
    return token ?? assert.fail('no token');
  }

  type Opened = { readonly before?: object; readonly headers?: Fields; readonly script?: string | null };

  /** A page of the shop on a device with a wallet; `before`: how the device is. */
  async function open(html: string, { before: device = {}, headers, script = googleStandIn }: Opened = {}): Promise<Page> {
    const page = await compat.browser.open({ width: 900, height: 900 });
    page.setDefaultTimeout(8_000);
    page.on('pageerror', (error) => compat.faults.push(error.message));
    const lines: unknown[] = [];
    logs.set(page, lines);
    page.on('console', (line) => {
      if (line.text().startsWith('log ')) lines.push(JSON.parse(line.text().slice(4)));
    });
    await page.exposeFunction('issueToken', issueToken);
    await page.addInitScript(`window.log = { push: (line) => console.debug('log ' + JSON.stringify(line)) };
      window.walletBefore = ${JSON.stringify(device)};`);
    if (html.includes('APPLEPAY')) await page.addInitScript(appleStandIn);
    await page.route(SCRIPT, (route) =>
      script === null ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: script }),
    );
    await page.goto(compat.shop.page(html, headers));
    return page;
  }

  const form = (brand: string): string => `<form action="/result?order=17" class="paymentWidgets" data-brands="${brand}"></form>`;
  async function shopPage(brand: string, text: string, opened: Opened & { readonly checkout?: Fields } = {}) {
    const { id } = await compat.makeCheckout(opened.checkout);
    return { id, page: await open(options(text) + compat.tag(id) + form(brand), opened) };
  }
  const log = async (page: Page): Promise<unknown[]> => {
    await page.evaluate('0').catch(() => {});
    return logs.get(page) ?? [];
  };
  /** Waits for a line of the log. */
  async function heard(page: Page, isIt: (line: unknown) => boolean): Promise<void> {
    for (let tries = 0; tries < 120 && !(logs.get(page) ?? []).some(isIt); tries += 1) await page.waitForTimeout(50);
    assert.ok((logs.get(page) ?? []).some(isIt), JSON.stringify(logs.get(page)));
  }
  const lastOf = (page: Page): readonly unknown[] => (logs.get(page) ?? []).at(-1) as readonly unknown[];
  const named = (name: string) => (line: unknown) => Array.isArray(line) && line[0] === name;
  const apple = (page: Page) => page.locator(`${APPLE} .wpwl-apple-pay-button`);
  const google = (page: Page) => page.locator(`${GOOGLE} .gpay-button`);
  const active = (page: Page) => page.waitForFunction('wallet.isActive()');
  const shown = (page: Page) => page.waitForFunction('wallet.isShown()');
  const walletValue = <Value>(page: Page, what: string): Promise<Value> => page.evaluate(`wallet.${what}`);
  const does = (page: Page, act: string): Promise<void> => page.evaluate(`void wallet.${act}`);
  const sent = async (id: string): Promise<readonly [tried: number, paid: number]> => {
    const attempts = await compat.gateway.services.checkouts.store.attempts(merchantId, id);
    return [attempts.length, attempts.filter(isApproved).length];
  };

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
        const { code, body, url } = await compat.outcome(page);
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
      const { id } = await compat.makeCheckout();
      const page = await open(options('{}') + compat.tag(id) + form('APPLEPAY') + own);
      await apple(page).waitFor();
      await page.locator('#own').click();
      await active(page);
      await does(page, 'agree()');
      assert.equal((await compat.outcome(page)).code, PAID);
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
      assert.deepEqual(compat.faults.splice(0), ['shop'], 'for the log of the page');
      const billing = `{ givenName: 'Ann', familyName: 'Bill', addressLines: ['1 High St', 'Flat 2'], locality: 'Linz', postalCode: '4020', countryCode: 'at' }`;
      const shipping = (mail: string) =>
        `{ givenName: 'Sam', familyName: 'Ship', emailAddress: '${mail}', phoneNumber: '+43123456', addressLines: ['2 Low St'], locality: 'Graz', postalCode: '8010', countryCode: 'AT' }`;
      await does(page, `agree({}, { billingContact: ${billing}, shippingContact: ${shipping('')} })`);
      await heard(page, named('completePayment'));
      await active(page);
      await does(page, `agree({}, { billingContact: ${billing}, shippingContact: ${shipping('sam@example.org')} })`);
      const { code, body } = await compat.outcome(page);
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
      assert.equal((await compat.outcome(page)).code, PAID);
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
      assert.equal((await compat.outcome(page)).code, PAID);
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
        const { code } = await compat.outcome(page);
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
      const { id } = await compat.makeCheckout();
      const text = "{ locale: 'fr-FR', applePay: { buttonSource: 'js', buttonStyle: 'white-with-line', buttonType: 'buy' } }";
      const page = await open(define + options(text) + compat.tag(id) + form('APPLEPAY'));
      const button = page.locator(`${APPLE} apple-pay-button`);
      await button.waitFor({ state: 'attached' });
      const attributes = await Promise.all(['buttonstyle', 'type', 'locale'].map((name) => button.getAttribute(name)));
      assert.deepEqual(attributes, ['white-outline', 'buy', 'fr-FR']);
    });
  });

  describe('Google Pay', () => {
    for (const [what, order, bin] of [
      ['ECv2 of a Visa', '{}', '420000'],
      ['ECv2 of a Mastercard', `{ number: '${MASTER}' }`, '545454'],
      ["a card's own number", "{ numberType: 'PAN' }", '420000'],
      ['ECv1', "{ version: 'ECv1' }", '420000'],
    ] as const) {
      test(`${what} pays`, async () => {
        const { id, page } = await shopPage('GOOGLEPAY', `{ ${errors} }`);
        await google(page).click();
        await shown(page);
        await does(page, `agree(${order})`);
        const { code, body } = await compat.outcome(page);
        assert.deepEqual([code, body.paymentBrand, body.card.bin], [PAID, 'GOOGLEPAY', bin], JSON.stringify(body));
        assert.deepEqual([await log(page), await sent(id)], [['sheet'], [1, 1]]);
      });
    }

    test('the request: from the checkout where the page says nothing', async () => {
      const { page } = await shopPage('GOOGLEPAY', '{}', { checkout: { 'merchant.name': 'Corner' } });
      await google(page).click();
      await shown(page);
      const { allowedPaymentMethods, ...request } = await walletValue<{ allowedPaymentMethods: unknown }>(page, 'request');
      assert.deepEqual(request, {
        apiVersion: 2,
        apiVersionMinor: 0,
        merchantInfo: { merchantName: 'Corner' },
        transactionInfo: { countryCode: 'DE', currencyCode: 'EUR', totalPriceStatus: 'FINAL', totalPrice: '92.00' },
      });
      assert.partialDeepStrictEqual(allowedPaymentMethods, [
        {
          type: 'CARD',
          parameters: { allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'] },
          tokenizationSpecification: {
            type: 'PAYMENT_GATEWAY',
            parameters: { gateway: 'turnpike', gatewayMerchantId: merchantId },
          },
        },
      ]);
      assert.deepEqual(await walletValue(page, 'client'), { environment: 'TEST' });
      const look = await walletValue<object>(page, 'look');
      assert.partialDeepStrictEqual(look, {
        buttonColor: 'default',
        buttonType: 'pay',
        buttonSizeMode: 'fill',
        buttonLocale: 'en',
      });
    });

    test('the request: as the page wants it, but for the amount and whether it is a test', async () => {
      const text = `{ locale: 'de', googlePay: { gateway: 'other', gatewayMerchantId: 'g1', merchantId: 'M1', merchantName: 'My Shop',
        environment: 'PRODUCTION', countryCode: 'GB', allowedAuthMethods: ['PAN_ONLY'], allowedCardNetworks: ['VISA'], amount: '1.00',
        billingAddressRequired: true, billingAddressParameters: { format: 'FULL' }, emailRequired: true, displayItems: [],
        checkoutOption: 'COMPLETE_IMMEDIATE_PURCHASE', buttonColor: 'white', buttonType: 'buy', buttonSizeMode: 'static' } }`;
      const { page } = await shopPage('GOOGLEPAY', text);
      await google(page).click();
      await shown(page);
      assert.deepEqual(await walletValue(page, 'request'), {
        apiVersion: 2,
        apiVersionMinor: 0,
        emailRequired: true,
        merchantInfo: { merchantId: 'M1', merchantName: 'My Shop' },
        allowedPaymentMethods: [
          {
            type: 'CARD',
            parameters: {
              billingAddressRequired: true,
              billingAddressParameters: { format: 'FULL' },
              allowedAuthMethods: ['PAN_ONLY'],
              allowedCardNetworks: ['VISA'],
            },
            tokenizationSpecification: { type: 'PAYMENT_GATEWAY', parameters: { gateway: 'other', gatewayMerchantId: 'g1' } },
          },
        ],
        transactionInfo: {
          displayItems: [],
          checkoutOption: 'COMPLETE_IMMEDIATE_PURCHASE',
          countryCode: 'GB',
          currencyCode: 'EUR',
          totalPriceStatus: 'FINAL',
          totalPrice: '92.00',
        },
      });
      assert.deepEqual(await walletValue(page, 'client'), { environment: 'TEST' });
      assert.partialDeepStrictEqual(await walletValue<object>(page, 'look'), {
        buttonColor: 'white',
        buttonType: 'buy',
        buttonLocale: 'de',
      });
    });

    test('the page is asked while the sheet is open, and what the shopper tells goes with the payment', async () => {
      const text = `{ ${errors}, googlePay: { submitOnPaymentAuthorized: ['customer', 'billing'], shippingAddressRequired: true,
        onPaymentDataChanged: (d) => Promise.resolve({ newTransactionInfo: { totalPrice: d.callbackTrigger } }),
        onPaymentAuthorized: (d) => { if (!d.email) throw new Error('shop'); return Promise.resolve({ transactionState: d.email === 'x' ? 'ERROR' : 'SUCCESS' }) } } }`;
      const { id, page } = await shopPage('GOOGLEPAY', text);
      await google(page).click();
      await shown(page);
      const { callbackIntents } = await walletValue<{ callbackIntents: string[] }>(page, 'request');
      assert.deepEqual(callbackIntents, ['PAYMENT_AUTHORIZATION', 'SHIPPING_ADDRESS']);
      const update = await page.evaluate("wallet.change({ callbackTrigger: 'INITIALIZE' })");
      assert.deepEqual(update, { newTransactionInfo: { totalPrice: 'INITIALIZE' } });
      await page.evaluate('wallet.agree()');
      assert.deepEqual(compat.faults.splice(0), ['shop']);
      await page.evaluate("wallet.agree({}, { data: { email: 'x' } })");
      assert.deepEqual(await sent(id), [0, 0]);
      const info = `{ billingAddress: { name: 'Ann Mary Bill', address1: '1 High St', locality: 'Linz', postalCode: '4020', countryCode: 'AT', phoneNumber: '+43123' } }`;
      await does(page, `agree({}, { data: { email: 'ann@example.org' }, info: ${info} })`);
      const { code, body } = await compat.outcome(page);
      assert.equal(code, PAID, JSON.stringify(body));
      assert.partialDeepStrictEqual(body, {
        customer: { givenName: 'Ann Mary', surname: 'Bill', email: 'ann@example.org', phone: '+43123' },
        billing: { street1: '1 High St', city: 'Linz', postcode: '4020', country: 'AT' },
      });
      assert.deepEqual(await log(page), [
        'sheet',
        ['authorized', 'ERROR', 'OTHER_ERROR'],
        ['authorized', 'ERROR', null],
        ['authorized', 'SUCCESS', null],
      ]);
    });

    test('a closed sheet: an event of the widget, or the hook of the page; the shopper may open it again', async () => {
      const { id, page } = await shopPage('GOOGLEPAY', `{ ${errors} }`);
      await google(page).click();
      await shown(page);
      await does(page, 'close()');
      await heard(page, named('WidgetError'));
      assert.deepEqual((await log(page)).at(-1), ['WidgetError', 'closed', 'GOOGLEPAY', null, 'Google Pay was closed']);
      await page.evaluate("wpwlOptions.googlePay = { onCancel: (code) => log.push(['onCancel', code]) }");
      await google(page).click();
      await shown(page);
      await does(page, 'close()');
      await heard(page, named('onCancel'));
      assert.deepEqual(
        [(await log(page)).at(-1), await sent(id)],
        [
          ['onCancel', 'CANCELED'],
          [0, 0],
        ],
      );
      await google(page).click();
      await shown(page);
      await does(page, 'agree()');
      assert.equal((await compat.outcome(page)).code, PAID);
    });

    const failing: readonly [what: string, act: string | null, code: string][] = [
      ['Google refuses the merchant', "fail('MERCHANT_ACCOUNT_ERROR', 'not allowed')", 'MERCHANT_ACCOUNT_ERROR'],
      ['the page asks for nonsense', null, 'DEVELOPER_ERROR'],
    ];
    for (const [what, act, code] of failing) {
      test(`${what}: an error with its code, and the shopper is told`, async () => {
        const nonsense = act === null ? 'googlePay: { callbackIntents: ["PAYMENT_AUTHORIZATION"] }' : '';
        const { id, page } = await shopPage('GOOGLEPAY', `{ ${errors}, ${nonsense} }`);
        await google(page).click();
        if (act !== null) {
          await shown(page);
          await does(page, act);
        }
        await page.locator(MESSAGE).waitFor();
        assert.deepEqual(((await log(page)).at(-1) as unknown[]).slice(0, 4), ['WidgetError', 'error', 'GOOGLEPAY', code]);
        assert.deepEqual(await sent(id), [0, 0]);
      });
    }

    for (const [what, opened] of [
      ['a shopper without a card', { before: { isReady: false } }],
      ['a script that does not come', { script: null }],
      ['a script that is broken', { script: 'window.google = {}' }],
    ] as const) {
      test(`${what}: gone, and the shop is told`, async () => {
        const { page } = await shopPage('GOOGLEPAY', `{ ${errors} }`, opened);
        await heard(page, named('WidgetError'));
        assert.deepEqual(lastOf(page).slice(0, 3), ['WidgetError', 'unavailable', 'GOOGLEPAY']);
        assert.equal(await page.locator(GOOGLE).count(), 0);
      });
    }

    test('a token that does not open is declined, and the shopper tries again', async () => {
      const { id, page } = await shopPage('GOOGLEPAY', `{ ${errors}, ${stays} }`);
      await google(page).click();
      await shown(page);
      await does(page, "agree({ fault: 'tampered' })");
      await page.locator(MESSAGE).waitFor();
      assert.deepEqual(
        [await log(page), await sent(id)],
        [
          ['sheet', ['declined', BAD_TOKEN]],
          [0, 0],
        ],
      );
      await google(page).click();
      await shown(page);
      await does(page, 'agree()');
      assert.deepEqual([(await compat.outcome(page)).code, await sent(id)], [PAID, [1, 1]]);
    });

    test('a look that Google does not know: our own button opens the sheet', async () => {
      const { page } = await shopPage('GOOGLEPAY', "{ googlePay: { buttonColor: 'pink' } }");
      await page.locator(`${GOOGLE} .wpwl-button-GOOGLEPAY`).click();
      await shown(page);
      await does(page, 'agree()');
      assert.equal((await compat.outcome(page)).code, PAID);
    });

    test('under a strict policy: the script has the nonce of the page', async () => {
      const { id } = await compat.makeCheckout();
      const { url } = compat.gateway;
      const policy = [
        `default-src 'none'; script-src 'nonce-N'; style-src 'nonce-N'; connect-src ${url}; frame-src ${url}`,
        `img-src ${url}; form-action 'self' ${url}; base-uri 'none'`,
      ].join('; ');
      const page = await open(compat.tag(id, 'nonce="N"') + form('GOOGLEPAY'), {
        headers: { 'content-security-policy': policy },
      });
      await google(page).click();
      await shown(page);
      assert.deepEqual(await walletValue(page, 'client'), { environment: 'TEST', nonce: 'N' });
      await does(page, 'agree()');
      assert.equal((await compat.outcome(page)).code, PAID);
    });

    test('a page without this wallet loads nothing of Google', async () => {
      const { id } = await compat.makeCheckout();
      const asked: string[] = [];
      const page = await open('<p></p>');
      page.on('request', (request) => asked.push(new URL(request.url()).host));
      await page.goto(compat.shop.page(compat.tag(id) + form('VISA')));
      await compat.ready(page);
      assert.deepEqual(
        asked.filter((host) => host.includes('google')),
        [],
      );
    });
  });

  test('both stand on one page beside cards, and one payment is taken', async () => {
    const { id, page } = await shopPage('APPLEPAY GOOGLEPAY VISA', `{ ${errors} }`, {
      script: googleStandIn.replace('window.wallet =', 'window.other ='),
    });
    await Promise.all([apple(page).waitFor(), google(page).waitFor(), compat.ready(page)]);
    await apple(page).click();
    await active(page);
    await does(page, 'agree()');
    assert.equal((await compat.outcome(page)).code, PAID);
    assert.deepEqual(await sent(id), [1, 1]);
  });
});
