import { connect } from 'node:net';
import { afterAttended } from '../attended.ts';

export type Heard = {
  readonly text: string;
  /** The status of every response that came back, in their order. */
  readonly statuses: readonly number[];
  /** Whether the other side closed, or the wait was given up. */
  readonly isClosed: boolean;
};

const statusesIn = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));

/** On a busy machine a reply takes its time; an unexpected one would come much sooner. */
const AFTER_LAST_MS = 100;

/**
 * Sends raw bytes; returns what comes back until the other side closes, falls silent, or has sent as many replies as are expected and
 * nothing after them.
 */
export function say(
  port: number,
  pieces: string | readonly (string | Buffer)[],
  silenceMs = 400,
  answers = Number.POSITIVE_INFINITY,
): Promise<Heard> {
  return new Promise((resolve) => {
    const heard: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    const wait = (ms: number) => afterAttended(ms, () => done(false));
    let leaveOff = wait(silenceMs);
    const done = (isClosed: boolean) => {
      leaveOff();
      socket.destroy();
      const text = Buffer.concat(heard).toString('latin1');
      resolve({ text, statuses: statusesIn(text), isClosed });
    };
    socket.on('data', (chunk: Buffer) => {
      heard.push(chunk);
      leaveOff();
      leaveOff = wait(statusesIn(Buffer.concat(heard).toString('latin1')).length >= answers ? AFTER_LAST_MS : silenceMs);
    });
    socket.on('error', () => {});
    socket.on('close', () => done(true));
    socket.on('connect', () => {
      for (const piece of typeof pieces === 'string' ? [pieces] : pieces) socket.write(piece, 'latin1');
    });
  });
}
