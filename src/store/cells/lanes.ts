/** Tables that are worked on at once. */
const LANES = 3;

/**
 * Works on several tables at once. `check` throws when nothing more may begin; it is to be called between the steps of a table. After a
 * failure the others stop at their next check, and it is thrown when all have stopped.
 */
export async function inLanes(
  tables: readonly string[],
  check: () => void,
  work: (table: string, check: () => void) => Promise<void>,
): Promise<void> {
  const waiting = [...tables];
  const failures: unknown[] = [];
  const checkAll = (): void => {
    if (failures.length > 0) throw failures[0];
    check();
  };
  const lane = async (): Promise<void> => {
    for (let table = waiting.shift(); table !== undefined && failures.length === 0; table = waiting.shift())
      await work(table, checkAll).catch((error: unknown) => void failures.push(error));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  if (failures.length > 0) throw failures[0];
}
