import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import {
  ask,
  askInside,
  CARD,
  type Driver,
  fillCard,
  hints,
  inside,
  type OpenOf,
  pay,
  sent,
  settled,
  startDriver,
  texts,
  until,
} from './formsDriver.ts';
import { registrations } from './formsPage.ts';

/** How the forms lead a shopper: the way of the tab key, what is missing, one form at a time. PICTURES=folder keeps a picture of each. */
let driver: Driver;
const options = { skip: noBrowser };
before(async () => {
  if (!noBrowser) driver = await startDriver();
});
afterEach(() => (noBrowser ? undefined : driver.clear()));
after(() => (noBrowser ? undefined : driver.close()));

const picture = async (page: Page, name: string): Promise<void> => {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
};

/** Where the focus is: what it is called, and its place in the page. */
const WHERE = `(() => {
  const at = document.activeElement;
  if (!at || !at.closest('.wpwl-widget')) return null;
  const { top, bottom, left, right } = at.getBoundingClientRect();
  return { name: at.name || at.className, top: top + scrollY, bottom: bottom + scrollY, left, right };
})()`;
type Stop = {
  readonly name: string;
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
};

/** Everything that the tab key should reach: of radio buttons only the chosen one. */
const STOPS = `[...document.querySelectorAll('.wpwl-widget :is(iframe, input, select, button)')]
  .filter((one) => one.checkVisibility() && one.type !== 'hidden' && !one.disabled && (one.type !== 'radio' || one.checked))
  .map((one) => one.name || one.className)`;

async function walk(page: Page): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  await page.evaluate('document.body.tabIndex = -1; document.body.focus()');
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    await page.waitForTimeout(110);
    const stop = await ask<Stop | null>(page, WHERE);
    if (stop === null) return stops;
    // Inside a frame one press may be needed to leave it.
    if (JSON.stringify(stops.at(-1)) !== JSON.stringify(stop)) stops.push(stop);
  }
  return stops;
}

const everyCard = { showCVVHint: true, saveCard: true };
const layouts: readonly (readonly [name: string, of: OpenOf])[] = [
  ['the code with its hint', { options: everyCard }],
  ['a phone', { width: 320, options: everyCard }],
  ['a wide page', { width: 900, options: everyCard }],
  ['Arabic', { language: 'ar', options: everyCard }],
  ['plain', { style: 'plain', options: everyCard }],
  ['badges as buttons', { style: 'logos', brands: ['VISA', 'PAYPAL', 'EPS'], options: everyCard }],
  ['no style sheet', { style: 'none', options: { ...everyCard, showCVVHint: false } }],
  ['the name before the code', { options: { ...everyCard, fieldOrder: ['cardNumber', 'expiry', 'cardHolder', 'cvv'] } }],
  ['the code before the date', { options: { ...everyCard, fieldOrder: ['cvv', 'expiry', 'cardNumber'] } }],
  ['an address', { options: { ...everyCard, billingAddress: {}, showBirthDate: true } }],
  ['all fields in frames', { options: { ...everyCard, enableSAQACompliance: true } }],
  ['a detected brand', { options: { ...everyCard, brandDetection: true } }],
  ['stored cards', { registrations, options: { ...everyCard, removeCards: true, registrations: { requireCvv: true } } }],
];
for (const [name, of] of layouts)
  test(`the tab key reaches every field in the order in which they are seen: ${name}`, options, async () => {
    const page = await driver.open(of);
    const stops = await walk(page);
    assert.deepEqual(stops.map((stop) => stop.name).toSorted(), (await ask<readonly string[]>(page, STOPS)).toSorted());
    const isAfter = (one: Stop, other: Stop): boolean => {
      const isBelow = other.top >= one.bottom - 2;
      const isBeside = of.language === 'ar' ? other.right <= one.right + 2 : other.left >= one.left - 2;
      return isBelow || (isBeside && other.bottom > one.top + 2);
    };
    stops.slice(1).forEach((stop, at) => {
      const before = stops[at] as Stop;
      assert.ok(isAfter(before, stop), `${before.name} → ${stop.name}: ${JSON.stringify([before, stop])}`);
    });
  });

