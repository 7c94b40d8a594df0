import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Locator, Page, Request } from 'playwright-core';
import type { RoleName } from '../../src/spec/rights.ts';
import type { User } from '../../src/users/user.ts';
import { startGateway, type TestGateway, type TestGatewayOptions } from '../http/gateway.ts';
import { sessionFor, signedInAs } from '../http/userFixture.ts';
import { createSample } from '../sample.ts';
import { launchBrowser } from './browser.ts';
import { engine } from './engine.ts';
import { createOfficeWindows, type OfficeWindows } from './officeWindows.ts';

export { noBrowser } from './browser.ts';

export type Seat = {
  readonly role?: RoleName;
  /** Where the role is held; left out: at the top. */
  readonly entityId?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly language?: 'en' | 'de';
  /** False: a sensitive act asks for a code. */
  readonly isSteppedUp?: boolean;
  /** In the place of the role: a user that exists. */
  readonly user?: User;
  /** True: not signed in yet. */
  readonly isSignedOut?: boolean;
};

export type OfficePage = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Asks as the page would, for setting things up; null for strangers. */
  readonly ask: Awaited<ReturnType<typeof signedInAs>>['ask'] | null;
  /** Errors of the page and requests that failed, so far. */
  readonly troubles: readonly string[];
  /** Opens an address and waits until its heading is there and nothing loads any more. */
  go(path: string): Promise<Page>;
  /** Fails when axe finds something; with some of its rules alone, or all of them. A whole `npm test` takes one call in three. */
  axe(rules?: readonly string[]): Promise<void>;
  /** Fails when the page can be scrolled sideways, a text runs out of its box, or, from 1280 px on, a table hides columns. */
  fits(): Promise<void>;
  /** Keeps a picture where SHOTS names a folder. */
  shot(name: string): Promise<void>;
};

export type Office = {
  readonly gateway: TestGateway;
  /** Opens the back office for a user. */
  sit(seat?: Seat): Promise<OfficePage>;
  /** Ends the use of all pages so far, between two tests: later ones start in the same renderer processes, with nothing stored. */
  release(): Promise<void>;
  close(): Promise<void>;
};

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Refusals that a page gets on purpose: a user who has not signed in. */
const isExpected = (url: string, status: number): boolean => status === 401 && url.endsWith('/admin/v1/me');

function listen(page: Page, troubles: string[]): void {
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      troubles.push(`console: ${message.text()}`);
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    if (why !== 'net::ERR_ABORTED' && why !== 'NS_BINDING_ABORTED') troubles.push(`request: ${request.url()} ${why}`);
  });
  page.on('response', (response) => {
    const status = response.status();
    if (status >= 400 && !isExpected(response.url(), status))
      troubles.push(`${status}: ${response.request().method()} ${response.url()}`);
  });
}

/** Nothing is on its way to the page, and has not been for a moment: long enough for the next thing to be asked for. */
const STILL_MS = 120;

const STILL_MS_MAX = 5_000;

/** Browsers do not tell the end of every request that another page cut off: what was begun before a page is forgotten with it. */
function createStillness(page: Page) {
  const open = new Set<Request>();
  let changedAt = performance.now();
  const note = (change: () => void): void => {
    change();
    changedAt = performance.now();
  };
  page.on('request', (request) => note(() => open.add(request)));
  page.on('requestfinished', (request) => note(() => open.delete(request)));
  page.on('requestfailed', (request) => note(() => open.delete(request)));
  return {
    begin: () => open.clear(),
    async wait() {
      const until = performance.now() + STILL_MS_MAX;
      const isStill = () => open.size === 0 && performance.now() - changedAt >= STILL_MS;
      while (!isStill() && performance.now() < until) await pause(open.size > 0 ? 20 : changedAt + STILL_MS - performance.now());
    },
  };
}

type Found = { readonly id: string; readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[] };

/** As a script of its own: the browser uses what it compiled for the pages before. Through `evaluate` it would compile all of it again. */
export async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate("'axe' in globalThis")) return;
  if (engine === 'firefox') {
    await page.evaluate(axeSource);
    return;
  }
  const session = await page.context().newCDPSession(page);
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: `${axeSource};0` });
  assert.equal(exceptionDetails, undefined);
  await session.detach();
}

