import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { WidgetSession } from '../../src/spec/widget.ts';
import { startBrowser, type WindowOptions } from './browser.ts';
import { startStage } from './widgetStage.ts';

export const FORM = '<form action="/result?order=17" class="paymentWidgets" data-brands="VISA MASTER"></form>';
export const CARD = '.wpwl-container-card';
export const HOLDER = '.wpwl-control-cardHolder';

/** The options of a page, as a script of its own. */
export const options = (text: string): string => `<script nonce="n1">var wpwlOptions = ${text}</script>`;

/** A shopper with a browser in front of a shop's pages. */
export async function startShopper() {
  const [stage, browser] = await Promise.all([startStage(), startBrowser()]);
  const faults: string[] = [];
  let count = 0;
  return {
    stage,
    browser,
    /** What the page has thrown so far. */
    faults,
    /** A checkout that the gateway knows. */
    checkout(changed: Partial<WidgetSession> = {}): string {
      count += 1;
      const id = `${String(count).padStart(32, 'A')}.node1`;
      stage.sessions.set(id, changed);
      return id;
    },
    /** Opens a page of the shop; its hooks write into `log`. */
    async open(html: string, headers?: Record<string, string>, window: WindowOptions = { width: 900 }): Promise<Page> {
      const page = await browser.open(window);
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(stage.page(`<script nonce="n1">window.log = []</script>${html}`, headers));
      return page;
    },
    /** Waits until the shopper is at the shop's result page. */
    async arrive(page: Page): Promise<URL> {
      await page.waitForURL(`${stage.shop}/result*`);
      return new URL(page.url());
    },
    ready: (page: Page): Promise<void> => page.locator(`${CARD} form`).first().waitFor(),
    log: (page: Page): Promise<unknown[]> => page.evaluate('window.log'),
    /** Waits for a line of the page's hooks by asking for it: a page under a strict policy lets no text be run that waits inside it. */
    async logged(page: Page): Promise<unknown[]> {
      for (let tries = 0; tries < 160; tries += 1) {
        const lines = (await page.evaluate('window.log')) as unknown[];
        if (lines.length > 0) return lines;
        await page.waitForTimeout(50);
      }
      return [];
    },
    pay: (page: Page): Promise<void> => page.locator(`${CARD} [name=pay]`).first().click(),
    execute: (page: Page, container: string): Promise<boolean> => page.evaluate(`wpwl.executePayment('${container}')`),
    /** How each payment was posted: into which kind of window, and what the gateway was told of it. */
    flows: () => stage.posts.map(({ dest, fields }) => [dest, fields.get('widgetFlow')]),
    async forget(): Promise<void> {
      await browser.clear();
      stage.posts.length = 0;
      stage.arrivals.length = 0;
      stage.failing = 0;
      assert.deepEqual(faults.splice(0), [], 'the page threw');
    },
    async close(): Promise<void> {
      await Promise.all([stage.close(), browser.close()]);
    },
  };
}

export type Shopper = Awaited<ReturnType<typeof startShopper>>;
