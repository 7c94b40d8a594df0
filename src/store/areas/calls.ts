import { callIn, findCalls, idAt, idsOf, lastIdBeside } from '../../developer/callBatch.ts';
import type { CallBatch, CallQuery, CallStore } from '../../developer/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import { type Database, DELETE_BATCH, type Dialects, inBatches, step } from '../database.ts';

/** Recorded API calls, in batches. */

/** In the order of batchCells. */
const batchColumns = ['id', 'first_id', 'merchant_id', 'entity_id', 'calls', 'data'] as const;
const columns = batchColumns.join(', ');

/** The batches of one read: each may have half a megabyte. */
const BATCHES = 4;

/** Along the ids, which are in the order of time. Filters change from query to query, and with them the best plan. */
function calls(merchants: string): Dialects {
  const text = `
    SELECT id, data FROM call_batch
    WHERE ${merchants} AND id < ?2 AND id > ?3 AND first_id < ?4
    ORDER BY id DESC LIMIT ${BATCHES}`;
  return { sqlite: text, postgres: text, plan: 'anew' };
}

export const callStatements = {
  call: 'SELECT data FROM call_batch WHERE id >= ?1 AND id < ?2 AND first_id <= ?1 ORDER BY id',
  callsOfEntity: calls('entity_id = ?1'),
  callsOfMerchant: calls('merchant_id = ?1'),
  // A user with many merchants sees most of the calls, so the scan passes over the others.
  callsOfMany: calls("?1 LIKE '%' || merchant_id || '%'"),
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

type BatchCells = readonly [
  id: string,
  firstId: string,
  merchantId: string,
  entityId: string,
  calls: number,
  data: Uint8Array<ArrayBuffer>,
];

const batchCells = ({ id, firstId, merchantId, entityId, calls, data }: CallBatch): BatchCells => [
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

type BatchRow = { readonly id: string; readonly data: Uint8Array };

export const callMethods = (db: Database): CallStore => ({
  saveCalls: async (batches) => {
    checkBatches(batches);
    await db.writeApart(...batches.map((batch) => step(callStatements.addCalls, ...batchCells(batch))));
  },
  call: async (id) => {
    for (const { data } of await db.read<BatchRow>(callStatements.call, id, lastIdBeside(id))) {
      const call = callIn(data, id);
      if (call) return call;
    }
    return null;
  },
  calls: (query) => findCalls(query, (belowId) => batchesFor(db, query, belowId)),
  deleteCalls: (before) => inBatches(() => db.write(step(callStatements.deleteCalls, idAt(before), DELETE_BATCH))),
  trimCalls: (merchantId, keep) => db.write(step(callStatements.trimCalls, merchantId, keep)),
});

function listFor(merchants: CallQuery['merchants']) {
  switch (merchants.is) {
    case 'entity':
      return [callStatements.callsOfEntity, merchants.entityId] as const;
    case 'merchant':
      return [callStatements.callsOfMerchant, merchants.merchantId] as const;
    case 'merchants':
      return [callStatements.callsOfMany, merchants.merchantIds.join(' ')] as const;
  }
}

function batchesFor(db: Database, query: CallQuery, belowId: string): Promise<readonly BatchRow[]> {
  const [statement, owner] = listFor(query.merchants);
  const { above, below } = idsOf(query);
  const last = below === 'g' ? below : lastIdBeside(below);
  return db.read<BatchRow>(statement, owner, last < belowId ? last : belowId, above, below);
}
