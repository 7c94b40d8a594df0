import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { buildWidget } from '../../src/assets/build.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { answerChallenge } from '../../src/testing/playwright.ts';
import { createClient, type Fields, OTHER, SHOPPER } from '../http/client.ts';
import { startGateway } from '../http/gateway.ts';
import { onlyLong } from '../long.ts';
import { noBrowser } from './browser.ts';
import { CARD, type Compat, FORM, options, startCompat } from './compatShop.ts';

/** Facts 10, group 13, and what a hostile page can get (R32, R34): policies, hashes, and every place where a digit could turn up. */

const PAID = '000.100.110';
const CHALLENGED = '4200000000000018';
/** No digits in a row that an id or a time would hold by chance. */
const NUMBER = '4012000033330026';
const CVV = '739';
const known: Fields = Object.fromEntries(Object.entries(SHOPPER).filter(([name]) => !/browser|\.ip$/.test(name)));

describe('a page and what it may do', { skip: noBrowser }, () => {
  let compat: Compat;
  before(async () => {
    compat = await startCompat();
  });
  afterEach(() => compat.forget());
  after(() => compat.close());

  describe('13: policies', () => {
    /** Of the specification, word by word: the names of its sources stand for these. */
    const recipe = (host: string): string =>
      [
        `style-src 'self' ${host} 'unsafe-inline'`,
        `frame-src 'self' ${host}`,
        `script-src 'self' ${host} 'nonce-n0nce'`,
        `connect-src 'self' ${host}`,
        `img-src 'self' ${host}`,
      ].join('; ');
    const strict = (host: string): string =>
      [
        "default-src 'none'",
        "script-src 'nonce-n0nce' 'strict-dynamic'",
        "style-src 'nonce-n0nce'",
        `connect-src ${host}`,
        `frame-src ${host}`,
        `img-src ${host}`,
        `form-action ${host}`,
        "base-uri 'none'",
        "object-src 'none'",
      ].join('; ');
    const listed = (host: string): string =>
      strict(host)
        .replace("'nonce-n0nce' 'strict-dynamic'", `'nonce-n0nce' ${host}`)
        .replace("style-src 'nonce-n0nce'", `style-src ${host}`);

    const blocked = (page: Page): Promise<string[]> => page.evaluate('blocked');
    const watch =
      "addEventListener('securitypolicyviolation', (e) => blocked.push(e.effectiveDirective + ' ' + e.blockedURI.split('/', 3).join('/')))";
    const whole = (meta: string, head: string, body: string): string =>
      `<!doctype html><html><head><meta charset="utf-8">${meta}<title>Pay</title><script nonce="n0nce">window.blocked = []; ${watch}</script>${head}</head><body>${body}</body></html>`;

    for (const [what, policyOf, by] of [
      ["the specification's recipe as a header", recipe, 'header'],
      ["the specification's recipe in the page", recipe, 'meta'],
      ['a strict one: a nonce, nothing inline, nothing evaluated', strict, 'header'],
      ['a strict one that names the host for styles', listed, 'header'],
    ] as const) {
      test(`${what}: the form is styled, 3D Secure shown, the card charged, and nothing blocked`, {
        skip: policyOf !== strict && by !== 'meta' && onlyLong,
      }, async () => {
        const checkout = await compat.makeCheckout({ ...known, integrity: 'true' }, compat.secureClient);
        const policy = policyOf(compat.gateway.url);
        const script = compat.tag(checkout, `integrity="${checkout.integrity}" crossorigin="anonymous" nonce="n0nce"`);
        const own =
          '<script nonce="n0nce">var wpwlOptions = { showCVVHint: true, brandDetection: true, theme: "light" }</script>';
        const meta = by === 'meta' ? `<meta http-equiv="content-security-policy" content="${policy}">` : '';
        const headers: Fields = by === 'header' ? { 'content-security-policy': policy } : {};
        const page = await compat.open(whole(meta, own + script, FORM), { headers });
        const complaints: string[] = [];
        page.on('console', (line) => {
          if (line.type() === 'error') complaints.push(line.text());
        });
        assert.equal(await page.evaluate("document.querySelectorAll('link[data-turnpike]')[0].sheet !== null"), true);
        const border = "getComputedStyle(document.querySelector('.wpwl-control-cardHolder')).borderTopStyle";
        assert.equal(await page.evaluate(border), 'solid');
        await compat.fillCard(page, { number: CHALLENGED });
        await compat.pay(page);
        await page.locator(`${CARD} iframe.wpwl-target`).waitFor({ state: 'visible' });
        assert.deepEqual(await blocked(page), [], 'the policy has stopped something');
        await answerChallenge(page);
        assert.equal((await compat.outcome(page, compat.secureClient)).code, PAID);
        assert.deepEqual(complaints, []);
      });
    }

    test('a policy that forbids sending the form to us is told to the developer, and the form can be used again', async () => {
      const checkout = await compat.makeCheckout();
      const own =
        '<script nonce="n0nce">var wpwlOptions = { onError(e) { blocked.push(e.name + ' + "' '" + ' + e.event) } }</script>';
      const headers = {
        'content-security-policy': strict(compat.gateway.url).replace(/form-action [^;]*/, "form-action 'self'"),
      };
      const page = await compat.open(whole('', own + compat.tag(checkout, 'nonce="n0nce"'), FORM), { headers });
      await compat.fillCard(page);
      await compat.pay(page);
      for (let tries = 0; tries < 60 && (await blocked(page)).length < 2; tries += 1) await page.waitForTimeout(50);
      assert.deepEqual((await blocked(page)).toSorted(), ['WidgetError form-action', `form-action ${compat.gateway.url}`]);
      await page.locator(`${CARD} .wpwl-button-pay:enabled`).waitFor();
    });
  });

  describe('13: hashes', () => {
    const refused = `onerror="window.refused = true"`;
    test('the hash of the answer fits the script; a script without one loads as well, with and without CORS', async () => {
      for (const [made, attributes] of [
        [await compat.makeCheckout({ integrity: 'true' }), 'SRI crossorigin="anonymous"'],
        [await compat.makeCheckout(), 'crossorigin="anonymous"'],
        [await compat.makeCheckout({ integrity: 'true' }), ''],
      ] as const) {
        const page = await compat.open(compat.tag(made, attributes.replace('SRI', `integrity="${made.integrity}"`)) + FORM);
        assert.equal(await page.evaluate('wpwl.checkout.id'), made.id);
        const runtime = page.locator('script[src*="static.min.js"]');
        assert.match((await runtime.getAttribute('integrity')) ?? '', /^sha384-/);
        assert.equal(await runtime.getAttribute('crossorigin'), 'anonymous');
      }
    });

    test('a hash of another checkout: the browser refuses, and nothing of ours runs', async () => {
      const [one, other] = [await compat.makeCheckout({ integrity: 'true' }), await compat.makeCheckout({ integrity: 'true' })];
      const tag = compat.tag(one, `integrity="${other.integrity}" crossorigin="anonymous" ${refused}`);
      const page = await compat.open(tag + FORM, { isReady: false });
      assert.deepEqual(await page.evaluate('[window.refused, typeof window.wpwl]'), [true, 'undefined']);
    });

    test('a hash without CORS is refused by the browser, too', async () => {
      const made = await compat.makeCheckout({ integrity: 'true' });
      const page = await compat.open(compat.tag(made, `integrity="${made.integrity}" ${refused}`) + FORM, { isReady: false });
      assert.deepEqual(await page.evaluate('[window.refused, typeof window.wpwl]'), [true, 'undefined']);
    });

    /** A proxy between gateway and browser that changes one byte. */
    async function tamper(page: Page, file: string): Promise<void> {
      await page.route(`**/js/${file}`, async (route) => {
        const answer = await route.fetch();
        const headers = { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' };
        await route.fulfill({ status: 200, headers, body: `${await answer.text()};window.tampered=1` });
      });
    }

    test('a runtime with one byte more is refused, and the shop is told', async () => {
      const made = await compat.makeCheckout();
      const page = await compat.open('', { isReady: false });
      await tamper(page, 'static.min.js');
      await page.goto(compat.shop.page(options('{ onError(e) { log.push(e.name) } }') + compat.tag(made) + FORM));
      assert.deepEqual(await compat.logged(page, 1), ['WidgetError']);
      assert.deepEqual(await page.evaluate("[typeof tampered, document.querySelectorAll('.wpwl-form').length]"), [
        'undefined',
        0,
      ]);
    });

    test('the wallets come for a page that has one alone; with one byte more they are refused, and cards can be used', async () => {
      const made = await compat.makeCheckout();
      const page = await compat.open('', { isReady: false });
      await tamper(page, 'wallets.min.js');
      const wallets = page.locator('script[src*="wallets.min.js"]');
      const telling = options('{ onError(e) { log.push([e.name, e.event, e.brand]) } }');
      await page.goto(compat.shop.page(telling + compat.tag(made) + FORM));
      await page.locator(CARD).waitFor();
      assert.equal(await wallets.count(), 0);
      const both = FORM + FORM.replace(/data-brands="[^"]*"/, 'data-brands="APPLEPAY"');
      await page.goto(compat.shop.page(telling + compat.tag(made) + both));
      assert.deepEqual(await compat.logged(page, 1), [['WidgetError', 'unavailable', 'APPLEPAY']]);
      await page.locator(CARD).waitFor();
      assert.equal(await page.evaluate('typeof tampered'), 'undefined');
    });

    test("a field's script with one byte more is refused: no field opens, and nothing can be typed into the shop's hands", async () => {
      const made = await compat.makeCheckout();
      const page = await compat.open('', { isReady: false });
      await tamper(page, 'frame.min.js');
      await page.goto(compat.shop.page(compat.tag(made) + FORM));
      await compat.ready(page);
      const input = compat.field(page, 'card.number').locator('input');
      await input.waitFor({ state: 'attached' });
      const frame = page.frames().find((one) => one.url().includes('field=card.number'));
      assert.equal(await frame?.evaluate('window.tampered ?? null'), null);
      assert.equal(await page.locator(`${CARD} iframe[data-tp-ready]`).count(), 0);
    });
  });

  describe('R34: a hostile page sees no digit', () => {
    /** The page records whatever it can reach: messages, its own document, storage, what is sent by its own means. */
    const spy = `<script>
      window.heard = [];
      addEventListener('message', (e) => heard.push(JSON.stringify(e.data)), true);
      for (const type of ['keydown', 'keypress', 'keyup', 'input', 'change', 'beforeinput', 'paste', 'copy', 'focusin'])
        document.addEventListener(type, (e) => heard.push(type + ' ' + (e.key ?? '') + ' ' + (e.target.value ?? '')), true);
      new MutationObserver(() => heard.push(document.documentElement.outerHTML))
        .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      addEventListener('formdata', (e) => heard.push(JSON.stringify([...e.formData])), true);
      window.stolen = () => [...document.querySelectorAll('iframe')].map((frame) => {
        const { contentWindow: inner } = frame;
        const read = (key) => { try { return String(inner[key]) } catch { return '' } };
        const tries = [() => frame.contentDocument?.body.innerHTML, () => inner.document.forms[0], () => inner.getSelection(),
          () => Reflect.ownKeys(inner).map(read).join(), () => String(inner.location), () => inner[Symbol.for('turnpike.field')]];
        return tries.map((look) => { try { return String(look() ?? '') } catch { return 'refused' } }).join('|');
      });
    </script>`;
    /** Any five digits in a row of the number, beyond the six that a shop may look up its issuer by. */
    const pieces = Array.from({ length: NUMBER.length - 6 - 4 + 1 }, (_, at) => NUMBER.slice(6 + at - 1, 6 + at + 4)).filter(
      (piece) => piece.length === 5,
    );
    const tell = (text: string): boolean => {
      const bare = text.replaceAll(/(?<=\d) (?=\d)/g, '');
      return pieces.some((piece) => bare.includes(piece)) || new RegExp(`(?<![\\w+/=-])${CVV}(?![\\w+/=-])`).test(bare);
    };

    test('the detector itself finds what it looks for', () => {
      const [spaced, bin] = [NUMBER.replaceAll(/\d{4}(?=\d)/g, '$& '), NUMBER.slice(0, 6)];
      for (const text of [NUMBER, spaced, `x${NUMBER.slice(8)}`, `{"cvv":"${CVV}"}`]) assert.ok(tell(text), text);
      for (const text of [bin, `{"bin":"${bin}"}`, '2034', `A${CVV}B`]) assert.ok(!tell(text), text);
    });

    test('in its document, messages, events, storage, addresses, console or what it posts; nor do the lines of our log', async () => {
      const { id } = await compat.makeCheckout();
      const hostile = `{ brandDetection: true, brandDetectionType: 'binlist', showCVVHint: true,
        iframeStyles: { 'card-number-placeholder': { 'background-image': 'url(${compat.shop.url}/leak)', color: 'red' } },
        onDetectBin(bin) { heard.push(JSON.stringify(bin)) }, onDetectBrand(...all) { heard.push(JSON.stringify(all)) },
        onBlurCardNumber(...all) { heard.push(JSON.stringify(all)) }, onBlurSecurityCode(...all) { heard.push(JSON.stringify(all)) },
        onSaveTransactionData(data) { heard.push(JSON.stringify(data)) },
        onResult(result) { heard.push(JSON.stringify(result)); return false },
        onBeforeSubmitCard() { heard.push(...stolen()) },
        onAfterSubmit() { heard.push(...stolen()); heard.push(document.documentElement.outerHTML) } }`;
      const page = await compat.open(spy + options(hostile) + compat.tag(id) + FORM);
      const seen: string[] = [];
      page.on('console', (line) => seen.push(`console ${line.text()}`));
      page.on('request', (request) => {
        seen.push(`address ${request.url()} ${JSON.stringify(request.headers().referer ?? '')}`);
        // What our own frames send to us alone is not the page's to see; everything else is.
        if (!request.url().endsWith('/fields')) seen.push(`posted ${request.postData() ?? ''}`);
      });
      const sealing = page.waitForRequest('**/fields');
      await compat.fillCard(page, { number: NUMBER, cvv: CVV });
      await compat.field(page, 'card.number').locator('input').press('Control+a');
      await compat.field(page, 'card.number').locator('input').press('Control+c');
      await page.locator(`${CARD} .wpwl-control-cardHolder`).focus();
      await compat.pay(page);
      await page.waitForFunction(`heard.some((one) => one.includes('"outcome":"success"'))`);
      assert.ok(
        tell(decodeURIComponent((await sealing).postData() ?? '')),
        'the frame itself has sent it, or this test sees nothing',
      );
      const stores = await page.evaluate<string>(
        `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, window.name, performance.getEntries().map((one) => one.name)])`,
      );
      const heard = (await page.evaluate('heard')) as string[];
      assert.ok(heard.length > 20 && heard.some((one) => one.includes('sealed')) && heard.some((one) => one.includes('refused')));
      const cookies = JSON.stringify(await page.context().storageState());
      const found = [...heard, ...seen, stores, cookies, page.url()].filter(tell);
      assert.deepEqual(
        found.map((one) => one.slice(0, 300)),
        [],
      );
      assert.ok(compat.gateway.lines.length > 5);
      assert.deepEqual(compat.gateway.lines.filter(tell), []);
      assert.equal(seen.filter((one) => one.includes('/leak')).length, 0, 'a style has called home');
      assert.equal((await compat.status(id)).body.card.bin, NUMBER.slice(0, 6));
    });

    test('even where it speaks to the frames by itself: it is told sealed text, which only this checkout can open', async () => {
      const [{ id }, other] = [await compat.makeCheckout(), await compat.makeCheckout()];
      const page = await compat.open(spy + compat.tag(id) + FORM);
      await compat.fillCard(page, { number: NUMBER, cvv: CVV });
      await page.evaluate(`for (const frame of document.querySelectorAll('iframe.wpwl-control-iframe')) {
        const query = new URL(frame.src).searchParams;
        const say = (message, key = query.get('key')) =>
          frame.contentWindow.postMessage({ turnpike: 1, key, message }, '${compat.gateway.url}');
        const asks = [{ is: 'read' }, { is: 'value' }, { is: 'validate', turn: 7001 },
          { is: 'seal', turn: 7002, group: query.get('group'), fields: { 'card.number': '1' } },
          { is: 'seal', turn: 7003, group: '', fields: {} }, { is: 'change', setup: { field: 'card.holder' } },
          { is: 'change', setup: { isMasked: false, isUnchecked: true } },
          { is: 'describe', error: '<img src=x onerror=1>' }, { is: '__proto__' }];
        for (const ask of asks) { say(ask); say(ask, 'guessed') }
      }`);
      await page.waitForFunction(`heard.some((one) => one.includes('7002') && one.includes('sealed'))`);
      const heard = (await page.evaluate('heard')) as string[];
      assert.deepEqual(
        heard.filter(tell).map((one) => one.slice(0, 300)),
        [],
      );
      const sealed = heard.map((one) => /"turn":7002,"sealed":"([^"]+)"/.exec(one)?.[1]).find(Boolean) ?? '';
      const elsewhere = await compat.client.send(
        'POST',
        `/v1/checkouts/${other.id}/payment`,
        {
          sealedFields: sealed,
          paymentBrand: 'VISA',
          'card.holder': 'Ann',
          'card.expiryMonth': '05',
          'card.expiryYear': '2034',
        },
        { accept: 'application/json' },
      );
      assert.equal(elsewhere.code, '200.300.404');
    });

    test('it can neither have fields sealed by itself nor read what another site may not', async () => {
      const { id } = await compat.makeCheckout();
      const page = await compat.open(compat.tag(id) + FORM);
      const asked = await page.evaluate(`Promise.all(['cors', 'no-cors'].map((mode) =>
        fetch('${compat.gateway.url}/v1/checkouts/${id}/fields',
          { method: 'POST', mode, body: new URLSearchParams({ 'card.number': '${NUMBER}' }) })
          .then((answer) => answer.type === 'opaque' ? 'opaque' : answer.text(), () => 'refused')))`);
      assert.doesNotMatch(JSON.stringify(asked), /sealed"/);
    });
  });

  describe('R34: results are believed from our own frame only', () => {
    const forged = (id: string): string =>
      JSON.stringify({
        turnpike: 1,
        result: {
          checkoutId: id,
          resourcePath: `/v1/checkouts/${id}/payment`,
          url: `http://evil.example/?id=${id}`,
          outcome: 'success',
          code: PAID,
          text: 'Thank you',
        },
      });

    test('not from the page itself, a frame of another site, a frame of ours that is no target, nor a window it opened', async () => {
      const { id } = await compat.makeCheckout();
      const message = forged(id).replaceAll('<', '\\u003c');
      // Each hostile document goes on telling for as long as it lives, and says which one it is: nothing hangs on who loads first.
      const evil = compat.shop
        .page(
          `<script>const tell = () => { for (const to of [parent, opener]) if (to && to !== window) to.postMessage({ ...${message}, from: name || 'window' }, '*') }
          tell(); setInterval(tell, 100)</script>`,
        )
        .replace('localhost', '127.0.0.1');
      const page = await compat.open(
        `${options('{ paymentTarget: "bank", onResult(r) { log.push(r) }, onError(e) { log.push(e.message) } }')}
        <script>window.arrived = {}; addEventListener('message', (e) => { if (e.data?.result) arrived[e.data.from ?? 'page'] = true })</script>
        ${compat.tag(id)}${FORM}
        <iframe name="bank" src="${evil}"></iframe><iframe name="other" src="${evil}"></iframe><iframe src="${compat.gateway.url}/v1/widgetTarget.html"></iframe>`,
      );
      const address = page.url();
      await page.evaluate(`{
        const message = ${message};
        postMessage(message, '*'); postMessage({ ...message, turnpike: '1' }, '*');
        dispatchEvent(new MessageEvent('message', { data: message, origin: '${compat.gateway.url}', source: window }));
        window.open('${evil}', 'opened');
      }`);
      await page.waitForFunction('arrived.page && arrived.bank && arrived.other && arrived.opened', undefined, {
        timeout: 30_000,
      });
      await page.waitForTimeout(100);
      assert.deepEqual([await compat.log(page), page.url()], [[], address]);
      assert.notEqual((await compat.status(id)).code, PAID);
    });

    test('the real one goes to the origin that sent the form, and to nobody else', async () => {
      const { id } = await compat.makeCheckout();
      const page = await compat.open(
        options(`{ onReady() { window.told = []; addEventListener('message', (e) => { if (e.data?.result) told.push(e.origin) }) },
          onBeforeSubmitCard() { document.querySelector('[name=shopOrigin]').value = 'http://evil.example' }, onResult() { return false } }`) +
          compat.tag(id) +
          FORM,
      );
      await compat.fillCard(page);
      await compat.pay(page);
      await page.waitForFunction('told.length > 0');
      assert.deepEqual(await page.evaluate('told'), [compat.gateway.url]);
    });
  });

  describe('R32: who may frame the fields', () => {
    test('of a channel that lists its origins: only those, and only those are told', async () => {
      const channel = '5eed00000000000000000000000000e7';
      const row = { id: channel, kind: 'channel', parentId: sandbox.otherShop.merchantId, name: 'Listed' } as const;
      const rows = { entities: [{ ...row, settings: { widgetOrigins: [compat.shop.url] } }], tokens: [] };
      const gateway = await startGateway({ patienceMs: 5_000, build: await buildWidget(), rows });
      const client = createClient(gateway.url, { ...OTHER, entityId: channel });
      try {
        const makePage = async (): Promise<{ readonly id: string; readonly address: string }> => {
          const { id } = await client.send('POST', '/v1/checkouts', { amount: '92.00', currency: 'EUR', paymentType: 'DB' });
          return {
            id,
            address: compat.shop.page(`<script src="${gateway.url}/v1/paymentWidgets.js?checkoutId=${id}"></script>${FORM}`),
          };
        };
        const status = async (id: string): Promise<string> => (await client.send('GET', `/v1/checkouts/${id}/payment`, {})).code;
        const foreign = await makePage();
        const hostile = await compat.open('', { isReady: false });
        // The same pages by another name are another origin.
        await hostile.goto(foreign.address.replace('localhost', '127.0.0.1'));
        await compat.ready(hostile);
        const fields = (): readonly Frame[] => hostile.frames().filter((frame) => frame.name().startsWith('card.'));
        const isRefused = (frame: Frame): boolean => frame.url().startsWith('chrome-error:');
        for (let tries = 0; tries < 100 && !fields().every(isRefused); tries += 1) await hostile.waitForTimeout(50);
        assert.deepEqual(fields().map(isRefused), [true, true]);
        assert.equal(await hostile.locator(`${CARD} iframe[data-tp-ready]`).count(), 0);
        assert.notEqual(await status(foreign.id), PAID);

        const listed = await makePage();
        const page = await compat.open('', { isReady: false });
        await page.goto(listed.address);
        await compat.ready(page);
        await compat.fillCard(page);
        await compat.pay(page);
        await page.waitForURL(`${compat.shop.url}/result?**`);
        assert.equal(await status(listed.id), PAID);
      } finally {
        await compat.browser.clear();
        await gateway.close();
      }
    });

    test('nobody may frame the pages that are no part of a widget', async () => {
      const page = await compat.open(`<iframe name="demo" src="${compat.gateway.url}/demo"></iframe>`, { isReady: false });
      for (let tries = 0; tries < 40 && !page.frame({ name: 'demo' })?.url().startsWith('chrome-error:'); tries += 1)
        await page.waitForTimeout(50);
      assert.match(page.frames().at(-1)?.url() ?? '', /^chrome-error:/);
    });
  });
});
