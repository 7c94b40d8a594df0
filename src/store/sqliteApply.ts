import type { DatabaseSync } from 'node:sqlite';
import type { Outcome } from '../payments/needs.ts';
import { BrokenCommit } from './errors.ts';
import { type Cell, type CommitCell, commitCells } from './rows.ts';
import { claimSource, fixedColumns, messageSource, paymentColumns, reads } from './statements.ts';

/** What became of one commit. `broken`: it contradicts what is stored, and nothing was written. */
export type Applied = Outcome | { readonly is: 'broken'; readonly why: string };
export type CommitRow = readonly Cell[];

const cellAt = Object.fromEntries(commitCells.map((name, index) => [name, index])) as Readonly<Record<CommitCell, number>>;

const into = (table: string, source: Readonly<Record<string, CommitCell>>): string =>
  `INSERT INTO ${table} (${Object.keys(source).join(', ')}) VALUES (:${Object.values(source).join(', :')})`;
const family = 'merchant_id = :merchant_id AND id = :family_id';
const move = 'UPDATE payment SET state = :state, due_at = :due_at, data = :data, revision = :revision';
const moving = `merchant_id = :merchant_id AND id = :id AND revision = :revision - 1
  AND ${fixedColumns.map((name) => `${name} IS :${name}`).join(' AND ')}`;

const statements = {
  insertFirst: `INSERT INTO payment (${paymentColumns.join(', ')})
    VALUES (${paymentColumns.map((name) => (name === 'version' ? '1' : `:${name}`)).join(', ')})`,
  insertFurther: `INSERT INTO payment (${paymentColumns.join(', ')})
    VALUES (${paymentColumns.map((name) => (name === 'version' ? '0' : `:${name}`)).join(', ')})`,
  moveFirst: `${move}, version = version + 1 WHERE ${moving} AND version = :version`,
  moveFurther: `${move} WHERE ${moving}`,
  raiseVersion: `UPDATE payment SET version = version + 1 WHERE ${family} AND version = :version`,
  insertClaim: into('idempotency', claimSource),
  insertMessage: into('outbox', messageSource),
} as const;

type Run = (row: CommitRow) => number;

/** A statement with its places named after the cells of a commit. */
function prepared(db: DatabaseSync, text: string): Run {
  const cells: number[] = [];
  const numbered = text.replace(/:(\w+)/g, (_, name: string) => `?${cells.push(cellAt[name as CommitCell])}`);
  const statement = db.prepare(numbered);
  return (row) => Number(statement.run(...cells.map((index) => row[index] ?? null)).changes);
}

/** The commits as one step within a transaction that the caller has begun and will end. */
export function createApply(db: DatabaseSync): (rows: readonly CommitRow[]) => Applied[] {
  const applyOne = createApplyOne(db);
  const [set, release, undo] = [db.prepare('SAVEPOINT one'), db.prepare('RELEASE one'), db.prepare('ROLLBACK TO one')];

  const applyAlone = (row: CommitRow): Applied => {
    set.run();
    try {
      const applied = applyOne(row);
      release.run();
      return applied;
    } catch (error) {
      if (!isConstraint(error)) throw error;
      undo.run();
      release.run();
      return refusalOf(error);
    }
  };
  return (rows) => {
    try {
      // Only a payment that references another can be refused for its sums; for the others a savepoint would be in vain.
      return rows.map((row) => (row[cellAt.referenced_id] === null ? applyOne(row) : applyAlone(row)));
    } catch (error) {
      if (!isConstraint(error)) throw error;
      db.exec('ROLLBACK; BEGIN IMMEDIATE');
      return rows.map(applyAlone);
    }
  };
}

function createApplyOne(db: DatabaseSync): (row: CommitRow) => Applied {
  const run = Object.fromEntries(Object.entries(statements).map(([name, text]) => [name, prepared(db, text)])) as Readonly<
    Record<keyof typeof statements, Run>
  >;
  const findClaim = db.prepare(reads.claim);
  const findVersion = db.prepare('SELECT version FROM payment WHERE merchant_id = ?1 AND id = ?2');

  const versionOf = (row: CommitRow) =>
    findVersion.get(row[cellAt.merchant_id] as string, row[cellAt.family_id] as string)?.version ?? null;
  const claimedBy = (row: CommitRow): Applied | null => {
    if (row[cellAt.claim_key] === null) return null;
    const found = findClaim.get(row[cellAt.claim_entity_id] as string, row[cellAt.claim_key] as string);
    if (!found || found.payment_id === row[cellAt.id]) return null;
    return { is: 'claimed', paymentId: String(found.payment_id), bodyHash: String(found.body_hash) };
  };
  /** Asks only when it failed, because it hardly ever does. */
  const isInserted = (row: CommitRow): boolean => {
    try {
      return mustChange(run.insertFirst(row));
    } catch (error) {
      if (isConstraint(error) && versionOf(row) !== null) return false;
      throw error;
    }
  };
  /** Whether the payment was written; false when its family stands at another version. Throws when it cannot be written at all. */
  const write = (row: CommitRow): boolean => {
    const version = row[cellAt.version];
    if (version === 0) return isInserted(row);
    if (versionOf(row) !== version) return false;
    if (row[cellAt.id] === row[cellAt.family_id]) return mustChange(run.moveFirst(row));
    run.raiseVersion(row);
    return mustChange(row[cellAt.revision] === 1 ? run.insertFurther(row) : run.moveFurther(row));
  };
  return (row) => {
    const claimed = claimedBy(row);
    if (claimed) return claimed;
    if (!write(row)) return { is: 'moved' };
    if (row[cellAt.claim_key] !== null) run.insertClaim(row);
    run.insertMessage(row);
    return { is: 'kept' };
  };
}

function mustChange(changes: number): true {
  if (changes !== 1) throw new BrokenCommit('the stored payment is not the one that the commit continues');
  return true;
}

const CONSTRAINT = 19;
const FULL = 13;

/** The lower byte of SQLite's code is the family of errors. */
const hasCode = (error: unknown, family: number): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === family;

/** The commit is at fault, not the database. */
export const isConstraint = (error: unknown): boolean => error instanceof BrokenCommit || hasCode(error, CONSTRAINT);
export const isDiskFull = (error: unknown): boolean => hasCode(error, FULL);

function refusalOf(error: unknown): Applied {
  const why = error instanceof Error ? error.message : String(error);
  return why.includes('balance_overrun') ? { is: 'overrun' } : { is: 'broken', why };
}
