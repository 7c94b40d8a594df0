import type { Payment } from '../payments/payment.ts';
import { by, merged } from './cells/merges.ts';
import { type CellSetting, databasesOf } from './cells/openDatabases.ts';
import { openPostgresHistory } from './postgres/history.ts';
import { openSqliteHistory } from './sqlite/history.ts';
import type { OpenedHistory } from './store.ts';

/** Where the payments are kept, in the words of the configuration. */
export type HistoryDatabase = {
  readonly databaseUrl: string | null;
  readonly cells?: readonly CellSetting[];
  readonly dataDir: string;
};

/** The past of the databases that are set up, in any thread or process beside the gateway's. The schema must be up to date. */
export async function openHistory({ databaseUrl, cells = [], dataDir }: HistoryDatabase): Promise<OpenedHistory> {
  if (databaseUrl === null) return openSqliteHistory({ dataDir });
  const pasts: OpenedHistory[] = [];
  const close = async () => void (await Promise.all(pasts.map((past) => past.close())));
  try {
    for (const { url } of databasesOf({ databaseUrl, cells })) pasts.push(await openPostgresHistory({ url }));
  } catch (error) {
    await close();
    throw error;
  }
  const [only] = pasts;
  if (only && pasts.length === 1) return only;
  const order = by<Payment>(
    ({ createdAt }) => createdAt,
    ({ merchantId }) => merchantId,
    ({ id }) => id,
  );
  // A merchant who is being moved is in two cells for a while.
  const onlyOnce = (all: readonly Payment[]) => all.filter((one, at) => at === 0 || order(all[at - 1] as Payment, one) !== 0);
  return {
    history: async (asked) =>
      onlyOnce(merged(await Promise.all(pasts.map((past) => past.history(asked))), order)).slice(0, asked.limit),
    close,
  };
}
