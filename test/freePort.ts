import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Below the ports that the system itself gives to connections and to servers that ask for any: nobody else gets one of these by chance. */
const [FIRST, COUNT] = [10_000, 20_000];
/** A file for each port that a test process has taken, with its process id. */
const folder = join(tmpdir(), `turnpike-ports-${process.getuid?.() ?? ''}`);
let next = (process.pid * 37) % COUNT;

/**
 * A port for a program that is started later, perhaps several times. It belongs to this process until it ends: a port that was merely free
 * a moment ago may go to another test, and its gateway then answers for ours.
 */
export async function freePort(): Promise<number> {
  mkdirSync(folder, { recursive: true });
  for (let tries = 0; tries < COUNT; tries += 1) {
    next = (next + 1) % COUNT;
    const port = FIRST + next;
    if (take(join(folder, String(port))) && (await canListen(port))) return port;
  }
  throw new Error(`none of ${COUNT} ports is free`);
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    if (isAbandoned(file)) rmSync(file, { force: true });
    return false;
  }
  return true;
}

/** Its process has ended; the next one that comes by can have the port. */
function isAbandoned(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return false;
  } catch {
    return true;
  }
}

async function canListen(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  const isFree = await once(probe, 'listening').then(
    () => true,
    () => false,
  );
  probe.close();
  return isFree;
}
