import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { noBrowser } from './browser.ts';
import { checkTests } from './formsChecks.ts';
import {
  ask,
  CARD,
  type Driver,
  fillCard,
  free,
  hints,
  inside,
  pay,
  sent,
  settled,
  startDriver,
  texts,
  until,
} from './formsDriver.ts';
import { fieldTests } from './formsFields.ts';
import { registrations } from './formsPage.ts';

/** The forms of the widget in a real browser, with real field frames of another origin, in a shop whose policy allows nothing inline. */
let driver: Driver;
const options = { skip: noBrowser };
before(async () => {
  if (!noBrowser) driver = await startDriver();
});
afterEach(() => (noBrowser ? undefined : driver.clear()));
after(() => (noBrowser ? undefined : driver.close()));
checkTests(() => driver);
fieldTests(() => driver);

const count = (selectors: readonly string[]) =>
  `Object.fromEntries(${JSON.stringify(selectors)}.map((one) => [one, document.querySelectorAll(one).length]))`;

const cardShape: readonly string[] = [
  'div[id^=card_].wpwl-container.wpwl-container-card > form.wpwl-form.wpwl-form-card.wpwl-clearfix',
  'form[data-action=submit-payment-card][method=POST][accept-charset="UTF-8"][lang=en]',
  'form > .wpwl-group.wpwl-group-brand.wpwl-clearfix > .wpwl-wrapper.wpwl-wrapper-brand > select.wpwl-control.wpwl-control-brand[name=paymentBrand]',
  '.wpwl-group-brand > div.wpwl-label.wpwl-label-brand',
  '.wpwl-group-brand > div.wpwl-brand.wpwl-brand-card.wpwl-brand-VISA',
  '.wpwl-group-cardNumber > .wpwl-label-cardNumber',
  '.wpwl-wrapper-cardNumber > iframe.wpwl-control.wpwl-control-iframe.wpwl-control-cardNumber[name="card.number"][title][placeholder]',
  '.wpwl-wrapper-expiry > input.wpwl-control.wpwl-control-expiry[data-action="blur-card-expiry"][autocomplete=cc-exp]',
  '.wpwl-wrapper-cardHolder > input.wpwl-control.wpwl-control-cardHolder[name="card.holder"][autocomplete=cc-name]',
  '.wpwl-wrapper-cvv > iframe.wpwl-control.wpwl-control-iframe.wpwl-control-cvv[name="card.cvv"]',
  '.wpwl-group-submit > .wpwl-wrapper.wpwl-wrapper-submit > button.wpwl-button.wpwl-button-pay[type=submit][name=pay][aria-label]',
  'form > input[type=hidden][name="card.expiryMonth"]',
  'form > input[type=hidden][name="card.expiryYear"]',
  '.wpwl-container > [role=status]',
];

test('the card form has the shape that pages know, in their order', options, async () => {
  const page = await driver.open();
  for (const [selector, found] of Object.entries(await ask<Record<string, number>>(page, count(cardShape))))
    assert.equal(found, 1, selector);
  const order = await ask(
    page,
    "[...document.querySelectorAll('.wpwl-group')].map((one) => one.className.split(' ')[1].slice(11))",
  );
  assert.deepEqual(order, ['brand', 'cardNumber', 'expiry', 'cvv', 'cardHolder', 'submit']);
  assert.match(await ask(page, "document.querySelector('.wpwl-container').id"), /^card_\d+$/);
  assert.deepEqual(await texts(page, '.wpwl-button-pay'), ['Pay €92.00']);
});

