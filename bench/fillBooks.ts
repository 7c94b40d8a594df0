import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { postingsOf } from '../src/ledger/book.ts';
import { blockOf } from '../src/ledger/chain.ts';
import { accounts, type Block, lineOf } from '../src/ledger/entry.ts';
import { exampleCommit, examplePayment } from '../src/payments/examples.ts';
import type { Payment } from '../src/payments/payment.ts';
import { blockCells, blockColumns } from '../src/store/areas/ledger.ts';
import { cellsOf } from '../src/store/commit/cells.ts';
import { paymentColumns } from '../src/store/commit/columns.ts';

/** In flight: two; taken back and booked: four. */
export const ENTRIES_EACH = 6;
export const MERCHANTS = 20;
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

export type BooksSize = {
  readonly payments: number;
  /** The sealed text of a payment; left out: none has one. */
  readonly sealedOf?: (payment: Payment) => Uint8Array | null;
};

/** Fills a new database with paid debits, their postings and the blocks of the ledger. */
export function fillBooks(file: string, { payments, sealedOf = () => null }: BooksSize): void {
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
  for (let at = 0; at < payments; at += PORTION) {
    const merchantId = `merchant${(at / PORTION) % MERCHANTS}`;
    const [lines, from]: [string[], number] = [[], n + 1];
    for (let next = at; next < Math.min(at + PORTION, payments); next += 1) {
      const payment = debitOf(merchantId, next);
      addPayment.run(
        ...(cellsOf(exampleCommit(payment, { version: 1, event, sealed: sealedOf(payment) })).slice(
          0,
          paymentColumns.length,
        ) as SQLInputValue[]),
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
