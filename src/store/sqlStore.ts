import { accountMethods } from './areas/accounts.ts';
import { callMethods } from './areas/calls.ts';
import { assetMethods, checkoutMethods } from './areas/checkouts.ts';
import { clockMethods, queueMethods } from './areas/clocks.ts';
import { ledgerMethods, traceMethods } from './areas/ledger.ts';
import { listMethods } from './areas/lists.ts';
import { historyMethods, paymentMethods } from './areas/payments.ts';
import { queryMethods } from './areas/queries.ts';
import { registrationMethods } from './areas/registrations.ts';
import { reconciliationMethods, statisticsMethods, statisticsReads } from './areas/reports.ts';
import { riskMethods } from './areas/risk.ts';
import { sandboxDayMethods } from './areas/sandboxDays.ts';
import { scheduleMethods } from './areas/schedules.ts';
import { searchMethods } from './areas/search.ts';
import { settlementMethods } from './areas/settlement.ts';
import { auditLogMethods, documentMethods } from './areas/users.ts';
import { vaultMethods } from './areas/vault.ts';
import { webhookMethods } from './areas/webhooks.ts';
import { type Database, first, type ReadDatabase } from './database.ts';
import type { ReplicaReads } from './replica.ts';
import type { Store } from './store.ts';

/** The methods that each driver has of its own: commits, claims of sweepers, rate limits of nodes, and its life. */
type DriverMethod =
  | 'commit'
  | 'insertAccounts'
  | 'claimDue'
  | 'releaseSwept'
  | 'deleteClaims'
  | 'noteNode'
  | 'peers'
  | 'drawRequests'
  | 'deleteRates'
  | 'holdLeases'
  | 'releaseLeases'
  | 'tryWrite'
  | 'connections'
  | 'close';

/** The store on a database: every area, one after the other. */
export const sqlStore = (db: Database): Omit<Store, DriverMethod> => ({
  ...paymentMethods(db),
  ...historyMethods(db),
  ...queryMethods(db),
  ...searchMethods(db),
  ...traceMethods(db),
  ...listMethods(db),
  ...riskMethods(db),
  ...registrationMethods(db),
  ...vaultMethods(db),
  ...checkoutMethods(db),
  ...assetMethods(db),
  ...scheduleMethods(db),
  ...webhookMethods(db),
  ...clockMethods(db),
  ...documentMethods(db),
  ...auditLogMethods(db),
  ...callMethods(db),
  ...ledgerMethods(db),
  ...settlementMethods(db),
  ...sandboxDayMethods(db),
  ...reconciliationMethods(db),
  ...statisticsMethods(db),
  ...queueMethods(db),
  ...accountMethods(db),
  ping: async () => void (await first(db.read('SELECT 1 AS one'))),
});

/** The reads that a replica answers. */
export const sqlReplica = (db: ReadDatabase): ReplicaReads => ({
  ...searchMethods(db),
  ...listMethods(db),
  ...queryMethods(db),
  ...statisticsReads(db),
});
