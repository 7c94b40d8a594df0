import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { noBrowser } from './browser.ts';
import {
  ask,
  askInside,
  type Driver,
  fillCard,
  free,
  hints,
  inside,
  pay,
  sent,
  settled,
  startDriver,
  until,
} from './formsDriver.ts';
import { CHECKOUT } from './formsPage.ts';

/** What shops' pages do to the forms once they are there, and how a shop themes them. */
let driver: Driver;
const options = { skip: noBrowser };
before(async () => {
  if (!noBrowser) driver = await startDriver();
});
afterEach(() => (noBrowser ? undefined : driver.clear()));
after(() => (noBrowser ? undefined : driver.close()));

test('inputs put before the button are sent with the form', options, async () => {
  const hooks = `{ onReady() {
    document.querySelector('form.wpwl-form-card').querySelector('.wpwl-button').insertAdjacentHTML('beforebegin',
      '<label><input type="checkbox" name="createRegistration" value="true" checked> Save</label>' +
      '<select name="recurring.numberOfInstallments"><option value="3">3</option></select>' +
      '<input type="hidden" name="customParameters[SHOPPER_a]" value="b"><input type="hidden" name="customer.givenName" value="Ann">');
  } }`;
  const page = await driver.open({ hooks });
  await fillCard(page);
  await pay(page);
  const [fields = {}] = await sent(page);
  assert.deepEqual(
    ['createRegistration', 'recurring.numberOfInstallments', 'customParameters[SHOPPER_a]', 'customer.givenName'].map(
      (name) => fields[name],
    ),
    ['true', '3', 'b', 'Ann'],
  );
});

test('a group that is moved at the start loads its frame anew, and everything works', options, async () => {
  const hooks = `{
    onReady() {
      document.querySelector('.wpwl-group-cvv').after(document.querySelector('.wpwl-group-cardNumber'));
      document.querySelector('.wpwl-group-cardNumber').after(document.querySelector('.wpwl-group-brand'));
    },
    onReadyIframeCommunication() { heard.push(this.$iframe[0].name, this.$iframe.get(0).tagName); } }`;
  const page = await driver.open({ hooks });
  await fillCard(page);
  await pay(page);
  assert.equal((await sent(page)).length, 1);
  assert.deepEqual((await ask<string[]>(page, 'heard')).toSorted(), ['IFRAME', 'IFRAME', 'card.cvv', 'card.number']);
});

test('a frame that is moved later asks for its value again and is never sent without', options, async () => {
  const page = await driver.open();
  await fillCard(page);
  await page.evaluate("document.querySelector('.wpwl-group-cvv').after(document.querySelector('.wpwl-group-cardNumber'))");
  await page.waitForTimeout(400);
  await pay(page);
  assert.deepEqual(await hints(page), ['cardNumberError']);
  await inside(page, 'cardNumber').pressSequentially('4200000000000091');
  await page.waitForTimeout(80);
  await pay(page);
  assert.equal((await sent(page)).length, 1);
});

test('a cloned badge with the picture of dots shows the part of its brand', options, async () => {
  const hooks = `{ onReady() {
    const clone = document.querySelector('.wpwl-brand').cloneNode(false);
    clone.className = 'wpwl-brand wpwl-brand-custom wpwl-brand-MASTER';
    clone.style.setProperty('background-image', 'url(/brand.png)');
    document.querySelector('.wpwl-group-brand').append(clone);
  }, onChangeBrand(brand) {
    for (const one of document.querySelectorAll('.wpwl-brand-custom')) one.style.opacity = one.classList.contains('wpwl-brand-' + brand) ? '1' : '0.2';
  } }`;
  const page = await driver.open({ hooks });
  const look = await ask<string[]>(
    page,
    "const c = getComputedStyle(document.querySelector('.wpwl-brand-custom')); [c.backgroundPosition, c.backgroundSize, c.width, c.opacity]",
  );
  assert.equal(look[0], '14.29% 0%');
  assert.equal(look[2], '64px');
  assert.equal(look[3], '0.2');
  await page.locator('.wpwl-control-brand').selectOption('MASTER');
  assert.equal(await ask(page, "getComputedStyle(document.querySelector('.wpwl-brand-custom')).opacity"), '1');
});

test('the button takes another text, is heard by it, and own handlers and clicks work', options, async () => {
  const page = await driver.open();
  await page.evaluate(`
    const button = document.querySelector('.wpwl-button-pay');
    button.innerHTML = '<b>Buy</b> it';
    button.addEventListener('click', () => heard.push('clicked'));`);
  await page.waitForTimeout(30);
  assert.equal(await page.locator('.wpwl-button-pay').getAttribute('aria-label'), 'Buy it');
  await fillCard(page);
  await page.evaluate("document.querySelector('.wpwl-button-pay').click()");
  await until(page, 'sent.length === 1');
  assert.deepEqual(await ask(page, 'heard'), ['clicked']);
  assert.equal(await page.locator('.wpwl-button-pay').innerText(), 'Buy it');
});

test('a form of a redirect brand can be sent by the page itself, without any handler of ours', options, async () => {
  const page = await driver.open({ brands: ['EPS'], before: "window.addEventListener('load', () => {})" });
  await page.evaluate(
    "const form = document.getElementsByClassName('wpwl-form')[0]; form.removeAttribute('target'); heard.push(Object.fromEntries(new FormData(form)))",
  );
  assert.deepEqual(await ask(page, 'heard'), [{ paymentBrand: 'EPS', 'bankAccount.country': 'AT' }]);
});

