import type { Config } from '../config.ts';
import type { Ids } from '../payments/ports.ts';
import type { Clock } from '../spec/time.ts';
import type { Store } from '../store/store.ts';
import type { Masters } from '../vault/masterKey.ts';
import type { OpenedVault } from '../vault/vault.ts';
import type { Progress } from './progress.ts';

/** What a command finds around it. Configuration, store and vault are opened when they are first asked for, and closed after it. */
export type Context = {
  /** The same environment variables as the gateway reads. */
  config(): Config;
  masters(): Masters;
  store(): Promise<Store>;
  vault(): Promise<OpenedVault>;
  /** Aborted by Ctrl-C; a second one ends the process at once. */
  signal(): AbortSignal;
  /** Resolves early when the signal is aborted. */
  sleep(ms: number): Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Relative to where the command was called. */
  readText(path: string): string;
  /** A line of the result, on standard output. */
  print(line: string): void;
  /** A piece of a file, on standard output; resolves when there is room for the next. */
  write(bytes: Uint8Array): Promise<void>;
  /** A line about the work, on standard error. */
  printError(line: string): void;
  /** Shows how far the work is, on standard error. */
  progress(at: Progress): void;
};

/** One row of the command table. */
export type Command = {
  readonly name: string;
  readonly summary: string;
  /** How it is called, behind `turnpike`, and a line for each option. */
  readonly usage: string;
  /** Answers the exit code, or null when the process is to live on. */
  readonly run: (words: readonly string[], context: Context) => Promise<number | null>;
};

/** A command that was called wrongly: told with its usage, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'Misuse';
}

/** Something the operator can mend: told without a trace, exit code 1. */
export class OperatorError extends Error {
  override readonly name = 'Mendable';
}
