import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noBrowser } from './browser.ts';
import { ask, CARD, type Driver, fillCard, hints, inside, pay, sent, texts } from './formsDriver.ts';

const options = { skip: noBrowser };

/** Brands, codes, addresses and accounts in the forms of the widget. */
export function fieldTests(driver: () => Driver): void {
  test('the list of brands leads, and gives way to a number that cannot be of it', options, async () => {
    const hooks =
      '{ onChangeBrand(brand) { heard.push(brand + this.value); }, onDetectBrand: (all, active) => heard.push([...all, active].join()) }';
    const page = await driver().open({ brands: ['VISA', 'MASTER', 'AMEX'], hooks });
    assert.deepEqual(await ask(page, 'heard'), ['VISAVISA']);
    await page.locator('.wpwl-control-brand').selectOption('AMEX');
    assert.equal(await page.locator('.wpwl-brand-card.wpwl-brand-AMEX').count(), 1);
    await inside(page, 'cardNumber').pressSequentially('5454540000000009'.slice(0, 7));
    await page.waitForTimeout(50);
    assert.equal(await page.locator('.wpwl-control-brand').inputValue(), 'MASTER');
    assert.deepEqual(await ask(page, 'heard.slice(1)'), ['AMEXAMEX', 'MASTER,AMEX', 'MASTERMASTER']);
  });

  test('a number tells its brand; of several the shopper chooses', options, async () => {
    const page = await driver().open({
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
    const page = await driver().open({ brands: ['MASTER', 'AMEX'], options: { brandDetection: 'true' } });
    await inside(page, 'cardNumber').pressSequentially(CARD);
    await page.locator('.wpwl-control-expiry').focus();
    await page.waitForTimeout(80);
    assert.deepEqual(await hints(page), ['cardBinError']);
  });

  test('the code follows the brand: four digits, none needed, none asked for', options, async () => {
    const amex = await driver().open({ brands: ['AMEX', 'MAESTRO'] });
    await fillCard(amex, { number: '', cvv: '123' });
    await amex.locator('.wpwl-control-expiry').focus();
    await amex.waitForTimeout(50);
    assert.deepEqual(await hints(amex), ['cvvError']);
    await amex.locator('.wpwl-control-brand').selectOption('MAESTRO');
    await inside(amex, 'cvv').fill('');
    await inside(amex, 'cvv').blur();
    await amex.waitForTimeout(50);
    assert.deepEqual(await hints(amex), []);
    const none = await driver().open({ options: { requireCvv: 'false' } });
    assert.equal(await none.locator('.wpwl-group-cvv').count(), 0);
  });

  test('holder and expiry may live in frames too', options, async () => {
    const page = await driver().open({ options: { enableSAQACompliance: true, maskCvv: true } });
    assert.equal(await page.locator('.wpwl-control-iframe').count(), 4);
    await inside(page, 'cardNumber').pressSequentially(CARD);
    await inside(page, 'expiry').pressSequentially('1234');
    await inside(page, 'cardHolder').pressSequentially('Ann Example');
    await inside(page, 'cvv').pressSequentially('123');
    await pay(page);
    assert.deepEqual(driver().bench.posted.at(-1)?.fields, {
      'card.number': CARD,
      'card.cvv': '123',
      'card.holder': 'Ann Example',
      'card.expiryMonth': '12',
      'card.expiryYear': '2034',
    });
    assert.deepEqual(Object.keys((await sent(page))[0] ?? {}).sort(), ['paymentBrand', 'sealedFields']);
  });

  test('address, split name, date of birth and tax number', options, async () => {
    const page = await driver().open({
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
    const page = await driver().open({ brands: ['DIRECTDEBIT_SEPA'] });
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
    const page = await driver().open({ options: { fieldOrder: ['cardHolder', 'cardNumber'] } });
    const order = await ask(
      page,
      "[...document.querySelectorAll('.wpwl-group')].map((one) => one.className.split(' ')[1].slice(11))",
    );
    assert.deepEqual(order, ['cardHolder', 'cardNumber', 'brand', 'expiry', 'cvv', 'submit']);
  });
}
