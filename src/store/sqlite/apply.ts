import type { DatabaseSync } from 'node:sqlite';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import {
  type CommitCell,
  changeSource,
  commitCells,
  entersCheckout,
  eventSource,
  fixedColumns,
  furtherCells,
  hasSchedule,
  idempotencyKeySource,
  isPlain,
  isSum,
  otherOfCheckout,
  paymentColumns,
  postingSource,
  registrationEventSource,
  registrationSource,
  registrationUpdated,
  runSource,
  scheduleCells,
  scheduleEventSource,
  scheduleSource,
  scheduleUpdated,
  tokenUseSource,
} from '../commit/columns.ts';
import type { Cell } from '../database.ts';
import { constraintIn, isConstraint } from '../errors.ts';
import { type Applied, type CommitRow, packed } from './jobs.ts';
import { createSavepoint } from './write.ts';

const cellAt = Object.fromEntries(
  [...commitCells, ...furtherCells, ...scheduleCells].map((name, index) => [name, index]),
) as Readonly<Record<CommitCell, number>>;

const VALUES = 'VALUES';
const into = (table: string, source: Readonly<Record<string, CommitCell>>, fixed: Readonly<Record<string, number>> = {}) =>
  `INSERT INTO ${table} (${[...Object.keys(source), ...Object.keys(fixed)].join(', ')})
  ${VALUES} (${[...Object.values(source).map((cell) => (isSum(cell) ? `COALESCE(:${cell}, 0)` : `:${cell}`)), ...Object.values(fixed)].join(', ')})`;
const family = 'merchant_id = :merchant_id AND id = :family_id';
const move =
  'UPDATE payment SET state = :state, due_at = :due_at, data = :data, revision = :revision, code = :code, release_at = :release_at';
const moving = `merchant_id = :merchant_id AND id = :id AND revision = :revision - 1
  AND ${fixedColumns.map((name) => `${name} IS :${name}`).join(' AND ')}`;

const statements = {
  insertFirst: `INSERT INTO payment (${paymentColumns.join(', ')})
    ${VALUES} (${paymentColumns.map((name) => (name === 'version' ? '1' : `:${name}`)).join(', ')})`,
  insertFurther: `INSERT INTO payment (${paymentColumns.join(', ')})
    VALUES (${paymentColumns.map((name) => (name === 'version' ? '0' : `:${name}`)).join(', ')})`,
  moveFirst: `${move}, version = version + 1 WHERE ${moving} AND version = :version`,
  moveFurther: `${move} WHERE ${moving}`,
  raiseVersion: `UPDATE payment SET version = version + 1 WHERE ${family} AND version = :version`,
  insertIdempotencyKey: into('idempotency', idempotencyKeySource),
  insertEvent: into('outbox', eventSource),
  insertPosting: into('posting', postingSource),
  insertChange: into('statistic_change', changeSource),
  insertRegistration: into('registration', registrationSource),
  moveRegistration: `UPDATE registration SET ${registrationUpdated.map(([column, cell]) => `${column} = :${cell}`).join(', ')},
      sealed = CASE WHEN :registration_is_sealed_kept = 1 THEN sealed ELSE :registration_sealed END
    WHERE merchant_id = :merchant_id AND id = :registration_id AND revision = :registration_revision - 1`,
  insertRegistrationEvent: into('outbox', registrationEventSource, { of_registration: 1 }),
  insertTokenUse: into('token_use', tokenUseSource),
  insertSchedule: into('schedule', scheduleSource),
  moveSchedule: `UPDATE schedule SET ${scheduleUpdated.map(([column, cell]) => `${column} = :${cell}`).join(', ')}, claimed_until = 0
    WHERE merchant_id = :merchant_id AND id = :schedule_id AND revision = :schedule_revision - 1`,
  insertRun: into('schedule_run', runSource),
  insertScheduleEvent: into('outbox', scheduleEventSource),
} as const;

type Run = (row: CommitRow) => number;

