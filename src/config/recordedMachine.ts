import type { Machine } from './config.ts';

/** The machine as the main thread has read it: every thread has the same configuration, whatever has changed on the disk since. */

const commandName = (program: string, words: readonly string[]): string => JSON.stringify([program, ...words]);

/** Records every read. */
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
