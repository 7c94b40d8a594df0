import type { Options } from '../options.ts';

/** The sizes an issuer's window may have, by their codes: width and height in pixels. 5 is the whole window. */
const windows = { 1: 250, 2: 390, 3: 500, 4: 600 } as const;

/** The largest of the agreed windows that fits into a width. */
function challengeWindow(options: Options, width: number): string {
  const wished = String(options.browser?.threeDChallengeWindow ?? '');
  if (/^[1-5]$/.test(wished)) return wished;
  if (width >= windows[4]) return '4';
  if (width >= windows[3]) return '3';
  return width >= windows[2] ? '2' : '1';
}

/** What 3D Secure must know of a browser, by wire names; the gateway itself sees the rest in the request. */
export function browserFields(window: Window, options: Options, width: number): Readonly<Record<string, string>> {
  const { navigator, screen } = window;
  const values = {
    language: navigator.language.slice(0, 8),
    screenHeight: String(screen.height),
    screenWidth: String(screen.width),
    screenColorDepth: String(screen.colorDepth),
    timezone: String(new Date(performance.timeOrigin).getTimezoneOffset()),
    userAgent: navigator.userAgent.slice(0, 2048),
    // Browsers have none any more, and some have even forgotten how to say so.
    javaEnabled: String(typeof navigator.javaEnabled === 'function' && navigator.javaEnabled()),
    challengeWindow: challengeWindow(options, width),
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`customer.browser.${name}`, value]));
}