test('values that scripts write are taken, with and without events', options, async () => {
  const page = await driver.open();
  await fillCard(page, { expiry: '', holder: '' });
  await page.evaluate(`
    const holder = document.querySelector('.wpwl-control-cardHolder');
    holder.value = 'Ann Example'; holder.setAttribute('placeholder', 'Your name'); holder.style.setProperty('direction', 'ltr');
    document.querySelector('.wpwl-control-expiry').value = '12/34';`);
  const data = await ask<Record<string, string>>(
    page,
    "Object.fromEntries(new FormData(document.querySelector('.wpwl-form-card')))",
  );
  assert.deepEqual([data['card.expiryMonth'], data['card.expiryYear']], ['12', '2034'], 'complete without our own handlers, too');
  await pay(page);
  const [fields = {}] = await sent(page);
  assert.deepEqual([fields['card.holder'], fields['card.expiryMonth'], fields['card.expiryYear']], ['Ann Example', '12', '2034']);
});

test('the button may be hidden and the form driven from outside; foreign inputs and wrappers do no harm', options, async () => {
  const hooks = `{ onReady() {
    document.querySelector('.wpwl-group-submit').style.setProperty('display', 'none');
    const form = document.querySelector('.wpwl-form-card');
    form.insertAdjacentHTML('afterbegin', '<input type="hidden" name="form_key" value="x">');
    form.querySelector('[name=form_key]').remove();
    const own = document.createElement('div');
    const container = document.querySelector('.wpwl-container');
    container.before(own);
    own.append(container);
  } }`;
  const page = await driver.open({ hooks });
  await settled(page);
  await fillCard(page);
  await page.evaluate("document.querySelector('.wpwl-form-card').requestSubmit()");
  await until(page, 'sent.length === 1');
  assert.equal((await sent(page))[0]?.form_key, undefined);
});

test('a group that the page takes out is not asked for', options, async () => {
  const page = await driver.open({
    options: { requireCardHolder: true },
    hooks: "{ onReady: () => document.querySelector('.wpwl-group-cardHolder').remove() }",
  });
  await fillCard(page, { holder: '' });
  await pay(page);
  assert.equal((await sent(page)).length, 1);
});

test('another checkout goes on in the same frames', options, async () => {
  const page = await driver.open();
  await fillCard(page);
  const next = CHECKOUT.replace('A1', 'B2');
  await page.evaluate(`aroundGiven.checkoutId = '${next}'`);
  await pay(page);
  assert.equal(driver.bench.posted.at(-1)?.path, `/v1/checkouts/${next}/fields`);
  assert.equal(driver.bench.posted.at(-1)?.fields.openedFor, CHECKOUT);
});

test('while a payment is under way nothing can be pressed, and nothing is left out of what is sent', options, async () => {
  const page = await driver.open();
  await fillCard(page);
  await page.locator('.wpwl-control-cardHolder').focus();
  const height = await ask(page, "document.querySelector('.wpwl-button-pay').offsetHeight");
  await page.evaluate('forms[0].setBusy(true)');
  assert.equal(await page.locator('.wpwl-button-pay:disabled').count(), 1);
  assert.equal(await ask(page, "document.querySelector('.wpwl-button-pay').offsetHeight"), height);
  assert.equal(await ask(page, "document.querySelectorAll('.wpwl-form-card :is(input, select):disabled').length"), 0);
  assert.equal(await ask(page, "document.querySelector('[role=status]').textContent"), 'One moment…');
  await page.evaluate('forms[0].setBusy(false)');
  await free(page);
  assert.equal(await ask(page, 'document.activeElement.className'), 'wpwl-control wpwl-control-cardHolder');
});

test("a shop's colours reach the frames, by its sheet, by variables and by styles for placeholders", options, async () => {
  const page = await driver.open({
    options: {
      variables: { 'tp-ink': '#123456', color: 'red' },
      iframeStyles: { 'card-number-placeholder': { color: '#ff0000', fontStyle: 'italic' } },
    },
  });
  assert.equal(await askInside(page, 'card.number', 'getComputedStyle(input).color'), 'rgb(18, 52, 86)');
  assert.equal(await askInside(page, 'card.number', "getComputedStyle(input, '::placeholder').color"), 'rgb(255, 0, 0)');
  assert.equal(await askInside(page, 'card.number', "getComputedStyle(input, '::placeholder').fontStyle"), 'italic');
  await page.evaluate("document.querySelector('.wpwl-control-cvv').style.setProperty('color', 'rgb(1, 2, 3)')");
  await page.waitForTimeout(150);
  assert.equal(await askInside(page, 'card.cvv', 'getComputedStyle(input).color'), 'rgb(1, 2, 3)');
});

test('the help beside the code opens by pointer, by focus and by a tap, and closes by Escape', options, async () => {
  const page = await driver.open({ options: { showCVVHint: 'true' }, brands: ['AMEX'] });
  const isOpen = () => page.locator('.wpwl-popover').isVisible();
  await page.locator('.wpwl-icon').hover();
  assert.equal(await isOpen(), true);
  assert.match(await page.locator('.wpwl-popover-content').innerText(), /four digits/);
  await page.mouse.move(0, 0);
  assert.equal(await isOpen(), false);
  await page.locator('.wpwl-icon').focus();
  assert.equal(await isOpen(), true);
  await page.keyboard.press('Escape');
  assert.equal(await isOpen(), false);
  await page.locator('.wpwl-icon').blur();
  await page.locator('.wpwl-icon').click();
  assert.equal(await isOpen(), true);
  await page.locator('.wpwl-icon').click();
  assert.equal(await isOpen(), false);
});