test('the pay button stays enabled, and says what is missing until nothing is', options, async () => {
  const page = await driver.open({ options: { requireCardHolder: true } });
  const button = page.locator('.wpwl-form-card .wpwl-button-pay');
  await pay(page);
  assert.equal(await button.isEnabled(), true);
  assert.deepEqual(await texts(page, '.wpwl-missing'), [
    'Please check: Card number, Expiry date, Security code (CVV), Name on card',
  ]);
  assert.equal(await button.getAttribute('aria-describedby'), await page.locator('.wpwl-missing').getAttribute('id'));
  await picture(page, 'missing');
  await page.locator('.wpwl-control-expiry').fill('12/34');
  await page.locator('.wpwl-control-cardHolder').fill('Ann Example');
  await until(page, "document.querySelector('.wpwl-missing').textContent === 'Please check: Card number, Security code (CVV)'");
  await page.locator('.wpwl-control-expiry').focus();
  await pay(page);
  assert.equal(await ask(page, 'document.activeElement.name'), 'card.number', 'pressed again, it leads to the first of them');
  await fillCard(page, { expiry: '', holder: '' });
  await until(page, "document.querySelector('.wpwl-missing') === null");
  assert.equal(await button.getAttribute('aria-describedby'), null);
  await pay(page);
  assert.equal((await sent(page)).length, 1);
});

/** Contrast of the button's words, as WCAG counts it. */
const CONTRAST = `(() => {
  const style = getComputedStyle(document.querySelector('.wpwl-button-pay'));
  const light = (text) => {
    const [r, g, b] = text.match(/\\d+/g).map(Number).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = style.backgroundImage === 'none' ? style.backgroundColor : style.backgroundImage.match(/rgb\\([^)]*\\)/)[0];
  const [high, low] = [light(style.color), light(ground)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
})()`;
const styled = (rule: string): string =>
  `const sheet = new CSSStyleSheet(); sheet.replaceSync(${JSON.stringify(rule)}); document.adoptedStyleSheets = [sheet];`;
const grounds: readonly (readonly [name: string, of: OpenOf])[] = [
  ['yellow', { before: styled('.wpwl-button-pay { background: #ffd400 }') }],
  ['white', { before: styled('.wpwl-button-pay { background-color: #fff }') }],
  ['dark green', { before: styled('.wpwl-button { background: #0a4b2a }') }],
  ['a gradient', { before: styled('.wpwl-button-pay { background: linear-gradient(#ffe08a, #ffd400) }') }],
  ['a light theme colour', { options: { variables: { 'tp-accent': '#9be15d' } } }],
  ['none of its own', {}],
];
for (const [name, of] of grounds)
  for (const dark of [false, true])
    test(`the pay button can be read on the shop's ground: ${name}${dark ? ', dark' : ''}`, options, async () => {
      const page = await driver.open({ ...of, dark });
      const legible = async (state: string): Promise<void> => {
        await page.waitForTimeout(30);
        const contrast = await ask<number>(page, CONTRAST);
        assert.ok(contrast >= 4.5, `${state}: ${contrast}`);
      };
      await legible('at rest');
      await pay(page);
      await legible('with errors');
      await page.evaluate("document.querySelector('.wpwl-button-pay').disabled = true");
      await legible('locked by the page');
      await page.evaluate("document.querySelector('.wpwl-button-pay').disabled = false");
      await legible('free again');
      await page.evaluate('forms[0].setBusy(true)');
      await page.waitForTimeout(30);
      await page.evaluate('forms[0].setBusy(false)');
      await legible('after work');
    });

