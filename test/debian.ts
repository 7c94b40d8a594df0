import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const INSTALL_MS_MAX = 300_000;
const run = promisify(execFile);

/** A program of the distribution and the packages that bring it. */
export type Wanted = { readonly program: string; readonly packages: readonly string[] };

export const wanted = {
  haproxy: { program: 'haproxy', packages: ['haproxy'] },
  pgbouncer: { program: 'pgbouncer', packages: ['pgbouncer'] },
  patroni: { program: 'patroni', packages: ['patroni', 'python3-etcd'] },
  etcd: { program: 'etcd', packages: ['etcd-server'] },
  postgres: { program: 'pg_controldata', packages: ['postgresql'] },
  firefox: { program: 'firefox-esr', packages: ['firefox-esr'] },
  webkit: { program: 'WebKitWebDriver', packages: ['webkit2gtk-driver'] },
  xvfb: { program: 'Xvfb', packages: ['xvfb'] },
} as const satisfies Record<string, Wanted>;

const FOLDERS = ['/usr/sbin', '/usr/local/sbin', ...Array.from({ length: 10 }, (_, at) => `/usr/lib/postgresql/${24 - at}/bin`)];

/** Where a program is; null when it is not installed. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...FOLDERS];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

export type AptOptions = { readonly flags?: readonly string[]; readonly cwd?: string };

export async function apt(words: readonly string[], { flags = [], cwd = '/' }: AptOptions = {}): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=120', ...flags, ...words], { env, cwd, timeout: INSTALL_MS_MAX });
}

/** Installs what is missing. Returns why a test must be skipped, or false. */
export async function skipWithout(...names: readonly (keyof typeof wanted)[]): Promise<string | false> {
  const missing = names.map((name): Wanted => wanted[name]).filter(({ program }) => findProgram(program) === null);
  if (missing.length === 0) return false;
  const packages = missing.flatMap((each) => each.packages);
  const hint = `apt-get install ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return `not installed: ${hint}`;
  try {
    await apt(['update']);
    await apt(['install', '-y', '--no-install-recommends', ...packages]);
    return false;
  } catch (error) {
    return `${hint} failed: ${(error as Error).message.split('\n')[0]}`;
  }
}