/** A third of the work of a page of the back office is that of axe. */
const isSampled = createSample(3);

async function axe(page: Page, rules?: readonly string[]): Promise<void> {
  if (!isSampled()) return;
  await loadAxe(page);
  // No rule that runs reads style sheets again, and no failure prints selectors.
  const cheap = { preload: false, selectors: false };
  const options = { resultTypes: ['violations'], ...cheap, ...(rules && { runOnly: rules }) };
  const run = `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const found = (await page.evaluate(run)) as readonly Found[];
  const violations = found.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
  );
  assert.deepEqual(violations, [], `SAMPLE=${process.env.SAMPLE ?? 'all'}`);
}

async function fits(page: Page): Promise<void> {
  const wide = (await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')) as number;
  assert.ok(wide <= 0, `${page.url()} is ${wide} px too wide`);
  assert.deepEqual(await page.evaluate(SPILLS), [], `${page.url()}: texts run out of their cell or button`);
  assert.deepEqual(await page.evaluate(WIDE_TABLES), [], `${page.url()}: columns of a table are out of view`);
}

/** Tables wider than their page, and a rail wider than its place, on a screen; a pixel is rounding. A phone scrolls tables. */
const WIDE_TABLES = `innerWidth < 1280 ? [] : [...document.querySelectorAll('.table-scroll, .rail')]
  .filter((box) => box.scrollWidth > box.clientWidth + 1)
  .map((box) => (box.ariaLabel ?? box.className) + ': ' + (box.scrollWidth - box.clientWidth) + ' px at ' + innerWidth)`;

/** Texts of which something is seen beyond the right edge of their cell or button, where the next thing stands. */
const SPILLS = `[...document.querySelectorAll('td, th, button')].flatMap((box) => {
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    let { right } = range.getBoundingClientRect();
    for (let at = texts.currentNode.parentElement; at !== box; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible') right = Math.min(right, at.getBoundingClientRect().right);
    if (right > box.getBoundingClientRect().right + 1) found.push(texts.currentNode.data);
  }
  return found;
})`;

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

async function sit(gateway: TestGateway, windows: OfficeWindows, seat: Seat): Promise<OfficePage> {
  const { viewport = { width: 1280, height: 800 }, colorScheme = 'light', language = 'en', isSignedOut = false } = seat;
  const { context, page } = await windows.open({ viewport, colorScheme, language });
  const { role = 'operator', entityId, isSteppedUp } = seat;
  const person = { role, ...(entityId !== undefined && { entityId }), ...(isSteppedUp !== undefined && { isSteppedUp }) };
  const signed = isSignedOut
    ? null
    : await (seat.user ? sessionFor(gateway, seat.user, isSteppedUp) : signedInAs(gateway, person));
  if (signed) {
    const [name = '', value = ''] = signed.cookie.split('=');
    await context.addCookies([{ name, value, url: gateway.backOfficeUrl, httpOnly: true, sameSite: 'Strict' }]);
  }
  const troubles: string[] = [];
  listen(page, troubles);
  const still = createStillness(page);
  return {
    page,
    context,
    ask: signed?.ask ?? null,
    troubles,
    async go(path) {
      still.begin();
      await page.goto(gateway.backOfficeUrl + path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await still.wait();
      return page;
    },
    axe: (rules) => axe(page, rules),
    fits: () => fits(page),
    shot: (name) => shot(page, name),
  };
}

/** Sets a field for a time as the browser does when one is chosen. In Firefox, `fill` sets it in a way that the page does not notice. */
export const chooseTime = (field: Locator, time: string): Promise<void> => field.evaluate(SET_VALUE, time);

const SET_VALUE = new Function(
  'input',
  'value',
  `Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, value);
   input.dispatchEvent(new Event('input', { bubbles: true }));`,
) as (input: unknown, value: string) => void;

/** A gateway with its back office, and a browser before it. */
export async function openOffice(options: TestGatewayOptions = {}): Promise<Office> {
  const gateway = await startGateway(options);
  const browser = await launchBrowser();
  const windows = createOfficeWindows(browser, gateway.backOfficeUrl);
  return {
    gateway,
    sit: (seat = {}) => sit(gateway, windows, seat),
    release: windows.release,
    async close() {
      await browser.close();
      await gateway.close();
    },
  };
}
