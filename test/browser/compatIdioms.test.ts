import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { CARD, type Compat, FORM, options, startCompat } from './compatShop.ts';

/** What pages do with our forms: every one of these habits is paid to the end, and what it adds is in the payment. */

const PAID = '000.100.110';

describe('habits of pages', { skip: noBrowser }, () => {
  let compat: Compat;
  before(async () => {
    compat = await startCompat();
  });
  afterEach(() => compat.forget());
  after(() => compat.close());

  /** A page with a checkout of its own and these options. */
  async function openWith(text: string, form = FORM): Promise<Page> {
    return compat.open(options(`{ ${text} }`) + compat.tag(await compat.makeCheckout()) + form);
  }

  async function assertPaid(page: Page) {
    const { code, body, url } = await compat.outcome(page);
    assert.equal(code, PAID, JSON.stringify(body));
    return { body, url };
  }

  async function payOn(page: Page, typed?: Parameters<Compat['fillCard']>[1]) {
    await compat.fillCard(page, typed);
    await compat.pay(page, typed?.within);
    return assertPaid(page);
  }

  /** What is posted to pay. */
  const posted = (page: Page): Promise<Request> =>
    page.waitForRequest((request) => request.method() === 'POST' && /\/checkouts\/[^/]+\/payment$/.test(request.url()));

  test('inputs that are put before the button are sent, and arrive in the payment', async () => {
    const page = await openWith(`onReady() {
      const form = document.querySelector('form.wpwl-form-card');
      form.querySelector('.wpwl-button').insertAdjacentHTML('beforebegin',
        '<input type="hidden" name="createRegistration" value="false">' +
        '<label><input type="checkbox" name="createRegistration" value="true"> Save</label>' +
        '<select name="recurring.numberOfInstallments"><option>3</option><option>6</option></select>' +
        '<input type="hidden" name="standingInstruction.type" value="INSTALLMENT">' +
        '<input type="hidden" name="standingInstruction.mode" value="INITIAL">' +
        '<input type="hidden" name="standingInstruction.source" value="CIT">' +
        '<input type="hidden" name="customParameters[SHOPPER_tipo]" value="T 01 \\u00e9">' +
        '<input type="hidden" name="customParameters[SHOPPER_off]" value="never" disabled>' +
        '<input type="hidden" name="customer.email" value="ann@example.org">' +
        '<input name="shipping.city" value="Shelbyville">');
      const city = document.createElement('input');
      city.name = 'billing.city';
      city.value = 'Springfield';
      form.prepend(city);
    }`);
    await page.locator('input[type=checkbox][name=createRegistration]').check();
    await page.locator('select[name="recurring.numberOfInstallments"]').selectOption('6');
    const [request, { body }] = await Promise.all([posted(page), payOn(page)]);
    const sent = new URLSearchParams(request.postData() ?? '');
    assert.equal(sent.get('recurring.numberOfInstallments'), '6');
    assert.match(body.registrationId ?? '', /^[0-9a-f]{32}$/);
    assert.deepEqual(body.customParameters, { SHOPPER_tipo: 'T 01 é' });
    assert.deepEqual([body.billing.city, body.shipping.city], ['Springfield', 'Shelbyville']);
    assert.equal(body.customer.email, 'ann@example.org');
    assert.deepEqual([body.standingInstruction.mode, body.standingInstruction.type], ['INITIAL', 'INSTALLMENT']);
  });

  test('groups that are moved with their frames, and frames that are moved alone', async () => {
    const page = await openWith(`onReady() {
      const group = (name) => document.querySelector('.wpwl-group-' + name);
      const brand = group('brand');
      brand.remove();
      group('cardNumber').after(brand);
      group('submit').before(group('cardNumber'));
      const own = Object.assign(document.createElement('div'), { className: 'own' });
      group('submit').before(own);
      own.append(document.querySelector('iframe.wpwl-control-cvv'));
      log.push('moved');
    }`);
    assert.deepEqual(await compat.log(page), ['moved']);
    assert.equal(await page.locator('.own iframe').count(), 1);
    await payOn(page);
  });

  test('a frame that is moved when something is in it is asked for again, and never sent without', async () => {
    const page = await openWith('');
    await compat.fillCard(page);
    await page.evaluate("document.querySelector('.wpwl-group-cvv').after(document.querySelector('.wpwl-group-cardNumber'))");
    await compat.field(page, 'card.number').locator('input').waitFor();
    await compat.pay(page);
    await page.locator('.wpwl-hint-cardNumberError').waitFor();
    await compat.field(page, 'card.number').locator('input').fill('4200000000000000');
    await page.locator('.wpwl-hint-cardNumberError').waitFor({ state: 'detached' });
    await compat.pay(page);
    await assertPaid(page);
  });

  test('a badge that is cloned and pictured by the page, and follows the brand', async () => {
    const page = await openWith(`
      onReady() {
        const first = document.querySelector('.wpwl-brand');
        for (const brand of ['MASTER', 'VISA']) {
          const own = first.cloneNode();
          own.className = 'wpwl-brand wpwl-brand-card wpwl-brand-custom wpwl-brand-' + brand;
          own.style.backgroundImage = 'url(${compat.gateway.url}/v1/static/' + wpwl.cacheVersion + '/img/brand.png)';
          first.after(own);
        }
      },
      onChangeBrand(brand) {
        log.push(brand);
        for (const own of document.querySelectorAll('.wpwl-brand-custom'))
          own.style.opacity = own.classList.contains('wpwl-brand-' + brand) ? '1' : '0.2';
      }`);
    assert.deepEqual(await compat.logged(page, 1), ['VISA']);
    await compat.fillCard(page, { number: '5200000000000007' });
    await page.waitForFunction("document.querySelector('.wpwl-brand-custom.wpwl-brand-MASTER').style.opacity === '1'");
    await compat.pay(page);
    const { body } = await assertPaid(page);
    assert.equal(body.paymentBrand, 'MASTER');
    assert.deepEqual(await compat.log(page), ['VISA', 'MASTER']);
  });

  test('button, holder and containers dressed by the page; the inputs of its shop system do no harm', async () => {
    const page = await openWith(`onReady() {
      for (const form of document.forms) form.insertAdjacentHTML('beforeend',
        '<input type="hidden" name="form_key" value="k"><input type="hidden" name="__csrf_token" value="c">' +
        '<input type="hidden" name="amount" value="0.01"><input type="hidden" name="customParameters[order]" value="own">' +
        // Names that hide properties of the form from scripts that use them.
        ['action', 'method', 'target', 'id', 'lang', 'name', 'title', 'submit', 'elements', 'length', 'reset'].map((name) =>
          '<input type="hidden" name="' + name + '" value="own">').join(''));
      for (const one of document.querySelectorAll('.wpwl-form [name=form_key]')) one.remove();
      const button = document.querySelector('.wpwl-button-pay');
      button.innerHTML = '<b>Buy</b> now';
      button.classList.add('btn', 'btn-primary');
      button.style.background = 'rgb(1, 2, 3)';
      button.addEventListener('click', () => log.push('own handler'));
      const holder = document.querySelector('.wpwl-control-cardHolder');
      holder.value = 'Written Beforehand';
      holder.setAttribute('placeholder', 'Your name');
      holder.setAttribute('autocomplete', 'name');
      holder.setAttribute('direction', 'rtl');
      const container = document.querySelector('.wpwl-container');
      const around = Object.assign(document.createElement('div'), { id: 'around' });
      container.before(around);
      around.append(container);
    }`);
    const button = compat.payButton(page, `#around ${CARD}`);
    assert.equal(await button.innerText(), 'Buy now');
    const [request, { body }] = await Promise.all([posted(page), payOn(page, { holder: '' })]);
    const sent = [...new URLSearchParams(request.postData() ?? '').keys()];
    assert.deepEqual(
      sent.filter((name) => !/[a-z][A-Z.]/.test(name) || /^(?:customParameters|card\.(?:number|cvv))/.test(name)),
      [],
    );
    assert.deepEqual([body.card.holder, body.amount, body.customParameters], ['Written Beforehand', '92.00', undefined]);
    assert.deepEqual(await compat.log(page), ['own handler']);
  });

  test('the page presses the button itself', async () => {
    const page = await openWith('');
    await compat.fillCard(page);
    await page.evaluate("document.querySelector('.wpwl-button-pay').click()");
    await assertPaid(page);
  });

  test('the page sends the form of a brand by itself as soon as it is there', async () => {
    const form = FORM.replace('VISA MASTER', 'PAYPAL');
    const text = `onReady() {
      const [form] = document.getElementsByClassName('wpwl-form');
      form.removeAttribute('target');
      form.submit();
    }`;
    const page = await compat.open(options(`{ ${text} }`) + compat.tag(await compat.makeCheckout()) + form, { isReady: false });
    await page.waitForURL('**/sandbox/bank/**');
    await page.getByRole('button', { name: /^pay /i }).click();
    const { body } = await assertPaid(page);
    assert.equal(body.paymentBrand, 'PAYPAL');
  });

  test('values that the page writes count, with events and without', async () => {
    const page = await openWith('');
    await compat.fillCard(page, { holder: '', expiry: '' });
    await page.evaluate(`{
      document.querySelector('.wpwl-control-expiry').value = '05 / 2034';
      const holder = document.querySelector('.wpwl-control-cardHolder');
      holder.value = 'Ann Restored';
      holder.dispatchEvent(new Event('change', { bubbles: true }));
    }`);
    await compat.pay(page);
    const { body } = await assertPaid(page);
    assert.deepEqual([body.card.holder, body.card.expiryMonth, body.card.expiryYear], ['Ann Restored', '05', '2034']);
  });
});
