import { openPostgresHistory } from './postgres/audit.ts';
import { openSqliteHistory } from './sqlite/audit.ts';
import type { OpenedHistory } from './store.ts';

/** Where the payments are kept, in the words of the configuration. */
export type HistoryDatabase = { readonly databaseUrl: string | null; readonly dataDir: string };

/** The past of the database that is set up, in any thread or process beside the gateway's. The schema must be up to date. */
export const openHistory = ({ databaseUrl, dataDir }: HistoryDatabase): Promise<OpenedHistory> =>
  databaseUrl === null ? openSqliteHistory({ dataDir }) : openPostgresHistory({ url: databaseUrl });
