import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { engine } from './engine.ts';

export type WindowOptions = {
  readonly width?: number;
  readonly height?: number;
  readonly locale?: string;
  /** False: a browser that runs no scripts. */
  readonly isScripted?: boolean;
  /** Runs in every document before its own scripts. */
  readonly script?: string;
};

type ShopperWindow = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Null in an engine without such sessions: its windows are not used again. */
  readonly session: CDPSession | null;
  /** What cannot be changed later: windows with the same kind are used for each other. */
  readonly kind: string;
  /** Origins of all documents so far. */
  readonly origins: Set<string>;
  /** Whether something was done to it that cannot be undone. */
  isChanged: boolean;
};

/** Events that tests listen to. Playwright's own listeners have other names. */
const EVENTS = [
  ...(['pageerror', 'console', 'request', 'requestfinished', 'requestfailed', 'response'] as const),
  ...(['dialog', 'popup', 'download', 'framenavigated', 'frameattached', 'load', 'domcontentloaded'] as const),
];

/** What a new context has. */
const USUAL_MEDIA = {
  ...({ media: null, colorScheme: 'light', reducedMotion: 'no-preference' } as const),
  ...({ forcedColors: 'none', contrast: 'no-preference' } as const),
};

export type ShopperWindows = {
  open(options?: WindowOptions): Promise<Page>;
  /** Ends the use of all windows. Those that nothing lasting was done to are used again, without anything stored. */
  release(): Promise<void>;
  /** Closes all windows. */
  clear(): Promise<void>;
};

/**
 * Windows of shoppers. A new window has a new renderer process, which compiles all scripts of the page again: one that is used again costs less
 * than half of its processor time.
 */
export function createShopperWindows(browser: Browser): ShopperWindows {
  const free: ShopperWindow[] = [];
  const used: ShopperWindow[] = [];
  return {
    async open({ width = 360, height = 740, ...options } = {}) {
      const viewport = { width, height };
      const at = free.findIndex(({ kind }) => kind === JSON.stringify(options));
      const [kept] = at < 0 ? [] : free.splice(at, 1);
      await kept?.page.setViewportSize(viewport);
      const opened = kept ?? (await create(browser, viewport, options));
      noteOrigins(opened);
      used.push(opened);
      return opened.page;
    },
    async release() {
      for (const one of used.splice(0)) {
        if (await empty(one)) free.push(one);
        else await one.context.close();
      }
    },
    async clear() {
      for (const { context } of [...used.splice(0), ...free.splice(0)]) await context.close();
    },
  };
}

async function create(
  browser: Browser,
  viewport: { readonly width: number; readonly height: number },
  options: WindowOptions,
): Promise<ShopperWindow> {
  const { locale = 'en-GB', isScripted = true, script } = options;
  const context = await browser.newContext({ viewport, locale, javaScriptEnabled: isScripted });
  const page = await context.newPage();
  if (script !== undefined) await page.addInitScript(script);
  const kind = JSON.stringify(options);
  if (engine === 'firefox') return { context, page, session: null, kind, origins: new Set(), isChanged: true };
  const session = await context.newCDPSession(page);
  const made: ShopperWindow = { context, page, session, kind, origins: new Set(), isChanged: false };
  const change = (): void => {
    made.isChanged = true;
  };
  // What a tab keeps for its session can only be read by a page of the same origin, and only the tab's end removes it. The events tell of
  // pages that were left since.
  session.on('DOMStorage.domStorageItemAdded', change);
  await session.send('DOMStorage.enable');
  context.on('serviceworker', change);
  noteCalls(page, ['addInitScript', 'exposeFunction', 'exposeBinding'], change);
  noteCalls(
    context,
    ['addInitScript', 'exposeFunction', 'exposeBinding', 'newCDPSession', 'setOffline', 'setExtraHTTPHeaders'],
    change,
  );
  return made;
}

/** Calls whose effect lasts as long as the page or the context. */
function noteCalls<Target extends object>(target: Target, names: readonly (keyof Target)[], note: () => void): void {
  for (const name of names) {
    const method = target[name] as (...args: unknown[]) => unknown;
    const noted = (...args: unknown[]): unknown => {
      note();
      return method.apply(target, args);
    };
    Object.assign(target, { [name]: noted });
  }
}

function noteOrigins({ page, origins }: ShopperWindow): void {
  page.on('framenavigated', (frame) => {
    if (frame.url().startsWith('http')) origins.add(new URL(frame.url()).origin);
  });
}

/** Whether a document that is open keeps values: the event about one may be on its way still. */
async function keepsValues(page: Page): Promise<boolean> {
  // A document without an origin has no storage, and one that ends meanwhile has no answer.
  const expression = '(() => { try { return localStorage.length + sessionStorage.length > 0; } catch { return false; } })()';
  const kept = await Promise.all(page.frames().map((frame) => frame.evaluate(expression).catch(() => false)));
  return kept.includes(true);
}

/** Removes what a test left behind; false when the window cannot be used again. */
async function empty(window: ShopperWindow): Promise<boolean> {
  const { context, page, session, origins } = window;
  if (page.isClosed() || !session) return false;
  for (const event of EVENTS) page.removeAllListeners(event);
  for (const other of context.pages()) if (other !== page) await other.close();
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.clearPermissions()]);
  if (await keepsValues(page)) return false;
  // The renderer process stays with the window.
  await page.goto('about:blank');
  // The name of a window outlives its pages. The answer comes after the events before it.
  await session.send('Runtime.evaluate', { expression: "globalThis.name = ''" });
  if (window.isChanged) return false;
  await Promise.all([
    context.clearCookies(),
    page.emulateMedia(USUAL_MEDIA),
    ...[...origins].map((origin) => session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })),
  ]);
  origins.clear();
  return true;
}
