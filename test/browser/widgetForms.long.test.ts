import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { noBrowser } from './browser.ts';
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
import { registrations } from './formsPage.ts';

/** The forms of the widget in a real browser, with real field frames of another origin, in a shop whose policy allows nothing inline. */
let driver: Driver;
const options = { skip: noBrowser };
before(async () => {
  if (!noBrowser) driver = await startDriver();
});
afterEach(() => (noBrowser ? undefined : driver.clear()));
after(() => (noBrowser ? undefined : driver.close()));

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
  await page.evaluate('forms[0].renew()');
  await page.waitForTimeout(50);
  assert.equal(await inside(page, 'cvv').inputValue(), '');
  assert.equal(await inside(page, 'cardNumber').inputValue(), '4200 0000 0000 0091');
  assert.equal(await page.locator('.wpwl-control-expiry').inputValue(), '12 / 34');
  assert.equal(await ask(page, "document.querySelector('[name=sealedFields]')"), null);
});

test('an empty form shows every fault and marks the button, which stays enabled, until all is repaired', options, async () => {
  const page = await driver.open({ options: { requireCardHolder: true } });
  await pay(page);
  assert.deepEqual(await hints(page), ['cardNumberError', 'expiryYearError', 'cvvError', 'cardHolderError']);
  assert.equal(await page.locator('.wpwl-control.wpwl-has-error + .wpwl-hint').count(), 4);
  assert.equal(await page.locator('.wpwl-button-pay.wpwl-button-error:enabled').count(), 1);
  const described = await ask(
    page,
    "const c = document.querySelector('.wpwl-control-expiry'); document.getElementById(c.getAttribute('aria-describedby')).className",
  );
  assert.match(String(described), /wpwl-hint-expiryYearError/);
  assert.equal(await inside(page, 'cardNumber').getAttribute('aria-invalid'), 'true');
  assert.equal(await ask(page, "document.querySelectorAll('[role=status]').length"), 1);
  assert.match(
    (await texts(page, '[role=status]'))[0] ?? '',
    /^Enter the card number\. Enter the expiry date\. Enter the security code\. /,
  );
  assert.equal(await ask(page, 'document.activeElement.name'), 'card.number');
  await fillCard(page);
  await page.waitForTimeout(100);
  assert.deepEqual(await hints(page), []);
  assert.equal(await page.locator('.wpwl-button-pay:enabled:not(.wpwl-button-error)').count(), 1);
  await pay(page);
  assert.equal((await sent(page)).length, 1);
});

const blurs: readonly (readonly [name: string, control: string, text: string, error: string | null])[] = [
  ['a date of four digits', 'expiry', '1234', null],
  ['a whole year', 'expiry', '12 / 2034', null],
  ['a month that is none', 'expiry', '1334', 'expiryMonthError'],
  ['a date that is past', 'expiry', '0223', 'expiryYearError'],
  ['half a date', 'expiry', '12', 'expiryYearError'],
  ['a name', 'cardHolder', 'Ann Example', null],
  ['a number for a name', 'cardHolder', CARD, 'cardHolderError'],
  ['a name of two letters', 'cardHolder', 'An', 'cardHolderError'],
];
test('a field of the page is judged when it is left', options, async () => {
  const page = await driver.open({
    hooks: '{ onBlurCardHolder: (ok) => heard.push(ok), onBlurExpiryDate: (ok) => heard.push(ok) }',
  });
  for (const [name, control, text, error] of blurs) {
    const field = page.locator(`.wpwl-control-${control}`);
    await field.fill('');
    await field.pressSequentially(text);
    await field.blur();
    await page.waitForTimeout(20);
    assert.deepEqual(await hints(page), error ? [error] : [], name);
    assert.equal(await ask(page, 'heard.at(-1)'), error === null, name);
    await field.fill('');
    await field.blur();
    await page.evaluate("document.querySelectorAll('.wpwl-hint').forEach((one) => one.remove())");
    await page.evaluate("document.querySelectorAll('.wpwl-has-error').forEach((one) => one.classList.remove('wpwl-has-error'))");
  }
});

test('hooks of frames find form and frame by the verbs that pages use', options, async () => {
  const hooks = `{
    onBlurCardNumber(ok) { heard.push([this.$form.find('.wpwl-control-brand').val(), ok].join()); },
    onFocusIframeCommunication() { this.$iframe.addClass('own-focus'); },
    onBlurIframeCommunication() { this.$iframe[0].classList.remove('own-focus'); } }`;
  const page = await driver.open({ hooks });
  await page.locator('.wpwl-label-cardNumber').click();
  await until(page, "document.querySelector('.wpwl-focus.own-focus') !== null");
  await page.keyboard.type('4200');
  await page.locator('.wpwl-control-cardHolder').focus();
  await until(page, 'heard.length === 1');
  assert.deepEqual(await ask(page, 'heard'), ['VISA,false']);
  assert.equal(await page.locator('.own-focus').count(), 0);
});

