import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { buildWidget } from '../../src/assets/build.ts';
import { allTexts } from '../../src/widget/allTexts.ts';
import { createClient, DEMO, CARD as ENTERED, type Fields, OTHER, SHOPPER } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { signedInAs } from '../http/userFixture.ts';
import { ACTION, CARD, options, startPages } from './compatShop.ts';
import { KEY, openWebKit, skipWithoutWebKit, type WebKitTab } from './webkit.ts';

/** What shoppers and users of the back office do, in WebKitGTK: the engine of Safari, with frames of another site. */

const { labels } = allTexts.en;
const PAID = '000.100.110';
const STORED = '.wpwl-container-registration';
const CHALLENGED = '4200000000000018';
/** What 3D Secure asks of an address; the widget adds what it knows of the browser. */
const known: Fields = Object.fromEntries(Object.entries(SHOPPER).filter(([name]) => !/browser|\.ip$/.test(name)));
const skip = await skipWithoutWebKit();

describe('in WebKit', { skip }, () => {
  let gateway: TestGateway;
  let shop: Awaited<ReturnType<typeof startPages>>;
  let tab: WebKitTab;
  before(async () => {
    [gateway, shop] = await Promise.all([startGateway({ patienceMs: 5_000, build: await buildWidget() }), startPages()]);
  });
  after(() => Promise.all([gateway?.close(), shop?.close()]));
  afterEach(() => tab?.close());

  type Order = {
    readonly client?: ReturnType<typeof createClient>;
    readonly fields?: Fields;
    readonly brands?: string;
    readonly text?: string;
  };

  /** Opens a page of the shop with the widget; answers how its server asks for the outcome. */
  async function openShop({
    client = createClient(gateway.url, OTHER),
    fields = {},
    brands = 'VISA MASTER',
    text = '{}',
  }: Order = {}) {
    const { body } = await client.send('POST', '/v1/checkouts', {
      amount: '92.00',
      currency: 'EUR',
      paymentType: 'DB',
      ...fields,
    });
    const faults = "<script>window.faults = []; addEventListener('error', (event) => faults.push(event.message))</script>";
    const script = `<script src="${gateway.url}/v1/paymentWidgets.js?checkoutId=${body.id}"></script>`;
    const form = `<form action="${ACTION}" class="paymentWidgets" data-brands="${brands}"></form>`;
    tab = await openWebKit();
    await tab.open(shop.page(`${faults}${options(text)}${script}${form}`));
    return {
      async outcome(): Promise<string> {
        const url = await tab.arrive('/result?order=17');
        return (await client.send('GET', url.searchParams.get('resourcePath') ?? '', {})).code;
      },
    };
  }

  const framed = (name: string, within = CARD) => ({ css: 'input', frames: [`${within} iframe[name="${name}"]`] });
  const pay = (within = CARD) => ({ css: `${within} button.wpwl-button-pay[type=submit]` });

  async function enterCard({ number = '4200000000000000', holder = 'Ann Example' } = {}): Promise<void> {
    await tab.type(framed('card.number'), number);
    await tab.type(`${CARD} .wpwl-control-expiry`, '0534');
    await tab.type(`${CARD} .wpwl-control-cardHolder`, holder);
    await tab.type(framed('card.cvv'), '123');
  }

  /** Types the code that the sandbox's issuer shows, in a frame of the gateway's page. */
  async function confirm(): Promise<void> {
    const frames = ['iframe.wpwl-target', 'iframe'];
    await tab.wait({ css: 'input[name="code"]', frames });
    const code = /\b[0-9]{6}\b/.exec(await tab.text({ css: 'body', frames }))?.[0] ?? '';
    await tab.type({ css: 'input[name="code"]', frames }, code);
    await tab.click({ css: 'button[value="submit"]', frames });
  }

  test('a card: every wrong field has its message, then all are typed and it is paid', async () => {
    const { outcome } = await openShop();
    await tab.type(framed('card.number'), '4200');
    await tab.press(KEY.tab);
    await tab.wait(`${CARD} .wpwl-hint-cardNumberError`);
    await tab.click(pay());
    await tab.wait(`${CARD} .wpwl-hint-cvvError`);
    const hints = await tab.run<string[]>(
      `return [...document.querySelectorAll('.wpwl-hint')].map((hint) => hint.innerText.trim())`,
    );
    assert.deepEqual(hints, [
      'The card number is too short: digits are missing',
      'Enter the expiry date',
      'Enter the security code',
    ]);
    await tab.shot('webkit-faults');
    await tab.type(framed('card.number'), '000000000000');
    await tab.type(`${CARD} .wpwl-control-expiry`, '0534');
    await tab.type(`${CARD} .wpwl-control-cardHolder`, 'Ann Example');
    await tab.type(framed('card.cvv'), '123');
    await tab.until(`document.querySelectorAll('.wpwl-hint').length === 0`);
    assert.deepEqual(await tab.run('return faults'), []);
    await tab.click(pay());
    assert.equal(await outcome(), PAID);
  });

  test('3D Secure asks for a code, in a frame of the page of another site', async () => {
    const { outcome } = await openShop({ client: createClient(gateway.url, DEMO), fields: known });
    await enterCard({ number: CHALLENGED });
    await tab.click(pay());
    await tab.wait('iframe.wpwl-target');
    await tab.shot('webkit-challenge');
    await confirm();
    assert.equal(await outcome(), PAID);
  });

  test('a stored card with one click, and with its security code', async () => {
    const client = createClient(gateway.url, OTHER);
    for (const text of ['{}', '{ registrations: { requireCvv: true } }']) {
      const { id } = await client.send('POST', '/v1/registrations', ENTERED);
      const { outcome } = await openShop({ fields: { 'registrations[0].id': id }, text });
      await tab.wait(pay(STORED));
      if (text !== '{}') await tab.type(framed('card.cvv', STORED), '123');
      await tab.click(pay(STORED));
      assert.equal(await outcome(), PAID);
      if (text === '{}') await tab.close();
    }
  });

  test('wallets that this browser has not got leave no button and no gap, and a card pays', async () => {
    const { outcome } = await openShop({ brands: 'APPLEPAY VISA' });
    await enterCard();
    assert.equal(await tab.run(`return typeof ApplePaySession`), 'undefined');
    assert.equal(await tab.run(`return document.querySelectorAll('.wpwl-apple-pay-button').length`), 0);
    assert.deepEqual(await tab.run('return faults'), []);
    await tab.click(pay());
    assert.equal(await outcome(), PAID);
  });

  test('by keyboard alone: from field to field through the frames, and Enter pays', async () => {
    const { outcome } = await openShop();
    await tab.wait(framed('card.cvv'));
    const at = (): Promise<string> => tab.run(`const at = document.activeElement; return at.name || at.className || at.tagName`);
    const parts = [
      ['card.number', '4200000000000000'],
      ['card.expiry', '0534'],
      ['card.cvv', '123'],
      ['card.holder', 'Ann Example'],
    ] as const;
    for (let presses = 0; presses < 20 && (await at()) !== 'card.number'; presses += 1) {
      await tab.press(KEY.tab);
      await tab.until('document.activeElement !== document.body');
    }
    for (const [name, text] of parts) {
      await tab.until(`document.activeElement.name === '${name}'`);
      await tab.press(...text, KEY.tab);
    }
    await tab.until(`document.activeElement.name === 'pay'`);
    assert.equal(
      await tab.run(`return getComputedStyle(document.activeElement).outlineStyle`),
      'solid',
      'where he is can be seen',
    );
    await tab.press(KEY.enter);
    assert.equal(await outcome(), PAID);
  });

  test('the accessibility tree names every field, and says which is wrong', async () => {
    await openShop();
    await tab.wait(framed('card.cvv'));
    assert.deepEqual(await tab.role(framed('card.number')), ['textbox', labels.cardNumber]);
    assert.deepEqual(await tab.role(framed('card.cvv')), ['textbox', labels.cvv]);
    assert.deepEqual(await tab.role(`${CARD} .wpwl-control-expiry`), ['textbox', labels.expiryDate]);
    assert.deepEqual(await tab.role(`${CARD} .wpwl-control-cardHolder`), [
      'textbox',
      `${labels.cardHolder} · ${labels.optional}`,
    ]);
    assert.equal((await tab.role(pay()))[0], 'button');
    await tab.click(pay());
    const frames = [`${CARD} iframe[name="card.number"]`];
    await tab.until(`document.querySelector('input').getAttribute('aria-invalid') === 'true'`, frames);
  });

  test('the demo shop from the product to the result', async () => {
    tab = await openWebKit();
    await tab.open(`${gateway.url}/demo?language=en`);
    await tab.click({ css: 'button', text: 'Continue to payment' });
    await tab.until(`document.documentElement.dataset.ready === 'yes'`);
    await tab.shot('webkit-demo');
    await enterCard({ number: CHALLENGED });
    await tab.click(pay());
    await confirm();
    await tab.arrive('/demo/result?');
    assert.equal(await tab.text('h1'), labels.resultSuccess);
    await tab.shot('webkit-demo-result');
  });

  test('a payment link is paid', async () => {
    const { ask } = await signedInAs(gateway);
    const { body } = await ask('POST', '/paymentLinks', { entityId: OTHER.entityId, amount: '92.50', currency: 'EUR' });
    tab = await openWebKit();
    await tab.open(body.url);
    assert.equal(await tab.text('h1'), '€92.50');
    await enterCard();
    await tab.shot('webkit-link');
    await tab.click(pay());
    await tab.wait({ css: '[role=status]', text: 'Thank you' });
  });
});