test("a shop's own colour for the button is left alone", options, async () => {
  const page = await driver.open({ before: styled('.wpwl-button-pay { background: #ffd400; color: rgb(250, 250, 250) }') });
  assert.equal(await ask(page, "getComputedStyle(document.querySelector('.wpwl-button-pay')).color"), 'rgb(250, 250, 250)');
});

for (const width of [260, 300, 320, 360, 480])
  test(`sixteen digits and a badge that can be read fit beside each other, ${width} pixels`, options, async () => {
    const page = await driver.open({ width, brands: ['VISA', 'MASTER'], options: { brandDetection: true } });
    await inside(page, 'cardNumber').pressSequentially(CARD);
    await page.locator('.wpwl-mark.wpwl-brand-VISA').waitFor();
    const hidden = 'input.scrollWidth - input.clientWidth';
    assert.ok((await askInside<number>(page, 'card.number', hidden)) <= 0, 'no digit is cut off');
    const sizes = await ask<readonly number[]>(
      page,
      `[document.querySelector('.wpwl-mark').getBoundingClientRect(), document.querySelector('.wpwl-label-cardNumber').firstChild]
        .map((one) => { if (one instanceof DOMRect) return one; const r = document.createRange(); r.selectNode(one); return r.getBoundingClientRect(); })
        .flatMap(({ left, right, height }) => [left, right, height])`,
    );
    const [left = 0, , height = 0, , labelRight = 0] = sizes;
    assert.ok(height >= 36, String(height));
    assert.ok(left > labelRight || width > 320, 'the badge is not over the label');
  });

test('badges in lists are large enough to read', options, async () => {
  const page = await driver.open({ registrations, brands: ['VISA', 'MASTER', 'PAYPAL', 'DIRECTDEBIT_SEPA'] });
  const heights = await ask<readonly number[]>(
    page,
    "[...document.querySelectorAll('.wpwl-brand, .wpwl-mark')].filter((one) => one.checkVisibility()).map((one) => one.offsetHeight)",
  );
  assert.ok(heights.length >= 5 && heights.every((height) => height >= 36), heights.join());
});

type Typing = { readonly brand?: string; readonly number?: string; readonly expiry?: string; readonly cvv?: string };
const typings: readonly (readonly [typed: Typing, says: readonly string[]])[] = [
  [{}, ['Enter the card number', 'Enter the expiry date', 'Enter the security code']],
  [
    { number: '4200 0000', expiry: '12', cvv: '12' },
    [
      'The card number is too short: digits are missing',
      'Enter both month and year of the expiry date',
      'The security code of this card has 3 digits',
    ],
  ],
  [
    { number: '4200000000000092', expiry: '0223', cvv: '123' },
    ['Check the card number: a digit is wrong', 'This card has expired: please use another one'],
  ],
  [
    { brand: 'AMEX', number: '37777777777777', expiry: '1334', cvv: '123' },
    [
      'The card number is too short: digits are missing',
      'Check the month: it must be from 01 to 12',
      'The security code of this card has 4 digits',
    ],
  ],
];
for (const isFramed of [false, true])
  for (const [{ brand = 'VISA', number = '', expiry = '', cvv = '' }, says] of typings)
    test(
      `${brand} ${number || 'empty'}, ${expiry}, ${cvv}: each fault has its own words${isFramed ? ', in frames' : ''}`,
      options,
      async () => {
        const page = await driver.open({ options: { enableSAQACompliance: isFramed } });
        await page.locator('.wpwl-control-brand').selectOption(brand);
        await inside(page, 'cardNumber').pressSequentially(number);
        const date = isFramed ? inside(page, 'expiry') : page.locator('.wpwl-control-expiry');
        await date.pressSequentially(expiry);
        await inside(page, 'cvv').pressSequentially(cvv);
        await pay(page);
        assert.deepEqual(await texts(page, '.wpwl-hint'), says);
        assert.deepEqual(
          (await hints(page)).filter((key) => !/^(?:cardNumber|expiryYear|expiryMonth|cvv)Error$/.test(key)),
          [],
          'under the classes that pages know',
        );
      },
    );

