import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { noBrowser } from './browser.ts';
import { frameScript, setupOf } from './fieldFrames.ts';
import { sealingTests } from './frameSealing.ts';
import { GROUPED, NUMBER, stageFrames } from './frameStage.ts';
import { typingTests } from './frameTyping.ts';

const FRAME_KB_MAX = 12;

test('the script of a frame is small', async () => {
  const bytes = gzipSync(await frameScript()).length;
  assert.ok(bytes <= FRAME_KB_MAX * 1024, `${bytes} bytes`);
});

describe('field frames in the page of a shop', { skip: noBrowser }, () => {
  const stage = stageFrames();
  const { openShop, add, frameOf, heard, messages, until, tell, textIn, type, settle, seal, violations } = stage;
  sealingTests(stage);
  typingTests(stage);

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
    /** Ports have any three digits now and then. */
    const withoutPorts = (text: string) => text.replaceAll(stage.shop.url, '').replaceAll(stage.gateway.url, '');
    const everything = withoutPorts(seen.join('\n'));
    for (const part of ['1488', '0343', '6467', '8803', '3436', '987'])
      assert.ok(!everything.includes(part), `${part} in ${everything}`);
    assert.doesNotMatch(everything, /fields/);
    const { keys, active } = (await page.evaluate('({ keys, active: document.activeElement.tagName })')) as {
      keys: unknown[];
      active: string;
    };
    assert.deepEqual([keys, active], [[], 'IFRAME']);
    for (const one of page.frames()) assert.doesNotMatch(withoutPorts(one.url()) + (await one.title()), /4539|987/);
    const stores = ['localStorage', 'sessionStorage'].map((name) => `() => ({ ...${name} })`).join();
    const places = `[${stores}, () => document.cookie, () => history.state, () => name, () => document.title]`;
    const kept = await frame.evaluate(
      `JSON.stringify(${places}.map((place) => { try { return place(); } catch { return null; } }))`,
    );
    assert.doesNotMatch(String(kept), /4539/);
    assert.deepEqual(
      stage.gateway.asked.filter((one) => /4539|1488/.test(one)),
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
    stage.ancestors = 'https://another-stage.shop.example';
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

  test('styles of the page are taken where they only change the looks, and load nothing', async () => {
    const page = await openShop();
    const thief = `${stage.shop.url}/thief`;
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