/** A statement with its places named after the cells of a commit. */
function placed(db: DatabaseSync, text: string) {
  const cells: number[] = [];
  // Without numbers: the runtime looks through all of them for each.
  const statement = db.prepare(
    text.replace(/:(\w+)/g, (_, name: string) => {
      cells.push(cellAt[name as CommitCell]);
      return '?';
    }),
  );
  return { statement, cells };
}

function prepared(db: DatabaseSync, text: string): Run {
  const { statement, cells } = placed(db, text);
  return (row) => Number(statement.run(...cells.map((index) => row[index] ?? null)).changes);
}

const KEPT: Applied = { is: 'kept' };
// Only a payment that references another can be refused for its sums; the others need no savepoint.
const isSafe = (row: CommitRow): boolean => row[cellAt.referenced_id] === null && isPlain(row);
/** Begins a payment that nothing can refuse: it has no key that another may have used, and no checkout that another may have paid. */
const isBeginning = (row: CommitRow): boolean =>
  isSafe(row) && row[cellAt.version] === 0 && row[cellAt.idempotency_key] === null && !entersCheckout(row);

/**
 * Rows of one statement. A statement that fires triggers copies every page before it changes it: for several rows together it copies a
 * page once.
 */
const ROWS_TOGETHER = [16, 4, 1] as const;

type RunAll = (rows: readonly CommitRow[]) => void;

/** An insert for any number of rows, in as few statements as it has places for. */
function preparedForAll(db: DatabaseSync, text: string): RunAll {
  const [head = '', values = ''] = text.split(VALUES);
  const sizes = ROWS_TOGETHER.map((size) => {
    const run = preparedForRows(db, `${head} VALUES ${Array(size).fill(values).join(', ')}`, size);
    return { size, run };
  });
  return (rows) => {
    let at = 0;
    for (const { size, run } of sizes) for (; at + size <= rows.length; at += size) run(rows, at);
  };
}

function preparedForRows(db: DatabaseSync, text: string, size: number): (rows: readonly CommitRow[], from: number) => void {
  const { statement, cells } = placed(db, text);
  const each = cells.length / size;
  return (rows, from) => {
    const given: Cell[] = [];
    for (let at = from; at < from + size; at += 1) {
      const row = rows[at] as CommitRow;
      for (let place = 0; place < each; place += 1) given.push(row[cells[place] as number] ?? null);
    }
    if (Number(statement.run(...given).changes) !== size) throw new BrokenCommit('not every row was written');
  };
}

/** The commits as one step within a transaction that the caller has begun and will end. */
export function createApply(db: DatabaseSync): (rows: readonly CommitRow[]) => Applied[] {
  const applyOne = createApplyOne(db);
  const insertTogether = createInsertTogether(db);
  const inSavepoint = createSavepoint(db);
  const applyAlone = (row: CommitRow): Applied => inSavepoint(() => applyOne(row), refusalOf);
  const applyAll = (rows: readonly CommitRow[]): Applied[] => {
    try {
      // A caller waits for each of its commits, so none of the rows continues another of them: their order is free.
      insertTogether(rows.filter(isBeginning));
      return packed(rows, (row) => (isBeginning(row) ? KEPT : isSafe(row) ? applyOne(row) : applyAlone(row)));
    } catch (error) {
      if (!isConstraint(error)) throw error;
      db.exec('ROLLBACK; BEGIN IMMEDIATE');
      return packed(rows, applyAlone);
    }
  };
  const count = createCounter(db);
  return (rows) => {
    const applied = applyAll(rows);
    count(rows, applied);
    return applied;
  };
}

/** Inserts rows that begin payments, table by table. */
function createInsertTogether(db: DatabaseSync): RunAll {
  const tables = (
    [
      ['id', statements.insertFirst],
      ['event_id', statements.insertEvent],
      ['posting_at', statements.insertPosting],
      ['counted', statements.insertChange],
    ] as const
  ).map(([cell, text]) => ({ at: cellAt[cell], insert: preparedForAll(db, text) }));
  return (rows) => {
    for (const { at, insert } of tables) insert(rows.filter((row) => row[at] !== null));
  };
}

