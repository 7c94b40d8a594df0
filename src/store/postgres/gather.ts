import type { Pool } from './pool.ts';

type Named = { readonly merchant_id: string; readonly id: string };
type Question<Row> = {
  readonly merchantId: string;
  readonly id: string;
  readonly resolve: (row: Row | null) => void;
  readonly reject: (error: unknown) => void;
};

const AT_ONCE_MAX = 64;
const QUEUES = 2;

/**
 * Rows by their key. Questions that arrive while others are under way go together in one statement: asking costs this process more than
 * the server needs to answer.
 */
export function createGather<Row extends Named>(
  pool: Pick<Pool, 'read'>,
  statement: string,
): (merchantId: string, id: string) => Promise<Row | null> {
  let waiting: Question<Row>[] = [];
  let busy = 0;
  let isScheduled = false;

  const ask = async (questions: readonly Question<Row>[]): Promise<void> => {
    try {
      const query = questions.map(({ merchantId: merchant, id: record }) => ({ merchant, record }));
      const rows = await pool.read<Row>(statement, [JSON.stringify(query)]);
      const found = new Map(rows.map((row) => [`${row.merchant_id}\n${row.id}`, row]));
      for (const { merchantId, id, resolve } of questions) resolve(found.get(`${merchantId}\n${id}`) ?? null);
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
    busy -= 1;
    start();
  };
  const start = (): void => {
    isScheduled = false;
    while (busy < QUEUES && waiting.length > 0) {
      const questions = waiting.slice(0, AT_ONCE_MAX);
      waiting = waiting.slice(AT_ONCE_MAX);
      busy += 1;
      void ask(questions);
    }
  };
  return (merchantId, id) =>
    new Promise((resolve, reject) => {
      waiting.push({ merchantId, id, resolve, reject });
      if (isScheduled || busy === QUEUES) return;
      isScheduled = true;
      setImmediate(start);
    });
}
