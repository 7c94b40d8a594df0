import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { LanguageCode } from '../../src/spec/languages.ts';
import { allTexts } from '../../src/widget/allTexts.ts';
import { noBrowser } from './browser.ts';
import { CARD, type Compat, FORM, options, startCompat } from './compatShop.ts';

/** Facts 10, groups 14 and 15: languages by every code, words of the shop's own, pictures; and how soon the form can be used. */

const PAID = '000.100.110';
const SETTLE_MS = 1_500;
const DECLINED = '800.100.151';
const LABEL = `${CARD} .wpwl-label-cardNumber`;
const EXPIRY = `${CARD} .wpwl-control-expiry`;

/** The codes of the service's two lists, those of ISO for the same, and regions; each with the language that is meant. */
const codes: Readonly<Record<LanguageCode, string>> = {
  en: 'en en-US en-GB en_us EN',
  de: 'de de-AT de_CH',
  fr: 'fr fr-CA',
  es: 'es es-MX',
  it: 'it',
  nl: 'nl nl-BE',
  da: 'dk da da-DK',
  fi: 'fi',
  sv: 'se sv sv-SE',
  tr: 'tr',
  ja: 'ja ja-JP',
  sl: 'sl',
  pt: 'pt pt-BR pt_PT',
  pl: 'pl',
  cs: 'cz cs cs-CZ',
  hu: 'hu',
  bg: 'bg',
  ro: 'ro',
  ru: 'ru',
  zh: 'cn zh zh-CN zh-Hant-TW',
  el: 'gr el el-GR',
  nb: 'no nb nn',
  sk: 'sk',
  ar: 'ar ar-SA ar-AE',
  ko: 'ko',
  be: 'be',
};

