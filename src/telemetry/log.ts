import { write, writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { maskCardNumbers } from '../spec/cards/cardNumbers.ts';
import { callFields } from './tracer.ts';

/** The levels of pino and bunyan. */
const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: 70 } as const;
type Level = 'info' | 'warn' | 'error' | 'fatal';

/** An error is given as `err`. */
export type Log = { readonly [level in Level]: (about: object, message: string) => void };

/** The output of log lines. */
export type LogOutput = { write(line: string): void };

/** Lines are written together: one system call each would be expensive. */
const FLUSH_MS = 500;
const BUFFER_CHARACTERS = 4_096;
/** A reader that has stopped reading must not fill the memory. */
const BACKLOG_CHARACTERS_MAX = 4_194_304;

/**
 * Standard output, buffered. A full disk behind it loses lines, never a payment: lines that cannot be written are dropped, and nothing
 * waits for them, not even the end of the process.
 */
export function standardOutput(fd = 1): LogOutput & { flushSync(): void } {
  let waiting = '';
  let isWriting = false;
  const flush = () => {
    if (isWriting || waiting === '') return;
    isWriting = true;
    const lines = waiting;
    waiting = '';
    write(fd, lines, () => {
      isWriting = false;
    });
  };
  setInterval(flush, FLUSH_MS).unref();
  return {
    write: (line) => {
      waiting += line;
      if (waiting.length >= BUFFER_CHARACTERS) flush();
      if (waiting.length > BACKLOG_CHARACTERS_MAX) waiting = '';
    },
    flushSync: () => {
      try {
        writeSync(fd, waiting);
      } catch {
        // Lines that cannot be written at the end are lost.
      }
      waiting = '';
    },
  };
}

/** Values that JSON does not have, as strings. The caller handles a loop. */
function readable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { ...value, type: name, message, stack, ...(cause !== undefined && { cause }) };
}

function textOf(row: object, about: object, message: string): string {
  try {
    return JSON.stringify({ ...row, ...about, message }, readable);
  } catch {
    return JSON.stringify({ ...row, about: inspect(about), message });
  }
}

/** A level that is not logged. */
export const unwritten = (_about: object, _message: string): void => {};

/** One JSON object a line. Bodies and query strings are never logged, and card numbers are masked in every line. */
export function createLog(level: keyof typeof LEVELS, out: LogOutput, now: () => number): Log {
  const write = (own: Level) => (about: object, message: string) => {
    // The time as a string: thirteen digits of milliseconds would pass for a card number now and then.
    const row = { level: LEVELS[own], time: new Date(now()).toISOString(), ...callFields() };
    out.write(`${maskCardNumbers(textOf(row, about, message), { isStrict: true })}\n`);
  };
  const at = (own: Level) => (LEVELS[own] < LEVELS[level] ? unwritten : write(own));
  return { info: at('info'), warn: at('warn'), error: at('error'), fatal: at('fatal') };
}
