import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { ask, askInside, type Driver, inside, type OpenOf, pay, startDriver } from './formsDriver.ts';
import { registrations } from './formsPage.ts';

/** How the forms look and what those hear who do not see them: axe on every form in every state, and the widths of real screens. */
let driver: Driver;
const options = { skip: noBrowser };
before(async () => {
  if (!noBrowser) driver = await startDriver();
});
afterEach(() => (noBrowser ? undefined : driver.clear()));
after(() => (noBrowser ? undefined : driver.close()));

const axe = readFileSync(join(import.meta.dirname, '..', '..', 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');
const RULES =
  "{ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], iframes: false, resultTypes: ['violations'] }";

/** A frame is a document of its own with one field: it needs no headings and landmarks. */
const ofPages = ['page-has-heading-one', 'landmark-one-main', 'region', 'bypass'];

async function violationsIn(frame: Frame, ignored: readonly string[]): Promise<readonly string[]> {
  await frame.evaluate(axe);
  const found = await frame.evaluate(`axe.run(document, ${RULES}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => [id, html.slice(0, 160), any[0]?.message ?? ''].join(' | '))))`);
  return (found as readonly string[]).filter((one) => !ignored.some((rule) => one.startsWith(`${rule} `)));
}

async function violations(page: Page, ignored: readonly string[] = []): Promise<readonly string[]> {
  const inner = page.frames().filter((frame) => frame.url().includes('/pciIframe.html'));
  const found = await Promise.all([
    violationsIn(page.mainFrame(), ignored),
    ...inner.map((frame) => violationsIn(frame, ofPages)),
  ]);
  return found.flat();
}

const everything = [
  ...['VISA', 'MASTER', 'AMEX', 'DIRECTDEBIT_SEPA', 'SOFORTUEBERWEISUNG', 'IDEAL', 'EPS', 'PAYPAL', 'MBWAY'],
  ...['VIRTUAL_ACCOUNT', 'KLARNA_INVOICE', 'PREPAYMENT', 'GIFTCARD'],
];
const full = { showCVVHint: true, saveCard: true, removeCards: true, displayBic: true, registrations: { requireCvv: true } };
const all: OpenOf = { brands: everything, registrations, options: full };

const looks: readonly (readonly [name: string, of: OpenOf])[] = [
  ['light', all],
  ['dark', { ...all, dark: true }],
  ['Arabic', { ...all, language: 'ar' }],
  ['German, plain', { ...all, language: 'de', style: 'plain' }],
  ['logos', { ...all, style: 'logos' }],
  ['without our styles', { ...all, style: 'none' }],
  ['without labels', { ...all, options: { ...full, showLabels: false } }],
  ['all fields of the card in frames', { options: { enableSAQACompliance: true, billingAddress: {}, showBirthDate: true } }],
  ['several brands', { brands: ['VISA', 'CARTEBANCAIRE'], options: { brandDetection: true } }],
];

for (const [name, of] of looks)
  test(`axe finds nothing: ${name}; empty, with errors, at work`, options, async () => {
    const page = await driver.open(of);
    // Without our sheet the sizes are the page's own business.
    const ignored = of.style === 'none' ? ['target-size'] : [];
    if (name === 'several brands') await inside(page, 'cardNumber').pressSequentially('42000000');
    if (of.registrations) await page.locator('.wpwl-remove').first().click();
    assert.deepEqual(await violations(page, ignored), [], 'empty');
    await page.evaluate('Promise.all(forms.map((form) => form.validate()))');
    assert.deepEqual(await violations(page, ignored), [], 'with errors');
    await page.evaluate('forms.forEach((form) => form.setBusy(true))');
    assert.deepEqual(await violations(page, ignored), [], 'at work');
  });

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const top = (name: string) => `document.querySelector('.wpwl-form-card .wpwl-group-${name}').getBoundingClientRect().top`;

for (const [width, language] of [
  [320, 'en'],
  [320, 'ar'],
  [320, 'de'],
  [768, 'en'],
  [1280, 'de'],
] as const)
  test(
    `${width} pixels, ${language}: nothing is wider than the page, fields are large enough, pairs stand where there is room`,
    options,
    async () => {
      const page = await driver.open({ ...all, width, language });
      assert.equal(await ask(page, overflow), 0, 'stored cards');
      await page.locator('.wpwl-container-card .wpwl-method').click();
      await page.evaluate('Promise.all(forms.map((form) => form.validate()))');
      assert.equal(await ask(page, overflow), 0);
      assert.equal((await ask(page, top('expiry'))) === (await ask(page, top('cvv'))), width > 400);
      const small = await ask(
        page,
        `[...document.querySelectorAll('.wpwl-control:not([type=radio], [type=checkbox]), .wpwl-button, .wpwl-quiet, .wpwl-icon')]
        .filter((one) => one.checkVisibility() && (one.getBoundingClientRect().height < 44 || parseInt(getComputedStyle(one).fontSize) < 15))
        .map((one) => one.className)`,
      );
      assert.deepEqual(small, []);
      const text = await ask<readonly string[]>(
        page,
        "[...document.querySelectorAll('.wpwl-control')].map((one) => getComputedStyle(one).fontSize)",
      );
      assert.ok(
        text.filter((size) => size !== '13.3333px').every((size) => size === '16px'),
        text.join(),
      );
    },
  );

test('a label of two lines leaves the fields of a row on one line', options, async () => {
  const page = await driver.open({
    width: 400,
    options: { labels: { cvv: 'A label that needs at least two lines of this form' } },
  });
  const heights = await ask<readonly number[]>(
    page,
    "['.wpwl-control-expiry', '.wpwl-control-cvv'].map((one) => document.querySelector(one).getBoundingClientRect().top)",
  );
  assert.equal(heights[0], heights[1]);
});

test('at 200 % the form still fits', options, async () => {
  const page = await driver.open({ ...all, width: 640, height: 480 });
  await page.evaluate("document.documentElement.style.setProperty('zoom', '2')");
  await page.waitForTimeout(100);
  assert.equal(await ask(page, overflow), 0);
});

test('digits run from left to right in Arabic, and the form from right to left', options, async () => {
  const page = await driver.open({ language: 'ar' });
  await page.locator('.wpwl-control-expiry').pressSequentially('1234');
  await inside(page, 'cardNumber').pressSequentially('4200000000000091');
  assert.equal(await ask(page, "getComputedStyle(document.querySelector('.wpwl-form')).direction"), 'rtl');
  assert.equal(await ask(page, "getComputedStyle(document.querySelector('.wpwl-control-expiry')).direction"), 'ltr');
  assert.equal(await ask(page, "getComputedStyle(document.querySelector('.wpwl-control-expiry')).textAlign"), 'right');
  assert.equal(
    await askInside(page, 'card.number', 'getComputedStyle(input).direction + getComputedStyle(input).textAlign'),
    'ltrright',
  );
  assert.equal(await inside(page, 'cardNumber').inputValue(), '4200 0000 0000 0091');
});

test('light and dark follow the page, and the theme where the shop sets one', options, async () => {
  const ground = "getComputedStyle(document.querySelector('.wpwl-form')).backgroundColor";
  const [light, dark] = ['rgb(255, 255, 255)', 'rgb(15, 18, 23)'];
  for (const [theme, isDark, expected] of [
    [undefined, false, light],
    [undefined, true, dark],
    ['light', true, light],
    ['dark', false, dark],
    ['auto', true, dark],
  ] as const) {
    const page = await driver.open({ dark: isDark, options: theme ? { theme } : {} });
    assert.equal(await ask(page, ground), expected, `${theme} ${isDark}`);
    const ink = expected === dark ? 'rgb(232, 235, 240)' : 'rgb(20, 24, 31)';
    assert.equal(await askInside(page, 'card.number', 'getComputedStyle(input).color'), ink);
    assert.equal(
      await askInside(page, 'card.number', "getComputedStyle(input, '::placeholder').color"),
      await ask(page, "getComputedStyle(document.querySelector('.wpwl-control-expiry'), '::placeholder').color"),
    );
  }
});

test('no rule of ours weighs more than a class of the page', options, async () => {
  const page = await driver.open();
  const heavy = await ask(
    page,
    `[...document.styleSheets].flatMap((sheet) => { try { return [...sheet.cssRules]; } catch { return []; } })
      .flatMap((rule) => rule.selectorText ?? []).filter((selector) => selector.replace(/:where\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)/g, '').replace(/::[a-z-]+|[\\s>*,]/g, '') !== '')`,
  );
  assert.deepEqual(heavy, []);
});

test('sizes', options, async (context) => {
  const { sizes } = driver.bench;
  for (const [name, bytes] of Object.entries(sizes)) context.diagnostic(`${name}: ${bytes} bytes compressed`);
  assert.ok((sizes.makeForms ?? 0) <= 28_000, String(sizes.makeForms));
  for (const name of ['card.css', 'plain.css', 'logos.css']) assert.ok((sizes[name] ?? 0) <= 6_000, name);
});

test('the button is pressed once', options, async () => {
  const page = await driver.open({ brands: ['PREPAYMENT'] });
  await pay(page, '.wpwl-form-prepayment');
  assert.equal(await ask(page, 'sent.length'), 1);
});
