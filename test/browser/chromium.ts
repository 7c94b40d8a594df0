import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

/** The one without windows first: it is the same engine, and does the same work in two thirds of the time. */
const WINDOWLESS = '/usr/bin/chromium-headless-shell';
const PLACES = [WINDOWLESS, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const INSTALL_MS_MAX = 300_000;
const run = promisify(execFile);

/** Where this machine has a Chromium; `CHROMIUM` names another one. Null when there is none. */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM;
  return named ?? PLACES.find((place) => existsSync(place)) ?? null;
}

/** Fetches the distribution's own where that is possible; says what it did. */
export async function ensureChromium(): Promise<string> {
  if (process.env.CHROMIUM !== undefined || existsSync(WINDOWLESS)) return 'Chromium is there';
  const isOther = findChromium() !== null;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return isOther ? 'Chromium is there' : 'there is no Chromium, and this user cannot install one';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = (name: string) =>
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env, timeout: INSTALL_MS_MAX });
  try {
    await run('apt-get', ['update', '-qq'], { env, timeout: INSTALL_MS_MAX });
    // Older distributions have only the whole browser.
    await install('chromium-headless-shell').catch((error: Error) =>
      isOther ? null : install('chromium').catch(() => Promise.reject(error)),
    );
    return 'Chromium was installed';
  } catch (error) {
    const why = (error as Error).message.split('\n')[0];
    return isOther
      ? `Chromium is there; its smaller brother could not be installed: ${why}`
      : `Chromium could not be installed: ${why}`;
  }
}
