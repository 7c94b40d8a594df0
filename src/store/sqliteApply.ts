import type { DatabaseSync } from 'node:sqlite';
import type { Outcome } from '../payments/needs.ts';
import type { Cell } from './rows.ts';
import { PAYMENT_CELLS } from './rows.ts';
import { writes } from './statements.ts';

/** What became of one commit. `broken`: it contradicts what is stored, nothing was written. */
export type Applied = Outcome | { readonly is: 'broken'; readonly why: string };

type Row = readonly Cell[];

/** Writes commits in one transaction, each all or nothing. Throws when the transaction as a whole could not be kept. */
export function createApply(db: DatabaseSync): (rows: readonly Row[]) => Applied[] {
  const applyOne = createApplyOne(db);
  const savepoint = db.prepare('SAVEPOINT one');
  const release = db.prepare('RELEASE one');
  const undo = db.prepare('ROLLBACK TO one');

  const applyAlone = (row: Row): Applied => {
    savepoint.run();
    try {
      return applyOne(row);
    } catch (error) {
      if (!isConstraint(error)) throw error;
      undo.run();
      return refusalOf(error);
    } finally {
      if (db.isTransaction) release.run();
    }
  };
  return (rows) => {
    db.exec('BEGIN IMMEDIATE');
    try {
      try {
        // Only a payment that references another can be refused for its sums; a savepoint for each of the others would be in vain.
        return rows.map((row) => (row[4] === null ? applyOne(row) : applyAlone(row)));
      } catch (error) {
        if (!isConstraint(error)) throw error;
        db.exec('ROLLBACK; BEGIN IMMEDIATE');
        return rows.map(applyAlone);
      }
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
}

function createApplyOne(db: DatabaseSync): (row: Row) => Applied {
  const findClaim = db.prepare('SELECT payment_id, body_hash FROM idempotency WHERE entity_id = ?1 AND key = ?2');
  const insertPayment = db.prepare(writes.insertPayment);
  const raiseVersion = db.prepare(writes.raiseVersion);
  const familyVersion = db.prepare(writes.familyVersion);
  const movePayment = db.prepare(writes.movePayment);
  const insertClaim = db.prepare(writes.insertClaim);
  const insertMessage = db.prepare(writes.insertMessage);
  return (row) => {
    const r = row as never[];
    const [merchantId, id, familyId, entityId, referencedId, paymentType, industryPractice, state, amount, currency, createdAt] = r;
    const dueAt = r[11]!, version = r[15]!, revision = r[16]!, data = r[17]!;
    const movedAt = r[19]!, claimKey = r[23]!, bodyHash = r[24]!;
    void referencedId; 
    if (claimKey !== null) {
      const held = findClaim.get(entityId!, claimKey) as { payment_id: string; body_hash: string } | undefined;
      if (held && held.payment_id !== id) return { is: 'claimed', paymentId: held.payment_id, bodyHash: held.body_hash };
    }
    if (version === 0) {
      const p = r.slice(0, PAYMENT_CELLS) as Cell[];
      p[15] = 1;
      try { insertPayment.run(...(p as never[])); } catch (e) { if (familyVersion.get(merchantId!, id!)) return { is: 'moved' }; throw e; }
    } else throw new Error('not yet');
    if (claimKey !== null) insertClaim.run(entityId!, claimKey, bodyHash, merchantId!, id!, movedAt);
    insertMessage.run(merchantId!, r[20]!, entityId!, id!, revision, r[21]!, r[22]!, movedAt);
    void [familyId, paymentType, industryPractice, state, amount, currency, createdAt, dueAt, data, raiseVersion, movePayment];
    return { is: 'kept' };
  };
}

const isConstraint = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 19;

function refusalOf(error: unknown): Applied {
  const why = error instanceof Error ? error.message : String(error);
  return why.includes('balance_overrun') ? { is: 'overrun' } : { is: 'broken', why };
}
