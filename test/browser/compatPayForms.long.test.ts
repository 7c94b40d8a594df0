import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { testBankAccounts } from '../../src/spec/cards/testCards.ts';
import { CARD as CARD_FIELDS, type Fields, OTHER } from '../http/client.ts';
import { noBrowser } from './browser.ts';
import { CARD, type Compat, FORM, options, startCompat } from './compatShop.ts';

/** Facts 10, groups 9, 11 and 12, and a payment by every kind of form: the whole gateway, a shop of another site, a real browser. */

const PAID = '000.100.110';
const NUMBER = `${CARD} iframe.wpwl-control-cardNumber`;
const HOLDER = `${CARD} .wpwl-control-cardHolder`;
const EXPIRY = `${CARD} .wpwl-control-expiry`;
const STORED = '.wpwl-container-registration';
const [account] = testBankAccounts;

describe('forms as pages know them', { skip: noBrowser }, () => {
  let compat: Compat;
  before(async () => {
    compat = await startCompat();
  });
  afterEach(() => compat.forget());
  after(() => compat.close());

  const hasClass = async (locator: Locator, name: string): Promise<boolean> =>
    ((await locator.getAttribute('class')) ?? '').split(' ').includes(name);

  async function openCard(text = '{}', fields: Fields = {}): Promise<Page> {
    return compat.open(options(text) + compat.tag(await compat.makeCheckout(fields)) + FORM);
  }

  /** How the field and the button stand. */
  async function marks(
    page: Page,
    control: string,
  ): Promise<{ readonly bad: boolean; readonly hints: string[]; readonly button: string }> {
    const button = compat.payButton(page);
    const [isMarked, isEnabled] = [await hasClass(button, 'wpwl-button-error'), await button.isEnabled()];
    return {
      bad: await hasClass(page.locator(control), 'wpwl-has-error'),
      hints: await page.locator(`${CARD} .wpwl-hint`).evaluateAll((all) => all.map((one) => one.className)),
      button: `${isMarked ? 'marked' : 'plain'}, ${isEnabled ? 'enabled' : 'locked'}`,
    };
  }
  const wrong = (key: string) => ({ bad: true, hints: [`wpwl-hint wpwl-hint-${key}`], button: 'marked, enabled' });
  const fine = { bad: false, hints: [], button: 'plain, enabled' };

  describe('9: errors come and go', () => {
    test('of a number in its frame: hint right after it, button marked and enabled, all gone when it is right', async () => {
      const page = await openCard();
      const number = compat.field(page, 'card.number').locator('input');
      await number.pressSequentially('4200000000000001');
      await page.locator(HOLDER).focus();
      await page.locator(`${NUMBER}.wpwl-has-error + .wpwl-hint-cardNumberError`).waitFor();
      assert.deepEqual(await marks(page, NUMBER), wrong('cardNumberError'));
      await number.press('End');
      await number.press('Backspace');
      await number.press('0');
      await page.locator(`${NUMBER}:not(.wpwl-has-error)`).waitFor();
      await page.locator(HOLDER).focus();
      assert.deepEqual(await marks(page, NUMBER), fine);
    });

    for (const [typed, key] of [
      ['1330', 'expiryMonthError'],
      ['0120', 'expiryYearError'],
    ] as const) {
      test(`of an expiry date ${typed}: ${key}, and none for a right one`, async () => {
        const page = await openCard();
        await page.locator(EXPIRY).pressSequentially(typed);
        await page.locator(EXPIRY).blur();
        await page.locator(`${EXPIRY}.wpwl-has-error + .wpwl-hint-${key}`).waitFor();
        assert.deepEqual(await marks(page, EXPIRY), wrong(key));
        await page.locator(EXPIRY).fill('');
        await page.locator(EXPIRY).pressSequentially('0534');
        await page.locator(EXPIRY).blur();
        await page.locator(`${EXPIRY}:not(.wpwl-has-error)`).waitFor();
        assert.deepEqual(await marks(page, EXPIRY), fine);
      });
    }

    test('pressed too early, every fault is shown at once and nothing is sent', async () => {
      const page = await openCard();
      await compat.pay(page);
      await page.locator(`${NUMBER}.wpwl-has-error`).waitFor();
      const { hints, button } = await marks(page, NUMBER);
      assert.deepEqual(hints.map((name) => name.split('wpwl-hint-')[1]).sort(), [
        'cardNumberError',
        'cvvError',
        'expiryYearError',
      ]);
      assert.equal(button, 'marked, enabled');
      await compat.fillCard(page);
      await page.locator(HOLDER).focus();
      await page.locator(`${CARD} .wpwl-has-error`).first().waitFor({ state: 'detached' });
      await compat.pay(page);
      assert.equal((await compat.outcome(page)).code, PAID);
    });

    /** As merchants write it around the name, which is optional otherwise. */
    const ownCheck = (hint: string): string => `{ onBeforeSubmitCard() {
      const holder = document.querySelector('.wpwl-control-cardHolder');
      if (holder.value !== '') return true;
      holder.classList.add('wpwl-has-error');
      ${hint}
      const button = document.querySelector('.wpwl-form-card .wpwl-button-pay');
      button.classList.add('wpwl-button-error'); button.setAttribute('disabled', 'disabled');
      return false } }`;
    const text = '<div class="wpwl-hint wpwl-hint-cardHolderError">Who are you?</div>';
    for (const [where, hint] of [
      ['after the field', `holder.insertAdjacentHTML('afterend', '${text}')`],
      [
        'at the end of its wrapper',
        `document.querySelector('.wpwl-wrapper-cardHolder').insertAdjacentHTML('beforeend', '${text}')`,
      ],
      ['behind its group', `document.querySelector('.wpwl-group-cardHolder').insertAdjacentHTML('afterend', '${text}')`],
    ] as const) {
      test(`a page's own error ${where} locks the form, and goes with the next right value`, async () => {
        const page = await openCard(ownCheck(hint));
        await compat.fillCard(page, { holder: '' });
        await compat.pay(page);
        await page.getByText('Who are you?').waitFor();
        assert.deepEqual(await marks(page, HOLDER), { ...wrong('cardHolderError'), button: 'marked, locked' });
        await page.locator(HOLDER).pressSequentially('Ann');
        await page.locator(HOLDER).blur();
        await page.getByText('Who are you?').waitFor({ state: 'detached' });
        assert.deepEqual(await marks(page, HOLDER), fine);
        await compat.pay(page);
        assert.equal((await compat.outcome(page)).code, PAID);
      });
    }

    test('a button that the page locked for its own reasons, as terms that are not accepted, stays locked', async () => {
      const page = await openCard(`{ onReady() { document.querySelector('.wpwl-form-card .wpwl-button-pay').disabled = true } }`);
      await page.locator(EXPIRY).pressSequentially('1330');
      await page.locator(EXPIRY).blur();
      await page.locator(`${EXPIRY}.wpwl-has-error`).waitFor();
      await page.locator(EXPIRY).fill('05/34');
      await page.locator(EXPIRY).blur();
      await page.locator(`${EXPIRY}:not(.wpwl-has-error)`).waitFor();
      assert.equal(await compat.payButton(page).isDisabled(), true);
    });
  });

  describe('11: stored cards', () => {
    const store = async (fields: Fields = {}): Promise<string> => {
      const { id, body } = await compat.client.send('POST', '/v1/registrations', { ...CARD_FIELDS, ...fields });
      assert.match(id ?? '', /^[0-9a-f]{32}$/, JSON.stringify(body));
      return id;
    };
    const master = { paymentBrand: 'MASTER', 'card.number': '5454545454545454', 'card.holder': 'Bob Example' };

    async function openStored(text: string, ids: readonly string[]): Promise<Page> {
      const offered = Object.fromEntries(ids.map((id, at) => [`registrations[${at}].id`, id]));
      const checkout = await compat.makeCheckout(offered);
      const page = await compat.open(options(text) + compat.tag(checkout) + FORM);
      await compat.ready(page, STORED);
      return page;
    }

    test('the list as pages read it', async () => {
      const [visa, mastercard] = [await store(), await store(master)];
      const page = await openStored('{}', [visa, mastercard]);
      const rows = page.locator(
        `#wpwl-registrations > ${STORED} > form.wpwl-form-registrations.wpwl-form-has-inputs .wpwl-group-registration`,
      );
      assert.equal(await rows.count(), 2);
      assert.deepEqual(
        await rows
          .locator('input[type=radio][name=registrationId][data-action="change-registration"]')
          .evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
        [visa, mastercard],
      );
      assert.deepEqual(await rows.locator('.wpwl-wrapper-registration-number').allTextContents(), ['** 0000', '** 5454']);
      assert.deepEqual(await rows.locator('.wpwl-wrapper-registration-holder').allTextContents(), ['Ann Example', 'Bob Example']);
      assert.deepEqual(await rows.locator('.wpwl-wrapper-registration-expiry').allTextContents(), ['05/34', '05/34']);
      assert.equal(
        await rows.nth(1).locator('label.wpwl-registration .wpwl-brand.wpwl-brand-MASTER.wpwl-brand-inline').count(),
        1,
      );
      assert.equal(await page.evaluate('wpwl.checkout.config.registrations.length'), 2);
      assert.deepEqual(
        [await hasClass(rows.nth(0), 'wpwl-selected'), await hasClass(rows.nth(1), 'wpwl-selected')],
        [true, false],
      );
      await rows.nth(1).locator('label').click();
      assert.deepEqual(
        [await hasClass(rows.nth(0), 'wpwl-selected'), await hasClass(rows.nth(1), 'wpwl-selected')],
        [false, true],
      );
      await compat.pay(page, STORED);
      const { code, body } = await compat.outcome(page);
      assert.deepEqual(
        [code, body.paymentBrand, body.card?.last4Digits, body.registrationId],
        [PAID, 'MASTER', '5454', mastercard],
      );
    });

    for (const flag of ['true', '"true"']) {
      test(`requireCvv: ${flag} asks for the code in a frame, and pays with it only`, async () => {
        const page = await openStored(
          `{ registrations: { requireCvv: ${flag} }, onBeforeSubmitOneClickCard() { log.push('asked') } }`,
          [await store()],
        );
        const frame = page.locator(`${STORED} .wpwl-wrapper-registration-cvv iframe.wpwl-control-cvv`);
        await frame.waitFor();
        assert.ok(await hasClass(frame.locator('..'), 'wpwl-wrapper-registration'));
        await compat.pay(page, STORED);
        await page.locator(`${STORED} .wpwl-hint-cvvError`).waitFor();
        await compat.field(page, 'card.cvv', STORED).locator('input').pressSequentially('123');
        await page.locator(`${STORED} .wpwl-hint-cvvError`).waitFor({ state: 'detached' });
        await compat.pay(page, STORED);
        assert.equal((await compat.outcome(page)).code, PAID);
      });
    }

    for (const flag of ['hideInitialPaymentForms: true', 'hideInitialPaymentForms: "true"', 'hideInitialPayentForms: true']) {
      test(`${flag}: other ways wait behind their button`, async () => {
        const page = await openStored(`{ registrations: { ${flag} } }`, [await store()]);
        assert.equal(await page.locator(CARD).isVisible(), false);
        await page.locator('button.wpwl-button[data-action="show-initial-forms"]').click();
        await page.locator(CARD).waitFor();
        await compat.fillCard(page);
        await compat.pay(page);
        assert.equal((await compat.outcome(page)).code, PAID);
      });
    }

    test('without the flag both are there, and no button', async () => {
      const page = await openStored('{}', [await store()]);
      assert.equal(await page.locator(CARD).isVisible(), true);
      assert.equal(await page.locator('[data-action="show-initial-forms"]').count(), 0);
    });

    const box = (attributes: string): string => `{ onReady() {
      document.querySelector('form.wpwl-form-card .wpwl-button').insertAdjacentHTML('beforebegin',
        '<label><input type="checkbox" name="createRegistration" ${attributes}> Store</label>') } }`;
    for (const [what, attributes, isStored] of [
      ['value true', 'value="true" checked', true],
      ['no value, which a browser sends as on', 'checked', true],
      ['not ticked', 'value="true"', false],
    ] as const) {
      test(`the page's own createRegistration, ${what}: ${isStored ? 'stored' : 'not stored'}`, async () => {
        const page = await openCard(box(attributes));
        await compat.fillCard(page);
        await compat.pay(page);
        const { code, body } = await compat.outcome(page);
        assert.deepEqual([code, /^[0-9a-f]{32}$/.test(body.registrationId ?? '')], [PAID, isStored]);
      });
    }

    test('a card that is taken out is gone, for this list and for the shop; a slip of the finger keeps it', async () => {
      const [one, other] = [await store(), await store(master)];
      const page = await openStored('{ removeCards: true, registrations: { hideInitialPaymentForms: true } }', [one, other]);
      const rows = page.locator(`${STORED} .wpwl-group-registration`);
      await rows.nth(0).locator('.wpwl-remove').click();
      await rows.nth(0).locator('.wpwl-remove-no').click();
      assert.equal(await rows.count(), 2);
      await rows.nth(0).locator('.wpwl-remove').click();
      await rows.nth(0).locator('.wpwl-remove-yes').click();
      await rows.nth(1).waitFor({ state: 'detached' });
      assert.equal(await rows.locator('input[type=radio]').getAttribute('value'), other);
      const charged = (id: string) =>
        compat.client.send('POST', `/v1/registrations/${id}/payments`, { amount: '1.00', currency: 'EUR', paymentType: 'DB' });
      assert.notEqual((await charged(one)).code, PAID);
      assert.equal((await charged(other)).code, PAID);
      await rows.nth(0).locator('.wpwl-remove').click();
      await rows.nth(0).locator('.wpwl-remove-yes').click();
      await page.locator(CARD).waitFor();
      assert.equal(await rows.count(), 0);
    });

    test('a stored card that this checkout does not offer is not charged, whatever the page puts in', async () => {
      const [mine, foreign] = [await store(), await store(master)];
      const page = await openStored(
        `{ onReady() { document.querySelector('[name=registrationId]').value = '${foreign}' }, onResult(r) { log.push(r.outcome) } }`,
        [mine],
      );
      await compat.pay(page, STORED);
      assert.deepEqual(await compat.logged(page, 1), ['declined']);
      assert.equal(await page.locator(`${STORED} .wpwl-message.wpwl-has-error`).count(), 1);
    });
  });

  describe('12: what a page puts into the form', () => {
    const foreign: Fields = {
      form_key: 'shop',
      __csrf_token: 'shop',
      _token: 'shop',
      amount: '0.01',
      currency: 'JPY',
      paymentType: 'CD',
      entityId: OTHER.entityId,
      merchantTransactionId: 'forged',
      testMode: 'EXTERNAL',
      'card.number': '4111111111111111',
      'card.cvv': '999',
      'customParameters[INTERNAL]': 'forged',
      'customParameters[shopper_lower]': 'forged',
      'customer.ip': '203.0.113.9',
      notificationUrl: 'https://evil.example/',
    };
    const own: Fields = {
      'customParameters[SHOPPER_a]': 'one',
      'customParameters[SHOPPER_tipo.credito]': 'two',
      'customer.email': 'ann@example.org',
      'billing.city': 'Linz',
    };
    const inject = (fields: Fields): string =>
      `document.querySelector('form.wpwl-form-card').insertAdjacentHTML('beforeend', ${JSON.stringify(
        Object.entries(fields)
          .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
          .join(''),
      )})`;

    test('only names of the API leave the browser, custom parameters only as SHOPPER_, and the amount is the prepared one', async () => {
      const page = await openCard(`{ onReady() { ${inject({ ...foreign, ...own })} } }`, {
        'customParameters[own_of_server]': 'kept',
        merchantTransactionId: 'order-17',
      });
      const posted = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/payment'));
      await compat.fillCard(page);
      await compat.pay(page);
      const sent = new URLSearchParams((await posted).postData() ?? '');
      assert.deepEqual(
        Object.keys(foreign).filter((name) => sent.has(name) && name !== 'customer.ip'),
        [],
        'the browser has sent what nobody asked for',
      );
      for (const [name, value] of Object.entries(own)) assert.equal(sent.get(name), value);
      const { code, body } = await compat.outcome(page);
      assert.deepEqual(
        [code, body.amount, body.currency, body.paymentType, body.merchantTransactionId, body.card.last4Digits],
        [PAID, '92.00', 'EUR', 'DB', 'order-17', '0000'],
      );
      assert.deepEqual(body.customParameters, {
        own_of_server: 'kept',
        SHOPPER_a: 'one',
        'SHOPPER_tipo.credito': 'two',
      });
      assert.deepEqual([body.customer.email, body.billing.city], ['ann@example.org', 'Linz']);
      assert.notEqual(body.customer.ip, '203.0.113.9');
    });

    test('a form of its own that the page sends with our sealed fields: the gateway drops the same', async () => {
      const steal = `{ onAfterSubmit() {}, onBeforeSubmitCard: () => true, onReady() {
        const form = document.querySelector('form.wpwl-form-card');
        form.addEventListener('formdata', ({ formData }) => { log.push(formData.get('sealedFields')) }) },
        paymentTarget: 'nowhere' }`;
      const checkout = await compat.makeCheckout();
      // Our own form goes into a frame that swallows it: only the page's copy reaches the gateway first.
      const page = await compat.open(`${options(steal)}${compat.tag(checkout)}${FORM}<iframe name="nowhere" sandbox></iframe>`);
      await page.route('**/payment', (route) => route.abort());
      await compat.fillCard(page);
      await compat.pay(page);
      const [sealed] = (await compat.logged(page, 1)) as string[];
      await page.unroute('**/payment');
      const copy: Fields = {
        ...foreign,
        ...own,
        sealedFields: sealed ?? '',
        paymentBrand: 'VISA',
        'card.holder': 'Ann Example',
        'card.expiryMonth': '05',
        'card.expiryYear': '2034',
        shopperResultUrl: `${compat.shop.url}/result?order=17`,
        widgetFlow: 'tab',
      };
      await page.evaluate(`{
        const form = document.createElement('form');
        form.method = 'POST'; form.action = '${compat.gateway.url}/v1/checkouts/${checkout.id}/payment';
        for (const [name, value] of Object.entries(${JSON.stringify(copy)})) {
          const input = document.createElement('input'); input.name = name; input.value = value; form.append(input);
        }
        document.body.append(form); HTMLFormElement.prototype.submit.call(form);
      }`);
      const { code, body } = await compat.outcome(page);
      assert.deepEqual(
        [code, body.amount, body.currency, body.paymentType, body.card.last4Digits],
        [PAID, '92.00', 'EUR', 'DB', '0000'],
      );
      assert.deepEqual(Object.keys(body.customParameters).sort(), ['SHOPPER_a', 'SHOPPER_tipo.credito']);
    });
  });

  describe('a payment by every form', () => {
    const klarna: Fields = {
      'cart.items[0].merchantItemId': 'cup',
      'cart.items[0].name': 'Cup',
      'cart.items[0].quantity': '1',
      'cart.items[0].price': '92.00',
      'cart.items[0].discount': '0.00',
      'cart.items[0].tax': '0.00',
    };
    async function openBrand(brand: string, fields: Fields = {}): Promise<{ readonly page: Page; readonly form: Locator }> {
      const shopForm = `<form action="/result?order=17" class="paymentWidgets" data-brands="${brand}"></form>`;
      const checkout = await compat.makeCheckout(fields);
      const page = await compat.open(compat.tag(checkout) + shopForm, { isReady: false });
      const form = page.locator(`.wpwl-container input[name=paymentBrand][value="${brand}"]`).locator('xpath=ancestor::form');
      await form.waitFor();
      return { page, form };
    }

    test('DIRECTDEBIT_SEPA, by the IBAN alone', async () => {
      const { page, form } = await openBrand('DIRECTDEBIT_SEPA');
      assert.ok(await hasClass(form, 'wpwl-form-directDebit'));
      await form.locator('.wpwl-control-accountHolder').fill('Ann Example');
      await form.locator('.wpwl-control-accountIban').fill(account?.iban ?? '');
      assert.equal(await form.locator('.wpwl-control-accountBic').isVisible(), false);
      await form.locator('.wpwl-control-mandate').check();
      await form.locator('button[type=submit]').click();
      const { code, body } = await compat.outcome(page);
      assert.deepEqual([code, body.paymentBrand, body.amount], [PAID, 'DIRECTDEBIT_SEPA', '92.00']);
    });

    /** Brand, class of its form, what is pressed at the bank, what was prepared. */
    const elsewhere: readonly (readonly [brand: string, form: string, button: RegExp, fields?: Fields])[] = [
      ['SOFORTUEBERWEISUNG', 'wpwl-form-onlineTransfer-SOFORTUEBERWEISUNG', /^pay /i],
      ['GIROPAY', 'wpwl-form-onlineTransfer-GIROPAY', /^pay /i],
      ['PAYPAL', 'wpwl-form-virtualAccount-PAYPAL', /^pay /i],
      ['KLARNA_INVOICE', 'wpwl-form-invoice-KLARNA_INVOICE', /^agree/i, klarna],
      ['PREPAYMENT', 'wpwl-form-prepayment-PREPAYMENT', /have paid/i],
    ];
    for (const [brand, formClass, button, fields] of elsewhere) {
      test(`${brand}: over the page of its bank`, async () => {
        const { page, form } = await openBrand(brand, fields);
        assert.ok(await hasClass(form, formClass));
        for (const list of await form.locator('select:visible').all())
          await list.selectOption('DE').catch(() => list.selectOption({ index: 1 }));
        const fill: Fields = { accountIban: 'DE14940593100000012346', accountBic: 'TESTDETT421', email: 'ann@example.org' };
        for (const input of await form.locator('input.wpwl-control:visible:not([type=checkbox])').all()) {
          const name = /wpwl-control-(\w+)/.exec((await input.getAttribute('class')) ?? '')?.[1] ?? '';
          await input.fill(fill[name] ?? (name === 'postcode' ? '12345' : 'Example'));
        }
        for (const consent of await form.locator('input[type=checkbox]:visible').all()) await consent.check();
        await form.locator('button[type=submit]').click();
        await page.waitForURL('**/sandbox/bank/**');
        await page.getByRole('button', { name: button }).click();
        const { code, body, url } = await compat.outcome(page);
        assert.deepEqual([code, body.paymentBrand, body.amount, url.searchParams.get('order')], [PAID, brand, '92.00', '17']);
      });
    }

    test('a shopper who turns back at the bank may take another brand in the same session', async () => {
      const shopForm = '<form action="/result?order=17" class="paymentWidgets" data-brands="VISA PAYPAL"></form>';
      const checkout = await compat.makeCheckout();
      const page = await compat.open(compat.tag(checkout) + shopForm);
      await page.locator('.wpwl-form-virtualAccount-PAYPAL button[type=submit]').click();
      await page.waitForURL('**/sandbox/bank/**');
      await page.getByRole('button', { name: /cancel/i }).click();
      assert.notEqual((await compat.outcome(page)).code, PAID);
      await page.goBack();
      await page.goBack();
      await compat.ready(page);
      await compat.fillCard(page);
      await compat.pay(page);
      const { code, body } = await compat.outcome(page);
      assert.deepEqual([code, body.paymentBrand], [PAID, 'VISA']);
    });
  });
});
