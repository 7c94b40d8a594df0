import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { CARD, type Compat, FORM, options, startCompat } from './compatShop.ts';

/** What the loader begins before the runtime is there: it is used once, and nothing of it is left over. */
describe('the head start of the loader', { skip: noBrowser }, () => {
  let compat: Compat;
  before(async () => {
    compat = await startCompat();
  });
  afterEach(() => compat.forget());
  after(() => compat.close());

  const HEARD = '{ onReadyIframeCommunication() { log.push(this.$iframe[0].name) } }';
  const fieldFrames = (page: Page): Promise<number> => page.locator('iframe[src*="pciIframe.html"]').count();

  /** Opens a page in a window of its own and tells what was asked of the gateway, until both frames have answered. */
  async function visit(html: string, prepare: (page: Page) => Promise<unknown> = async () => {}) {
    const asked: string[] = [];
    const page = await compat.open('<p>A shop</p>', { isReady: false, width: 902 });
    await prepare(page);
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin === compat.gateway.url) asked.push(url.pathname.replace(/[0-9a-f]{16}|[0-9A-F]{32}-[\w-]+/, '*'));
    });
    await page.goto(compat.shop.page(html), { waitUntil: 'commit' });
    const times = (path: string): number => asked.filter((one) => one === path).length;
    return { page, asked, times };
  }

  async function payable(page: Page): Promise<void> {
    await compat.logged(page, 2);
    await compat.fillCard(page);
    await compat.pay(page);
    assert.equal((await compat.outcome(page)).code, '000.100.110');
  }

  test('everything is asked for once, and the frames that were begun are those of the form', async () => {
    const { page, asked, times } = await visit(options(HEARD) + compat.tag(await compat.makeCheckout()) + FORM);
    assert.deepEqual((await compat.logged(page, 2)).toSorted(), ['card.cvv', 'card.number']);
    assert.equal(times('/v1/pciIframe.html'), 2);
    for (const path of ['/v1/checkouts/*/widget', '/v1/static/*/labels/en.json', '/v1/static/*/css/card.css'])
      assert.equal(times(path), 1, path);
    assert.ok(asked.indexOf('/v1/pciIframe.html') < asked.findIndex((path) => path.includes('/img/')), 'frames before pictures');
    assert.deepEqual([await fieldFrames(page), await page.locator(`${CARD} iframe[src*="pciIframe.html"]`).count()], [2, 2]);
    await payable(page);
  });

  test('a browser that cannot move a frame as it is loads each once, in its place', async () => {
    const html = options(HEARD) + compat.tag(await compat.makeCheckout()) + FORM;
    const { page, times } = await visit(html, (one) => one.addInitScript('delete Element.prototype.moveBefore'));
    await compat.logged(page, 2);
    assert.deepEqual([times('/v1/pciIframe.html'), await fieldFrames(page)], [2, 2]);
    await payable(page);
  });

  test('a page that throws out what it does not know loads its frames anew', async () => {
    const clean = "<script>document.querySelectorAll('html > :not(head, body)').forEach((one) => one.remove())</script>";
    const { page } = await visit(options(HEARD) + compat.tag(await compat.makeCheckout()) + clean + FORM);
    await payable(page);
  });

  test('groups that a page moves when the form is there', async () => {
    const move = `{ onReady() { document.querySelector('.wpwl-group-cardHolder').after(document.querySelector('.wpwl-group-cardNumber')) },
      onReadyIframeCommunication() { log.push(this.$iframe[0].name) } }`;
    const { page } = await visit(options(move) + compat.tag(await compat.makeCheckout()) + FORM);
    await payable(page);
  });

  test('a class that a page sets around the form, at once or a little later, is seen inside the frame', async () => {
    const style = '<style>.dark .wpwl-control { color: rgb(1, 2, 3) } .late .wpwl-control { color: rgb(4, 5, 6) }</style>';
    const applyTheme = `{ onReady() { document.body.className = 'dark'; setTimeout(() => { document.body.className = 'late' }, 50) },
      onReadyIframeCommunication() { log.push(this.$iframe[0].name) } }`;
    const { page } = await visit(style + options(applyTheme) + compat.tag(await compat.makeCheckout()) + FORM);
    await compat.logged(page, 2);
    const frame = page.frames().find((one) => one.url().includes('field=card.number'));
    // The policy of the frame allows no text to be run that waits inside it.
    const colour = () => frame?.evaluate("getComputedStyle(document.querySelector('input')).color");
    for (let tries = 0; tries < 160 && (await colour()) !== 'rgb(4, 5, 6)'; tries += 1) await page.waitForTimeout(50);
    assert.equal(await colour(), 'rgb(4, 5, 6)');
  });

  test('options that come late are what counts', async () => {
    const late = "<script>wpwlOptions = { locale: 'de', style: 'plain' }</script>";
    const { page, times } = await visit(compat.tag(await compat.makeCheckout()) + FORM + late);
    await compat.ready(page);
    assert.equal(await page.locator(CARD).getAttribute('lang'), 'de');
    assert.match(await compat.payButton(page).innerText(), /92,00/);
    assert.deepEqual([times('/v1/checkouts/*/widget'), times('/v1/static/*/labels/de.json')], [1, 1]);
    assert.equal(await page.locator('link[href$="card.css"]').count(), 0);
  });

  test('a form without a card, and a script that is unloaded at once, leave no frame behind', async () => {
    const other = FORM.replace('VISA MASTER', 'PAYPAL');
    const { page } = await visit(compat.tag(await compat.makeCheckout()) + other);
    await compat.ready(page, '.wpwl-container-virtualAccount-PAYPAL');
    assert.equal(await fieldFrames(page), 0);
    const unloaded = await visit(`${compat.tag(await compat.makeCheckout())}<script>wpwl.unload()</script>${FORM}`);
    await unloaded.page.waitForLoadState();
    assert.equal(await fieldFrames(unloaded.page), 0);
  });

  test('whoever types before the script of the frame is there keeps what he has typed', async () => {
    const html = options(HEARD) + compat.tag(await compat.makeCheckout()) + FORM;
    let go = (): void => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const { page } = await visit(html, (one) => one.route('**/frame.min.js', (route) => held.then(() => route.continue())));
    const input = compat.field(page, 'card.number').locator('input');
    await input.pressSequentially('4200000000000000');
    go();
    await compat.logged(page, 2);
    assert.equal(await input.inputValue(), '4200 0000 0000 0000');
    await payable(page);
  });

  test('without a code there is one frame', async () => {
    const { page } = await visit(options('{ requireCvv: false }') + compat.tag(await compat.makeCheckout()) + FORM);
    await compat.ready(page);
    assert.equal(await fieldFrames(page), 1);
  });
});
