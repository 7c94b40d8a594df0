import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser as Launched, type Page } from 'playwright-core';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { findProgram } from '../debian.ts';
import { createClient } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { findChromium } from './chromium.ts';
import { engine } from './engine.ts';
import { launchFirefox } from './firefox.ts';
import { createShopperWindows, type ShopperWindows } from './shopperWindows.ts';

export type { WindowOptions } from './shopperWindows.ts';

/**
 * Pages live for seconds: to optimise their scripts costs more than it saves, and so does to collect young objects while there is memory.
 * Together a quarter of a browser's processor time.
 */
const SCRIPTS = [
  ...['--no-opt', '--no-maglev', '--single-threaded-gc'],
  ...['--min-semi-space-size=64', '--max-semi-space-size=64', '--initial-heap-size=512'],
];

/** Without its calls home, which this machine may not be allowed to make. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--js-flags=${SCRIPTS.join(' ')}`,
];

/** A real browser with an empty profile. */
export const launchBrowser = (): Promise<Launched> =>
  engine === 'firefox' ? launchFirefox() : chromium.launch({ executablePath: findChromium() ?? '', args: FLAGS, headless: true });

/** Windows of the size of a phone, where no other one is given. */
export type Browser = ShopperWindows & { close(): Promise<void> };

/** Why browser tests cannot run here; false when they can. */
export const noBrowser: string | false =
  (engine === 'firefox' ? findProgram('firefox-esr') : findChromium()) === null && `there is no ${engine} on this machine`;

/** A browser for shoppers. */
export async function startBrowser(): Promise<Browser> {
  const browser = await launchBrowser();
  return { ...createShopperWindows(browser), close: () => browser.close() };
}

type Shop = { readonly url: string; readonly arrivals: URL[]; close(): Promise<void> };

/** The shop at which a shopper arrives again: remembers how. */
export async function startShop(): Promise<Shop> {
  const arrivals: URL[] = [];
  const server = createServer((request, response) => {
    arrivals.push(new URL(request.url ?? '/', 'http://shop.example'));
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<!doctype html><title>The shop</title><h1>Back at the shop</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

export type Sandbox = {
  readonly gateway: TestGateway;
  readonly browser: Browser;
  readonly shop: Shop;
  /** The shop's server. */
  readonly client: ReturnType<typeof createClient>;
  /** Where a shopper of the shop is sent back to. */
  readonly shopperResultUrl: string;
  /** Waits until a page is back at the shop; answers how it got there. */
  arrive(page: Page): Promise<URL>;
  /** The codes that the shop is told of a payment, in their order. */
  messages(paymentId: string): readonly string[];
  close(): Promise<void>;
};

/** A gateway, a browser before it and a shop behind it: what a test of a shopper's way needs. */
export async function startSandbox(): Promise<Sandbox> {
  const store = createMemoryStore();
  const [gateway, browser, shop] = await Promise.all([startGateway({ store, patienceMs: 500 }), startBrowser(), startShop()]);
  return {
    gateway,
    browser,
    shop,
    client: createClient(gateway.url),
    shopperResultUrl: `${shop.url}/result?order=17`,
    async arrive(page) {
      await page.waitForURL(`${shop.url}/**`);
      assert.equal(await page.getByRole('heading').textContent(), 'Back at the shop');
      return new URL(page.url());
    },
    messages: (paymentId) => store.outbox.filter((one) => one.subjectId === paymentId).map(({ code }) => code),
    async close() {
      await Promise.all([gateway.close(), browser.close(), shop.close()]);
    },
  };
}
