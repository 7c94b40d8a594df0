import type { ReportStore } from './needs.ts';
import type { GatherNeeds } from './out/gather.ts';
import type { ReconciliationStore } from './out/needs.ts';

/** What reports are made from. */
export type ReportRoom = {
  readonly store: Pick<ReportStore, 'records' | 'countRecords' | 'aggregations' | 'paymentsNamed'> &
    Pick<ReconciliationStore, 'reconciliations'>;
  readonly entity: GatherNeeds['entity'];
};
