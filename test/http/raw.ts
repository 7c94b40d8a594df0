import { connect } from 'node:net';
import { afterAttended } from '../attended.ts';

export type Heard = {
  readonly text: string;
  /** The status of every response that came back, in their order. */
  readonly statuses: readonly number[];
  /** Whether the other side closed, or we gave up waiting. */
  readonly isClosed: boolean;
};

/** Bytes as they are, without a client that tidies them up; what comes back until the other side closes or falls silent. */
export function say(port: number, pieces: string | readonly (string | Buffer)[], silenceMs = 400): Promise<Heard> {
  return new Promise((resolve) => {
    const heard: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    const wait = () => afterAttended(silenceMs, () => done(false));
    let leaveOff = wait();
    const done = (isClosed: boolean) => {
      leaveOff();
      socket.destroy();
      const text = Buffer.concat(heard).toString('latin1');
      resolve({ text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1])), isClosed });
    };
    socket.on('data', (chunk: Buffer) => {
      heard.push(chunk);
      leaveOff();
      leaveOff = wait();
    });
    socket.on('error', () => {});
    socket.on('close', () => done(true));
    socket.on('connect', () => {
      for (const piece of typeof pieces === 'string' ? [pieces] : pieces) socket.write(piece, 'latin1');
    });
  });
}
