import { accountChecks } from './accountChecks.ts';
import { backupChecks } from './backupChecks.ts';
import { type Check, findings } from './check.ts';
import { configurationChecks, diskChecks, timeChecks } from './configurationChecks.ts';
import { databaseChecks, postgresChecks } from './databaseChecks.ts';
import { integrityChecks } from './integrityChecks.ts';
import { keyChecks } from './keyChecks.ts';
import { tlsChecks } from './tlsChecks.ts';
import { webhookChecks } from './webhookChecks.ts';
import { workChecks } from './workChecks.ts';

const databaseOpen: Check = {
  id: 'database.open',
  looksAt: 'whether the database can be opened: reachable, ours, not damaged',
  severity: 'error',
  remedy: 'the sentence names the cause; docs/operations.md, Full disks, standbys and damaged files',
  needs: 'configuration',
  find: ({ databaseFault }) => findings(databaseFault),
};

/** The table of checks, in the order in which they are shown. */
export const checks: readonly Check[] = [
  ...configurationChecks,
  ...keyChecks,
  ...tlsChecks,
  databaseOpen,
  ...databaseChecks,
  ...postgresChecks,
  ...integrityChecks,
  ...diskChecks,
  ...timeChecks,
  ...accountChecks,
  ...webhookChecks,
  ...workChecks,
  ...backupChecks,
];
