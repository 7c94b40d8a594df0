import type { CallBatch } from '../../developer/ports.ts';
import { backwards, by, sum } from './merges.ts';
import { listCalls } from './others.ts';
import { ofMerchant, search, special, split, willingCells } from './route.ts';

/** Inspected requests, each where its merchant lives. */
export const callRoutes = {
  saveCalls: split<'saveCalls', CallBatch>(
    (batches) => batches,
    ({ merchantId }) => merchantId,
    (batches) => [batches],
    () => undefined,
  ),
  call: search<'call'>((id) => id),
  calls: special<'calls'>(listCalls(backwards(by(({ id }) => id)))),
  deleteCalls: willingCells<'deleteCalls'>(sum),
  trimCalls: ofMerchant<'trimCalls'>((merchantId) => merchantId),
} as const;
