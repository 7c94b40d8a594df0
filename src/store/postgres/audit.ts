import { type Audited, type AuditReader, auditOf } from '../areas/audit.ts';
import { historyMethods } from '../areas/payments.ts';
import type { Cell } from '../database.ts';
import { type AppliedMigration, appliedMigrations, checkSchema } from '../migrate.ts';
import type { OpenedHistory } from '../store.ts';
import { parameterOf, postgresReads } from './database.ts';
import { workError } from './errors.ts';
import { openPool, type PostgresOptions, type Transaction } from './pool.ts';

/** Reads of a database from the outside, while gateways may write to it. Nothing in the database is changed. */

/** The database as it is at one moment. */
export async function auditPostgres<T>(url: string, work: (audit: Audited) => Promise<T>): Promise<T> {
  const pool = openPool({ url, poolMax: 1, work: 'audit' });
  try {
    return await pool.transaction(async (tx) => {
      await tx.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      // Whole tables are read here, not single rows by their keys.
      await tx.run('SET LOCAL enable_seqscan = on');
      checkSchema('postgres', await tx.run<AppliedMigration>(appliedMigrations));
      return work(auditOf(auditReader(tx)));
    });
  } catch (error) {
    throw workError(error);
  } finally {
    await pool.close();
  }
}

/** The past, on a connection of its own. */
export async function openPostgresHistory({ url }: Pick<PostgresOptions, 'url'>): Promise<OpenedHistory> {
  const pool = openPool({ url, poolMax: 1, work: 'history' });
  try {
    checkSchema('postgres', await pool.read<AppliedMigration>(appliedMigrations));
  } catch (error) {
    await pool.close();
    throw error;
  }
  return { ...historyMethods(postgresReads(pool)), close: () => pool.close() };
}

/** Several cursors can be read alternately in one transaction, so each has a number. */
function auditReader(tx: Transaction): AuditReader {
  let cursors = 0;
  return {
    dialect: 'postgres',
    rows: (text, cells) => tx.run(text, cells.map(parameterOf)),
    pages: async function* <Row extends readonly unknown[]>(text: string, cells: readonly Cell[], size: number) {
      cursors += 1;
      const name = `audit_${cursors}`;
      await tx.run(`DECLARE ${name} NO SCROLL CURSOR FOR ${text}`, cells.map(parameterOf));
      for (;;) {
        const rows = await tx.run(`FETCH ${size} FROM ${name}`);
        if (rows.length > 0) yield rows.map((row) => Object.values(row) as unknown as Row);
        if (rows.length < size) break;
      }
      await tx.run(`CLOSE ${name}`);
    },
  };
}
