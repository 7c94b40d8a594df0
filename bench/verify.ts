import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { postingsOf } from '../src/ledger/book.ts';
import { blockOf } from '../src/ledger/chain.ts';
import { accounts, type Block, lineOf } from '../src/ledger/entry.ts';
import { type Verdict, verify } from '../src/ledger/verify.ts';
import { exampleCommit, examplePayment } from '../src/payments/examples.ts';
import type { Payment } from '../src/payments/payment.ts';
import { withAudit } from '../src/store/openAudit.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { blockCells, blockColumns } from '../src/store/tables/ledger.ts';
import { cellsOf, paymentColumns } from '../src/store/tables/payments.ts';
import { databaseFile } from './sqliteFile.ts';

/**
 * How long a proof of the books takes: `node bench/verify.ts [entries] [flip]`. A file with so many entries is made and proven; then one
 * bit of one amount is flipped, and it must be found. With `flip` only the second proof is made.
 */
const ENTRIES = Number(process.argv[2] ?? 60_000);
const isFlipOnly = process.argv[3] === 'flip';
/** In flight: two; taken back and booked: four. */
const ENTRIES_EACH = 6;
const MERCHANTS = 20;
const PORTION = 500;

const hex = (number: number): string => number.toString(16);
const idOf = (ms: number, at: number): string => hex(ms).padStart(12, '0') + hex(at).padStart(20, '0');

/** A debit that was asked for and then approved, as a gateway with a slow acquirer would have stored it. */
const debitOf = (merchantId: string, at: number): Payment => {
  const ms = 1_790_000_000_000 + at * 10;
  return examplePayment({
    merchantId,
    id: idOf(ms, at),
    familyId: idOf(ms, at),
    paymentType: 'DB',
    revision: 2,
    amount: BigInt(100 + (at % 90_000)),
    currency: at % 3 ? 'EUR' : 'USD',
    mode: 'EXTERNAL',
    createdAt: ms,
    movedAt: ms + 400,
    phase: { at: 'final', code: '000.100.112' },
  });
};

const placesFor = (names: readonly string[]): string => names.map((_, at) => `?${at + 1}`).join(', ');

function fill(file: string): void {
  const db = new DatabaseSync(file);
  db.exec(
    'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000',
  );
  const columns = [...blockColumns.split(', '), 'from_n', 'to_n'];
  const posted = ['n', 'merchant_id', 'subject_id', 'revision', 'kind', 'at', 'currency', 'mode', ...accounts];
  const [addPayment, addPosting, addBlock] = [
    db.prepare(`INSERT INTO payment (${paymentColumns.join(', ')}) VALUES (${placesFor(paymentColumns)})`),
    db.prepare(`INSERT INTO posting (${posted.join(', ')}) VALUES (${placesFor(posted)})`),
    db.prepare(`INSERT INTO ledger_block (${columns.join(', ')}) VALUES (${placesFor(columns)})`),
  ];
  const last = new Map<string, Block>();
  const event = { id: 'm', type: 'PAYMENT', action: null, code: '000.100.112' } as const;
  let n = 0;
  db.exec('BEGIN');
  for (let at = 0; at < ENTRIES / ENTRIES_EACH; at += PORTION) {
    const merchantId = `merchant${(at / PORTION) % MERCHANTS}`;
    const [lines, from]: [string[], number] = [[], n + 1];
    for (let next = at; next < Math.min(at + PORTION, ENTRIES / ENTRIES_EACH); next += 1) {
      const payment = debitOf(merchantId, next);
      addPayment.run(
        ...(cellsOf(exampleCommit(payment, { version: 1, event })).slice(0, paymentColumns.length) as SQLInputValue[]),
      );
      for (const one of postingsOf(payment, null)) {
        n += 1;
        const amounts = accounts.map((account) => one.entries[account] ?? 0n);
        addPosting.run(n, merchantId, one.subjectId, one.revision, one.kind, one.at, one.currency, one.mode, ...amounts);
        lines.push(lineOf(one));
      }
    }
    const block = blockOf(last.get(merchantId) ?? null, merchantId, lines);
    addBlock.run(...blockCells(block), from, n);
    last.set(merchantId, block);
  }
  db.exec('COMMIT');
  db.close();
}

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
