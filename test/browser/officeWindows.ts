import type { Browser, BrowserContext, Page } from 'playwright-core';

type Look = {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark';
  readonly language: 'en' | 'de';
};
type OfficeWindow = {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly language: Look['language'];
  /** Whether its pages were all of the back office. */
  isOfOffice: boolean;
};

export type OfficeWindows = {
  open(look: Look): Promise<{ readonly context: BrowserContext; readonly page: Page }>;
  release(): Promise<void>;
};

/** Kinds of events that tests listen to. Playwright's own listeners are of other kinds. */
const KINDS = ['pageerror', 'console', 'request', 'requestfinished', 'requestfailed', 'response'] as const;
/** An address without a page. The browser has to stay at the origin, because another one has another renderer process. */
const NO_PAGE = '/assets/none';

/**
 * Windows of the back office that are used again, one after the other. A new renderer process compiles all scripts of the page again, which
 * costs more than twice the processor time of a page in an old one.
 */
export function createOfficeWindows(browser: Browser, backOfficeUrl: string): OfficeWindows {
  const free: OfficeWindow[] = [];
  const used: OfficeWindow[] = [];

  async function create({ viewport, colorScheme, language }: Look): Promise<OfficeWindow> {
    const locale = language === 'de' ? 'de-DE' : 'en-GB';
    const context = await browser.newContext({
      viewport,
      colorScheme,
      locale,
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const made: OfficeWindow = { context, page, language, isOfOffice: true };
    page.on('framenavigated', (frame) => {
      if (!frame.url().startsWith(backOfficeUrl)) made.isOfOffice = false;
    });
    return made;
  }

  async function empty({ context, page }: OfficeWindow): Promise<void> {
    for (const kind of KINDS) page.removeAllListeners(kind);
    for (const other of context.pages()) if (other !== page) await other.close();
    await context.clearCookies();
    await page.goto(backOfficeUrl + NO_PAGE);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  }

  return {
    async open(look) {
      const at = free.findIndex(({ language }) => language === look.language);
      const [kept] = at < 0 ? [] : free.splice(at, 1);
      if (kept) {
        await kept.page.setViewportSize(look.viewport);
        await kept.page.emulateMedia({ colorScheme: look.colorScheme });
      }
      const opened = kept ?? (await create(look));
      used.push(opened);
      return opened;
    },
    async release() {
      for (const one of used.splice(0)) {
        if (!one.isOfOffice || one.page.isClosed()) {
          await one.context.close();
        } else {
          await empty(one);
          free.push(one);
        }
      }
    },
  };
}