test('where a shop replaces a text, its word counts for every case of it, unless it replaces that one too', options, async () => {
  const errorMessages = { cardNumberError: 'Our own words', cvvEmptyError: 'No code' };
  const page = await driver.open({ options: { errorMessages, labels: { expiryYearError: 'Our date' } } });
  await pay(page);
  assert.deepEqual(await texts(page, '.wpwl-hint'), ['Our own words', 'Our date', 'No code']);
});

test('fields that may stay empty are marked, and the mark follows the brand', options, async () => {
  const marked = (page: Page) =>
    ask<readonly string[]>(
      page,
      "[...document.querySelectorAll('.wpwl-optional')].map((one) => one.parentElement.firstChild.textContent)",
    );
  const page = await driver.open({
    brands: ['VISA', 'MAESTRO'],
    options: { billingAddress: {}, mandatoryBillingFields: { city: true } },
  });
  assert.deepEqual((await marked(page)).slice(0, 2), ['Name on card', 'Country']);
  assert.ok(!(await marked(page)).includes('City'));
  await page.locator('.wpwl-control-brand').selectOption('MAESTRO');
  assert.equal((await marked(page))[0], 'Security code (CVV)');
  await page.locator('.wpwl-control-brand').selectOption('VISA');
  assert.equal((await marked(page))[0], 'Name on card');
  assert.deepEqual(await marked(await driver.open({ options: { requireCardHolder: true } })), []);
});

const payButtons = (page: Page): Promise<number> => page.locator('.wpwl-button-pay[type=submit]:visible').count();

test('with stored cards one form is open at a time, with one pay button', options, async () => {
  const page = await driver.open({ registrations, brands: ['VISA', 'MASTER', 'AMEX', 'PAYPAL', 'DIRECTDEBIT_SEPA'] });
  const heads = page.locator('.wpwl-method');
  assert.deepEqual(await heads.allInnerTexts(), ['Saved payment methods', 'Use another card', 'SEPA Direct Debit']);
  assert.deepEqual(await heads.evaluateAll((all) => all.map((one) => one.ariaExpanded)), ['true', 'false', 'false']);
  assert.equal(await payButtons(page), 1);
  await picture(page, 'accordion-stored');
  await page.getByRole('button', { name: 'Use another card' }).click();
  assert.deepEqual(await heads.evaluateAll((all) => all.map((one) => one.ariaExpanded)), ['false', 'true', 'false']);
  assert.equal(await payButtons(page), 1);
  assert.equal(await page.locator('.wpwl-registration-list').isVisible(), false);
  await picture(page, 'accordion-card');
  await fillCard(page);
  await pay(page);
  assert.equal((await sent(page))[0]?.paymentBrand, 'VISA');
  await page.getByRole('button', { name: 'Saved payment methods' }).click();
  assert.equal(await page.locator('.wpwl-form-card').isVisible(), false);
  assert.equal(
    await page.getByRole('button', { name: 'Continue with PayPal' }).isVisible(),
    true,
    'a brand that is a button stays one',
  );
});

test('a form that the page itself pays with is opened', options, async () => {
  const page = await driver.open({ registrations });
  await page.evaluate("document.querySelector('.wpwl-form-card').requestSubmit()");
  await page.locator('.wpwl-form-card .wpwl-hint').first().waitFor({ state: 'visible' });
  assert.equal(await payButtons(page), 1);
});

test('when the last stored card is removed the next form opens', options, async () => {
  const page = await driver.open({ registrations: registrations.slice(0, 1), options: { removeCards: true } });
  await page.locator('.wpwl-remove').click();
  await page.locator('.wpwl-remove-yes').click();
  await page.locator('.wpwl-form-card').waitFor({ state: 'visible' });
  assert.equal(await page.locator('.wpwl-container-registration').isVisible(), false);
  assert.equal(await payButtons(page), 1);
});

