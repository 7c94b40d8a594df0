import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Frame, Page } from 'playwright-core';
import type { FrameField, FrameSetup } from '../../src/widget/protocol.ts';
import { type Browser, noBrowser, startBrowser } from './browser.ts';
import { CHECKOUT, frameScript, type Gateway, type Mood, setupOf, startFrameShop, startFrames } from './fieldFrames.ts';

const NUMBER = '4539148803436467';
const GROUPED = '4539 1488 0343 6467';
const FRAME_KB_MAX = 12;
const axeSource = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

type Heard = {
  readonly origin: string;
  readonly data: { readonly key: string; readonly message: { readonly is: string } & Record<string, unknown> };
};

test('the script of a frame is small', async () => {
  const bytes = gzipSync(await frameScript()).length;
  assert.ok(bytes <= FRAME_KB_MAX * 1024, `${bytes} bytes`);
});

describe('field frames in the page of a shop', { skip: noBrowser }, () => {
  let browser: Browser;
  let gateway: Gateway;
  let shop: Awaited<ReturnType<typeof startFrameShop>>;
  let ancestors = '';
  before(async () => {
    gateway = await startFrames(() => ancestors);
    [browser, shop] = await Promise.all([startBrowser(), startFrameShop(() => gateway.url)]);
    ancestors = shop.url;
  });
  afterEach(async () => {
    await browser.clear();
    gateway.mood = 'seals';
    gateway.sealed.length = 0;
    ancestors = shop.url;
  });
  after(() => Promise.all([browser.close(), gateway.close(), shop.close()]));

  async function openShop(path = '/'): Promise<Page> {
    const page = await browser.open({ width: 360 });
    await page.goto(shop.url + path);
    return page;
  }

  /** A frame of the page that has said it is ready. */
  async function add(
    page: Page,
    field: FrameField,
    more: Partial<FrameSetup> = {},
    key = field.slice(5),
    group = 'one',
  ): Promise<Frame> {
    await page.evaluate(`frame(...${JSON.stringify([field, key, group, setupOf(field, more)])})`);
    await until(page, key, 'ready');
    return frameOf(page, key);
  }
  const frameOf = (page: Page, key: string): Frame => {
    const frame = page.frames().find((one) => new URL(one.url(), shop.url).searchParams.get('key') === key);
    assert.ok(frame, `no frame ${key}`);
    return frame;
  };
  const heard = (page: Page): Promise<Heard[]> => page.evaluate('heard');
  const messages = async (page: Page, key: string, is: string) =>
    (await heard(page))
      .map(({ data }) => data)
      .filter((data) => data.key === key && data.message.is === is)
      .map(({ message }) => message);
  async function until(page: Page, key: string, is: string, count = 1): Promise<Record<string, unknown>> {
    await page.waitForFunction(
      `heard.filter(({ data }) => data.key === '${key}' && data.message.is === '${is}').length >= ${count}`,
      undefined,
      { timeout: 5_000 },
    );
    return (await messages(page, key, is)).at(-1) ?? {};
  }
  const tell = (page: Page, key: string, message: object): Promise<unknown> =>
    page.evaluate(`tell(${JSON.stringify(key)}, ${JSON.stringify(message)})`);
  const textIn = (frame: Frame): Promise<string> => frame.locator('input').inputValue();
  const type = (frame: Frame, text: string): Promise<void> => frame.locator('input').pressSequentially(text);
  const settle = (page: Page): Promise<void> => page.waitForTimeout(150);
  const seal = (page: Page, key: string, more: object = {}): Promise<unknown> =>
    tell(page, key, { is: 'seal', turn: 7, group: 'one', fields: {}, ...more });
  /** Alone in a frame nothing is a whole page: only the rules for its content apply. */
  const violations = async (frame: Frame | Page, ...unruled: readonly string[]): Promise<unknown> => {
    await frame.evaluate(axeSource);
    const rules = Object.fromEntries(unruled.map((rule) => [rule, { enabled: false }]));
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const found = 'violations.map(({ id, nodes }) => [id, nodes[0].html])';
    return frame.evaluate(
      `axe.run(document, ${JSON.stringify({ iframes: false, runOnly, rules })}).then(({ violations }) => ${found})`,
    );
  };

  test('a number, digit by digit: groups, brands, the first six digits, and whether it is right', async () => {
    const page = await openShop();
    const frame = await add(page, 'card.number');
    await type(frame, NUMBER);
    assert.equal(await textIn(frame), GROUPED);
    await until(page, 'number', 'change', 2);
    assert.deepEqual(await messages(page, 'number', 'brands'), [
      { is: 'brands', brands: ['VISA'], bin: null },
      { is: 'brands', brands: ['VISA'], bin: '453914' },
    ]);
    assert.deepEqual((await messages(page, 'number', 'change')).at(-1), {
      is: 'change',
      isValid: true,
      fault: null,
      isEmpty: false,
      isComplete: true,
    });
    await tell(page, 'number', { is: 'validate', turn: 3 });
    assert.deepEqual(await until(page, 'number', 'validated'), {
      is: 'validated',
      turn: 3,
      isValid: true,
      isEmpty: false,
      fault: null,
    });
    await tell(page, 'number', { is: 'change', setup: { brand: 'MASTER' } });
    await tell(page, 'number', { is: 'validate', turn: 4 });
    assert.equal((await until(page, 'number', 'validated', 2)).isValid, false);
  });

  test('a page that tries everything sees no digit but the first six', async () => {
    const page = await openShop();
    const frame = await add(page, 'card.number');
    await add(page, 'card.cvv');
    await type(frame, NUMBER);
    await type(frameOf(page, 'cvv'), '987');
    await seal(page, 'number');
    await until(page, 'number', 'sealed');
    const seen = (await page.evaluate(`(async () => {
      const [number] = document.querySelectorAll('iframe');
      const tried = [
        () => number.contentDocument?.body.innerHTML,
        () => number.contentWindow.document.forms[0],
        () => number.contentWindow[Symbol.for('turnpike.field')]('one', window),
        () => Object.getOwnPropertySymbols(number.contentWindow).map((one) => number.contentWindow[one]),
        () => JSON.stringify(Object.getOwnPropertyDescriptors(number.contentWindow)),
        () => number.contentWindow.location.href,
        () => number.contentWindow.name,
        () => number.contentWindow.performance.getEntries(),
        () => frames[0].getSelection().toString(),
        () => getSelection().toString(),
        () => document.activeElement.value,
        () => document.activeElement.outerHTML,
        () => performance.getEntries().map(({ name }) => name),
        () => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
        () => number.outerHTML + number.name + number.title + document.title + location.href + history.length,
        () => JSON.stringify(history.state),
        () => JSON.stringify(keys),
        () => JSON.stringify(heard),
      ];
      return tried.map((attempt) => { try { return String(attempt()); } catch (error) { return error.name; } });
    })()`)) as string[];
    assert.deepEqual(seen.slice(0, 4), ['undefined', 'SecurityError', 'SecurityError', ',,']);
    const everything = seen.join('\n').replaceAll(shop.url, '').replaceAll(gateway.url, '');
    for (const part of ['1488', '0343', '6467', '8803', '3436', '987'])
      assert.ok(!everything.includes(part), `${part} in ${everything}`);
    assert.doesNotMatch(everything, /fields/);
    const { keys, active } = (await page.evaluate('({ keys, active: document.activeElement.tagName })')) as {
      keys: unknown[];
      active: string;
    };
    assert.deepEqual([keys, active], [[], 'IFRAME']);
    for (const one of page.frames()) assert.doesNotMatch(one.url() + (await one.title()), /4539|987/);
    const stores = ['localStorage', 'sessionStorage'].map((name) => `() => ({ ...${name} })`).join();
    const places = `[${stores}, () => document.cookie, () => history.state, () => name, () => document.title]`;
    const kept = await frame.evaluate(
      `JSON.stringify(${places}.map((place) => { try { return place(); } catch { return null; } }))`,
    );
    assert.doesNotMatch(String(kept), /4539/);
    assert.deepEqual(
      gateway.asked.filter((one) => /4539|1488/.test(one)),
      [],
    );
  });

  test('a page that asks in every way gets answers of the known shapes only', async () => {
    const page = await openShop();
    const frame = await add(page, 'card.number');
    await type(frame, NUMBER);
    for (const brand of ['VISA', 'MASTER', 'AMEX', null]) await tell(page, 'number', { is: 'change', setup: { brand } });
    for (const message of [
      { is: 'focus' },
      { is: 'describe', error: 'x' },
      { is: 'validate', turn: 1 },
      { is: 'read' },
      { is: 'value' },
      null,
    ])
      await tell(page, 'number', message as object);
    await settle(page);
    const shapes = new Set((await heard(page)).map(({ data }) => Object.keys(data.message).join()));
    const known = [
      'is',
      'is,isValid,isEmpty,fault',
      'is,isValid,isEmpty,fault,isComplete',
      'is,brands,bin',
      'is,turn,isValid,isEmpty,fault',
    ];
    assert.deepEqual(
      [...shapes].filter((one) => !known.includes(one)),
      [],
    );
  });

  test('only the page around it is heard, with the right key', async () => {
    const page = await openShop();
    const frame = await add(page, 'card.number');
    await type(frame, NUMBER);
    await page.evaluate(`new Promise((resolve) => {
      // A frame of the shop's own origin, beside ours.
      const other = document.createElement('iframe');
      other.onload = () => {
        const message = (key, message) => ({ turnpike: 1, key, message });
        const text = 'for (const one of ' + JSON.stringify([message('number', { is: 'clear' }), message('number', { is: 'validate', turn: 9 })]) + ') parent.frames[0].postMessage(one, "*"); parent.postMessage("done", "*");';
        other.contentWindow.eval(text);
        const own = document.querySelector('iframe').contentWindow;
        own.postMessage(message('numbers', { is: 'clear' }), gateway);
        own.postMessage({ key: 'number', message: { is: 'clear' } }, gateway);
        own.postMessage({ is: 'clear' }, gateway);
        resolve();
      };
      document.body.append(other);
    })`);
    await settle(page);
    assert.equal(await textIn(frame), GROUPED);
    assert.deepEqual(await messages(page, 'number', 'validated'), []);
  });

  test('a page that may not show it gets nothing', async () => {
    ancestors = 'https://another-shop.example';
    const page = await openShop();
    await page.evaluate(`frame('card.number', 'number', 'one', ${JSON.stringify(setupOf('card.number'))})`);
    await settle(page);
    assert.deepEqual(await heard(page), []);
    assert.equal(await page.frameLocator('iframe').locator('input').count(), 0);
  });

  test('a frame that is moved begins anew', async () => {
    const page = await openShop();
    const frame = await add(page, 'card.number');
    await type(frame, '4539');
    await page.evaluate(`document.body.prepend(document.querySelector('iframe'))`);
    await until(page, 'number', 'ready', 2);
    assert.equal(await textIn(frameOf(page, 'number')), '');
    await type(frameOf(page, 'number'), NUMBER);
    assert.equal(await textIn(frameOf(page, 'number')), GROUPED);
  });

  test('number and code are sealed together, with what the page has asked for', async () => {
    const page = await openShop();
    await page.context().addCookies([{ name: 'secret', value: 'x', url: gateway.url }]);
    await type(await add(page, 'card.number'), NUMBER);
    await type(await add(page, 'card.cvv', {}, 'other', 'two'), '999');
    await type(await add(page, 'card.cvv', { isMasked: true }), '123');
    const fields = { 'card.holder': 'Jane Jones', 'card.number': '4200000000000000', amount: '1.00' };
    await seal(page, 'number', { fields });
    assert.deepEqual(await until(page, 'number', 'sealed'), { is: 'sealed', turn: 7, sealed: 'sealed-1' });
    const sent = { 'card.holder': 'Jane Jones', 'card.number': NUMBER, 'card.cvv': '123' };
    assert.deepEqual(gateway.sealed, [{ checkoutId: CHECKOUT, fields: sent, cookie: '' }]);
  });

  test('all four fields in frames', async () => {
    const page = await openShop();
    await type(await add(page, 'card.number'), NUMBER);
    await type(await add(page, 'card.expiry'), '1249');
    await type(await add(page, 'card.holder'), 'Zoë  Müller');
    await type(await add(page, 'card.cvv'), '123');
    await seal(page, 'number');
    await until(page, 'number', 'sealed');
    const sent = {
      'card.number': NUMBER,
      'card.expiryMonth': '12',
      'card.expiryYear': '2049',
      'card.holder': 'Zoë Müller',
      'card.cvv': '123',
    };
    assert.deepEqual(gateway.sealed[0]?.fields, sent);
  });

  test('the code of a stored card is sealed alone, for another checkout where the first has expired', async () => {
    const page = await openShop();
    await type(await add(page, 'card.cvv', { cvvLength: 3 }), '1234');
    const renewed = `${'BADCAFEE'.repeat(4)}.node`;
    await seal(page, 'cvv', { checkoutId: renewed });
    await until(page, 'cvv', 'sealed');
    assert.deepEqual(gateway.sealed, [{ checkoutId: renewed, fields: { 'card.cvv': '123', openedFor: CHECKOUT }, cookie: '' }]);
  });

  for (const [mood, because, tries] of [
    ['is gone once', null, 1],
    ['is gone', 'network', 0],
    ['knows no session', 'session', 1],
    ['finds fault', 'invalid', 1],
    ['has trouble', 'network', 2],
  ] as readonly [Mood, string | null, number][])
    test(`a gateway that ${mood}: ${because ?? 'sealed all the same'}`, async () => {
      const page = await openShop();
      await type(await add(page, 'card.number'), NUMBER);
      gateway.mood = mood;
      await seal(page, 'number');
      if (because === null) await until(page, 'number', 'sealed');
      else assert.deepEqual(await until(page, 'number', 'unsealed'), { is: 'unsealed', turn: 7, because });
      assert.equal(gateway.sealed.length, tries);
    });

  test('what is wrong is not sealed: a digit that is missing, a code that is missing, another group', async () => {
    const page = await openShop();
    const number = await add(page, 'card.number');
    await type(number, NUMBER.slice(0, -1));
    await seal(page, 'number');
    await until(page, 'number', 'unsealed', 1);
    await type(number, '7');
    await seal(page, 'number', { group: 'two' });
    await until(page, 'number', 'unsealed', 2);
    await add(page, 'card.cvv');
    await seal(page, 'number');
    assert.deepEqual(await until(page, 'number', 'unsealed', 3), { is: 'unsealed', turn: 7, because: 'invalid' });
    assert.equal(gateway.sealed.length, 0);
    await tell(page, 'cvv', { is: 'change', setup: { isRequired: false } });
    await seal(page, 'number');
    await until(page, 'number', 'sealed');
    assert.deepEqual(gateway.sealed[0]?.fields, { 'card.number': NUMBER });
  });

  test('a shop without checks leaves the judgement to the gateway', async () => {
    const page = await openShop();
    await type(await add(page, 'card.number', { isUnchecked: true }), '4200');
    await seal(page, 'number');
    await until(page, 'number', 'sealed');
    assert.deepEqual(gateway.sealed[0]?.fields, { 'card.number': '4200' });
  });

  test('styles of the page are taken where they only change the looks, and load nothing', async () => {
    const page = await openShop();
    const thief = `${shop.url}/thief`;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const style = {
      color: 'rgb(200, 0, 0)',
      fontSize: '18px',
      'font-family': '"Courier New", monospace',
      '--tp-muted': 'rgb(0, 0, 200)',
      background: `url(${thief})`,
      'background-image': `url(${thief})`,
      'background-color': `url(${thief})`,
      '--tp-x': `url(${thief})`,
      'text-indent': '-9999px',
      '-webkit-text-security': 'none',
      display: 'none',
      'list-style-image': `url(${thief})`,
    };
    const placeholderStyle = { opacity: '0.5', 'letter-spacing': '3px', content: `url(${thief})` };
    const frame = await add(page, 'card.cvv', { isMasked: true, style, placeholderStyle });
    const look = (await frame.evaluate(`(() => {
      const input = document.querySelector('input'), own = getComputedStyle(input), hint = getComputedStyle(input, '::placeholder');
      return [own.color, own.fontSize, own.fontFamily, own.backgroundImage, own.backgroundColor, own.textIndent, own.display,
        own.getPropertyValue('-webkit-text-security'), hint.opacity, hint.letterSpacing, hint.color];
    })()`)) as string[];
    const wanted = ['rgb(200, 0, 0)', '18px', '"Courier New", monospace', 'none', 'rgba(0, 0, 0, 0)', '0px', 'block'];
    assert.deepEqual(look, [...wanted, 'disc', '0.5', '3px', 'rgb(0, 0, 200)']);
    await tell(page, 'cvv', { is: 'change', setup: { style: { color: 'rgb(0, 90, 0)' } } });
    await settle(page);
    assert.equal(await frame.evaluate(`getComputedStyle(document.querySelector('input')).fontSize`), '16px');
    assert.deepEqual(
      asked.filter((one) => one.includes('thief')),
      [],
    );
  });

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
    const page = await browser.open();
    await page.addInitScript('CSS.supports = () => false');
    await page.goto(shop.url);
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
        await page.goto(`${shop.url}/next`);
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

  test('what it is called and what is wrong with it is said inside the frame', async () => {
    const page = await openShop();
    const frame = await add(page, 'card.number');
    await tell(page, 'number', { is: 'describe', error: 'Check the card number: a digit may be missing' });
    const input = frame.getByRole('textbox', { name: 'Card number' });
    await frame.locator('[aria-invalid=true]').waitFor();
    const described = await frame.evaluate(
      `document.getElementById(document.querySelector('input').getAttribute('aria-describedby')).textContent`,
    );
    assert.deepEqual(
      [described, await input.getAttribute('aria-required')],
      ['Check the card number: a digit may be missing', 'true'],
    );
    assert.deepEqual(await violations(frame), []);
    await tell(page, 'number', { is: 'describe', error: null });
    await settle(page);
    assert.deepEqual([await input.getAttribute('aria-invalid'), await input.getAttribute('aria-describedby')], [null, null]);
    assert.deepEqual(await violations(frame), []);
    assert.deepEqual(await violations(page), []);
  });

  test('on an Arabic page digits run from the left and stand at the right', async () => {
    const page = await openShop('/rtl');
    const rtl = {
      style: { 'text-align': 'start', direction: 'rtl' },
      isRtl: true,
      language: 'ar',
      label: 'رقم البطاقة',
      title: 'رقم البطاقة',
    };
    const frame = await add(page, 'card.number', rtl);
    await add(page, 'card.expiry', { ...rtl, placeholder: 'شهر / سنة' });
    await type(frame, NUMBER);
    const look = `(() => { const { direction, textAlign } = getComputedStyle(document.querySelector('input')); return [direction, textAlign, document.documentElement.dir]; })()`;
    assert.deepEqual(await frame.evaluate(look), ['ltr', 'right', 'rtl']);
    assert.deepEqual(await violations(frame), []);
  });

  test('in a dark page the frame has no ground of its own', async () => {
    const page = await openShop('/dark');
    const style = { 'color-scheme': 'dark', '--tp-ink': '#e8ebf0', '--tp-muted': '#98a2b3' };
    const frame = await add(page, 'card.number', { style });
    await add(page, 'card.cvv', { style, placeholder: 'CVV' });
    await type(frame, '4539');
    assert.equal(await frame.evaluate(`getComputedStyle(document.querySelector('input')).color`), 'rgb(232, 235, 240)');
    // What shines through from the page is not to be seen from in here.
    assert.deepEqual(await violations(frame, 'color-contrast'), []);
  });
});
