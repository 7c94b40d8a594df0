import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { BAD_TOKEN, errors, GOOGLE, MASTER, MESSAGE, PAID, stays, type WalletStage } from './walletStage.ts';

const { merchantId } = sandbox.otherShop;

/** Google Pay in the payment widget. */
export function googlePayTests(stage: WalletStage): void {
  const { open, shopPage, log, heard, lastOf, named, google, shown, walletValue, does, sent, form } = stage;

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
        const { code, body } = await stage.compat.outcome(page);
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
      assert.deepEqual(stage.compat.faults.splice(0), ['shop']);
      await page.evaluate("wallet.agree({}, { data: { email: 'x' } })");
      assert.deepEqual(await sent(id), [0, 0]);
      const info = `{ billingAddress: { name: 'Ann Mary Bill', address1: '1 High St', locality: 'Linz', postalCode: '4020', countryCode: 'AT', phoneNumber: '+43123' } }`;
      await does(page, `agree({}, { data: { email: 'ann@example.org' }, info: ${info} })`);
      const { code, body } = await stage.compat.outcome(page);
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
      assert.equal((await stage.compat.outcome(page)).code, PAID);
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
      assert.deepEqual([(await stage.compat.outcome(page)).code, await sent(id)], [PAID, [1, 1]]);
    });

    test('a look that Google does not know: our own button opens the sheet', async () => {
      const { page } = await shopPage('GOOGLEPAY', "{ googlePay: { buttonColor: 'pink' } }");
      await page.locator(`${GOOGLE} .wpwl-button-GOOGLEPAY`).click();
      await shown(page);
      await does(page, 'agree()');
      assert.equal((await stage.compat.outcome(page)).code, PAID);
    });

    test('under a strict policy: the script has the nonce of the page', async () => {
      const { id } = await stage.compat.makeCheckout();
      const { url } = stage.compat.gateway;
      const policy = [
        `default-src 'none'; script-src 'nonce-N'; style-src 'nonce-N'; connect-src ${url}; frame-src ${url}`,
        `img-src ${url}; form-action 'self' ${url}; base-uri 'none'`,
      ].join('; ');
      const page = await open(stage.compat.tag(id, 'nonce="N"') + form('GOOGLEPAY'), {
        headers: { 'content-security-policy': policy },
      });
      await google(page).click();
      await shown(page);
      assert.deepEqual(await walletValue(page, 'client'), { environment: 'TEST', nonce: 'N' });
      await does(page, 'agree()');
      assert.equal((await stage.compat.outcome(page)).code, PAID);
    });

    test('a page without this wallet loads nothing of Google', async () => {
      const { id } = await stage.compat.makeCheckout();
      const asked: string[] = [];
      const page = await open('<p></p>');
      page.on('request', (request) => asked.push(new URL(request.url()).host));
      await page.goto(stage.compat.shop.page(stage.compat.tag(id) + form('VISA')));
      await stage.compat.ready(page);
      assert.deepEqual(
        asked.filter((host) => host.includes('google')),
        [],
      );
    });
  });
}