test('other ways that wait behind a button come with one form open', options, async () => {
  const page = await driver.open({ registrations, options: { registrations: { hideInitialPaymentForms: true } } });
  assert.equal(await page.locator('.wpwl-method').count(), 0);
  await page.locator('[data-action=show-initial-forms]').click();
  assert.equal(await page.locator('.wpwl-form-card').isVisible(), true);
  assert.equal(await payButtons(page), 1);
});

test('without stored cards every form is open, as pages know it', options, async () => {
  const page = await driver.open({ brands: ['VISA', 'DIRECTDEBIT_SEPA'] });
  assert.equal(await page.locator('.wpwl-method').count(), 0);
  assert.equal(await payButtons(page), 2);
});

test('the BIC is asked for only where the IBAN is not enough', options, async () => {
  const page = await driver.open({ brands: ['DIRECTDEBIT_SEPA'] });
  const form = '.wpwl-form-directDebit';
  const bic = page.locator('.wpwl-control-accountBic');
  const iban = page.locator('.wpwl-control-accountIban');
  assert.equal(await bic.isVisible(), false);
  await page.locator('.wpwl-control-accountHolder').fill('Ann Example');
  await page.locator('.wpwl-control-mandate').check();
  await iban.fill('CH93 0076 2011 6238 5295 7');
  await bic.waitFor({ state: 'visible' });
  await pay(page, form);
  assert.deepEqual(await texts(page, '.wpwl-hint'), ['Please fill in this field']);
  await picture(page, 'bic');
  await bic.fill('MARKDEF1100');
  await pay(page, form);
  assert.equal((await sent(page))[0]?.['bankAccount.bic'], 'MARKDEF1100');
  await iban.fill('DE23100000001234567890');
  await bic.waitFor({ state: 'hidden' });
  await pay(page, form);
  const [, second = {}] = await sent(page);
  assert.deepEqual([second['bankAccount.iban'], second['bankAccount.bic']], ['DE23100000001234567890', undefined]);
});

test('a shop may show the BIC in any case, and it stays optional', options, async () => {
  const page = await driver.open({ brands: ['DIRECTDEBIT_SEPA'], options: { displayBic: true } });
  assert.match((await page.locator('.wpwl-label-accountBic').innerText()) ?? '', /Optional/);
  await page.locator('.wpwl-control-accountHolder').fill('Ann Example');
  await page.locator('.wpwl-control-accountIban').fill('DE23100000001234567890');
  await page.locator('.wpwl-control-mandate').check();
  await pay(page, '.wpwl-form-directDebit');
  assert.equal((await sent(page)).length, 1);
});

for (const [name, of] of [
  ['light', {}],
  ['dark', { dark: true }],
  ['phone', { width: 390 }],
  ['arabic', { language: 'ar', width: 390 }],
  ['plain', { style: 'plain' }],
  ['logos', { style: 'logos', width: 700 }],
] as const satisfies readonly (readonly [string, OpenOf])[])
  test(`pictures: ${name}`, { skip: noBrowser || (!process.env.PICTURES && 'only with PICTURES') }, async () => {
    const all: OpenOf = {
      ...of,
      brands: ['VISA', 'MASTER', 'AMEX', 'PAYPAL', 'EPS', 'DIRECTDEBIT_SEPA'],
      options: { showCVVHint: true, saveCard: true, removeCards: true, registrations: { requireCvv: true } },
    };
    await picture(await driver.open(all), `forms-${name}`);
    const page = await driver.open({ ...all, registrations });
    await picture(page, `stored-${name}`);
    await page.locator('.wpwl-container-card .wpwl-method').click();
    await settled(page);
    await pay(page);
    await picture(page, `stored-card-${name}`);
    await inside(page, 'cardNumber').pressSequentially(CARD);
    await picture(page, `stored-filled-${name}`);
  });
