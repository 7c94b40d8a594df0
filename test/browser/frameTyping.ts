import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FrameStage, GROUPED, NUMBER } from './frameStage.ts';

/** How a shopper types into a field frame, and what is left of it. */
export function typingTests(stage: FrameStage): void {
  const { openShop, add, frameOf, messages, until, tell, textIn, type, settle } = stage;

  test('keys: in by Tab, out by Tab and back, and Enter is told', async () => {
    const page = await openShop();
    await add(page, 'card.number');
    await add(page, 'card.cvv');
    await page.locator('#before').focus();
    await page.keyboard.press('Tab');
    await until(page, 'number', 'focus');
    await page.keyboard.type('4539 1488');
    assert.equal(await textIn(frameOf(page, 'number')), '4539 1488');
    await page.keyboard.press('Tab');
    await until(page, 'cvv', 'focus');
    assert.deepEqual(await until(page, 'number', 'leave'), { is: 'leave', isBackward: false });
    assert.deepEqual(await until(page, 'number', 'blur'), { is: 'blur', isValid: false, isEmpty: false, fault: 'short' });
    await page.keyboard.press('Tab');
    await settle(page);
    assert.equal(await page.evaluate('document.activeElement.id'), 'after');
    await page.keyboard.press('Shift+Tab');
    await until(page, 'cvv', 'focus', 2);
    await page.keyboard.press('Shift+Tab');
    await until(page, 'number', 'focus', 2);
    assert.deepEqual(await until(page, 'cvv', 'leave', 2), { is: 'leave', isBackward: true });
    await page.keyboard.press('Shift+Tab');
    await settle(page);
    assert.equal(await page.evaluate('document.activeElement.id'), 'before');
    await frameOf(page, 'number').locator('input').press('Enter');
    await until(page, 'number', 'enter');
    assert.equal(await textIn(frameOf(page, 'number')), '4539 1488');
  });

  test('the caret stays where the shopper writes', async () => {
    const page = await openShop();
    const frame = await add(page, 'card.number');
    await type(frame, '45391480');
    for (const key of ['ArrowLeft', '8', 'Home', 'Delete', '4']) await page.keyboard.press(key);
    assert.equal(await textIn(frame), '4539 1488 0');
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Backspace');
    assert.equal(await textIn(frame), '4531 4880');
    await page.keyboard.type('9');
    assert.equal(await textIn(frame), '4539 1488 0');
  });

  test('pasted with hyphens, filled in by script, Arabic digits, and an input method at work', async () => {
    const page = await openShop();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const frame = await add(page, 'card.number');
    await page.evaluate(`navigator.clipboard.writeText('4539-1488 0343–6467')`);
    await frame.locator('input').press('Control+v');
    assert.equal(await textIn(frame), GROUPED);
    await tell(page, 'number', { is: 'clear' });
    await frame.evaluate(`(() => {
      const input = document.querySelector('input');
      input.value = '${NUMBER}';
      for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
    })()`);
    assert.equal(await textIn(frame), GROUPED);
    await tell(page, 'number', { is: 'clear' });
    await type(frame, '٤٥٣٩١٤٨٨٠٣٤٣٦٤٦٧');
    assert.equal(await textIn(frame), GROUPED);
    await frame.locator('input').fill('');
    const session = await page.context().newCDPSession(page);
    await session.send('Input.imeSetComposition', { text: '４５３９１', selectionStart: 5, selectionEnd: 5 });
    const composing = await textIn(frame);
    await session.send('Input.insertText', { text: '４５３９１' });
    assert.deepEqual([composing, await textIn(frame)], ['４５３９１', '4539 1']);
  });

  test('the code is masked without being a password, and has as many digits as its brand', async () => {
    const page = await openShop();
    const frame = await add(page, 'card.cvv', { isMasked: true, cvvLength: 4 });
    await type(frame, '12345');
    const input = frame.locator('input');
    assert.deepEqual(
      [await textIn(frame), await input.getAttribute('type'), await input.getAttribute('inputmode')],
      ['1234', 'tel', 'numeric'],
    );
    assert.equal(
      await frame.evaluate(`getComputedStyle(document.querySelector('input')).getPropertyValue('-webkit-text-security')`),
      'disc',
    );
    await tell(page, 'cvv', { is: 'change', setup: { cvvLength: 3 } });
    await tell(page, 'cvv', { is: 'validate', turn: 1 });
    assert.equal((await until(page, 'cvv', 'validated')).isValid, false);
    await tell(page, 'cvv', { is: 'clear' });
    await tell(page, 'cvv', { is: 'validate', turn: 2 });
    assert.equal((await until(page, 'cvv', 'validated', 2)).isEmpty, true);
  });

  test('where a browser cannot mask a text the code is a password, known to be that of a card', async () => {
    const page = await stage.browser.open();
    await page.addInitScript('CSS.supports = () => false');
    await page.goto(stage.shop.url);
    const frame = await add(page, 'card.cvv', { isMasked: true });
    const input = frame.locator('input');
    assert.deepEqual([await input.getAttribute('type'), await input.getAttribute('autocomplete')], ['password', 'cc-csc']);
    await type(frame, '123');
    await tell(page, 'cvv', { is: 'change', setup: { isMasked: false } });
    await settle(page);
    assert.deepEqual([await input.getAttribute('type'), await textIn(frame)], ['tel', '123']);
  });

  test('the page asks for the focus, or has it from the beginning', async () => {
    const page = await openShop();
    await add(page, 'card.number');
    await tell(page, 'number', { is: 'focus' });
    await until(page, 'number', 'focus');
    await add(page, 'card.cvv', { autofocus: true });
    await until(page, 'cvv', 'focus');
  });

  for (const how of ['goes on and comes back', 'loads the page again'])
    test(`nothing is left when the shopper ${how}`, async () => {
      const page = await openShop('/written');
      await until(page, 'number', 'ready');
      await type(frameOf(page, 'number'), NUMBER);
      if (how === 'loads the page again') await page.reload();
      else {
        await page.goto(`${stage.shop.url}/next`);
        await page.goBack();
      }
      await until(page, 'number', 'ready');
      assert.equal(await textIn(frameOf(page, 'number')), '');
      await tell(page, 'number', { is: 'validate', turn: 5 });
      assert.equal((await until(page, 'number', 'validated')).isEmpty, true);
    });

  test('what a browser fills in again from its memory is thrown away, and so is what was typed when the page goes', async () => {
    const page = await openShop();
    const frame = await add(page, 'card.number');
    const show = (type: string) => frame.evaluate(`dispatchEvent(new PageTransitionEvent('${type}', { persisted: true }))`);
    await frame.evaluate(`document.querySelector('input').value = '${GROUPED}'`);
    await show('pageshow');
    assert.equal(await textIn(frame), '');
    await type(frame, NUMBER);
    await show('pageshow');
    assert.equal(await textIn(frame), GROUPED);
    await show('pagehide');
    assert.equal(await textIn(frame), '');
    await settle(page);
    assert.equal((await messages(page, 'number', 'change')).at(-1)?.isEmpty, true);
  });
}
