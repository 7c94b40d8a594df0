import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { withoutCardNumbers } from './mask.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'>;

/** Lines leave together: a line each would cost a call to the system each. */
const BUFFER_BYTES = 4_096;
const FLUSH_MS = 500;

/** Standard output, buffered. A full disk behind it loses lines, never a payment. */
export function standardOutput(): DestinationStream & { flushSync(): void } {
  const stream = destination({ fd: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS });
  stream.on('error', () => {});
  return {
    write: (line) => {
      stream.write(line);
    },
    flushSync: () => {
      try {
        stream.flushSync();
      } catch {
        // What cannot be written at the end is lost.
      }
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
