import { join } from 'node:path';
import { type Browser, firefox, type Locator } from 'playwright-core';
import { findProgram, skipWithout } from '../debian.ts';

/** Frames share the process of their page: by BiDi a click does not reach a frame in another process. Nothing calls home. */
const PREFERENCES = {
  ...{ 'fission.autostart': false, 'app.update.enabled': false, 'network.captive-portal-service.enabled': false },
  ...{ 'datareporting.policy.dataSubmissionEnabled': false, 'messaging-system.rsexperimentloader.enabled': false },
  ...{ 'services.settings.server': 'data:,', 'app.normandy.enabled': false },
  // A context cannot ask for it by BiDi, and axe would measure colours of a dialog that is still fading in.
  ...{ 'ui.prefersReducedMotion': 1 },
  ...{ 'browser.safebrowsing.malware.enabled': false, 'browser.safebrowsing.phishing.enabled': false },
};

/** A Firefox with an empty profile. Both end with this process. */
export async function launchFirefox(): Promise<Browser> {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: join(import.meta.dirname, 'endWithParent.sh'),
    env: { ...process.env, PROGRAM: findProgram('firefox-esr') ?? '' },
    firefoxUserPrefs: PREFERENCES,
    headless: true,
  });
  const page = await browser.newPage();
  fillByKeys(Object.getPrototypeOf(page.locator('html')));
  await page.close();
  return browser;
}

/** By BiDi Playwright fills an input by setting its value, which a form of React does not notice. A user presses keys. */
function fillByKeys(prototype: Locator): void {
  prototype.fill = async function fill(this: Locator, text, options) {
    await this.focus(options);
    await this.press('ControlOrMeta+a', options);
    await (text === '' ? this.press('Delete', options) : this.pressSequentially(text, options));
  };
}

/** Installs Firefox. Returns why its tests must be skipped, or false. */
export const skipWithoutFirefox = (): Promise<string | false> => skipWithout('firefox');