test('the expiry writes its own slash, which the backspace passes; autofill and paste are taken', options, async () => {
  const page = await driver.open();
  const field = page.locator('.wpwl-control-expiry');
  await field.pressSequentially('1234');
  assert.equal(await field.inputValue(), '12 / 34');
  const steps: string[] = [];
  for (let at = 0; at < 4; at += 1) {
    await field.press('Backspace');
    steps.push(await field.inputValue());
  }
  assert.deepEqual(steps, ['12 / 3', '12', '1', '']);
  for (const value of ['12/34', '2034-12', '12/2034']) {
    await field.fill(value);
    await field.blur();
    assert.equal(await ask(page, 'document.querySelector(\'[name="card.expiryYear"]\').value'), '2034', value);
  }
});

test('dates may go unchecked, and so may everything', options, async () => {
  const free1 = await driver.open({ options: { disableCardExpiryDateValidation: true } });
  await fillCard(free1, { expiry: '0223' });
  await pay(free1);
  assert.equal((await sent(free1))[0]?.['card.expiryYear'], '2023');
  const free2 = await driver.open({ options: { validation: 'false' } });
  await free2.locator('.wpwl-control-cardHolder').fill(CARD);
  await pay(free2);
  assert.deepEqual(await hints(free2), []);
  assert.equal((await sent(free2))[0]?.['card.holder'], undefined);
});

test('what the page itself hangs up is taken down by the next right value, and the button is free again', options, async () => {
  const page = await driver.open();
  await page.evaluate(`
    const holder = document.querySelector('.wpwl-control-cardHolder');
    holder.classList.add('wpwl-has-error');
    holder.insertAdjacentHTML('afterend', '<div class="wpwl-hint wpwl-hint-cardHolderError">Our own words</div>');
    const button = document.querySelector('.wpwl-button-pay');
    button.classList.add('wpwl-button-error');
    button.disabled = true;`);
  await page.locator('.wpwl-control-cardHolder').fill('Ann Example');
  await page.locator('.wpwl-control-cardHolder').blur();
  await page.waitForTimeout(20);
  assert.deepEqual(await hints(page), []);
  assert.equal(await page.locator('.wpwl-button-pay:enabled').count(), 1);
  await page.evaluate("document.querySelector('.wpwl-button-pay').disabled = true");
  await page.locator('.wpwl-control-cardHolder').blur();
  assert.equal(await page.locator('.wpwl-button-pay:disabled').count(), 1, 'a button locked for another reason stays locked');
});

test('the list of brands leads, and gives way to a number that cannot be of it', options, async () => {
  const hooks =
    '{ onChangeBrand(brand) { heard.push(brand + this.value); }, onDetectBrand: (all, active) => heard.push([...all, active].join()) }';
  const page = await driver.open({ brands: ['VISA', 'MASTER', 'AMEX'], hooks });
  assert.deepEqual(await ask(page, 'heard'), ['VISAVISA']);
  await page.locator('.wpwl-control-brand').selectOption('AMEX');
  assert.equal(await page.locator('.wpwl-brand-card.wpwl-brand-AMEX').count(), 1);
  await inside(page, 'cardNumber').pressSequentially('5454540000000009'.slice(0, 7));
  await page.waitForTimeout(50);
  assert.equal(await page.locator('.wpwl-control-brand').inputValue(), 'MASTER');
  assert.deepEqual(await ask(page, 'heard.slice(1)'), ['AMEXAMEX', 'MASTER,AMEX', 'MASTERMASTER']);
});

test('a number tells its brand; of several the shopper chooses', options, async () => {
  const page = await driver.open({
    brands: ['VISA', 'MASTER', 'AMEX', 'CARTEBANCAIRE'],
    options: { brandDetection: true, brandDetectionType: 'binlist', brandDetectionPriority: ['CARTEBANCAIRE'] },
    hooks: '{ onDetectBin: (bin) => heard.push(bin.bin) }',
  });
  assert.equal(await page.locator('.wpwl-control-brand').inputValue(), '');
  assert.equal(await page.locator('.wpwl-control-brand').isVisible(), false);
  await inside(page, 'cardNumber').pressSequentially(CARD);
  await page.waitForTimeout(50);
  assert.deepEqual(await ask(page, 'heard'), ['420000']);
  assert.equal(await page.locator('.wpwl-control-brand').inputValue(), 'CARTEBANCAIRE');
  assert.deepEqual(await texts(page, '.wpwl-candidate'), ['Cartes Bancaires', 'Visa']);
  await page.locator('.wpwl-candidate', { hasText: 'Visa' }).click();
  assert.equal(await page.locator('.wpwl-control-brand').inputValue(), 'VISA');
  assert.equal(await page.locator('.wpwl-wrapper-cardNumber .wpwl-mark.wpwl-brand-VISA').count(), 1);
});

test('a card that the shop does not take is called so', options, async () => {
  const page = await driver.open({ brands: ['MASTER', 'AMEX'], options: { brandDetection: 'true' } });
  await inside(page, 'cardNumber').pressSequentially(CARD);
  await page.locator('.wpwl-control-expiry').focus();
  await page.waitForTimeout(80);
  assert.deepEqual(await hints(page), ['cardBinError']);
});