const shapes: readonly (readonly [brand: string, form: string, inside: readonly string[], hook: string])[] = [
  [
    'DIRECTDEBIT_SEPA',
    'directDebit',
    ['.wpwl-control-accountHolder', '.wpwl-control-accountIban', '.wpwl-control-accountBic', '.wpwl-control-mandate'],
    'onBeforeSubmitDirectDebit',
  ],
  ['SOFORTUEBERWEISUNG', 'onlineTransfer-SOFORTUEBERWEISUNG', ['select.wpwl-control-country'], 'onBeforeSubmitOnlineTransfer'],
  [
    'IDEAL',
    'onlineTransfer-IDEAL',
    ['select.wpwl-control-bankName', 'input[type=hidden][name="bankAccount.country"][value=NL]'],
    'onBeforeSubmitOnlineTransfer',
  ],
  ['EPS', 'onlineTransfer-EPS', ['button.wpwl-button-brand > .wpwl-brand-EPS'], 'onBeforeSubmitOnlineTransfer'],
  [
    'PAYPAL',
    'virtualAccount-PAYPAL',
    ['.wpwl-group-button button.wpwl-button-brand[type=submit]'],
    'onBeforeSubmitVirtualAccount',
  ],
  ['MBWAY', 'virtualAccount-MBWAY', ['.wpwl-group-mobilePhone input[type=tel]'], 'onBeforeSubmitVirtualAccount'],
  ['VIRTUAL_ACCOUNT', 'virtualAccount-VIRTUAL_ACCOUNT', ['input.wpwl-control-accountId'], 'onBeforeSubmitVirtualAccount'],
  [
    'KLARNA_INVOICE',
    'invoice-KLARNA_INVOICE',
    [
      '.wpwl-control-givenName',
      '.wpwl-control-birthDate',
      '.wpwl-group-billing .wpwl-sup-wrapper-street1 > .wpwl-control-street1',
    ],
    'onBeforeSubmitInvoice',
  ],
  ['PREPAYMENT', 'prepayment-PREPAYMENT', ['.wpwl-note', '.wpwl-button-pay'], 'onBeforeSubmitPrepayment'],
  [
    'GIFTCARD',
    'giftCard-GIFTCARD',
    ['.wpwl-control-giftCardNumber', 'input[type=password][name="giftCard.pin"]'],
    'onBeforeSubmitGiftCard',
  ],
];

test('every other form has its names, and all stand in the order of the brands', options, async () => {
  const brands = ['PAYPAL', 'VISA', ...shapes.map(([brand]) => brand).filter((brand) => brand !== 'PAYPAL'), 'MASTER'];
  const page = await driver.open({ brands, options: { displayBic: true } });
  const keys = await ask<readonly string[]>(page, 'forms.map((form) => form.key)');
  assert.deepEqual(keys.slice(0, 2), ['virtualAccount-PAYPAL', 'card']);
  assert.equal(keys.length, shapes.length + 1);
  for (const [brand, key, selectors, hook] of shapes) {
    const form = `.wpwl-container-${key} > form.wpwl-form-${key}`;
    for (const selector of ['input[type=hidden][name=paymentBrand]', ...selectors])
      assert.equal(await page.locator(`${form} ${selector}`).count(), 1, `${brand} ${selector}`);
    assert.equal(await ask(page, `forms.find((one) => one.key === '${key}').beforeHook`), hook);
    assert.match(await ask(page, `document.querySelector('.wpwl-container-${key}').id`), new RegExp(`^${key}_\\d+$`));
  }
});

test('a card is paid: the page sends what it may see, the gateway alone gets the digits', options, async () => {
  const page = await driver.open({ options: { saveCard: true } });
  await fillCard(page);
  const before = driver.bench.posted.length;
  await pay(page);
  const [fields] = await sent(page);
  assert.deepEqual(Object.keys(fields ?? {}).sort(), [
    'card.expiry',
    'card.expiryMonth',
    'card.expiryYear',
    'card.holder',
    'paymentBrand',
    'sealedFields',
  ]);
  assert.deepEqual([fields?.['card.expiryMonth'], fields?.['card.expiryYear'], fields?.paymentBrand], ['12', '2034', 'VISA']);
  assert.match(fields?.sealedFields ?? '', /^sealed-/);
  assert.deepEqual(driver.bench.posted.slice(before), [
    { path: driver.bench.posted[before]?.path ?? '', fields: { 'card.number': CARD, 'card.cvv': '123' } },
  ]);
  const seen = await ask<string>(
    page,
    'document.documentElement.outerHTML + JSON.stringify(sent) + JSON.stringify({ ...localStorage, ...sessionStorage })',
  );
  assert.ok(!seen.replace(/[\s]/g, '').includes(CARD.slice(-6)));
});

