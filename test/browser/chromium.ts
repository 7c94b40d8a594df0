import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const INSTALL_MS_MAX = 300_000;
const run = promisify(execFile);

/** Where this machine has a Chromium; `CHROMIUM` names another one. Null when there is none. */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM;
  return named ?? PLACES.find((place) => existsSync(place)) ?? null;
}

/** Fetches the distribution's own where that is possible; says what it did. */
export async function ensureChromium(): Promise<string> {
  if (findChromium() !== null) return 'Chromium is there';
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return 'there is no Chromium, and this user cannot install one';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update', '-qq'], { env, timeout: INSTALL_MS_MAX });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env, timeout: INSTALL_MS_MAX });
    return 'Chromium was installed';
  } catch (error) {
    return `Chromium could not be installed: ${(error as Error).message.split('\n')[0]}`;
  }
}
