import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import type { Page } from 'playwright-core';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { isApproved } from '../../src/payments/balance.ts';
import type { Fields } from '../http/client.ts';
import { type Compat, options, startCompat } from './compatShop.ts';
import { appleStandIn, googleStandIn } from './walletStandIns.ts';

export const PAID = '000.100.110';
export const BAD_TOKEN = '200.100.603';
export const APPLE = '.wpwl-container-virtualAccount-APPLEPAY';
export const GOOGLE = '.wpwl-container-virtualAccount-GOOGLEPAY';
export const MESSAGE = '.wpwl-message.wpwl-has-error';
export const MASTER = '5454545454545454';
export const errors = 'onError(e) { log.push([e.name, e.event, e.brand, e.code ?? null, e.message]) }';
export const stays = 'onResult(r) { log.push([r.outcome, r.code]) }';

const SCRIPT = 'https://pay.google.com/gp/p/js/pay.js';
const { channelId, merchantId } = sandbox.otherShop;

export type WalletStage = ReturnType<typeof stageWallets>;

/** A gateway, a shop and one browser for all tests of the suite that calls it: pages of the shop on devices with a wallet. */
export function stageWallets() {
  let compat: Compat;
  const logs = new WeakMap<Page, unknown[]>();
  before(async () => {
    compat = await startCompat();
  });
  afterEach(async () => {
    await compat.browser.clear();
    await compat.forget();
  });
  after(() => compat.close());

  /** A token as the wallet of a device would make it: for this merchant alone. */
  async function issueToken(wallet: string, order: Fields, addressee = `turnpike ${merchantId}`): Promise<string> {
    const fault: Fields = addressee === `turnpike ${merchantId}` ? {} : { fault: 'otherMerchant' };
    const fields = { entityId: channelId, wallet, number: '4200000000000000', ...fault, ...order };
    const response = await fetch(`${compat.gateway.url}/sandbox/wallets?format=json`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    const { token } = (await response.json()) as { token?: string };
    return token ?? assert.fail('no token');
  }

  type Opened = { readonly before?: object; readonly headers?: Fields; readonly script?: string | null };

  /** A page of the shop on a device with a wallet; `before`: how the device is. */
  async function open(html: string, { before: device = {}, headers, script = googleStandIn }: Opened = {}): Promise<Page> {
    const page = await compat.browser.open({ width: 900, height: 900 });
    page.setDefaultTimeout(8_000);
    page.on('pageerror', (error) => compat.faults.push(error.message));
    const lines: unknown[] = [];
    logs.set(page, lines);
    page.on('console', (line) => {
      if (line.text().startsWith('log ')) lines.push(JSON.parse(line.text().slice(4)));
    });
    await page.exposeFunction('issueToken', issueToken);
    await page.addInitScript(`window.log = { push: (line) => console.debug('log ' + JSON.stringify(line)) };
      window.walletBefore = ${JSON.stringify(device)};`);
    if (html.includes('APPLEPAY')) await page.addInitScript(appleStandIn);
    await page.route(SCRIPT, (route) =>
      script === null ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: script }),
    );
    await page.goto(compat.shop.page(html, headers));
    return page;
  }

  const form = (brand: string): string => `<form action="/result?order=17" class="paymentWidgets" data-brands="${brand}"></form>`;
  async function shopPage(brand: string, text: string, opened: Opened & { readonly checkout?: Fields } = {}) {
    const { id } = await compat.makeCheckout(opened.checkout);
    return { id, page: await open(options(text) + compat.tag(id) + form(brand), opened) };
  }
  const log = async (page: Page): Promise<unknown[]> => {
    await page.evaluate('0').catch(() => {});
    return logs.get(page) ?? [];
  };
  /** Waits for a line of the log. */
  async function heard(page: Page, isIt: (line: unknown) => boolean): Promise<void> {
    for (let tries = 0; tries < 120 && !(logs.get(page) ?? []).some(isIt); tries += 1) await page.waitForTimeout(50);
    assert.ok((logs.get(page) ?? []).some(isIt), JSON.stringify(logs.get(page)));
  }
  const lastOf = (page: Page): readonly unknown[] => (logs.get(page) ?? []).at(-1) as readonly unknown[];
  const named = (name: string) => (line: unknown) => Array.isArray(line) && line[0] === name;
  const apple = (page: Page) => page.locator(`${APPLE} .wpwl-apple-pay-button`);
  const google = (page: Page) => page.locator(`${GOOGLE} .gpay-button`);
  const active = (page: Page) => page.waitForFunction('wallet.isActive()');
  const shown = (page: Page) => page.waitForFunction('wallet.isShown()');
  const walletValue = <Value>(page: Page, what: string): Promise<Value> => page.evaluate(`wallet.${what}`);
  const does = (page: Page, act: string): Promise<void> => page.evaluate(`void wallet.${act}`);
  const sent = async (id: string): Promise<readonly [tried: number, paid: number]> => {
    const attempts = await compat.gateway.services.checkouts.store.attempts(merchantId, id);
    return [attempts.length, attempts.filter(isApproved).length];
  };
  return {
    get compat() {
      return compat;
    },
    open,
    shopPage,
    log,
    heard,
    lastOf,
    named,
    apple,
    google,
    active,
    shown,
    walletValue,
    does,
    sent,
    form,
  };
}
