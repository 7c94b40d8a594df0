import { randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Sample, SampleRow } from './fill.ts';
import type { Lap } from './speed.ts';
import { withDatabase } from './sqliteFile.ts';

/** As much memory and as long a log as the gateway gives itself: the limit is to be the harder one. */
const LOG_PAGES = 16_000;

const freshId = () => Date.now().toString(16).padStart(12, '0') + randomBytes(10).toString('hex');

/**
 * The limit of the disk: the same rows as the gateway's, bare inserts, `group` payments in a durable transaction, in a copy of its file.
 */
export function rawLap(
  file: string,
  sample: Sample,
  { group, secondsMax, paymentsMax }: { group: number; secondsMax: number; paymentsMax: number },
): Lap {
  return withDatabase(file, (db) => {
    db.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
    const insertPayment = inserter(db, 'payment', sample.payment);
    const insertEvent = inserter(db, 'outbox', sample.outbox);
    const beganAt = performance.now();
    let makingMs = 0;
    let count = 0;
    while (count < paymentsMax && performance.now() - beganAt - makingMs < secondsMax * 1000) {
      const makingAt = performance.now();
      const rows = Array.from({ length: group }, () => rowsOf(sample));
      makingMs += performance.now() - makingAt;
      db.exec('BEGIN IMMEDIATE');
      for (const { payment, outbox } of rows) {
        insertPayment(payment);
        insertEvent(outbox);
      }
      db.exec('COMMIT');
      count += group;
    }
    const seconds = (performance.now() - beganAt - makingMs) / 1000;
    return { perSecond: count / seconds, p50Ms: null, p99Ms: null, maxMs: null, cpuMicros: null, used: null, count };
  });
}

function rowsOf({ payment, outbox }: Sample): { payment: SQLInputValue[]; outbox: SQLInputValue[] } {
  const id = freshId();
  return {
    payment: Object.values({ ...payment, id, family_id: id }) as SQLInputValue[],
    outbox: Object.values({ ...outbox, id: freshId(), subject_id: id }) as SQLInputValue[],
  };
}

function inserter(db: DatabaseSync, table: string, row: SampleRow): (values: SQLInputValue[]) => void {
  const names = Object.keys(row);
  const places = names.map((_, at) => `?${at + 1}`).join(', ');
  const insert = db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`);
  return (values) => void insert.run(...values);
}
