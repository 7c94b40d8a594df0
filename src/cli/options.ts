import { parseArgs } from 'node:util';
import { Misuse } from './command.ts';

/** The options of a command, each a text that may be left out. Anything else on the line is a misuse. */
export function optionsOf<Name extends string>(
  words: readonly string[],
  names: readonly Name[],
): Readonly<Partial<Record<Name, string>>> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values as Partial<
      Record<Name, string>
    >;
  } catch (error) {
    // The first sentence says what is wrong; the rest of it is about other programs.
    throw new Misuse((error as Error).message.split('. ')[0] ?? '');
  }
}