test('the code follows the brand: four digits, none needed, none asked for', options, async () => {
  const amex = await driver.open({ brands: ['AMEX', 'MAESTRO'] });
  await fillCard(amex, { number: '', cvv: '123' });
  await amex.locator('.wpwl-control-expiry').focus();
  await amex.waitForTimeout(50);
  assert.deepEqual(await hints(amex), ['cvvError']);
  await amex.locator('.wpwl-control-brand').selectOption('MAESTRO');
  await inside(amex, 'cvv').fill('');
  await inside(amex, 'cvv').blur();
  await amex.waitForTimeout(50);
  assert.deepEqual(await hints(amex), []);
  const none = await driver.open({ options: { requireCvv: 'false' } });
  assert.equal(await none.locator('.wpwl-group-cvv').count(), 0);
});

test('holder and expiry may live in frames too', options, async () => {
  const page = await driver.open({ options: { enableSAQACompliance: true, maskCvv: true } });
  assert.equal(await page.locator('.wpwl-control-iframe').count(), 4);
  await inside(page, 'cardNumber').pressSequentially(CARD);
  await inside(page, 'expiry').pressSequentially('1234');
  await inside(page, 'cardHolder').pressSequentially('Ann Example');
  await inside(page, 'cvv').pressSequentially('123');
  await pay(page);
  assert.deepEqual(driver.bench.posted.at(-1)?.fields, {
    'card.number': CARD,
    'card.cvv': '123',
    'card.holder': 'Ann Example',
    'card.expiryMonth': '12',
    'card.expiryYear': '2034',
  });
  assert.deepEqual(Object.keys((await sent(page))[0] ?? {}).sort(), ['paymentBrand', 'sealedFields']);
});

test('address, split name, date of birth and tax number', options, async () => {
  const page = await driver.open({
    options: {
      billingAddress: { country: 'DE', city: 'Berlin' },
      mandatoryBillingFields: { street1: 'true' },
      forceCardHolderEqualsBillingName: true,
      showBirthDate: true,
      showTaxNumberField: true,
    },
  });
  await fillCard(page, { holder: '' });
  await page.locator('.wpwl-control-givenName').fill('Ann');
  await page.locator('.wpwl-control-surname').fill('Example');
  await page.locator('.wpwl-control-birthDate').fill('1.2.1990');
  await page.locator('.wpwl-control-taxNumber').fill('123 456 78');
  await pay(page);
  assert.deepEqual(await hints(page), ['street1Error']);
  await page.locator('.wpwl-control-street1').fill('Long Street 1');
  await page.waitForTimeout(30);
  await pay(page);
  const [fields = {}] = await sent(page);
  for (const [name, value] of Object.entries({
    'card.holder': 'Ann Example',
    'customer.givenName': 'Ann',
    'customer.birthDate': '1990-02-01',
    'customer.identificationDocType': 'TAXSTATEMENT',
    'billing.country': 'DE',
    'billing.city': 'Berlin',
    'billing.street1': 'Long Street 1',
  }))
    assert.equal(fields[name], value, name);
  assert.equal(fields['billing.street2'], undefined);
});

test('an account is checked by its digits, shown in groups and sent without', options, async () => {
  const page = await driver.open({ brands: ['DIRECTDEBIT_SEPA'] });
  await page.locator('.wpwl-control-accountHolder').fill('Ann Example');
  await page.locator('.wpwl-control-accountIban').fill('de24100000001234567890');
  await page.locator('.wpwl-control-accountIban').blur();
  await page.waitForTimeout(30);
  assert.deepEqual(await hints(page), ['accountIbanError']);
  await page.locator('.wpwl-control-accountIban').fill('de23100000001234567890');
  await page.locator('.wpwl-control-accountIban').blur();
  assert.equal(await page.locator('.wpwl-control-accountIban').inputValue(), 'DE23 1000 0000 1234 5678 90');
  await pay(page, '.wpwl-form-directDebit');
  assert.deepEqual(await hints(page), ['consentError']);
  await page.locator('.wpwl-control-mandate').check();
  await pay(page, '.wpwl-form-directDebit');
  assert.deepEqual((await sent(page))[0], {
    paymentBrand: 'DIRECTDEBIT_SEPA',
    'bankAccount.holder': 'Ann Example',
    'bankAccount.iban': 'DE23100000001234567890',
    'bankAccount.country': 'DE',
  });
});

test('order of fields and places for elements of the shop', options, async () => {
  const page = await driver.open({ options: { fieldOrder: ['cardHolder', 'cardNumber'] } });
  const order = await ask(
    page,
    "[...document.querySelectorAll('.wpwl-group')].map((one) => one.className.split(' ')[1].slice(11))",
  );
  assert.deepEqual(order, ['cardHolder', 'cardNumber', 'brand', 'expiry', 'cvv', 'submit']);
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
