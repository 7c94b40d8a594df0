import type { ReportStore } from './needs.ts';
import type { GatherNeeds } from './out/gather.ts';

/** What reports are made from. */
export type ReportRoom = {
  readonly store: Pick<ReportStore, 'records' | 'countRecords' | 'aggregations' | 'paymentsNamed'>;
  readonly entity: GatherNeeds['entity'];
};
