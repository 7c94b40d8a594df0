import type { FrameLocator, Locator, Page } from 'playwright-core';
import { type Browser, startBrowser } from './browser.ts';
import { type Bench, type StartOf, startBench, startOf } from './formsPage.ts';

export type OpenOf = StartOf & {
  readonly width?: number;
  readonly height?: number;
  readonly style?: 'card' | 'plain' | 'logos' | 'none';
  readonly dark?: boolean;
  /** Source of an object: the shop's own functions. */
  readonly hooks?: string;
  /** Source that runs before the forms are made. */
  readonly before?: string;
};

export type Driver = {
  readonly bench: Bench;
  /** A page of the shop with its forms, every frame of which answers. */
  open(of?: OpenOf): Promise<Page>;
  clear(): Promise<void>;
  close(): Promise<void>;
};

/** A browser before the shop. */
export async function startDriver(): Promise<Driver> {
  const [bench, browser]: readonly [Bench, Browser] = await Promise.all([startBench(), startBrowser()]);
  return {
    bench,
    async open({ width = 480, height = 900, style = 'card', dark = false, hooks = '{}', before = '', ...of } = {}) {
      const page = await browser.open({ width, height });
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
      const query = new URLSearchParams({ style, lang: of.language ?? 'en', scheme: 'light dark' });
      await page.goto(`${bench.shopUrl}/?${query}`);
      await page.evaluate(`window.hooks = ${hooks}; ${before}`);
      await page.evaluate(`start(${JSON.stringify(startOf(bench, of))})`);
      await settled(page);
      return page;
    },
    clear: () => browser.clear(),
    async close() {
      await Promise.all([bench.close(), browser.close()]);
    },
  };
}

const PATIENCE_MS = 8_000;
const STEP_MS = 25;

/** Waits until an expression of the page holds. The shop's policy allows nothing to be evaluated inside. */
export async function until(page: Page, expression: string): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
    if (await page.evaluate(expression)) return;
    await page.waitForTimeout(STEP_MS);
  }
  throw new Error(`It did not come to this: ${expression}`);
}

/** Waits until every frame that is there has answered. */
export async function settled(page: Page): Promise<void> {
  await until(page, "[...document.querySelectorAll('.wpwl-control-iframe')].every((frame) => frame.dataset.tpReady)");
  await page.waitForTimeout(60);
}

const frameOf = (page: Page, name: string): FrameLocator => page.frameLocator(`iframe.wpwl-control-${name}`);

/** The input inside a frame. */
export const inside = (page: Page, name: 'cardNumber' | 'cvv' | 'cardHolder' | 'expiry'): Locator =>
  frameOf(page, name).locator('input');

/** Whatever an expression of the page gives. */
export const ask = async <Value>(page: Page, expression: string): Promise<Value> => (await page.evaluate(expression)) as Value;

export const texts = (page: Page, selector: string): Promise<readonly string[]> =>
  ask(page, `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent)`);

/** The errors that are shown, by their names. */
export const hints = (page: Page): Promise<readonly string[]> =>
  ask(page, "[...document.querySelectorAll('.wpwl-hint')].map((hint) => /wpwl-hint-(\\w+)/.exec(hint.className)[1])");

/** Whatever an expression gives inside a frame, where `input` is its field. */
export async function askInside<Value>(page: Page, field: 'card.number' | 'card.cvv', expression: string): Promise<Value> {
  const frame = page.frames().find((one) => one.url().includes(`field=${field}&`));
  return (await frame?.evaluate(`(() => { const input = document.querySelector('input'); return ${expression}; })()`)) as Value;
}

export const CARD = '4200000000000091';

/** Fills the card form as a shopper does. */
export async function fillCard(
  page: Page,
  { number = CARD, expiry = '1234', holder = 'Ann Example', cvv = '123' } = {},
): Promise<void> {
  await inside(page, 'cardNumber').pressSequentially(number);
  await page.locator('.wpwl-control-expiry').pressSequentially(expiry);
  if (holder) await page.locator('.wpwl-control-cardHolder').fill(holder);
  await inside(page, 'cvv').pressSequentially(cvv);
}

/** Presses the button of a form, and waits until the form is free again. */
export async function pay(page: Page, form = '.wpwl-form-card'): Promise<void> {
  await page.locator(`${form} .wpwl-button[type=submit]`).first().click();
  await free(page);
}

export async function free(page: Page): Promise<void> {
  await page.waitForTimeout(60);
  await until(page, "document.querySelector('[aria-busy=true]') === null");
}

export type Sent = Readonly<Record<string, string>>;
export const sent = (page: Page): Promise<readonly Sent[]> => ask(page, 'window.sent');
