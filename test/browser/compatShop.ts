import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { buildWidget } from '../../src/assets/build.ts';
import { createClient, DEMO, type Fields, OTHER, present, type Reply } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { type Browser, startBrowser, type WindowOptions } from './browser.ts';

/** A merchant's shop of another site in front of the whole gateway: pages as merchants write them, and a server that asks for the outcome. */

export const CARD = '.wpwl-container-card';
/** Where the shopper comes back to. */
export const ACTION = '/result?order=17';
export const FORM = `<form action="${ACTION}" class="paymentWidgets" data-brands="VISA MASTER"></form>`;

export type Checkout = { readonly id: string; readonly integrity?: string };
export type OpenOptions = WindowOptions & {
  readonly headers?: Readonly<Record<string, string>>;
  /** False: the page is not waited for until its form is there. */
  readonly isReady?: boolean;
};
export type Typed = {
  readonly number?: string;
  readonly holder?: string;
  readonly expiry?: string;
  readonly cvv?: string;
  /** The container of the form. */
  readonly within?: string;
};
/** What the shop's server has been told, and where the shopper has arrived. */
export type Outcome = { readonly code: string; readonly body: Reply['body']; readonly url: URL };

/** The options of a page, as a script of its own. */
export const options = (text: string): string => `<script>var wpwlOptions = ${text}</script>`;

/** What is pushed into a page's `log` is told to the console as well: that outlives the page. */
const TELL = `window.log = [];
  log.push = (...values) => {
    for (const value of values) console.debug('log ' + JSON.stringify(value));
    return Array.prototype.push.apply(log, values);
  };`;

type Served = { readonly html: string; readonly headers: Readonly<Record<string, string>> };