describe('words and pictures', { skip: noBrowser }, () => {
  let compat: Compat;
  before(async () => {
    compat = await startCompat();
  });
  afterEach(() => compat.forget());
  after(() => compat.close());

  async function openCard(text = '{}', brands = FORM): Promise<Page> {
    return compat.open(options(text) + compat.tag(await compat.makeCheckout()) + brands);
  }

  describe('14: languages', () => {
    const half = Math.ceil(Object.keys(codes).length / 2);
    for (const part of [Object.entries(codes).slice(0, half), Object.entries(codes).slice(half)]) {
      test(`by every code: ${part.map(([code]) => code).join(' ')}`, async () => {
        const page = await openCard();
        for (const [language, names] of part) {
          const { labels } = allTexts[language as LanguageCode];
          for (const name of names.split(' ')) {
            // In between another one, so that nothing is left over from before.
            await page.evaluate(
              `wpwl.update({ locale: '${language === 'en' ? 'de' : 'en'}' }).then(() => wpwl.update({ locale: '${name}' }))`,
            );
            await page.locator(`${CARD}:lang(${language}) form`).waitFor();
            const form = page.locator(CARD);
            assert.equal(await page.locator(LABEL).innerText(), labels.cardNumber, name);
            assert.equal(await form.getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr', name);
            assert.equal(await page.locator(`${CARD} iframe[name="card.cvv"]`).getAttribute('title'), labels.cvv, name);
          }
        }
      });
    }

    for (const [locale, language] of [
      ['de-AT', 'de'],
      ['cn', 'zh'],
      ['xx', 'en'],
      ['', 'en'],
    ] as const) {
      test(`as an option from the start: '${locale}' is ${language}`, async () => {
        const page = await openCard(`{ locale: '${locale}' }`);
        assert.equal(await page.locator(LABEL).innerText(), allTexts[language].labels.cardNumber);
      });
    }

    test('the reason of a decline, and the error of a field, are in it, too', async () => {
      const page = await openCard('{ locale: "fr", onResult(r) { log.push(r.text) } }');
      await page.locator(EXPIRY).pressSequentially('1330');
      await page.locator(EXPIRY).blur();
      assert.equal(await page.locator(`${CARD} .wpwl-hint-expiryMonthError`).innerText(), allTexts.fr.errors.expiryMonthError);
      await page.locator(EXPIRY).fill('');
      await compat.fillCard(page, { holder: DECLINED });
      await compat.pay(page);
      const [text] = (await compat.logged(page, 1)) as string[];
      assert.ok(new Set<unknown>(Object.values(allTexts.fr.labels)).has(text), text ?? 'nothing was told');
    });

    for (const [what, maps] of [
      ['each in its own map', '{ labels: { cardNumber: "N°", submit: "Go" }, errorMessages: { expiryMonthError: "Month?" } }'],
      ['errors among the labels', '{ labels: { cardNumber: "N°", submit: "Go", expiryMonthError: "Month?" } }'],
      [
        'labels among the errors',
        '{ errorMessages: { cardNumber: "N°", expiryMonthError: "Month?" }, labels: { submit: "Go" } }',
      ],
      ['set late, when the script is there already', '{}'],
    ] as const) {
      test(`words of the shop: ${what}`, async () => {
        const late =
          '<script>wpwlOptions = { labels: { cardNumber: "N°", submit: "Go" }, errorMessages: { expiryMonthError: "Month?" } }</script>';
        const page = await openCard(maps, maps === '{}' ? FORM + late : FORM);
        assert.deepEqual([await page.locator(LABEL).innerText(), await compat.payButton(page).innerText()], ['N°', 'Go']);
        await page.locator(EXPIRY).pressSequentially('1330');
        await page.locator(EXPIRY).blur();
        assert.equal(await page.locator(`${CARD} .wpwl-hint-expiryMonthError`).innerText(), 'Month?');
        assert.equal(await page.locator(`${CARD} .wpwl-label-cvv`).innerText(), allTexts.en.labels.cvv);
      });
    }

    test('words of the shop are words: no markup of them comes alive', async () => {
      const bad = '<img src=x onerror="log.push(1)">';
      const page = await openCard(`{ labels: { cardNumber: ${JSON.stringify(bad)}, submit: ${JSON.stringify(bad)} } }`);
      assert.deepEqual(
        [await page.locator(LABEL).innerText(), await page.locator(`${CARD} img`).count(), await compat.log(page)],
        [bad, 0, []],
      );
    });

    test('right to left: the form runs so, numbers do not, and a payment goes through', async () => {
      const page = await openCard('{ locale: "ar-SA", showCVVHint: true }');
      const direction = (selector: string): Promise<string> =>
        page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`);
      assert.deepEqual([await direction(`${CARD} form`), await direction(EXPIRY)], ['rtl', 'ltr']);
      for (const name of ['card.number', 'card.cvv']) {
        const frame = page.frames().find((one) => one.url().includes(`field=${name}`));
        assert.equal(await frame?.evaluate("getComputedStyle(document.querySelector('input')).direction"), 'ltr', name);
      }
      await compat.fillCard(page);
      assert.equal(await compat.field(page, 'card.number').locator('input').inputValue(), '4200 0000 0000 0000');
      assert.match(await compat.payButton(page).innerText(), /92/);
      await compat.pay(page);
      assert.equal((await compat.outcome(page)).code, PAID);
    });
  });

  test('15: pictures of the brands by the addresses that pages build, and a cacheVersion to build them with', async () => {
    const page = await openCard();
    const version = await page.evaluate<string>('wpwl.cacheVersion');
    assert.match(version, /^[\w.-]{6,}$/);
    for (const path of [
      `/v1/static/${version}/img/brand.png`,
      '/v1/paymentWidgets/img/brand.png',
      `/v1/static/${version}/img/brand.svg`,
    ]) {
      const size = await page.evaluate(`new Promise((resolve) => {
        const image = new Image(); image.crossOrigin = 'anonymous';
        image.onload = () => resolve([image.naturalWidth > 20, image.naturalHeight > 20]); image.onerror = () => resolve('broken');
        image.src = '${compat.gateway.url}${path}';
      })`);
      assert.deepEqual(size, [true, true], path);
    }
    const badge = `getComputedStyle(document.querySelector('${CARD} .wpwl-brand-card')).backgroundImage`;
    assert.ok((await page.evaluate<string>(badge)).includes(`/v1/static/${version}/img/brand.`));
  });

  test('from the script to a form that can be used: measured, and said', async (t) => {
    const measure = `<script>
      var wpwlOptions = {
        onReady() { window.drawn = performance.now() },
        onReadyIframeCommunication() {
          (window.usable ??= []).push(performance.now());
          if (usable.length === 2) console.debug('usable');
        },
      };
      window.began = performance.now();
    </script>`;
    const times: string[] = [];
    const page = await compat.open('<p>A shop</p>', { isReady: false, width: 901 });
    for (const what of ['first time', 'from the cache']) {
      // A browser that still draws its own window has no time for the page in it.
      await page.waitForTimeout(SETTLE_MS);
      const url = compat.shop.page(measure + compat.tag(await compat.makeCheckout()) + FORM);
      // By what the page says itself: looking into it again and again would take as long as what is measured.
      const usable = page.waitForEvent('console', (line) => line.text() === 'usable');
      await Promise.all([usable, page.goto(url, { waitUntil: 'commit' })]);
      const [drawn = 0, ready = 0] = await page.evaluate<number[]>('[drawn - began, Math.max(...usable) - began]');
      times.push(`${what}: drawn after ${Math.round(drawn)} ms, usable after ${Math.round(ready)} ms`);
      assert.ok(drawn > 0 && ready >= drawn);
      for (const [name, text] of [
        ['card.number', '4200 0000 0000 0000'],
        ['card.cvv', '123'],
      ] as const) {
        const input = compat.field(page, name).locator('input');
        await input.pressSequentially(text.replaceAll(' ', ''));
        assert.equal(await input.inputValue(), text, 'it takes what is typed');
      }
      assert.equal(await page.locator('iframe[src*="pciIframe.html"]').count(), 2, 'no frame is left over');
    }
    t.diagnostic(times.join('; '));
  });
});
