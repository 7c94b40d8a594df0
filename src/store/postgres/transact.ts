import { forPostgres } from '../tables/statements.ts';
import { troubleOf, writeError } from './errors.ts';
import type { Work } from './limits.ts';
import type { Parameter, Pool } from './pool.ts';
import { TRIES_MAX } from './write.ts';

/** Thrown within a transaction when another writer was faster: the transaction is rolled back. */
export class Unmoved extends Error {}

/** Sends a statement within a transaction; returns how many rows it changed. */
export type Step = (statement: string, cells: readonly Parameter[]) => Promise<number>;

/**
 * Runs several statements in one transaction, and retries after a conflict with another one. As with `rowsFrom`, each gets a new query
 * plan for the current size of the tables: these statements are rare and change many rows, and a plan that was made while the tables
 * were empty would scan them for each row.
 */
export const transact = <T>(pool: Pool, steps: (step: Step) => Promise<T>, work?: Work): Promise<T> =>
  again(() =>
    pool.transaction((tx) => steps(async (statement, cells) => (await tx.run(forPostgres(statement), cells)).count), work),
  );

/** Runs one statement that returns the rows that it changed, and retries after a conflict. */
export const rowsFrom = <Row extends object>(
  pool: Pool,
  statement: string,
  cells: readonly Parameter[],
): Promise<readonly Row[]> => again(() => pool.send<Row>(statement, cells, 'anew'));

async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Unmoved) throw error;
      if (troubleOf(error) !== 'clash' || tries === TRIES_MAX) throw writeError(error);
    }
  }
}
