import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { buildWidget } from '../../src/assets/build.ts';
import { createClient, SHOPPER } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { type Browser, noBrowser, startBrowser } from './browser.ts';

/** What docs/widget.md tells developers to write is put into pages of a shop at another origin, word for word. */

const docs = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'widget.md'), 'utf8');
const blocks = [...docs.matchAll(/```([a-z]*)[^\n]*\n([\s\S]*?)```/g)].map(([, kind = '', text = '']) => ({ kind, text }));
const [classic = '', strict = ''] = blocks
  .filter(({ kind, text }) => kind === '' && text.includes('-src'))
  .map(({ text }) => text);
const tags = blocks.find(({ kind, text }) => kind === 'html' && text.includes('paymentWidgets'))?.text ?? '';

/** The calls of `mount` as the page about frameworks has them, with what each framework calls the element. */
const calls = [...docs.matchAll(/turnpike!?\.mount\(([^,]+), (\{[\s\S]*?\})\);/g)].map(([, place = '', options = '']) => ({
  place,
  options,
}));

type Shop = { readonly url: string; page(html: string, policy?: string): string; close(): Promise<void> };

async function startShop(): Promise<Shop> {
  const pages = new Map<string, { readonly html: string; readonly policy: string | undefined }>();
  const server = createServer((request, response) => {
    const found = pages.get(new URL(request.url ?? '/', 'http://shop').pathname);
    if (found?.policy) response.setHeader('content-security-policy', found.policy);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${found?.html ?? '<h1>Back at the shop</h1>'}`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url,
    page(html, policy) {
      const path = `/page${pages.size}`;
      pages.set(path, { html, policy });
      return url + path;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

describe('a page written by the book', { skip: noBrowser }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  let shop: Shop;
  const complaints: string[] = [];
  before(async () => {
    gateway = await startGateway({ patienceMs: 5_000, build: await buildWidget() });
    shop = await startShop();
    browser = await startBrowser();
  });
  afterEach(async () => {
    await browser.clear();
    assert.deepEqual(complaints.splice(0), []);
  });
  after(() => Promise.all([gateway.close(), shop.close(), browser.close()]));

  async function checkout(): Promise<{ readonly id: string; readonly integrity: string }> {
    const person = ['customer.givenName', 'customer.surname', 'customer.email'];
    const known = Object.entries(SHOPPER).filter(([name]) => name.startsWith('billing.') || person.includes(name));
    const fields = { amount: '92.00', currency: 'EUR', paymentType: 'DB', integrity: 'true', ...Object.fromEntries(known) };
    return (await createClient(gateway.url).send('POST', '/v1/checkouts', fields)).body;
  }

  async function open(url: string): Promise<Page> {
    const page = await browser.open({ width: 900, height: 900 });
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error' && !/favicon/.test(line.text())) complaints.push(line.text());
    });
    await page.goto(url);
    return page;
  }

  async function pay(page: Page): Promise<void> {
    const field = (name: string) => page.frameLocator(`iframe[name="${name}"]`).locator('input');
    await field('card.number').pressSequentially('4200000000000000');
    await page.locator('.wpwl-control-expiry').pressSequentially('0534');
    await page.locator('.wpwl-control-cardHolder').fill('Ann Example');
    await field('card.cvv').pressSequentially('123');
  }

  async function arrive(page: Page): Promise<void> {
    await page.waitForURL(`${shop.url}/result?**`);
    const path = new URL(page.url()).searchParams.get('resourcePath') ?? '';
    assert.equal((await createClient(gateway.url).send('GET', path, {})).code, '000.100.110');
  }

  for (const [name, policy] of [
    ['the recipe that existing pages use', classic],
    ['the strict recipe', strict],
  ] as const) {
    test(`the two tags, under ${name}`, async () => {
      assert.match(policy, /script-src/);
      const { id, integrity } = await checkout();
      const html = tags
        .replaceAll('https://pay.example', gateway.url)
        .replaceAll('https://shop.example', shop.url)
        .replace('=ID"', `=${id}"`)
        .replace('INTEGRITY', integrity)
        .replaceAll('<script', '<script nonce="n0nce"');
      const allowed = policy
        .replaceAll('https://pay.example', gateway.url)
        .replaceAll("'nonce-N'", "'nonce-n0nce'")
        // The icon of the page is the shop's own, and has nothing to do with the recipe.
        .replace('img-src', 'img-src data:')
        .replaceAll('\n', ' ');
      const page = await open(shop.page(html, allowed));
      await page.locator('.wpwl-container-card form').waitFor();
      await pay(page);
      await page.locator('.wpwl-button-pay').click();
      await arrive(page);
    });
  }

  async function mountable(): Promise<{ readonly page: Page; readonly id: string }> {
    const { id } = await checkout();
    const page = await open(
      shop.page(`<script src="${gateway.url}/v1/paymentWidgets.js"></script><div id="place"><i>mine</i></div>`),
    );
    return { page, id };
  }

  test('mount, update, execute and unmount, as the page has them', async () => {
    const { page, id } = await mountable();
    const text = blocks.find(({ kind, text }) => kind === 'js' && text.includes('turnpike.mount'))?.text ?? '';
    const [making = '', ...rest] = text.split(/^widget\./m);
    await page.evaluate(
      `(() => { const element = document.getElementById('place'), checkoutId = '${id}'; ${making}; window.widget = widget; })()`,
    );
    await page.locator('#place .wpwl-container-card form').waitFor();
    assert.equal(await page.locator('#place i').textContent(), 'mine');
    await page.evaluate(`widget.${rest[0]}`);
    await page.locator('[data-tp-theme=dark]').first().waitFor();
    await pay(page);
    assert.match(rest[1] ?? '', /^executePayment/);
    assert.equal(await page.evaluate(`widget.${(rest[1] ?? '').split(';')[0]}`), true);
    await arrive(page);
  });

  test('there is a call for each of the frameworks', () => {
    assert.deepEqual(
      calls.map(({ place }) => place),
      ['element', 'place.current', 'place.value', 'this.place().nativeElement'],
    );
  });

  for (const { place, options } of calls.slice(1)) {
    test(`${place}: mounted, taken away and mounted again, as frameworks do; the element is as it was`, async () => {
      const { page, id } = await mountable();
      const around = `
        const element = document.getElementById('place');
        const checkoutId = '${id}', onResult = () => {};
        const self = { place: () => ({ nativeElement: element }), checkoutId: () => checkoutId };
        const place = { current: element, value: element };
        window.mountAgain = function () { return turnpike.mount(${place}, ${options}); }.bind(self);`;
      await page.evaluate(`(() => { ${around} })()`);
      const before = await page.locator('#place').innerHTML();
      await page.evaluate('window.first = mountAgain(); first.unmount(); window.second = mountAgain(); 0');
      await page.locator('#place .wpwl-container-card form').waitFor();
      assert.equal(await page.locator('.wpwl-container-card').count(), 1);
      await page.evaluate('second.unmount()');
      await page.locator('.wpwl-widget').waitFor({ state: 'detached' });
      assert.equal(await page.locator('#place').innerHTML(), before);
      await page.evaluate('window.third = mountAgain(); 0');
      await page.locator('#place .wpwl-container-card form').waitFor();
      await pay(page);
      await page.locator('.wpwl-button-pay').click();
      await arrive(page);
    });
  }
});
