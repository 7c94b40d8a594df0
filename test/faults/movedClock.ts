import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './gatewayProcess.ts';

export type MovedClock = { readonly file: string; now(): number; leap(ms: number): void; leapTo(at: number): void };

/** The clock of all nodes: real time plus what the test has added. */
export function createMovedClock(): MovedClock {
  const file = join(temporaryFolder(), 'clock');
  let ahead = 0;
  const leap = (ms: number) => {
    ahead += ms;
    writeFileSync(`${file}.new`, String(ahead));
    renameSync(`${file}.new`, file);
  };
  leap(0);
  const now = () => Date.now() + ahead;
  return { file, now, leap, leapTo: (at) => leap(Math.max(0, at - now())) };
}
