import { execFile } from 'node:child_process';
import { accessSync, constants, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sample, SampleRow } from './fill.ts';
import type { Lap } from './speed.ts';

/** The path of pgbench, or null: the PostgreSQL package of the tests does not contain it. */
export function findPgbench(): string | null {
  const places = ['/usr/bin/pgbench', ...globSync('/usr/lib/postgresql/*/bin/pgbench').sort().reverse(), ...onPath('pgbench')];
  return places.find(isProgram) ?? null;
}

const onPath = (name: string): string[] => (process.env.PATH ?? '').split(':').map((folder) => join(folder, name));

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A fresh backend reads the catalogue and plans its statement first, which the gateway's have done long ago. */
const WARM_UP_SECONDS = 1;

/**
 * The limit of the server: the same rows for every payment, one durable transaction each. Both inserts are one statement, because that
 * is one round trip, the quickest way a plain client has.
 */
export async function pgbenchLap(
  program: string,
  url: string,
  { sample, connections, seconds }: { sample: Sample; connections: number; seconds: number },
): Promise<{ readonly lap: Lap; readonly written: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-pgbench-'));
  try {
    const script = join(folder, 'payment.sql');
    writeFileSync(script, scriptOf(sample));
    const jobs = Math.min(availableParallelism(), connections);
    const values = [...definitions('p', sample.payment), ...definitions('o', sample.outbox)];
    const warmUp = WARM_UP_SECONDS + Math.floor(connections / 128);
    // The progress of the very last second is not always printed: one second more is asked for than is counted on.
    const wholeSeconds = warmUp + Math.max(1, Math.round(seconds)) + 1;
    const clients = ['-c', String(connections), '-j', String(jobs), '-T', String(wholeSeconds)];
    const words = ['-n', '-M', 'prepared', '-P', '1', ...clients, ...values, '-f', script, url];
    const { stdout, stderr } = await promisify(execFile)(program, words);
    return lapOf(stdout, stderr, warmUp);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lapOf(stdout: string, stderr: string, warmUp: number): { readonly lap: Lap; readonly written: number } {
  const written = Number(/^number of transactions actually processed: (\d+)/m.exec(stdout)?.[1]);
  const failed = Number(/^number of failed transactions: (\d+)/m.exec(stdout)?.[1] ?? 0);
  const seconds = [...stderr.matchAll(/^progress: ([0-9.]+) s, ([0-9.]+) tps/gm)]
    .map(([, at, tps]) => ({ at: Number(at), perSecond: Number(tps) }))
    .filter(({ at }) => at > warmUp + 0.5);
  const perSecond = seconds.reduce((sum, second) => sum + second.perSecond, 0) / seconds.length;
  if (!(perSecond > 0) || failed > 0) throw new Error(`pgbench did not do its work:\n${stdout}${stderr}`);
  const count = Math.round(perSecond * seconds.length);
  return { lap: { perSecond, p50Ms: null, p99Ms: null, maxMs: null, cpuMicros: null, used: null, count }, written };
}

const RANDOM_40_BITS = 'random(0, 1099511627775)';
const hex10 = (name: string) => `lpad(to_hex(:${name}::bigint), 10, '0')`;

function scriptOf(sample: Sample): string {
  const now = `lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')`;
  const insert = (table: string, letter: string, row: SampleRow, changed: Record<string, string>) => {
    const names = Object.keys(row);
    const values = names.map((name) => changed[name] ?? placeOf(letter, name, row[name] ?? null));
    return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM made`;
  };
  const payment = insert('payment', 'p', sample.payment, { id: 'made.id', family_id: 'made.id' });
  const outbox = insert('outbox', 'o', sample.outbox, { id: 'made.event_id', subject_id: 'made.id' });
  const made = `SELECT ${now} || ${hex10('a')} || ${hex10('b')} AS id, ${now} || ${hex10('c')} || ${hex10('d')} AS event_id`;
  const numbers = ['a', 'b', 'c', 'd'].map((name) => `\\set ${name} ${RANDOM_40_BITS}`).join('\n');
  return `${numbers}\nWITH made AS MATERIALIZED (${made}), paid AS (${payment}) ${outbox};\n`;
}

/** Sends every value that is not null as a parameter, as a client does. */
function placeOf(letter: string, name: string, value: SampleRow[string]): string {
  if (value === null) return 'NULL';
  const place = `:${letter}_${name}`;
  if (value instanceof Uint8Array) return `decode(${place}, 'hex')`;
  return /^\d+$/.test(String(value)) && !isText(name) ? `${place}::bigint` : `${place}::text`;
}

/** Texts that may look like numbers. */
const isText = (name: string): boolean => /id$|code|data|fingerprint/.test(name);

function definitions(letter: string, row: SampleRow): string[] {
  return Object.entries(row).flatMap(([name, value]) => {
    if (value === null) return [];
    const text = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
    return ['-D', `${letter}_${name}=${text}`];
  });
}
