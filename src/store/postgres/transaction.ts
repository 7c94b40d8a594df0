import type { RowList } from 'postgres';
import { LATE } from '../errors.ts';
import type { Connection, Parameter, Plan } from './connection.ts';
import { ConnectionLost, NeverCommitted } from './errors.ts';
import { beginAs, limitsOf, silenceMsOf, type Work } from './limits.ts';

/** The view that the steps of a transaction have. */
export type Transaction = {
  run<Row extends object>(text: string, cells?: readonly Parameter[], plan?: Plan): Promise<RowList<Row[]>>;
};

type Bounds = { readonly work: Work /** The session has the limits of this work already. */; readonly isOwn: boolean };

/**
 * Steps between BEGIN and COMMIT on one connection, within the limits of the work. When the connection is lost before the COMMIT is sent,
 * nothing was kept; when it is lost afterwards, the outcome is unknown.
 */
export async function inTransaction<T>(
  connection: Connection,
  steps: (tx: Transaction) => Promise<T>,
  { work, isOwn }: Bounds,
): Promise<T> {
  const silenceMs = silenceMsOf(work);
  const { promise: late, reject } = Promise.withResolvers<never>();
  // It may reject before anything awaits it: during the BEGIN.
  late.catch(() => {});
  const timer = setTimeout(() => {
    const why = new ConnectionLost(LATE, 'the transaction took too long');
    connection.destroy(why);
    reject(why);
  }, limitsOf[work].transactionMs);
  let [isOver, isCommitting] = [false, false];
  const run: Transaction['run'] = (text, cells = [], plan = 'anew') =>
    isOver
      ? Promise.reject(new NeverCommitted('', 'the transaction is over'))
      : connection.send(text, cells, { plan, silenceMs });
  try {
    await run(isOwn ? 'BEGIN' : beginAs(work));
    const result = await Promise.race([steps({ run }), late]);
    isCommitting = true;
    const { command } = await run('COMMIT');
    // The server answers ROLLBACK when a step had failed, although the caller went on.
    if (command !== 'COMMIT') throw new NeverCommitted('', 'a step of the transaction had failed');
    return result;
  } catch (error) {
    isOver = true;
    if (!connection.isOver()) await rollBack(connection, silenceMs);
    if (error instanceof ConnectionLost && !isCommitting) throw new NeverCommitted(error.code, error.message);
    throw error;
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

/** A session that cannot end its transaction is destroyed: the next borrower could not use it. */
async function rollBack(connection: Connection, silenceMs: number): Promise<void> {
  try {
    await connection.send('ROLLBACK', [], { plan: 'anew', silenceMs });
  } catch {
    connection.destroy(new ConnectionLost('', 'the transaction could not be rolled back'));
  }
}
