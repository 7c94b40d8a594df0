import { write, writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import { withoutCardNumbers } from './mask.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'>;

/** Lines leave together: a line each would cost a call to the system each. */
const FLUSH_MS = 500;
const BUFFER_CHARACTERS = 4_096;
/** A reader that has stopped reading must not fill the memory. */
const BACKLOG_CHARACTERS_MAX = 4_194_304;

/**
 * Standard output, buffered. A full disk behind it loses lines, never a payment: what cannot be written is dropped, and nobody waits for
 * it, not even the end of the process.
 */
export function standardOutput(fd = 1): DestinationStream & { flushSync(): void } {
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
        // What cannot be written at the end is lost.
      }
      waiting = '';
    },
  };
}

/** One JSON object a line. Bodies and query strings are never logged, and whatever else slips in, no card number leaves. */
export function createLog(level: string, out: DestinationStream): Log {
  const masking: DestinationStream = { write: (line) => out.write(withoutCardNumbers(line)) };
  // The time as text: thirteen digits of milliseconds would pass for a card number now and then.
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'message' };
  return pino(options, masking);
}
