import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, test } from 'node:test';
import { createClient, DEMO, SHOPPER } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { createUserWithPassword, PASSWORD, sessionFor, type TestUser, userOf } from '../http/userFixture.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { KEY, openWebKit, skipWithoutWebKit, type WebKitTab } from './webkit.ts';

/** What users of the back office do every day, in WebKitGTK: by what they see, click and type. */

const skip = await skipWithoutWebKit();
const axeSource = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const DIALOG = '[role=dialog]';

describe('the back office in WebKit', { skip }, () => {
  let gateway: TestGateway;
  let tab: WebKitTab;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway?.close());
  afterEach(() => tab?.close());

  const go = (path: string): Promise<void> => tab.open(gateway.backOfficeUrl + path);
  const heading = (text: string): Promise<void> => tab.wait({ css: 'h1', text });
  const button = (text: string, within = '') => ({ css: `${within} button`, text });
  const field = (label: string, within = '') => ({ css: `${within} input`, label });
  const see = (text: string, within = 'body'): Promise<void> =>
    tab.until(`[...document.querySelectorAll('${within}')].some((part) => part.innerText.includes(${JSON.stringify(text)}))`);

  /** Opens the back office for a user who has signed in. */
  async function sit(person: TestUser = {}, user = userOf(gateway, person)): Promise<void> {
    const { cookie } = await sessionFor(gateway, await user, person.isSteppedUp);
    tab = await openWebKit();
    await go('/assets/none');
    const [name = '', value = ''] = cookie.split('=');
    await tab.addCookie(name, value);
  }

  /** Fails when axe finds something, or the page can be scrolled sideways. */
  async function assertAccessible(what: string): Promise<void> {
    await tab.until(`matchMedia('(prefers-reduced-motion: reduce)').matches`);
    await tab.run(`${axeSource}; return 0`);
    const found = await tab.run(`return axe.run({ resultTypes: ['violations'], preload: false })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
    assert.deepEqual(found, [], what);
    const wide = await tab.run('return document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.equal(wide, 0, `${what} can be scrolled sideways`);
  }

  test('sign-in with password and code, by keyboard, leads to the page that was asked for', async () => {
    const { user, code } = await createUserWithPassword(gateway, { email: 'finn@shop.example' });
    tab = await openWebKit();
    await go('/payments');
    await tab.arrive('/sign-in');
    await tab.type(field('E-mail'), user.email);
    await tab.type('input[type=password]', 'not the right password');
    await tab.press(KEY.enter);
    await see('Wrong e-mail, password or code.');
    await assertAccessible('sign-in');
    await tab.fill('input[type=password]', PASSWORD);
    await tab.press(KEY.enter);
    await see('Two-step verification', 'h1, h2');
    await tab.type(field('Code'), code());
    await tab.press(KEY.enter);
    await heading('Payments');
    assert.equal(new URL(await tab.url()).pathname, '/payments');
  });

  test('a payment is found while typing, and partly refunded after a step-up', async () => {
    const shop = createClient(gateway.url);
    const { id } = await shop.pay({ ...SHOPPER, merchantTransactionId: 'order-webkit', amount: '57.31' });
    for (let number = 0; number < 3; number += 1) await shop.pay({ merchantTransactionId: `order-other-${number}` });
    const { user, code } = await createUserWithPassword(gateway, { role: 'finance', entityId: DEMO.merchantId });
    await sit({ isSteppedUp: false }, Promise.resolve(user));
    await go('/payments');
    await tab.until(`document.querySelectorAll('tbody tr').length >= 4`);
    await tab.fill({ css: 'input[type=search]', label: 'Find payments' }, '57.31');
    await tab.arrive('q=57.31');
    await tab.until(`document.querySelectorAll('tbody tr').length === 1`);
    await assertAccessible('payments');
    await tab.shot('webkit-payments');
    await tab.click('tbody tr a');
    await heading('€57.31');
    assert.deepEqual(await tab.role(button('Refund')), ['button', 'Refund']);
    await assertAccessible('payment');
    await tab.click(button('Refund'));
    await tab.fill(field('Amount (EUR)', DIALOG), '60');
    await see('Maximum €57.31.', DIALOG);
    await tab.fill(field('Amount (EUR)', DIALOG), '20.00');
    await tab.shot('webkit-refund');
    await tab.click(button('Refund €20.00', DIALOG));
    await see('Confirm your identity', DIALOG);
    await tab.type(field('Code', DIALOG), code());
    await tab.click(button('Confirm', DIALOG));
    await see('Related transactions', 'h2, h3');
    const family = await gateway.world.store.family(DEMO.merchantId, id);
    const moved = family?.payments.map(({ paymentType, amount }) => [paymentType, amount]);
    assert.deepEqual(moved, [
      ['DB', 5731n],
      ['RF', 2000n],
    ]);
  });

  test('the dashboard: figures, a chart by keyboard and as a table, and the payments behind a day', async () => {
    const shop = createClient(gateway.url);
    await shop.pay({ amount: '8.25', currency: 'CHF' });
    await gateway.work('aggregate statistics');
    await sit({ role: 'readOnly', entityId: DEMO.merchantId });
    await go('/?currency=CHF&range=30days');
    await see('CHF\u00a08.25', '.figures');
    await tab.wait('.plot-canvas canvas');
    await assertAccessible('dashboard');
    await tab.shot('webkit-dashboard');
    await tab.click(button('Volume: Show as table'));
    await tab.until(`[...document.querySelectorAll('table td')].some((cell) => /8\\.25/.test(cell.innerText))`);
    await tab.run(`document.querySelector('[role=slider][aria-label="Payments"]').focus()`);
    await tab.press(KEY.end);
    const slider = `document.querySelector('[role=slider][aria-label="Payments"]').getAttribute('aria-valuetext')`;
    await tab.until(`/20[0-9]{2}, approved [0-9]+, declined [0-9]+$/.test(${slider})`);
    await tab.press(KEY.enter);
    const url = await tab.arrive('/payments?');
    assert.ok(url.searchParams.has('from') && url.searchParams.has('to'), url.search);
  });

  test('a webhook is added, tested, receives a payment, and is deleted', async (t) => {
    const receiver = await startReceiver(() => gateway.services.forMerchant(null).world.clock.now());
    t.after(() => receiver.close());
    await sit({ role: 'developer', entityId: DEMO.merchantId });
    await go('/webhooks');
    await see('No webhooks yet');
    await tab.click(button('Add webhook'));
    await tab.type(field('Name', DIALOG), 'Orders');
    await tab.type(field('URL', DIALOG), receiver.url);
    await assertAccessible('a new webhook');
    await tab.click(button('Add', DIALOG));
    await see('Save this key', DIALOG);
    const key = await tab.run<string>(`return document.querySelector('${DIALOG} code').textContent`);
    assert.match(key, /^[0-9A-Fa-f]{64}$/);
    receiver.keys = [Buffer.from(key, 'hex')];
    await tab.click(button('I’ve saved it', DIALOG));
    await heading('Orders');
    await tab.click(button('Send test'));
    await tab.until(`!document.body.innerText.includes('It receives nothing until a test succeeds.')`);
    const heard = receiver.accepted.length;
    const paid = await createClient(gateway.url).pay();
    await gateway.work('fan out events');
    await gateway.work('dispatch deliveries');
    assert.equal(receiver.accepted.length, heard + 1);
    assert.match(receiver.accepted.at(-1)?.text ?? '', new RegExp(paid.id));
    await tab.open(await tab.url());
    await tab.wait({ css: 'tbody tr code', text: 'PAYMENT' });
    await tab.run(`document.querySelector('tbody tr').focus()`);
    await tab.press(KEY.enter);
    await see('Delivered', DIALOG);
    await assertAccessible('a delivery');
    await tab.shot('webkit-delivery');
    await tab.press(KEY.escape);
    await tab.until(`document.activeElement === document.querySelector('tbody tr')`);
    // The driver scrolls no further than below the bar at the top.
    await tab.run('scrollTo(0, 0)');
    await tab.click(button('More'));
    await tab.click({ css: '[role=menuitem]', text: 'Delete' });
    assert.equal(await tab.run(`return document.querySelector('${DIALOG} button[disabled]') !== null`), true);
    await tab.type(`${DIALOG} input`, 'Orders');
    await tab.click(button('Delete', DIALOG));
    await see('No webhooks yet');
  });

  test('every page of the menu opens by keyboard, says where it is, and is accessible', async () => {
    await sit();
    await go('/');
    await tab.wait('h1');
    const links = await tab.run<string[]>(
      `return [...document.querySelectorAll('nav a')].map((link) => link.getAttribute('href'))`,
    );
    const paths = [...new Set(links)].filter((path) => path.startsWith('/'));
    assert.ok(paths.length > 10, paths.join(' '));
    for (const path of paths) {
      await tab.wait(`nav a[href="${path}"]`);
      await tab.run(`document.querySelector('nav a[href="${path}"]').focus()`);
      await tab.press(KEY.enter);
      await tab.arrive(path);
      await tab.until(`document.querySelector('nav a[aria-current=page]')?.getAttribute('href') === ${JSON.stringify(path)}`);
      await tab.until(`document.querySelector('h1') && !document.querySelector('[aria-busy=true]')`);
      await assertAccessible(path);
    }
  });
});
