/** The engine of browser tests: Chromium, or with `BROWSER_ENGINE=firefox` Firefox (`firefox.long.test.ts` starts files so). */
export const engine: 'chromium' | 'firefox' = process.env.BROWSER_ENGINE === 'firefox' ? 'firefox' : 'chromium';
