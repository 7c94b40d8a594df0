import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './freePort.ts';

/** Runs the commands of guides by a shell, as they stand there, on other ports. */

const root = join(import.meta.dirname, '..');

/** Live does not run as root. The other user can read the programs, and has compiled code of its own. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

export type GuideRun = {
  /** Names of files in docs/, in the order in which one shell runs them. */
  readonly guides: readonly string[];
  /** An empty folder, for all that the commands make. */
  readonly folder: string;
  /** The command that `npx turnpike` is. */
  readonly program: readonly string[];
  readonly databaseUrl?: string;
  /** Shell after the last guide. */
  readonly epilogue?: string;
};

/** The commands of a guide: its blocks of `sh`. Other blocks are not for this machine. */
export const commandsIn = (guide: string): readonly string[] =>
  [...readFileSync(join(root, 'docs', guide), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);

function prepare({ folder, program, databaseUrl }: GuideRun): void {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const shims = { npx: `shift\nexec '${program.join("' '")}' "$@"`, npm: 'exit 0' };
  for (const [name, text] of Object.entries(shims)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  if (databaseUrl !== undefined) {
    mkdirSync(join(folder, 'live'));
    writeFileSync(join(folder, 'live', 'database.url'), databaseUrl, { mode: 0o600 });
  }
  if (isRoot) for (const name of [folder, ...globSync(join(folder, '{bin,live}{,/*}'))]) chownSync(name, NOBODY, NOBODY);
}

/** What the commands print. Fails with the logs when one of them fails. */
export async function runGuides(run: GuideRun): Promise<string> {
  const { guides, folder, epilogue = '' } = run;
  prepare(run);
  const blocks = guides.map((guide) => `printf '\\n=== ${guide}\\n'\n${commandsIn(guide).join('\n')}`);
  let script = `set -e\n${blocks.join('\n')}\n${epilogue}\n`;
  for (const port of ['9080', '8443', '8444']) script = script.replaceAll(port, String(await freePort()));
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: folder,
    env: {
      PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`,
      HOME: folder,
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
    // A group of its own, so that the gateways that the commands start in the background end with it.
    detached: true,
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  const { pid = 0 } = child;
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece) => {
      said += piece;
    });
  }
  const code = await new Promise((done) => child.on('close', done));
  await endGroup(pid);
  const logs = () => globSync(join(folder, 'live', '*.log')).map((path) => readFileSync(path, 'utf8').slice(-3_000));
  assert.equal(code, 0, `${said.slice(-4_000)}\n${logs().join('\n')}`);
  return said;
}

const ENDED_MS_MAX = 20_000;

/** Ends all processes of a group and waits for their end. */
async function endGroup(pid: number): Promise<void> {
  const began = performance.now();
  for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; isSent(pid, signal); signal = 0) {
    assert.ok(performance.now() - began < ENDED_MS_MAX, 'a gateway of the guide did not end');
    await pause(50);
  }
}

/** Whether there is still a process in the group. */
function isSent(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
