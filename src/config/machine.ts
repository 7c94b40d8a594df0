import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** The inputs of the configuration other than environment variables. */
export type Machine = {
  readonly readText: (path: string) => string;
  /** Runs a program without a shell and returns its output. Throws when it cannot be run, fails or takes too long. */
  readonly printed: (program: string, words: readonly string[]) => string;
  readonly uid: number | null;
  /** The permissions of a file, such as 0o640; null: it has none, or is not there. */
  readonly modeOf: (path: string) => number | null;
  /** The processors that this process may use. */
  readonly cores: number;
  /** Whether several threads can listen on one port, and the system distributes connections among them. */
  readonly sharesPorts: boolean;
};

export const COMMAND_MS_MAX = 15_000;
const COMMAND_BYTES_MAX = 4_096;

export const thisMachine: Machine = {
  readText: (path) => readFileSync(path, 'utf8'),
  printed: (program, words) =>
    execFileSync(program, [...words], {
      encoding: 'utf8',
      timeout: COMMAND_MS_MAX,
      killSignal: 'SIGKILL',
      maxBuffer: COMMAND_BYTES_MAX,
      // Only the key is read. Other output of the program may be secret.
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  uid: process.getuid?.() ?? null,
  modeOf: (path) => (process.platform === 'win32' ? null : (statSync(path, { throwIfNoEntry: false })?.mode ?? null)),
  cores: availableParallelism(),
  sharesPorts: ['linux', 'freebsd', 'sunos', 'aix'].includes(process.platform),
};

const commandName = (program: string, words: readonly string[]): string => JSON.stringify([program, ...words]);

/** Records every read, so that every thread has the configuration that the main thread has read, whatever has changed on the disk since. */
export function recordMachine(machine: Machine): { readonly machine: Machine; readonly texts: ReadonlyMap<string, string> } {
  const texts = new Map<string, string>();
  const note = (name: string, text: string): string => {
    texts.set(name, text);
    return text;
  };
  return {
    texts,
    machine: {
      ...machine,
      readText: (path) => note(path, machine.readText(path)),
      printed: (program, words) => note(commandName(program, words), machine.printed(program, words)),
    },
  };
}

/** Replays the recorded reads. */
export function replayMachine(machine: Machine, texts: ReadonlyMap<string, string>): Machine {
  const noted = (name: string): string => {
    const text = texts.get(name);
    if (text === undefined) throw Object.assign(new Error('was not read at the start'), { code: 'ENOENT' });
    return text;
  };
  return { ...machine, readText: noted, printed: (program, words) => noted(commandName(program, words)) };
}
