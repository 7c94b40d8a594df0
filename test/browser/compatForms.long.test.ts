import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { ACTION, CARD, type Compat, FORM, options, startCompat } from './compatShop.ts';

/** The forms of a page that come, go and change hands, with a payment at the end of each story. */

const PAID = '000.100.110';
const READY = "onReady(found) { log.push(found.map(({ containerKey }) => containerKey).join(' ')) }";
const widgets = (brands: string, action = ACTION): string =>
  `<form action="${action}" class="paymentWidgets" data-brands="${brands}"></form>`;

describe('forms of pages', { skip: noBrowser }, () => {
  let compat: Compat;
  before(async () => {
    compat = await startCompat();
  });
  afterEach(() => compat.forget());
  after(() => compat.close());

  /** A page with a checkout of its own and these options. */
  async function openWith(text: string, form = FORM): Promise<Page> {
    return compat.open(options(`{ ${text} }`) + compat.tag(await compat.makeCheckout()) + form);
  }

  async function assertPaid(page: Page) {
    const { code, body, url } = await compat.outcome(page);
    assert.equal(code, PAID, JSON.stringify(body));
    return { body, url };
  }

  async function payOn(page: Page, typed?: Parameters<Compat['fillCard']>[1]) {
    await compat.fillCard(page, typed);
    await compat.pay(page, typed?.within);
    return assertPaid(page);
  }

  test('two forms: each has its brands and its own result page', async () => {
    const page = await openWith(
      READY,
      `<div id="a">${widgets('VISA')}</div><div id="b">${widgets('MASTER', '/result?of=b')}</div>`,
    );
    assert.deepEqual(await compat.log(page), ['card card']);
    const { body, url } = await payOn(page, { within: `#b ${CARD}`, number: '5200000000000007' });
    assert.deepEqual([body.paymentBrand, url.searchParams.get('of'), url.searchParams.get('order')], ['MASTER', 'b', null]);
  });

  test('a form that comes long after the script, and one that comes after the first is gone', async () => {
    const page = await compat.open(options(`{ ${READY} }`) + compat.tag(await compat.makeCheckout()), { isReady: false });
    await page.waitForFunction('window.wpwl && document.querySelector("script[src*=static]")');
    await page.waitForTimeout(200);
    assert.equal(await page.locator('.wpwl-container').count(), 0);
    const insert = `document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(FORM)})`;
    await page.evaluate(insert);
    await compat.ready(page);
    await page.evaluate("document.querySelector('form.paymentWidgets').remove()");
    await page.locator('.wpwl-container').waitFor({ state: 'detached' });
    await page.evaluate(insert);
    await compat.ready(page);
    assert.deepEqual(await compat.log(page), ['card', 'card']);
    await payOn(page);
  });

  test('a form that is gone before the runtime comes: nothing happens, nothing is thrown, and the next one is filled', async () => {
    const gone = "<script>document.querySelector('.paymentWidgets').remove()</script>";
    const page = await compat.open(options(`{ ${READY} }`) + compat.tag(await compat.makeCheckout()) + FORM + gone, {
      isReady: false,
    });
    await page.waitForLoadState('networkidle');
    assert.deepEqual(await compat.log(page), []);
    await page.evaluate(`document.body.innerHTML = ${JSON.stringify(FORM)}`);
    await compat.ready(page);
    await payOn(page);
  });

  /** Names of the card form as pages hand them to executePayment. */
  const containers: readonly (readonly [says: string, name: string])[] = [
    ['its class', "'wpwl-container-card'"],
    ['all its classes with dots', "document.querySelector('.wpwl-container').className.trim().replace(/\\s+/g, '.')"],
  ];
  for (const [says, name] of containers) {
    test(`a button of the page pays by ${says}, with ours out of sight`, async () => {
      const page = await openWith(
        "onReady() { document.querySelector('.wpwl-group-submit').style.display = 'none' }",
        `${FORM}<button id="own" onclick="wpwl.executePayment(${name})">Own</button>`,
      );
      await compat.fillCard(page);
      await page.locator('#own').click();
      await assertPaid(page);
    });
  }

  test('executePayment for a container that is not there tells the page and sends nothing; an empty form is not sent', async () => {
    const page = await openWith(`onError(error) { log.push([error.name, error.event, error.message]) },
      onBeforeSubmitCard() { log.push('asked') }`);
    assert.equal(await page.evaluate("wpwl.executePayment('wpwl-container-registration')"), false);
    const [line] = (await compat.logged(page, 1)) as [string, string, string][];
    assert.deepEqual(line?.slice(0, 2), ['WidgetError', 'executePayment']);
    assert.match(line?.[2] ?? '', /wpwl-container-registration/);
    assert.equal(await page.evaluate("wpwl.executePayment('wpwl-container-card')"), false);
    assert.ok((await page.locator('.wpwl-hint').count()) > 0);
    await compat.fillCard(page);
    await compat.pay(page);
    await assertPaid(page);
  });

  test('unload, and the recipe for another checkout on the same page', async () => {
    const first = await compat.makeCheckout({ amount: '17.00' });
    const second = await compat.makeCheckout({ amount: '23.00' });
    const page = await compat.open(`${options(`{ ${READY} }`)}<div id="place">${FORM}</div>${compat.tag(first)}`);
    await compat.fillCard(page, { number: '5200000000000007' });
    const src = `${compat.gateway.url}/v1/paymentWidgets.js?checkoutId=${second.id}`;
    await page.evaluate(`{
      if (window.wpwl && wpwl.unload) {
        wpwl.unload();
        for (const script of document.querySelectorAll('script')) if (script.src.includes('static.min.js')) script.remove();
      }
      log.push(document.querySelectorAll('[class^=wpwl], iframe').length);
      window.wpwlOptions = { locale: 'de', onReady: () => log.push('again ' + wpwl.checkout.id) };
      const place = document.querySelector('#place');
      place.innerHTML = '';
      place.insertAdjacentHTML('beforeend', ${JSON.stringify(FORM)});
      const script = document.createElement('script');
      script.src = '${src}';
      document.head.append(script);
    }`);
    assert.deepEqual(await compat.logged(page, 3), ['card', 0, `again ${second.id}`]);
    assert.equal(await page.locator('.wpwl-container').count(), 1);
    assert.equal(await page.locator('.wpwl-label-cardNumber').textContent(), 'Kartennummer');
    const { body } = await payOn(page);
    assert.deepEqual([body.amount, body.ndc], ['23.00', second.id]);
    assert.equal((await compat.status(first)).code, '000.200.000');
  });

  test('another script without any unload takes the form over, and only one checkout is paid', async () => {
    const first = await compat.makeCheckout({ amount: '17.00' });
    const second = await compat.makeCheckout({ amount: '23.00' });
    const page = await compat.open(`${FORM}${compat.tag(first)}`);
    await page.evaluate(`document.head.append(Object.assign(document.createElement('script'),
      { src: '${compat.gateway.url}/v1/paymentWidgets.js?checkoutId=${second.id}' }))`);
    await page.waitForFunction(`document.querySelector('.wpwl-form-card')?.action.includes('${second.id}')`);
    assert.equal(await page.locator('.wpwl-container').count(), 1);
    const { body } = await payOn(page);
    assert.equal(body.amount, '23.00');
    assert.equal((await compat.status(first)).code, '000.200.000');
  });

  test('unload while nothing has come yet, and twice, throws nothing', async () => {
    const page = await compat.open(
      `${compat.tag(await compat.makeCheckout())}${FORM}<script>wpwl.unload(); wpwl.unload()</script>`,
      { isReady: false },
    );
    await page.waitForLoadState('networkidle');
    assert.equal(await page.locator('[class^=wpwl]').count(), 0);
    assert.equal(await page.locator('form.paymentWidgets').getAttribute('style'), null);
  });

  test('mounted, unmounted and mounted again at once, as frameworks do it: one form, which is paid', async () => {
    const { id } = await compat.makeCheckout();
    const src = `${compat.gateway.url}/v1/paymentWidgets.js?checkoutId=${id}`;
    const page = await compat.open(
      `<div id="root"></div><script>
        function mount() {
          window.wpwlOptions = { ${READY}, onError(error) { log.push(error.message) } };
          const root = document.querySelector('#root');
          root.insertAdjacentHTML('beforeend', ${JSON.stringify(FORM)});
          const script = Object.assign(document.createElement('script'), { src: '${src}', async: true });
          document.body.append(script);
          return () => {
            script.remove();
            window.wpwl?.unload?.();
            root.replaceChildren();
            delete window.wpwlOptions;
          };
        }
        window.unmount = mount();
        unmount();
        window.unmount = mount();
      </script>`,
    );
    await page.evaluate('unmount(); window.unmount = mount()');
    await compat.ready(page);
    await page.evaluate('unmount()');
    assert.equal(await page.locator('[class^=wpwl]').count(), 0);
    await page.evaluate('window.unmount = mount()');
    await compat.ready(page);
    assert.equal(await page.locator(CARD).count(), 1);
    assert.equal((await payOn(page)).body.ndc, id);
    assert.deepEqual(await compat.log(page), ['card', 'card', 'card']);
  });

  test('a form without an action: the result page that the shop sets while he types', async () => {
    const checkout = await compat.makeCheckout();
    const page = await compat.open(compat.tag(checkout) + FORM.replace(/action="[^"]*"/, 'method="post"'));
    await compat.fillCard(page);
    const shopperResultUrl = `${compat.shop.url}/result?late=yes`;
    const { body } = await compat.client.send('POST', `/v1/checkouts/${checkout.id}`, { shopperResultUrl });
    assert.match(body.result.code, /^000\.200\.101/, JSON.stringify(body));
    await compat.pay(page);
    const { url } = await assertPaid(page);
    assert.deepEqual([url.searchParams.get('late'), url.searchParams.get('id')], ['yes', checkout.id]);
  });

  test('an empty action is the page itself; what it shows then is the way on, and nothing is paid twice', async () => {
    const { id } = await compat.makeCheckout();
    const page = await compat.open(compat.tag(id) + FORM.replace(/action="[^"]*"/, 'action=""'));
    const { pathname } = new URL(page.url());
    await compat.fillCard(page);
    await compat.pay(page);
    await page.waitForURL((url) => url.searchParams.get('resourcePath') === `/v1/checkouts/${id}/payment`);
    assert.equal(new URL(page.url()).pathname, pathname);
    await page.locator('.wpwl-message').waitFor();
    assert.equal(await page.locator('.wpwl-form').count(), 0);
    assert.equal((await compat.status(id)).code, PAID);
  });

  test('a form out of sight, as in a dialog that opens later', async () => {
    const page = await openWith('', `<div id="modal" style="display: none">${FORM}</div>`);
    await page.evaluate("document.querySelector('#modal').style.display = 'block'");
    await payOn(page);
  });

  /** What the page's console says to developers. */
  function listen(page: Page): string[] {
    const lines: string[] = [];
    page.on('console', (line) => {
      if (line.text().startsWith('Turnpike: ')) lines.push(`${line.type()} ${line.text().slice(10)}`);
    });
    return lines;
  }

  test('developers are told which parameters keep a form from asking for an address', async () => {
    const { id } = await compat.makeCheckout({}, compat.secureClient);
    const page = await compat.open('<p>Nothing yet</p>', { isReady: false });
    const lines = listen(page);
    await page.goto(compat.shop.page(compat.tag(id) + FORM));
    await page.locator('.wpwl-group-billing').waitFor();
    assert.deepEqual(lines, [
      'info the form card asks the shopper for billing.street1, billing.city, billing.postcode, billing.country (3D Secure needs them). ' +
        'Send them with POST /v1/checkouts, and it does not ask.',
    ]);
  });

  test('developers are told of a form inside another form, whether the browser has dropped it or not', async () => {
    const { id } = await compat.makeCheckout();
    const page = await compat.open('<p>Nothing yet</p>', { isReady: false });
    const lines = listen(page);
    await page.goto(compat.shop.page(`${compat.tag(id)}<form id="big">${FORM}</form>`));
    await page.waitForEvent('console', (line) => line.text().includes('no element with the class paymentWidgets'));
    assert.match(lines[0] ?? '', /^warning this page has no element .*Use <div class="paymentWidgets"/);
    lines.length = 0;
    await page.evaluate(`{
      const [big, inner] = [document.createElement('form'), document.createElement('form')];
      Object.assign(inner, { className: 'paymentWidgets', action: '/result?order=17' }).dataset.brands = 'VISA MASTER';
      big.append(inner);
      document.body.append(big);
    }`);
    await compat.ready(page);
    assert.match(lines[0] ?? '', /^warning the form with the class paymentWidgets stands inside another form: /);
    await payOn(page);
  });

  test('a field in the middle of one big form of the page: only ours is sent', async () => {
    const place = `<div class="paymentWidgets" data-brands="VISA MASTER" data-action="${ACTION}"></div>`;
    const page = await openWith(
      '',
      `<form id="big" action="/nowhere" onsubmit="log.push('big')"><input name="a" required>${place}</form>`,
    );
    await payOn(page);
    assert.deepEqual(await compat.log(page), []);
  });
});
