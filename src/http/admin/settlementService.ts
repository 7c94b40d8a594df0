import type { Decision, Resolution } from '../../settlement/exceptions/resolve.ts';
import type { Unsettled, UnsettledQuery } from '../../settlement/exceptions/unsettled.ts';
import type { ImportResult, Source } from '../../settlement/in/importFile.ts';
import type { UploadStore } from '../../settlement/in/uploads.ts';
import type { ReportStore } from '../../settlement/ports.ts';
import type { SettlementRecord } from '../../settlement/record.ts';

/** What those need who bring files of acquirers and look after their lines. */
export type SettlementService = {
  readonly store: Pick<ReportStore, 'file' | 'files' | 'countFile' | 'record' | 'exceptions'>;
  /** Where a file lies while it is read, and how long it may be. */
  readonly uploads: UploadStore;
  readonly bytesMax: number;
  readonly importFile: (entityId: string, source: Source) => Promise<ImportResult>;
  readonly resolve: (record: SettlementRecord, decision: Decision) => Promise<Resolution>;
  /** Makes the transactions of chargebacks that were matched. */
  readonly recordDisputes: () => Promise<void>;
  readonly unsettled: (asked: UnsettledQuery) => Promise<Unsettled>;
};