function createApplyOne(db: DatabaseSync): (row: CommitRow) => Applied {
  const run = Object.fromEntries(Object.entries(statements).map(([name, text]) => [name, prepared(db, text)])) as Runs;
  const findIdempotencyKey = db.prepare(
    'SELECT payment_id, body_hash FROM idempotency WHERE merchant_id = ?1 AND entity_id = ?2 AND key = ?3',
  );
  const findVersion = db.prepare('SELECT version FROM payment WHERE merchant_id = ?1 AND id = ?2');

  const versionOf = (row: CommitRow) =>
    findVersion.get(row[cellAt.merchant_id] as string, row[cellAt.family_id] as string)?.version ?? null;
  const claimedBy = (row: CommitRow): Applied | null => {
    if (row[cellAt.idempotency_key] === null) return null;
    const found = findIdempotencyKey.get(
      row[cellAt.merchant_id] as string,
      row[cellAt.idempotency_entity_id] as string,
      row[cellAt.idempotency_key] as string,
    );
    if (!found || found.payment_id === row[cellAt.id]) return null;
    return { is: 'keyUsed', paymentId: String(found.payment_id), bodyHash: String(found.body_hash) };
  };
  /** Looks for the reason only after a failure, because a failure is rare. */
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
  const further = createFurther(db, run);
  return (row) => {
    const claimed = claimedBy(row);
    if (claimed) return claimed;
    if (!isPlain(row) || further.isBusy(row)) {
      // All checks come before the first write, so that the first of the reasons is returned.
      if ((versionOf(row) ?? 0) !== row[cellAt.version]) return { is: 'moved' };
      const refusal = further.refusal(row);
      if (refusal) return refusal;
    }
    if (!write(row)) return { is: 'moved' };
    if (row[cellAt.idempotency_key] !== null) run.insertIdempotencyKey(row);
    if (row[cellAt.event_id] !== null) run.insertEvent(row);
    if (row[cellAt.posting_at] !== null) run.insertPosting(row);
    if (row[cellAt.counted] !== null) run.insertChange(row);
    if (!isPlain(row)) further.write(row);
    return { is: 'kept' };
  };
}

type Runs = Readonly<Record<keyof typeof statements, Run>>;

/** The further effects of a commit. `isBusy`: another payment of the same checkout blocks this one. */
type Further = {
  isBusy(row: CommitRow): boolean;
  refusal(row: CommitRow): Applied | null;
  write(row: CommitRow): void;
};

function createFurther(db: DatabaseSync, run: Runs): Further {
  const findRevision = db.prepare('SELECT revision FROM registration WHERE merchant_id = ?1 AND id = ?2');
  const findTokenUse = db.prepare('SELECT 1 FROM token_use WHERE merchant_id = ?1 AND wallet = ?2 AND token_id = ?3');
  const findOther = db.prepare(otherOfCheckout);
  const schedule = createScheduleApply(db, run);
  const textAt = (row: CommitRow, name: CommitCell) => row[cellAt[name]] as string;
  // A row without further cells has none of them.
  const textOrNull = (row: CommitRow, name: CommitCell) => (row[cellAt[name]] ?? null) as string | null;
  const isBusy = (row: CommitRow) =>
    entersCheckout(row) && findOther.get(textAt(row, 'merchant_id'), textAt(row, 'checkout_id'), textAt(row, 'id')) !== undefined;
  return {
    isBusy,
    refusal: (row) => {
      const [merchantId, registrationId] = [textAt(row, 'merchant_id'), textOrNull(row, 'registration_id')];
      if (registrationId !== null) {
        const before = Number(findRevision.get(merchantId, registrationId)?.revision ?? 0);
        if (before + 1 !== row[cellAt.registration_revision]) return { is: 'moved' };
      }
      if (hasSchedule(row) && schedule.isOvertaken(row)) return { is: 'moved' };
      if (isBusy(row)) return { is: 'busy' };
      if (textOrNull(row, 'token_use_token_id') === null) return null;
      const isSpent =
        findTokenUse.get(merchantId, textAt(row, 'token_use_wallet'), textAt(row, 'token_use_token_id')) !== undefined;
      return isSpent ? { is: 'tokenUsed' } : null;
    },
    write: (row) => {
      if (row[cellAt.registration_id] !== null) {
        mustChange(row[cellAt.registration_revision] === 1 ? run.insertRegistration(row) : run.moveRegistration(row));
      }
      if (row[cellAt.registration_event_id] !== null) run.insertRegistrationEvent(row);
      if (row[cellAt.token_use_token_id] !== null) run.insertTokenUse(row);
      if (hasSchedule(row)) mustChange(schedule.write(row));
    },
  };
}

