import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';
import type { Ids } from '../payments/ports.ts';
import type { Clock } from '../spec/time.ts';
import type { Store } from '../store/store.ts';
import type { Masters } from '../vault/masterKey.ts';
import type { OpenedVault } from '../vault/vault.ts';
import type { Progress } from './output.ts';

/** The environment of a command. Configuration, store and vault are opened at their first use, and closed after the command. */
export type Context = {
  /** From the same environment variables as the gateway. */
  config(): Config;
  masters(): Masters;
  store(): Promise<Store>;
  vault(): Promise<OpenedVault>;
  /** Aborted by Ctrl-C; a second one ends the process immediately. */
  signal(): AbortSignal;
  /** Resolves early when the signal is aborted. */
  sleep(ms: number): Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Relative to the working folder. */
  readText(path: string): string;
  /** Prints a line of the result to standard output. */
  print(line: string): void;
  /** Writes a piece of a file to standard output; resolves when the next piece can follow. */
  write(bytes: Uint8Array): Promise<void>;
  /** Prints a line about the work to standard error. */
  printError(line: string): void;
  /** Shows the progress on standard error. */
  progress(at: Progress): void;
};

/** One row of the command table. */
export type Command = {
  readonly name: string;
  readonly summary: string;
  /** The call after `turnpike`, and a line for each option. */
  readonly usage: string;
  /** Returns the exit code, or null to keep the process running. */
  readonly run: (words: readonly string[], context: Context) => Promise<number | null>;
};

/** A wrong call of a command. Its message is printed with the usage, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Parses the options of a command, each an optional string. Anything else is a usage error. */
export const parseOptions = <Name extends string>(
  words: readonly string[],
  names: readonly Name[],
): Readonly<Partial<Record<Name, string>>> => parseFlaggedOptions(words, names, []).texts;

/** Parses options with a value, and flags without one. */
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

/** Parses options in the form of Node's `parseArgs`; some may be given several times. */
export function parseWords<Options extends NonNullable<ParseArgsConfig['options']>>(words: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // The first sentence of Node's message names the fault; the rest does not apply here.
    throw new UsageError((error as Error).message.split('. ')[0] ?? '');
  }
}

/** The value of a required option. */
export function requiredOption(text: string | undefined, option: string): string {
  if (text === undefined || text === '') throw new UsageError(`--${option}: is missing`);
  return text;
}