test('after a decline everything stays but the security code', options, async () => {
  const page = await driver.open();
  await fillCard(page);
  await pay(page);
  await page.evaluate('forms[0].resetForRetry()');
  await page.waitForTimeout(50);
  assert.equal(await inside(page, 'cvv').inputValue(), '');
  assert.equal(await inside(page, 'cardNumber').inputValue(), '4200 0000 0000 0091');
  assert.equal(await page.locator('.wpwl-control-expiry').inputValue(), '12 / 34');
  assert.equal(await ask(page, "document.querySelector('[name=sealedFields]')"), null);
});

test('stored details come first and are paid with their own code', options, async () => {
  const page = await driver.open({
    registrations,
    options: { registrations: { requireCvv: 'true', hideInitialPaymentForms: 'true' } },
  });
  for (const [selector, found] of Object.entries(
    await ask<Record<string, number>>(
      page,
      count([
        'div#wpwl-registrations > div.wpwl-container.wpwl-container-registration.wpwl-clearfix > form.wpwl-form.wpwl-form-registrations.wpwl-form-has-inputs[data-action=submit-registration]',
        '.wpwl-group-registration.wpwl-selected',
        'button.wpwl-button.wpwl-button-pay[data-action=show-initial-forms]',
        '.wpwl-wrapper-registration-brand > .wpwl-brand.wpwl-brand-AMEX.wpwl-brand-inline',
        '.wpwl-wrapper-registration-cvv iframe.wpwl-control-cvv',
        '.wpwl-selected input[type=radio][name=registrationId][data-action=change-registration]:checked',
      ]),
    ),
  ))
    assert.equal(found, 1, selector);
  assert.equal(await page.locator('label.wpwl-registration .wpwl-wrapper-registration-details').count(), 3);
  assert.deepEqual(await texts(page, '.wpwl-wrapper-registration-number'), ['** 0091', '** 1113']);
  assert.equal(await page.locator('.wpwl-container-card').isVisible(), false);
  await page.locator('.wpwl-wrapper-registration-number', { hasText: '1113' }).click();
  await settled(page);
  await pay(page, '.wpwl-form-registrations');
  assert.deepEqual(await hints(page), ['cvvError']);
  await page.frameLocator('.wpwl-selected iframe').locator('input').pressSequentially('1234');
  await page.waitForTimeout(60);
  await pay(page, '.wpwl-form-registrations');
  assert.deepEqual(driver.bench.posted.at(-1)?.fields, { 'card.cvv': '1234' });
  assert.deepEqual(Object.keys((await sent(page))[0] ?? {}).sort(), ['registrationId', 'sealedFields']);
  await page.locator('[data-action=show-initial-forms]').click();
  assert.equal(await page.locator('.wpwl-container-card').isVisible(), true);
});

