import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './command.ts';

/** Parses the options of a command, each an optional text. Anything else is a usage error. */
export const parseOptions = <Name extends string>(
  words: readonly string[],
  names: readonly Name[],
): Readonly<Partial<Record<Name, string>>> => parseFlaggedOptions(words, names, []).texts;

/** Parses options with a text, and flags without one. */
export function parseFlaggedOptions<Name extends string, Flag extends string>(
  words: readonly string[],
  names: readonly Name[],
  flags: readonly Flag[],
): { readonly texts: Readonly<Partial<Record<Name, string>>>; readonly flags: Readonly<Partial<Record<Flag, boolean>>> } {
  const options = {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    ...Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }])),
  };
  const values = parseWords(words, options);
  return { texts: values as Partial<Record<Name, string>>, flags: values as Partial<Record<Flag, boolean>> };
}

/** Parses options in the form of Node's `parseArgs`, for those that may be given several times. */
export function parseWords<Options extends NonNullable<ParseArgsConfig['options']>>(words: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // The first sentence of Node's message says what is wrong; the rest does not apply here.
    throw new UsageError((error as Error).message.split('. ')[0] ?? '');
  }
}

/** The text of a required option. */
export function requiredOption(text: string | undefined, option: string): string {
  if (text === undefined || text === '') throw new UsageError(`--${option}: is missing`);
  return text;
}
