import { forPostgres } from '../tables/statements.ts';
import { troubleOf, writeError } from './errors.ts';
import type { Work } from './limits.ts';
import type { Parameter, Pool } from './pool.ts';
import { TRIES_MAX } from './write.ts';

/** Thrown within a transaction by who finds that somebody was faster: nothing of it is kept. */
export class Unmoved extends Error {}

/** Sends a statement within a transaction; answers how many rows it changed. */
export type Step = (statement: string, cells: readonly Parameter[]) => Promise<number>;

/**
 * Several statements that are kept together or not at all. Sent again when others were in the way. As with `rowsFrom`, each is planned
 * anew, by the size that the tables have now: it is rare and goes through many rows, and a plan that was made while the tables were
 * empty would go through all of them for each.
 */
export const transact = <T>(pool: Pool, steps: (step: Step) => Promise<T>, work?: Work): Promise<T> =>
  again(() =>
    pool.transaction((tx) => steps(async (statement, cells) => (await tx.run(forPostgres(statement), cells)).count), work),
  );

/** One statement that answers the rows that it changed. Sent again when others were in the way. */
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
