import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { buildWidget } from '../../src/assets/build.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { answerChallenge } from '../../src/testing/playwright.ts';
import { createClient, OTHER } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { noBrowser } from './browser.ts';
import { CARD, type Compat, startCompat } from './compatShop.ts';

/** Pages that apps hand to a browser as text have no origin, and neither has what stands in a sandbox. */

/** An element for another page, as far as it is set here. */
type Inner = { src: string; srcdoc: string; setAttribute(name: string, value: string): void };

const PAID = '000.100.110';
const OPEN = '5eed00000000000000000000000000e7';
const SECURE = '5eed00000000000000000000000000e8';

describe('pages without an origin', { skip: noBrowser }, () => {
  let compat: Compat;
  let gateway: TestGateway;
  before(async () => {
    compat = await startCompat();
    const channel = { kind: 'channel', parentId: sandbox.otherShop.merchantId } as const;
    const settings = { widgetOrigins: [compat.shop.url, 'null'] };
    const rows = {
      entities: [
        { ...channel, id: OPEN, name: 'Open', settings },
        { ...channel, id: SECURE, name: 'Secure', settings: { ...settings, threeDSecure: true } },
      ],
      tokens: [],
    };
    gateway = await startGateway({ patienceMs: 5_000, build: await buildWidget(), rows });
  });
  afterEach(() => compat.forget());
  after(async () => {
    await gateway.close();
    await compat.close();
  });

  const LISTEN = `log = []; addEventListener('message', ({ data }) => messages.push(JSON.stringify(data))); messages = [];
    addEventListener('unload', () => {}); var wpwlOptions = { onError(e) { log.push(e.name + ' ' + e.message) }, onResult(r) { log.push(r.outcome); return false } }`;
  const html = (
    url: string,
    id: string,
    brands = 'VISA',
  ): string => `<!doctype html><meta charset="utf-8"><script>${LISTEN}</script>
    <script src="${url}/v1/paymentWidgets.js?checkoutId=${id}"></script>
    <form class="paymentWidgets" data-brands="${brands}" action="https://shop.example/result"></form>`;

  async function makeCheckout(
    entityId: string,
    fields = {},
  ): Promise<{ readonly id: string; readonly status: () => Promise<string> }> {
    const client = createClient(gateway.url, { ...OTHER, entityId });
    const { id } = await client.send('POST', '/v1/checkouts', { amount: '92.00', currency: 'EUR', paymentType: 'DB', ...fields });
    return { id, status: async () => (await client.send('GET', `/v1/checkouts/${id}/payment`, {})).code };
  }

  const framed = async (page: Page, set: (frame: Inner, text: string) => void, text: string): Promise<Frame> => {
    await page.evaluate(
      `{ const frame = document.createElement('iframe'); frame.width = 800; frame.height = 900;
        (${set})(frame, ${JSON.stringify(text).replaceAll('</', '<\\/')}); document.body.append(frame) }`,
    );
    await page.locator('iframe').first().waitFor();
    return page.frames()[1] as Frame;
  };
  /** As apps hand a page to a browser: its address is its own text. */
  const asText = (page: Page, text: string): Promise<Frame> =>
    framed(page, (frame, own) => (frame.src = `data:text/html;charset=utf-8,${encodeURIComponent(own)}`), text);
  const shopPage = (): Promise<Page> => compat.open('<p>Shop</p>', { isReady: false });
  const logOf = (frame: Frame): Promise<string[]> => frame.evaluate('log');
  async function logged(frame: Frame): Promise<string[]> {
    for (let tries = 0; tries < 120 && (await logOf(frame)).length === 0; tries += 1) await frame.waitForTimeout(50);
    return logOf(frame);
  }
  async function pay(frame: Frame, number = '4200000000000000'): Promise<void> {
    const field = (name: string) => frame.locator(CARD).frameLocator(`iframe[name="${name}"]`).locator('input');
    await field('card.number').pressSequentially(number);
    await field('card.cvv').pressSequentially('123');
    await frame.locator(`${CARD} .wpwl-control-expiry`).fill('0534');
    await frame.locator(`${CARD} button[type=submit]`).click();
  }

  test('refused where nobody has named them, and the page is told why', async () => {
    const { id } = await compat.makeCheckout();
    const page = await shopPage();
    const frame = await asText(page, html(compat.gateway.url, id, 'VISA PAYPAL'));
    await frame.locator('.wpwl-container-virtualAccount-PAYPAL form').waitFor();
    const [said, ...more] = await logged(frame);
    assert.match(said ?? '', /^PciIframeCommunicationError This page has no origin.* widgetOrigins$/);
    assert.deepEqual(more, []);
    assert.equal(await frame.locator(`${CARD}, iframe[name^="card."]`).count(), 0);
    await frame.locator('.wpwl-message.wpwl-has-error').waitFor();
  });

  test('pay where the channel names null, and nothing of the card is told', async () => {
    const { id, status } = await makeCheckout(OPEN);
    const page = await shopPage();
    const frame = await asText(page, html(gateway.url, id));
    await pay(frame);
    assert.deepEqual(await logged(frame), ['success']);
    assert.equal(await status(), PAID);
    const messages = (await frame.evaluate('messages.join()')) as string;
    assert.ok(messages.includes('"sealed"') && messages.includes('"outcome":"success"'));
    assert.ok(!messages.includes('4200000000000000') && !messages.includes('"123"'));
  });

  test('the issuer is asked inside such a page, too', async () => {
    const address = { 'billing.street1': 'A 1', 'billing.city': 'Berlin', 'billing.postcode': '10115', 'billing.country': 'DE' };
    const { id, status } = await makeCheckout(SECURE, address);
    const page = await shopPage();
    const frame = await asText(page, html(gateway.url, id));
    await pay(frame, '4200000000000018');
    await answerChallenge(page);
    assert.deepEqual(await logged(frame), ['success']);
    assert.equal(await status(), PAID);
  });

  test('a sandbox takes the fields their own origin: refused in any case, with a word why', async () => {
    const set = (frame: Inner, own: string): void => {
      frame.setAttribute('sandbox', 'allow-scripts allow-forms');
      frame.srcdoc = own;
    };
    const page = await shopPage();
    const { id } = await compat.makeCheckout();
    const refused = await framed(page, set, html(compat.gateway.url, id));
    assert.match((await logged(refused))[0] ?? '', /^PciIframeCommunicationError This page has no origin/);
    const other = await shopPage();
    const allowed = await makeCheckout(OPEN);
    const frame = await framed(other, set, html(gateway.url, allowed.id));
    await frame.locator(CARD).waitFor();
    await frame.locator(CARD).frameLocator('iframe[name="card.number"]').locator('input').waitFor();
    await frame.waitForTimeout(500);
    assert.equal(await frame.locator('iframe[data-tp-ready]').count(), 0);
  });

  test('a document in an attribute has the origin of the page around it, and pays', async () => {
    const page = await shopPage();
    const { id } = await compat.makeCheckout();
    const set = (frame: Inner, own: string): void => {
      frame.srcdoc = own;
    };
    const frame = await framed(page, set, html(compat.gateway.url, id));
    await pay(frame);
    assert.deepEqual(await logged(frame), ['success']);
    assert.equal((await compat.status(id)).code, PAID);
  });
});
