import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noBrowser } from './browser.ts';
import { ask, CARD, type Driver, fillCard, hints, inside, pay, sent, texts, until } from './formsDriver.ts';

const options = { skip: noBrowser };

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

/** What the forms of the widget check, and how they show it. */
export function checkTests(driver: () => Driver): void {
  test('an empty form shows every fault and marks the button, which stays enabled, until all is repaired', options, async () => {
    const page = await driver().open({ options: { requireCardHolder: true } });
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

  test('a field of the page is judged when it is left', options, async () => {
    const page = await driver().open({
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
      await page.evaluate(
        "document.querySelectorAll('.wpwl-has-error').forEach((one) => one.classList.remove('wpwl-has-error'))",
      );
    }
  });

  test('hooks of frames find form and frame by the verbs that pages use', options, async () => {
    const hooks = `{
      onBlurCardNumber(ok) { heard.push([this.$form.find('.wpwl-control-brand').val(), ok].join()); },
      onFocusIframeCommunication() { this.$iframe.addClass('own-focus'); },
      onBlurIframeCommunication() { this.$iframe[0].classList.remove('own-focus'); } }`;
    const page = await driver().open({ hooks });
    await page.locator('.wpwl-label-cardNumber').click();
    await until(page, "document.querySelector('.wpwl-focus.own-focus') !== null");
    await page.keyboard.type('4200');
    await page.locator('.wpwl-control-cardHolder').focus();
    await until(page, 'heard.length === 1');
    assert.deepEqual(await ask(page, 'heard'), ['VISA,false']);
    assert.equal(await page.locator('.own-focus').count(), 0);
  });

  test('the expiry writes its own slash, which the backspace passes; autofill and paste are taken', options, async () => {
    const page = await driver().open();
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
    const free1 = await driver().open({ options: { disableCardExpiryDateValidation: true } });
    await fillCard(free1, { expiry: '0223' });
    await pay(free1);
    assert.equal((await sent(free1))[0]?.['card.expiryYear'], '2023');
    const free2 = await driver().open({ options: { validation: 'false' } });
    await free2.locator('.wpwl-control-cardHolder').fill(CARD);
    await pay(free2);
    assert.deepEqual(await hints(free2), []);
    assert.equal((await sent(free2))[0]?.['card.holder'], undefined);
  });

  test('what the page itself hangs up is taken down by the next right value, and the button is free again', options, async () => {
    const page = await driver().open();
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
}
