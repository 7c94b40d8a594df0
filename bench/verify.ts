import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Verdict, verify } from '../src/ledger/verify.ts';
import { withAudit } from '../src/store/open.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { ENTRIES_EACH, fillBooks } from './fillBooks.ts';
import { databaseFile } from './sqliteFile.ts';

/**
 * How long a proof of the books takes: `node bench/verify.ts [entries] [flip]`. A file with so many entries is made and proven; then one
 * bit of one amount is flipped, and it must be found. With `flip` only the second proof is made.
 */
const ENTRIES = Number(process.argv[2] ?? 60_000);
const isFlipOnly = process.argv[3] === 'flip';
const fill = (file: string): void => fillBooks(file, { payments: Math.ceil(ENTRIES / ENTRIES_EACH) });

function flipOneBit(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('DROP TRIGGER posting_fixed; PRAGMA ignore_check_constraints = ON');
  db.exec(`UPDATE posting SET merchant = (merchant | 4) - (merchant & 4)
    WHERE n = (SELECT (MAX(n) / 3) * 2 FROM posting)`);
  db.close();
}

async function timed<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  const beganAt = performance.now();
  const done = await work();
  console.log(`${what}: ${((performance.now() - beganAt) / 1_000).toFixed(1)} s`);
  return done;
}

const prove = (path: string): Promise<Verdict> =>
  withAudit({ path }, (audit) => verify(audit, { merchantId: null, onStep: () => {}, signal: new AbortController().signal }));

const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-verify-'));
try {
  await (await openSqliteStore({ dataDir })).close();
  const file = databaseFile(dataDir);
  await timed(`${ENTRIES} entries written`, () => fill(file));
  console.log(`${Math.round(statSync(file).size / 2 ** 20)} MiB`);
  if (!isFlipOnly) {
    const beganAt = performance.now();
    const { entries, found } = await timed('proven', () => prove(file));
    if (found > 0) throw new Error('what was never touched is not in order');
    console.log(`${Math.round((1_000 * entries) / (performance.now() - beganAt))} entries/s`);
  }
  flipOneBit(file);
  const { findings, found, entries } = await timed('one flipped bit found and named', () => prove(file));
  if (found === 0) throw new Error('the flipped bit was not found');
  console.log(`of ${entries} entries:`);
  for (const { merchantId, block, subjectId, says } of findings) console.log(merchantId, block, subjectId, says);
} finally {
  rmSync(dataDir, { recursive: true });
}