/** The effect of a commit on a schedule, for rows that have one. */
type ScheduleApply = {
  /** Another commit was first with the schedule, or with its due instant. */
  isOvertaken(row: CommitRow): boolean;
  /** Returns how many rows of the schedule were changed: exactly one, unless the commit contradicts what is stored. */
  write(row: CommitRow): number;
};

function createScheduleApply(db: DatabaseSync, run: Runs): ScheduleApply {
  const findRevision = db.prepare('SELECT revision FROM schedule WHERE merchant_id = ?1 AND id = ?2');
  const findRun = db.prepare('SELECT 1 FROM schedule_run WHERE merchant_id = ?1 AND schedule_id = ?2 AND due_at = ?3');
  return {
    isOvertaken: (row) => {
      const [merchantId, scheduleId, dueAt] = [row[cellAt.merchant_id], row[cellAt.schedule_id], row[cellAt.schedule_due_at]] as [
        string,
        string,
        number | null,
      ];
      const before = Number(findRevision.get(merchantId, scheduleId)?.revision ?? 0);
      if (before + 1 !== row[cellAt.schedule_revision]) return true;
      return dueAt !== null && findRun.get(merchantId, scheduleId, dueAt) !== undefined;
    },
    write: (row) => {
      if (row[cellAt.schedule_due_at] !== null) run.insertRun(row);
      if (row[cellAt.schedule_event_id] !== null) run.insertScheduleEvent(row);
      return row[cellAt.schedule_revision] === 1 ? run.insertSchedule(row) : run.moveSchedule(row);
    },
  };
}

function mustChange(changes: number): true {
  if (changes !== 1) throw new BrokenCommit('the stored payment is not the one that the commit continues');
  return true;
}

function refusalOf(error: Error): Applied {
  return constraintIn(error) === 'balance_overrun' ? { is: 'overrun' } : { is: 'broken', why: error.message };
}

const countedBy = ['merchant_id', 'entity_id', 'payment_type', 'method', 'mode'] as const;
const [CREATED, REVISION] = [commitCells.indexOf('created_at'), commitCells.indexOf('revision')];
const places = countedBy.map((name) => commitCells.indexOf(name));

/**
 * Counts the payments that a batch began, by hour and by day, once for all of them: in PostgreSQL a trigger does it for every statement,
 * here it would have to work for every row.
 */
function createCounter(db: DatabaseSync): (rows: readonly CommitRow[], applied: readonly Applied[]) => void {
  const add = db.prepare(`
    INSERT INTO payment_count (merchant_id, entity_id, payment_type, method, mode, span, begins, count)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    ON CONFLICT (merchant_id, span, begins, entity_id, payment_type, method, mode) DO UPDATE SET count = count + excluded.count`);
  return (rows, applied) => {
    const counts = new Map<string, { readonly cells: readonly (string | number)[]; count: number }>();
    for (const [at, row] of rows.entries()) {
      if (applied[at]?.is !== 'kept' || row[REVISION] !== 1) continue;
      const [created, names] = [Number(row[CREATED]), places.map((place) => String(row[place]))];
      for (const span of [HOUR_MS, DAY_MS]) {
        const cells = [...names, span, created - (created % span)];
        const key = cells.join('\n');
        const known = counts.get(key);
        if (known) known.count += 1;
        else counts.set(key, { cells, count: 1 });
      }
    }
    for (const { cells, count } of counts.values()) add.run(...cells, count);
  };
}
