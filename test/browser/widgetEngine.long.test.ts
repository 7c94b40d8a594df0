import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { noBrowser } from './browser.ts';
import { CARD, FORM, options, type Shopper, startShopper } from './widgetShopper.ts';

describe('the widget comes onto a page of a shop', { skip: noBrowser }, () => {
  let shopper: Shopper;
  before(async () => {
    shopper = await startShopper();
  });
  after(() => shopper.close());
  afterEach(() => shopper.forget());

  test('loader and runtime keep to their budgets', (t) => {
    const { loader, runtime } = shopper.stage.sizes;
    const sizes = [gzipSync(loader).length, gzipSync(runtime).length] as const;
    t.diagnostic(`gzip: loader ${sizes[0]} bytes, engine of the runtime without its forms ${sizes[1]} bytes`);
    assert.ok(sizes[0] <= 3 * 1024 && sizes[1] <= 20 * 1024, String(sizes));
  });

  describe('loading', () => {
    const ways: readonly (readonly [name: string, html: (id: string) => string])[] = [
      ['options before the script', (id) => `${options("{ locale: 'de' }")}${shopper.stage.tag(id)}${FORM}`],
      ['options after script and form', (id) => `${shopper.stage.tag(id)}${FORM}${options("{ locale: 'de' }")}`],
      [
        'options declared with let',
        (id) => `${shopper.stage.tag(id)}${FORM}<script>let wpwlOptions = { locale: 'de-AT' }</script>`,
      ],
      [
        'options in a handler of the parsed document',
        (id) =>
          `${shopper.stage.tag(id, 'async')}${FORM}<script>addEventListener('DOMContentLoaded', () => { wpwlOptions = { locale: 'de' } })</script>`,
      ],
      [
        'a script that is fetched and run as text',
        (id) => `${FORM}${options("{ locale: 'de', unknownKey: 1, onSuccess() {} }")}<script>
          fetch('${shopper.stage.gateway}/v1/paymentWidgets.js?checkoutId=${id}').then((r) => r.text()).then((text) => (0, eval)(text))</script>`,
      ],
      ['a deferred script in the head', (id) => `${shopper.stage.tag(id, 'defer')}${options("{ locale: 'de' }")}${FORM}`],
      [
        'integrity of the whole chain and the script before everything',
        (id) => `${shopper.stage.tag(id, 'crossorigin="anonymous"')}${options("{ locale: 'de' }")}${FORM}`,
      ],
      [
        'script tags that are removed before the runtime is there',
        (id) => `${options("{ locale: 'de' }")}${FORM}${shopper.stage.tag(id)}<script>
          document.querySelectorAll('script[src]').forEach((script) => script.remove())</script>`,
      ],
    ];
    for (const [name, html] of ways) {
      test(name, async () => {
        const page = await shopper.open(html(shopper.checkout()));
        await shopper.ready(page);
        assert.equal(await page.locator(`${CARD} button`).textContent(), 'Jetzt bezahlen');
        assert.equal(await page.locator('form.paymentWidgets').isVisible(), false);
      });
    }

    test('what pages read of wpwl', async () => {
      const id = shopper.checkout({
        registrations: [
          { id: 'r'.repeat(32), brand: 'VISA', kind: 'card', ends: '1', holder: null, expiryMonth: null, expiryYear: null },
        ],
      });
      const page = await shopper.open(`${shopper.stage.tag(id)}${FORM}`);
      await shopper.ready(page);
      const found =
        await page.evaluate(`[wpwl === turnpike, wpwl.apiVersion, wpwl.checkout.id, wpwl.checkout.amount, wpwl.checkout.endpoint,
        wpwl.checkout.resourcePath, wpwl.checkout.config.registrations.length, wpwl.cacheVersion.length > 0]`);
      assert.deepEqual(found, [true, '1', id, '92.00', '/payment', `/v1/checkouts/${id}/payment`, 1, true]);
    });

    test('the same script twice is one widget', async () => {
      const id = shopper.checkout();
      const page = await shopper.open(
        `${options('{ onReady() { log.push(1) } }')}${shopper.stage.tag(id)}${FORM}${shopper.stage.tag(id)}`,
      );
      await shopper.ready(page);
      await page.evaluate(`new Promise((resolve) => { const s = document.createElement('script');
        s.src = '${shopper.stage.gateway}/v1/paymentWidgets.js?checkoutId=${id}'; s.onload = () => setTimeout(resolve, 200); document.body.append(s) })`);
      assert.deepEqual([await page.locator(CARD).count(), await shopper.log(page)], [1, [1]]);
    });

    test('two forms, brands as text, one that comes late and one that names its checkout', async () => {
      const [id, other] = [shopper.checkout(), shopper.checkout()];
      const page =
        await shopper.open(`${options('{ onReady(c) { log.push(c.map((x) => x.containerKey + x.ccMethods).join()) } }')}
        ${shopper.stage.tag(other)}${shopper.stage.tag(id)}${FORM}<form class="paymentWidgets">EPS UNKNOWN</form>
        <form class="paymentWidgets" data-checkout-id="${other}" data-brands="INVOICE"></form>`);
      await shopper.ready(page);
      await page.locator('.wpwl-container-invoice-INVOICE').waitFor();
      assert.deepEqual((await shopper.log(page)).sort(), ['cardVISA,MASTER,onlineTransfer-EPSEPS', 'invoice-INVOICEINVOICE']);
      const action = await page.locator('.wpwl-form-invoice-INVOICE').getAttribute('action');
      assert.equal(action, `${shopper.stage.gateway}/v1/checkouts/${other}/payment`);
      await page.evaluate(
        `document.body.insertAdjacentHTML('beforeend', '<div class="paymentWidgets" data-brands="INVOICE"></div>')`,
      );
      await page.locator('.wpwl-container-invoice-INVOICE').nth(1).waitFor();
      assert.equal((await shopper.log(page)).length, 3);
      await page.evaluate(`document.querySelectorAll('.paymentWidgets')[1].remove()`);
      await page.locator('.wpwl-container-onlineTransfer-EPS').waitFor({ state: 'detached' });
    });

    test('a form that is gone before the runtime is there', async () => {
      const id = shopper.checkout();
      const page = await shopper.open(
        `${FORM}${shopper.stage.tag(id)}<script>document.querySelector('form').remove(); delete window.wpwlOptions</script>`,
      );
      await page.waitForFunction('wpwl.executePayment("wpwl-container-card").then((sent) => sent === false)');
      assert.equal(await page.locator('.wpwl-widget').count(), 0);
    });

    test('unload leaves the page as it was, and another checkout can be loaded', async () => {
      const [id, next] = [shopper.checkout(), shopper.checkout()];
      const page = await shopper.open(`${options('{}')}<div id="here">${FORM}</div>${shopper.stage.tag(id)}`);
      await shopper.ready(page);
      await page.evaluate(`wpwl.unload(); delete window.wpwlOptions`);
      assert.equal(await page.locator('#here').innerHTML(), FORM);
      assert.equal(await page.locator('link[data-turnpike]').count(), 0);
      await page.evaluate(`document.querySelectorAll('script[src*="static.min.js"]').forEach((s) => s.remove());
        const s = document.createElement('script'); s.src = '${shopper.stage.gateway}/v1/paymentWidgets.js?checkoutId=${next}'; document.body.append(s)`);
      await shopper.ready(page);
      assert.match((await page.locator(`${CARD} form`).getAttribute('action')) ?? '', new RegExp(next));
      await page.evaluate('wpwl.unload(); wpwl.unload()');
      assert.equal(await page.locator('#here').innerHTML(), FORM);
    });

    test('another checkout without unload takes the form over', async () => {
      const [id, next] = [shopper.checkout(), shopper.checkout()];
      const page = await shopper.open(`${FORM}${shopper.stage.tag(id)}`);
      await shopper.ready(page);
      await page.evaluate(
        `{ const s = document.createElement('script'); s.src = '${shopper.stage.gateway}/v1/paymentWidgets.js?checkoutId=${next}'; document.body.append(s) }`,
      );
      await page.locator(`${CARD} form[action*="${next}"]`).waitFor();
      assert.equal(await page.locator(CARD).count(), 1);
    });

    test('an unknown checkout is told by name', async () => {
      const page = await shopper.open(
        `${options('{ onError(e) { log.push(e instanceof Error, e.name, e.message) } }')}${FORM}${shopper.stage.tag("ABC.node1'")}`,
      );
      await page.locator('.wpwl-message.wpwl-has-error').waitFor();
      const [isError, name, message] = await shopper.log(page);
      assert.deepEqual([isError, name], [true, 'InvalidCheckoutIdError']);
      assert.match(String(message), /No payment session found/);
    });

    test('a gateway that stumbles is asked again; one that is down is told, and can be tried again', async () => {
      shopper.stage.failing = 2;
      await shopper.ready(await shopper.open(`${FORM}${shopper.stage.tag(shopper.checkout())}`));
      shopper.stage.failing = 3;
      const page = await shopper.open(
        `${options('{ onError(e) { log.push(e.name) } }')}${FORM}${shopper.stage.tag(shopper.checkout())}`,
      );
      await page.getByRole('button', { name: 'Try again' }).click();
      await shopper.ready(page);
      assert.deepEqual(await shopper.log(page), ['WidgetError']);
    });

    test('a checkout that is paid shows the way on', async () => {
      const page = await shopper.open(`${FORM}${shopper.stage.tag(shopper.checkout({ isDone: true }))}`);
      await page.getByRole('link', { name: 'Continue to the shop' }).click();
      assert.equal((await shopper.arrive(page)).searchParams.get('order'), '17');
    });

    test('a runtime that cannot be loaded is told', async () => {
      const html = `${options('{ onError(e) { log.push(e.name) } }')}${FORM}${shopper.stage.tag(shopper.checkout(), 'nonce="n1"')}`;
      const page = await shopper.open(html);
      await page.context().route('**/static.min.js', (route) => route.abort());
      await page.reload();
      await page.waitForFunction('log.length === 1');
      assert.deepEqual(await shopper.log(page), ['WidgetError']);
      assert.equal(await page.locator('.wpwl-widget').count(), 0);
    });

    test('details that are only stored', async () => {
      const id = shopper.checkout({ endpoint: '/registration', amount: null, currency: null, paymentType: null });
      const src = `${shopper.stage.gateway}/v1/paymentWidgets.js?checkoutId=${id}/registration`;
      const page = await shopper.open(`<script src="${src}"></script>${FORM}`);
      await shopper.ready(page);
      assert.deepEqual(await page.evaluate('[wpwl.checkout.endpoint, wpwl.checkout.amount]'), ['/registration', null]);
      await shopper.pay(page);
      await shopper.arrive(page);
      assert.equal(shopper.stage.posts[0]?.path, `/v1/checkouts/${id}/registration`);
    });

    test('nothing jumps: the place is kept while it loads', async () => {
      const page = await shopper.browser.open({ width: 900 });
      await page.route('**/widget', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1_200));
        await route.continue();
      });
      await page.goto(shopper.stage.page(`${FORM}${shopper.stage.tag(shopper.checkout())}<p id="below">below</p>`));
      await page.locator('.wpwl-skeleton').waitFor();
      const box = await page.locator('.wpwl-skeleton').boundingBox();
      assert.ok((box?.height ?? 0) > 300, JSON.stringify(box));
      await shopper.ready(page);
      assert.equal(await page.locator('.wpwl-skeleton').count(), 0);
    });
  });

  describe('policies of the page', () => {
    const rows: readonly (readonly [name: string, policy: (host: string) => string])[] = [
      [
        "the document's own recipe",
        (host) =>
          `style-src 'self' ${host} 'unsafe-inline'; frame-src 'self' ${host}; script-src 'self' ${host} 'nonce-n1'; connect-src 'self' ${host}; img-src 'self' ${host}`,
      ],
      [
        'no inline styles and scripts by nonce only',
        (host) =>
          `default-src 'none'; style-src ${host}; frame-src ${host}; script-src 'nonce-n1' 'strict-dynamic'; connect-src ${host}; img-src ${host}; form-action ${host}`,
      ],
      ['scripts by nonce without trust passed on', (host) => `script-src 'nonce-n1'; style-src 'nonce-n1'; frame-src ${host}`],
    ];
    for (const [name, policy] of rows) {
      test(name, async () => {
        const html = `${options(`{ onResult(r) { log.push(r.outcome); return false } }`)}${shopper.stage.tag(shopper.checkout(), 'nonce="n1"')}${FORM}`;
        const page = await shopper.open(html, { 'content-security-policy': policy(shopper.stage.gateway) });
        const violations: string[] = [];
        page.on('console', (message) => void (/Content Security Policy/.test(message.text()) && violations.push(message.text())));
        await shopper.ready(page);
        assert.equal(
          await page.evaluate(`getComputedStyle(document.querySelector('${CARD} form')).outlineColor`),
          'rgb(1, 2, 3)',
        );
        await shopper.pay(page);
        assert.deepEqual([await shopper.logged(page), violations], [['success'], []]);
      });
    }

    test('a bank that may not be framed gets the whole tab', async () => {
      const policy = { 'content-security-policy': `frame-src ${shopper.stage.gateway}` };
      const page = await shopper.open(`${shopper.stage.tag(shopper.checkout())}${FORM}`, policy);
      await shopper.ready(page);
      await page.locator('.wpwl-control-cardHolder').fill('AWAY');
      await shopper.pay(page);
      await shopper.arrive(page);
      assert.deepEqual(shopper.flows(), [
        ['iframe', 'frame'],
        ['document', 'tab'],
      ]);
    });

    test('a page that lets no frame of ours in is paid in the whole tab', async () => {
      const page = await shopper.open(`${shopper.stage.tag(shopper.checkout())}${FORM}`, {
        'content-security-policy': "frame-src 'self'",
      });
      await shopper.ready(page);
      await shopper.pay(page);
      await shopper.arrive(page);
      assert.deepEqual(shopper.flows(), [['document', 'tab']]);
    });

    test('a page that may not send us forms is told so', async () => {
      const html = `${options('{ onError(e) { log.push(e.event) } }')}${shopper.stage.tag(shopper.checkout(), 'nonce="n1"')}${FORM}`;
      const page = await shopper.open(html, { 'content-security-policy': "form-action 'self'" });
      await shopper.ready(page);
      await shopper.pay(page);
      await page.waitForFunction('log.length === 1');
      assert.deepEqual(await shopper.log(page), ['form-action']);
      assert.equal(await page.locator(`${CARD} button[name=pay]`).isEnabled(), true);
    });
  });
});
