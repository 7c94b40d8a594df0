import type { Decision, Resolution } from '../../settlement/exceptions/resolve.ts';
import type { Unsettled, UnsettledQuestion } from '../../settlement/exceptions/unsettled.ts';
import type { Brought, Source } from '../../settlement/in/importFile.ts';
import type { Shelf } from '../../settlement/in/uploads.ts';
import type { ReportStore } from '../../settlement/ports.ts';
import type { SettlementRecord } from '../../settlement/record.ts';

/** What those need who bring files of acquirers and look after their lines. */
export type SettlementRoom = {
  readonly store: Pick<ReportStore, 'file' | 'files' | 'countFile' | 'record' | 'exceptions'>;
  /** Where a file lies while it is read, and how long it may be. */
  readonly shelf: Shelf;
  readonly bytesMax: number;
  readonly bring: (entityId: string, source: Source) => Promise<Brought>;
  readonly resolve: (record: SettlementRecord, decision: Decision) => Promise<Resolution>;
  /** Makes the transactions of chargebacks that were matched. */
  readonly recordDisputes: () => Promise<void>;
  readonly unsettled: (asked: UnsettledQuestion) => Promise<Unsettled>;
};