/** The shop's web server: its pages, and `/result`, which remembers how shoppers arrive. */
export async function startPages() {
  const pages = new Map<string, Served>();
  const arrivals: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://shop.example');
    const served = pages.get(url.pathname);
    const isKnown = served !== undefined || url.pathname === '/result';
    if (url.pathname === '/result') arrivals.push(url);
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', ...served?.headers });
    response.end(served?.html ?? '<!doctype html><title>The shop</title><h1>Back at the shop</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Another site than the gateway's, as real shops are: frames of the gateway share nothing with its pages.
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url,
    arrivals,
    /** Keeps a page and answers its address; the page's hooks write into `log`. */
    page(html: string, headers: Readonly<Record<string, string>> = {}): string {
      const path = `/page${pages.size + 1}`;
      const isWhole = /^\s*<!doctype/i.test(html);
      const head = '<!doctype html><meta charset="utf-8"><title>Pay</title><script>window.log ??= []</script>';
      pages.set(path, { html: isWhole ? html : `${head}<body>${html}`, headers });
      return url + path;
    },
    close(): Promise<void> {
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** Pages of one test share what the browser has fetched and stored; only those that ask for another window get it. */
function createWindows(browser: Browser) {
  let shared: BrowserContext | null = null;
  return {
    async open(window: WindowOptions): Promise<Page> {
      const isUsual = Object.keys(window).length === 0;
      if (isUsual && shared) {
        const other = await shared.newPage();
        await other.addInitScript(TELL);
        return other;
      }
      const page = await browser.open({ width: 900, height: 900, script: TELL, ...window });
      if (isUsual) {
        shared = page.context();
        shared.on('close', () => {
          shared = null;
        });
      }
      return page;
    },
    async clear(): Promise<void> {
      shared = null;
      await browser.release();
    },
  };
}

const field = (page: Page, name: string, within = CARD): FrameLocator =>
  page.locator(within).first().frameLocator(`iframe[name="${name}"]`);

/** Enters a card into a form, a field at a time as a browser's own filling does; '' leaves a field as it is. */
async function fillCard(page: Page, typed: Typed = {}): Promise<void> {
  const { number = '4200000000000000', holder = 'Ann Example', expiry = '0534', cvv = '123', within = CARD } = typed;
  const form = page.locator(within).first();
  await field(page, 'card.number', within).locator('input').fill(number);
  const [date, name] = [form.locator('.wpwl-control-expiry'), form.locator('.wpwl-control-cardHolder')];
  if (expiry !== '') await date.fill(expiry);
  if (holder !== '') await name.fill(holder);
  if (cvv !== '') await field(page, 'card.cvv', within).locator('input').fill(cvv);
}

const payButton = (page: Page, within = CARD): Locator => page.locator(`${within} button.wpwl-button-pay[type=submit]`).first();

export type Compat = {
  readonly gateway: TestGateway;
  readonly browser: Browser;
  readonly shop: Awaited<ReturnType<typeof startPages>>;
  /** The shop's server: of the channel without 3D Secure, and of the one with it. */
  readonly client: ReturnType<typeof createClient>;
  readonly secureClient: ReturnType<typeof createClient>;
  /** Texts that the pages' own scripts have thrown; `forget` insists that it is empty. */
  readonly faults: string[];
  /** A checkout of 92.00 EUR changed as given; a field set to '' is not sent. */
  makeCheckout(fields?: Fields, client?: ReturnType<typeof createClient>): Promise<Checkout>;
  /** The widget's script tag. */
  tag(checkout: Checkout | string, attributes?: string): string;
  /** Opens a page of the shop and waits for the card form. */
  open(html: string, options?: OpenOptions): Promise<Page>;
  ready(page: Page, container?: string): Promise<void>;
  fillCard(page: Page, typed?: Typed): Promise<void>;
  field(page: Page, name: string, within?: string): FrameLocator;
  payButton(page: Page, within?: string): Locator;
  pay(page: Page, within?: string): Promise<void>;
  /** Waits until the shopper is back at the shop, whose server then asks for the outcome by the given path. */
  outcome(page: Page, client?: ReturnType<typeof createClient>): Promise<Outcome>;
  /** What the shop's server is told now: nothing was paid while this is no success. */
  status(checkout: Checkout | string, kind?: 'payment' | 'registration'): Promise<Reply>;
  /** What the page's hooks have written, also when the shopper has left the page since. */
  log(page: Page): Promise<unknown[]>;
  /** Waits until the hooks have written at least so many lines. */
  logged(page: Page, count: number): Promise<unknown[]>;
  forget(): Promise<void>;
  close(): Promise<void>;
};

/** One gateway, one browser and one shop: a file of tests starts it once. */
export async function startCompat(): Promise<Compat> {
  const [gateway, browser, shop] = await Promise.all([
    startGateway({ patienceMs: 5_000, build: await buildWidget() }),
    startBrowser(),
    startPages(),
  ]);
  const client = createClient(gateway.url, OTHER);
  const secureClient = createClient(gateway.url, DEMO);
  const windows = createWindows(browser);
  const faults: string[] = [];
  const logs = new WeakMap<Page, unknown[]>();
  const idOf = (checkout: Checkout | string): string => (typeof checkout === 'string' ? checkout : checkout.id);
  const ready = (page: Page, container = CARD): Promise<void> =>
    page.locator(`${container} form.wpwl-form`).first().waitFor({ state: 'attached' });

  async function makeCheckout(fields: Fields = {}, by = client): Promise<Checkout> {
    const order = present({ amount: '92.00', currency: 'EUR', paymentType: 'DB', ...fields });
    const { body } = await by.send('POST', '/v1/checkouts', order);
    assert.match(body.id ?? '', /^[0-9A-F]{32}-/, JSON.stringify(body));
    return { id: body.id, integrity: body.integrity };
  }

  async function open(html: string, { headers, isReady = true, ...window }: OpenOptions = {}): Promise<Page> {
    const page = await windows.open(window);
    page.setDefaultTimeout(8_000);
    page.on('pageerror', (error) => faults.push(error.message));
    const lines: unknown[] = [];
    logs.set(page, lines);
    page.on('console', (line) => {
      if (line.type() === 'debug' && line.text().startsWith('log ')) lines.push(JSON.parse(line.text().slice(4)));
    });
    await page.goto(shop.page(html, headers));
    if (isReady) await ready(page);
    return page;
  }

  async function outcome(page: Page, by = client): Promise<Outcome> {
    await page.waitForURL(`${shop.url}/result?**`);
    const url = new URL(page.url());
    const { body, code } = await by.send('GET', url.searchParams.get('resourcePath') ?? '', {});
    return { code, body, url };
  }

  const log = async (page: Page): Promise<unknown[]> => {
    // Whatever the page has said before this answer has arrived before it.
    await page.evaluate('0').catch(() => {});
    return [...(logs.get(page) ?? [])];
  };

  async function logged(page: Page, count: number): Promise<unknown[]> {
    for (let tries = 0; tries < 160 && (logs.get(page)?.length ?? 0) < count; tries += 1) await page.waitForTimeout(50);
    const lines = await log(page);
    assert.ok(lines.length >= count, `only ${JSON.stringify(lines)}`);
    return lines;
  }

  return {
    gateway,
    browser,
    shop,
    client,
    secureClient,
    faults,
    makeCheckout,
    tag: (checkout, attributes = '') =>
      `<script src="${gateway.url}/v1/paymentWidgets.js?checkoutId=${idOf(checkout)}" ${attributes}></script>`,
    open,
    ready,
    fillCard,
    field,
    payButton,
    pay: (page, within) => payButton(page, within).click(),
    outcome,
    status: (checkout, kind = 'payment') => client.send('GET', `/v1/checkouts/${idOf(checkout)}/${kind}`, {}),
    log,
    logged,
    async forget() {
      await windows.clear();
      shop.arrivals.length = 0;
      assert.deepEqual(faults.splice(0), [], 'a page threw');
    },
    async close() {
      await Promise.all([gateway.close(), browser.close(), shop.close()]);
    },
  };
}
