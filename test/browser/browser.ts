import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from './chromium.ts';

/** Without its calls home, which this machine may not be allowed to make. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export type Browser = {
  /** A page of the size of a phone, or of the given one. */
  open(options?: { readonly width?: number; readonly height?: number; readonly locale?: string }): Promise<Page>;
  close(): Promise<void>;
};

/** Why browser tests cannot run here; false when they can. */
export const noBrowser: string | false = findChromium() === null && 'there is no Chromium on this machine';

/** A real browser with an empty profile. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findChromium() ?? '';
  const browser = await chromium.launch({ executablePath, args: FLAGS, headless: true });
  const contexts: BrowserContext[] = [];
  return {
    async open({ width = 360, height = 740, locale = 'en-GB' } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, locale });
      contexts.push(context);
      return context.newPage();
    },
    async close() {
      for (const context of contexts) await context.close();
      await browser.close();
    },
  };
}

/** The shop at which a shopper arrives again: remembers how. */
export async function startShop(): Promise<{ readonly url: string; readonly arrivals: URL[]; close(): Promise<void> }> {
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
