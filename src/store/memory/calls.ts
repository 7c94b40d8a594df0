import { callIn, findCalls, idAt, idsOf } from '../../developer/callBatch.ts';
import type { CallBatch, CallQuery, CallStore } from '../../developer/ports.ts';
import { checkBatches } from '../areas/calls.ts';
import type { Tables, WhileOpen } from './tables.ts';

const isTheirs = (merchants: CallQuery['merchants'], { merchantId, entityId }: CallBatch): boolean => {
  switch (merchants.is) {
    case 'entity':
      return merchants.entityId === entityId;
    case 'merchant':
      return merchants.merchantId === merchantId;
    case 'merchants':
      return merchants.merchantIds.includes(merchantId);
  }
};

const newestFirst = (one: CallBatch, other: CallBatch): number => (one.id < other.id ? 1 : -1);

/** Calls in memory. */
export function callMethods({ callBatches }: Tables, whileOpen: WhileOpen): CallStore {
  const drop = (gone: readonly CallBatch[]): number => {
    for (const { id } of gone) callBatches.delete(id);
    return gone.length;
  };
  const all = () => [...callBatches.values()].sort(newestFirst);
  const batchesFor = whileOpen((query: CallQuery) => {
    const { above, below } = idsOf(query);
    return all().filter((batch) => isTheirs(query.merchants, batch) && batch.id > above && batch.firstId < below);
  });
  return {
    saveCalls: whileOpen((batches) => {
      checkBatches(batches);
      for (const batch of batches) if (!callBatches.has(batch.id)) callBatches.set(batch.id, batch);
    }),
    call: whileOpen((id) => {
      for (const { id: lastId, firstId, data } of callBatches.values()) {
        const call = firstId <= id && id <= lastId ? callIn(data, id) : null;
        if (call) return call;
      }
      return null;
    }),
    calls: async (query) => {
      const batches = await batchesFor(query);
      return findCalls(query, async (belowId) => batches.filter(({ id }) => id < belowId));
    },
    deleteCalls: whileOpen((before) => drop(all().filter(({ id }) => id < idAt(before)))),
    trimCalls: whileOpen((merchantId, keep) => {
      let newer = 0;
      const left = all().filter((batch) => batch.merchantId === merchantId);
      return drop(
        left.filter((batch) => {
          newer += batch.calls;
          return newer - batch.calls >= keep;
        }),
      );
    }),
  };
}
