import { type AppliedMigration, appliedMigrations, checkSchema } from '../migrate.ts';
import type { OpenedHistory } from '../store.ts';
import { openPool, type PostgresOptions } from './pool.ts';
import { postgresPast } from './risk.ts';

/** The past of a database that gateways may be writing to, on a connection of its own. */
export async function openPostgresHistory({ url }: Pick<PostgresOptions, 'url'>): Promise<OpenedHistory> {
  const pool = openPool({ url, poolMax: 1, work: 'history' });
  try {
    const applied = await pool.read<AppliedMigration>(appliedMigrations);
    checkSchema('postgres', applied);
  } catch (error) {
    await pool.close();
    throw error;
  }
  return { ...postgresPast(pool), close: () => pool.close() };
}
