import type { SettlementStore } from '../../settlement/ports.ts';
import type { ReconciliationStore } from '../reconciliation/ports.ts';
import type { ReportRowNeeds } from '../reconciliation/reportRows.ts';

/** What reports are made from. */
export type ReportService = {
  readonly store: Pick<SettlementStore, 'records' | 'countRecords' | 'aggregations' | 'paymentsNamed'> &
    Pick<ReconciliationStore, 'reconciliations'>;
  readonly entity: ReportRowNeeds['entity'];
};
