import { idsOf, lastIdBeside } from '../../developer/callBatch.ts';
import type { CallBatch, CallQuery } from '../../developer/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';

/** Every statement about calls, in the form of statements.ts. */

/** In the order of batchCells. */
export const batchColumns = ['id', 'first_id', 'merchant_id', 'entity_id', 'calls', 'data'] as const;
const columns = batchColumns.join(', ');

/** How many batches are read at once: each may take half a megabyte. */
const BATCHES = 4;

/** Along the ids, which are in the order of time: only so many calls of one owner are kept among which something is looked for. */
const calls = (merchants: string): string => `
    SELECT id, data FROM call_batch
    WHERE ${merchants} AND id < ?2 AND id > ?3 AND first_id < ?4
    ORDER BY id DESC LIMIT ${BATCHES}`;

export const callReads = {
  call: 'SELECT data FROM call_batch WHERE id >= ?1 AND id < ?2 AND first_id <= ?1 ORDER BY id',
  callsOfEntity: calls('entity_id = ?1'),
  callsOfMerchant: calls('merchant_id = ?1'),
  // A user with many merchants sees most of the calls, so the scan passes over the others.
  callsOfMany: calls("?1 LIKE '%' || merchant_id || '%'"),
} as const;

export const callWrites = {
  addCalls: `INSERT INTO call_batch (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING`,
  deleteCalls: 'DELETE FROM call_batch WHERE id IN (SELECT id FROM call_batch WHERE id < ?1 ORDER BY id LIMIT ?2)',
  trimCalls: `
    DELETE FROM call_batch WHERE id IN (
      SELECT id FROM (
        SELECT id, SUM(calls) OVER (ORDER BY id DESC) - calls AS newer FROM call_batch WHERE merchant_id = ?1
      ) AS summed
      WHERE newer >= ?2
    )`,
} as const;

export type BatchRow = { readonly id: string; readonly data: Uint8Array };

type BatchCells = readonly [
  id: string,
  firstId: string,
  merchantId: string,
  entityId: string,
  calls: number,
  data: Uint8Array<ArrayBuffer>,
];

export const batchCells = ({ id, firstId, merchantId, entityId, calls, data }: CallBatch): BatchCells => [
  id,
  firstId,
  merchantId,
  entityId,
  calls,
  data as Uint8Array<ArrayBuffer>,
];

export function checkBatches(batches: readonly CallBatch[]): void {
  if (!batches.every((batch) => Number.isSafeInteger(batch.calls) && batch.calls > 0 && batch.firstId <= batch.id))
    throw new BrokenCommit('calls that cannot be stored');
}

/** The batches that may have a call. */
export const callCellsFor = (id: string): readonly [string, string] => [id, lastIdBeside(id)];

function listFor(merchants: CallQuery['merchants']) {
  switch (merchants.is) {
    case 'entity':
      return ['callsOfEntity', merchants.entityId] as const;
    case 'merchant':
      return ['callsOfMerchant', merchants.merchantId] as const;
    case 'merchants':
      return ['callsOfMany', merchants.merchantIds.join(' ')] as const;
  }
}

/** The list that a query reads, and its cells. */
export function callsCells(query: CallQuery, belowId: string) {
  const [name, owner] = listFor(query.merchants);
  const { above, below } = idsOf(query);
  const last = below === 'g' ? below : lastIdBeside(below);
  return { name, cells: [owner, last < belowId ? last : belowId, above, below] as const };
}
