import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import type { FrameField, FrameSetup } from '../../src/widget/protocol.ts';
import { type Browser, startBrowser } from './browser.ts';
import { type Gateway, setupOf, startFrameShop, startFrames } from './fieldFrames.ts';

export const NUMBER = '4539148803436467';
export const GROUPED = '4539 1488 0343 6467';
const axeSource = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

type Heard = {
  readonly origin: string;
  readonly data: { readonly key: string; readonly message: { readonly is: string } & Record<string, unknown> };
};

export type FrameStage = ReturnType<typeof stageFrames>;

/** A gateway, a shop and one browser for all tests of the suite that calls it: field frames in pages of the shop. */
export function stageFrames() {
  let browser: Browser;
  let gateway: Gateway;
  let shop: Awaited<ReturnType<typeof startFrameShop>>;
  let ancestors = '';
  before(async () => {
    gateway = await startFrames(() => ancestors);
    [browser, shop] = await Promise.all([startBrowser(), startFrameShop(() => gateway.url)]);
    ancestors = shop.url;
  });
  afterEach(async () => {
    await browser.clear();
    gateway.mood = 'seals';
    gateway.sealed.length = 0;
    ancestors = shop.url;
  });
  after(() => Promise.all([browser.close(), gateway.close(), shop.close()]));

  async function openShop(path = '/'): Promise<Page> {
    const page = await browser.open({ width: 360 });
    await page.goto(shop.url + path);
    return page;
  }

  /** A frame of the page that has said it is ready. */
  async function add(
    page: Page,
    field: FrameField,
    more: Partial<FrameSetup> = {},
    key = field.slice(5),
    group = 'one',
  ): Promise<Frame> {
    await page.evaluate(`frame(...${JSON.stringify([field, key, group, setupOf(field, more)])})`);
    await until(page, key, 'ready');
    return frameOf(page, key);
  }
  const frameOf = (page: Page, key: string): Frame => {
    const frame = page.frames().find((one) => new URL(one.url(), shop.url).searchParams.get('key') === key);
    assert.ok(frame, `no frame ${key}`);
    return frame;
  };
  const heard = (page: Page): Promise<Heard[]> => page.evaluate('heard');
  const messages = async (page: Page, key: string, is: string) =>
    (await heard(page))
      .map(({ data }) => data)
      .filter((data) => data.key === key && data.message.is === is)
      .map(({ message }) => message);
  async function until(page: Page, key: string, is: string, count = 1): Promise<Record<string, unknown>> {
    await page.waitForFunction(
      `heard.filter(({ data }) => data.key === '${key}' && data.message.is === '${is}').length >= ${count}`,
      undefined,
      { timeout: 5_000 },
    );
    return (await messages(page, key, is)).at(-1) ?? {};
  }
  const tell = (page: Page, key: string, message: object): Promise<unknown> =>
    page.evaluate(`tell(${JSON.stringify(key)}, ${JSON.stringify(message)})`);
  const textIn = (frame: Frame): Promise<string> => frame.locator('input').inputValue();
  const type = (frame: Frame, text: string): Promise<void> => frame.locator('input').pressSequentially(text);
  const settle = (page: Page): Promise<void> => page.waitForTimeout(150);
  const seal = (page: Page, key: string, more: object = {}): Promise<unknown> =>
    tell(page, key, { is: 'seal', turn: 7, group: 'one', fields: {}, ...more });
  /** Alone in a frame nothing is a whole page: only the rules for its content apply. */
  const violations = async (frame: Frame | Page, ...unruled: readonly string[]): Promise<unknown> => {
    await frame.evaluate(axeSource);
    const rules = Object.fromEntries(unruled.map((rule) => [rule, { enabled: false }]));
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const found = 'violations.map(({ id, nodes }) => [id, nodes[0].html])';
    return frame.evaluate(
      `axe.run(document, ${JSON.stringify({ iframes: false, runOnly, rules })}).then(({ violations }) => ${found})`,
    );
  };
  return {
    get browser() {
      return browser;
    },
    get gateway() {
      return gateway;
    },
    get shop() {
      return shop;
    },
    /** The pages that may show a frame. */
    set ancestors(pages: string) {
      ancestors = pages;
    },
    openShop,
    add,
    frameOf,
    heard,
    messages,
    until,
    tell,
    textIn,
    type,
    settle,
    seal,
    violations,
  };
}