test('stored details are removed only after a question, and stay when the gateway does not remove them', options, async () => {
  const page = await driver.open({
    registrations,
    options: { removeCards: true, registrations: { hideInitialPaymentForms: true } },
  });
  await page.locator('.wpwl-remove').first().click();
  assert.match((await texts(page, '.wpwl-question-text'))[0] ?? '', /Visa 0091/);
  await page.locator('.wpwl-remove-no').first().click();
  driver.bench.forgetStatus = 500;
  await page.locator('.wpwl-remove').first().click();
  await page.locator('.wpwl-remove-yes').first().click();
  await until(page, "/no connection/.test(document.querySelector('.wpwl-question-text').textContent)");
  assert.equal(await page.locator('.wpwl-group-registration').count(), 3);
  driver.bench.forgetStatus = 204;
  for (let left = 3; left > 0; left -= 1) {
    if (!(await page.locator('.wpwl-remove-yes').first().isVisible())) await page.locator('.wpwl-remove').first().click();
    await page.locator('.wpwl-remove-yes').first().click();
    await until(page, `document.querySelectorAll('.wpwl-group-registration').length === ${left - 1}`);
  }
  assert.deepEqual(driver.bench.posted.at(-1)?.fields, { registrationId: '3'.repeat(32) });
  assert.equal(await page.locator('.wpwl-container-card').isVisible(), true, 'nothing is left to pay with but the other forms');
});

test('a wallet is shown on a device that has it, and is gone with a word to the shop elsewhere', options, async () => {
  const without = await driver.open({ brands: ['VISA', 'APPLEPAY', 'GOOGLEPAY'] });
  await until(without, 'heard.length === 2');
  assert.equal(await without.locator('.wpwl-container-virtualAccount-APPLEPAY').count(), 0);
  assert.match((await ask<readonly string[]>(without, 'heard'))[0] ?? '', /^WidgetError unavailable /);
  const apple = `window.ApplePaySession = class {
    static canMakePayments() { return true; } static STATUS_SUCCESS = 0;
    begin() { setTimeout(() => this.onpaymentauthorized({ payment: { token: { paymentData: { data: 'x' } } } }), 10); }
    completePayment() {} };`;
  const page = await driver.open({ brands: ['APPLEPAY'], before: apple });
  await page.locator('.wpwl-apple-pay-button').click();
  await until(page, 'sent.length === 1');
  assert.deepEqual((await sent(page))[0], { paymentBrand: 'APPLEPAY', 'applePay.paymentToken': '{"data":"x"}' });
});

test('only the frame itself, with its own key and from its own origin, is believed', options, async () => {
  const page = await driver.open();
  await page.evaluate(
    "window.postMessage({ turnpike: 1, key: 'x', message: { is: 'brands', brands: ['AMEX'], bin: '420000' } }, '*')",
  );
  const key = await ask<string>(page, "new URL(document.querySelector('.wpwl-control-cardNumber').src).searchParams.get('key')");
  await page.evaluate(
    `window.postMessage({ turnpike: 1, key: '${key}', message: { is: 'brands', brands: ['AMEX'], bin: '420000' } }, '*')`,
  );
  await page.waitForTimeout(60);
  assert.equal(await page.locator('.wpwl-control-brand').inputValue(), 'VISA');
});

test('the tab key goes through all fields and back, and Enter pays from inside a frame', options, async () => {
  const page = await driver.open();
  await page.locator('.wpwl-control-brand').focus();
  const at = () => ask<string>(page, 'document.activeElement.name || document.activeElement.tagName');
  const forth: string[] = [];
  for (let step = 0; step < 5; step += 1) {
    await page.keyboard.press('Tab');
    await page.waitForTimeout(120);
    forth.push(await at());
  }
  assert.deepEqual(forth, ['card.number', 'card.expiry', 'card.cvv', 'card.holder', 'pay']);
  const back: string[] = [];
  for (let step = 0; step < 5; step += 1) {
    await page.keyboard.press('Shift+Tab');
    await page.waitForTimeout(120);
    back.push(await at());
  }
  assert.deepEqual(back, [...forth.slice(0, 4).reverse(), 'paymentBrand']);
  await fillCard(page);
  await inside(page, 'cvv').press('Enter');
  await until(page, 'sent.length === 1');
  await page.evaluate('wpwlOptions.disableSubmitOnEnter = true');
  await inside(page, 'cvv').press('Enter');
  await page.locator('.wpwl-control-expiry').press('Enter');
  await free(page);
  assert.equal((await sent(page)).length, 1);
});
