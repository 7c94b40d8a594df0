import { onEveryStore } from './everyStore.ts';
import { auditLogContract, auditLogNodesContract, auditLogRawContract } from './storeAuditLog.ts';

/** What every store promises of the audit log, and every database beyond that. */
onEveryStore(({ name, open, opened, isDatabase }) => {
  auditLogContract(name, open);
  if (!isDatabase) return;
  auditLogRawContract(name, opened);
  auditLogNodesContract(name, open);
});
