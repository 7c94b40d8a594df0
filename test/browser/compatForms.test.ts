import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { ACTION, CARD, type Compat, FORM, options, startCompat } from './compatShop.ts';

/** What pages do with their forms and with ours: every one of these habits is paid to the end, and what it adds is in the payment. */

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

  /** What is posted to pay. */
  const posted = (page: Page): Promise<Request> =>
    page.waitForRequest((request) => request.method() === 'POST' && /\/checkouts\/[^/]+\/payment$/.test(request.url()));

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

  test('inputs that are put before the button are sent, and arrive in the payment', async () => {
    const page = await openWith(`onReady() {
      const form = document.querySelector('form.wpwl-form-card');
      form.querySelector('.wpwl-button').insertAdjacentHTML('beforebegin',
        '<input type="hidden" name="createRegistration" value="false">' +
        '<label><input type="checkbox" name="createRegistration" value="true"> Save</label>' +
        '<select name="recurring.numberOfInstallments"><option>3</option><option>6</option></select>' +
        '<input type="hidden" name="standingInstruction.type" value="INSTALLMENT">' +
        '<input type="hidden" name="standingInstruction.mode" value="INITIAL">' +
        '<input type="hidden" name="standingInstruction.source" value="CIT">' +
        '<input type="hidden" name="customParameters[SHOPPER_tipo]" value="T 01 \\u00e9">' +
        '<input type="hidden" name="customParameters[SHOPPER_off]" value="never" disabled>' +
        '<input type="hidden" name="customer.email" value="ann@example.org">' +
        '<input name="shipping.city" value="Shelbyville">');
      const city = document.createElement('input');
      city.name = 'billing.city';
      city.value = 'Springfield';
      form.prepend(city);
    }`);
    await page.locator('input[type=checkbox][name=createRegistration]').check();
    await page.locator('select[name="recurring.numberOfInstallments"]').selectOption('6');
    const [request, { body }] = await Promise.all([posted(page), payOn(page)]);
    const sent = new URLSearchParams(request.postData() ?? '');
    assert.equal(sent.get('recurring.numberOfInstallments'), '6');
    assert.match(body.registrationId ?? '', /^[0-9a-f]{32}$/);
    assert.deepEqual(body.customParameters, { SHOPPER_tipo: 'T 01 é' });
    assert.deepEqual([body.billing.city, body.shipping.city], ['Springfield', 'Shelbyville']);
    assert.equal(body.customer.email, 'ann@example.org');
    assert.deepEqual([body.standingInstruction.mode, body.standingInstruction.type], ['INITIAL', 'INSTALLMENT']);
  });

  test('groups that are moved with their frames, and frames that are moved alone', async () => {
    const page = await openWith(`onReady() {
      const group = (name) => document.querySelector('.wpwl-group-' + name);
      const brand = group('brand');
      brand.remove();
      group('cardNumber').after(brand);
      group('submit').before(group('cardNumber'));
      const own = Object.assign(document.createElement('div'), { className: 'own' });
      group('submit').before(own);
      own.append(document.querySelector('iframe.wpwl-control-cvv'));
      log.push('moved');
    }`);
    assert.deepEqual(await compat.log(page), ['moved']);
    assert.equal(await page.locator('.own iframe').count(), 1);
    await payOn(page);
  });

  test('a frame that is moved when something is in it is asked for again, and never sent without', async () => {
    const page = await openWith('');
    await compat.fillCard(page);
    await page.evaluate("document.querySelector('.wpwl-group-cvv').after(document.querySelector('.wpwl-group-cardNumber'))");
    await compat.field(page, 'card.number').locator('input').waitFor();
    await compat.pay(page);
    await page.locator('.wpwl-hint-cardNumberError').waitFor();
    await compat.field(page, 'card.number').locator('input').fill('4200000000000000');
    await page.locator('.wpwl-hint-cardNumberError').waitFor({ state: 'detached' });
    await compat.pay(page);
    await assertPaid(page);
  });

  test('a badge that is cloned and pictured by the page, and follows the brand', async () => {
    const page = await openWith(`
      onReady() {
        const first = document.querySelector('.wpwl-brand');
        for (const brand of ['MASTER', 'VISA']) {
          const own = first.cloneNode();
          own.className = 'wpwl-brand wpwl-brand-card wpwl-brand-custom wpwl-brand-' + brand;
          own.style.backgroundImage = 'url(${compat.gateway.url}/v1/static/' + wpwl.cacheVersion + '/img/brand.png)';
          first.after(own);
        }
      },
      onChangeBrand(brand) {
        log.push(brand);
        for (const own of document.querySelectorAll('.wpwl-brand-custom'))
          own.style.opacity = own.classList.contains('wpwl-brand-' + brand) ? '1' : '0.2';
      }`);
    assert.deepEqual(await compat.logged(page, 1), ['VISA']);
    const { body } = await (async () => {
      await compat.fillCard(page, { number: '5200000000000007' });
      await page.waitForFunction("document.querySelector('.wpwl-brand-custom.wpwl-brand-MASTER').style.opacity === '1'");
      await compat.pay(page);
      return assertPaid(page);
    })();
    assert.equal(body.paymentBrand, 'MASTER');
    assert.deepEqual(await compat.log(page), ['VISA', 'MASTER']);
  });

  test('button, holder and containers dressed by the page; the inputs of its shop system do no harm', async () => {
    const page = await openWith(`onReady() {
      for (const form of document.forms) form.insertAdjacentHTML('beforeend',
        '<input type="hidden" name="form_key" value="k"><input type="hidden" name="__csrf_token" value="c">' +
        '<input type="hidden" name="amount" value="0.01"><input name="submit" type="hidden" value="x">' +
        '<input type="hidden" name="customParameters[order]" value="own">');
      for (const one of document.querySelectorAll('.wpwl-form [name=form_key]')) one.remove();
      const button = document.querySelector('.wpwl-button-pay');
      button.innerHTML = '<b>Buy</b> now';
      button.classList.add('btn', 'btn-primary');
      button.style.background = 'rgb(1, 2, 3)';
      button.addEventListener('click', () => log.push('own handler'));
      const holder = document.querySelector('.wpwl-control-cardHolder');
      holder.value = 'Written Beforehand';
      holder.setAttribute('placeholder', 'Your name');
      holder.setAttribute('autocomplete', 'name');
      holder.setAttribute('direction', 'rtl');
      const container = document.querySelector('.wpwl-container');
      const around = Object.assign(document.createElement('div'), { id: 'around' });
      container.before(around);
      around.append(container);
    }`);
    const button = compat.payButton(page, `#around ${CARD}`);
    assert.equal(await button.innerText(), 'Buy now');
    const [request, { body }] = await Promise.all([posted(page), payOn(page, { holder: '' })]);
    const sent = [...new URLSearchParams(request.postData() ?? '').keys()];
    assert.deepEqual(
      sent.filter((name) => /^(?:form_key|__csrf_token|amount|submit|card\.number|card\.cvv|customParameters.*)$/.test(name)),
      [],
    );
    assert.deepEqual([body.card.holder, body.amount, body.customParameters], ['Written Beforehand', '92.00', undefined]);
    assert.deepEqual(await compat.log(page), ['own handler']);
  });

  test('the page presses the button itself', async () => {
    const page = await openWith('');
    await compat.fillCard(page);
    await page.evaluate("document.querySelector('.wpwl-button-pay').click()");
    await assertPaid(page);
  });

  test('the page sends the form of a brand by itself as soon as it is there', async () => {
    const form = widgets('PAYPAL');
    const text = `onReady() {
      const [form] = document.getElementsByClassName('wpwl-form');
      form.removeAttribute('target');
      form.submit();
    }`;
    const page = await compat.open(options(`{ ${text} }`) + compat.tag(await compat.makeCheckout()) + form, { isReady: false });
    await page.waitForURL('**/sandbox/bank/**');
    await page.getByRole('button', { name: /^pay /i }).click();
    const { body } = await assertPaid(page);
    assert.equal(body.paymentBrand, 'PAYPAL');
  });

  test('values that the page writes count, with events and without', async () => {
    const page = await openWith('');
    await compat.fillCard(page, { holder: '', expiry: '' });
    await page.evaluate(`{
      document.querySelector('.wpwl-control-expiry').value = '05 / 2034';
      const holder = document.querySelector('.wpwl-control-cardHolder');
      holder.value = 'Ann Restored';
      holder.dispatchEvent(new Event('change', { bubbles: true }));
    }`);
    await compat.pay(page);
    const { body } = await assertPaid(page);
    assert.deepEqual([body.card.holder, body.card.expiryMonth, body.card.expiryYear], ['Ann Restored', '05', '2034']);
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
    assert.equal(await compat.payButton(page).isEnabled(), true);
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
