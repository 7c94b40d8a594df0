import type { Call, CallQuery, CallStore } from '../../developer/ports.ts';
import { checkCalls, idAt, wordsOf } from '../tables/calls.ts';
import type { Tables, WhileOpen } from './tables.ts';

const isTheirs = (merchants: CallQuery['merchants'], { merchantId, entityId }: Call): boolean => {
  switch (merchants.is) {
    case 'entity':
      return merchants.entityId === entityId;
    case 'merchant':
      return merchants.merchantId === merchantId;
    case 'merchants':
      return merchants.merchantIds.includes(merchantId);
  }
};

function isAsked(query: CallQuery, call: Call): boolean {
  const { endpoint, statuses, code = '', text = '', paymentId = '' } = query;
  const words = wordsOf(call);
  return (
    isTheirs(query.merchants, call) &&
    (endpoint === undefined || call.endpoint === endpoint) &&
    (statuses === undefined || (call.status >= statuses[0] && call.status <= statuses[1])) &&
    call.code.startsWith(code) &&
    words.includes(text.toLowerCase()) &&
    words.includes(paymentId) &&
    (query.from === undefined || call.id > idAt(query.from)) &&
    (query.to === undefined || call.id < idAt(query.to)) &&
    (query.after === undefined || call.id < query.after) &&
    (query.newer === undefined || call.id > query.newer)
  );
}

const newestFirst = (one: Call, other: Call): number => (one.id < other.id ? 1 : -1);

/** Calls in memory. */
export function callMethods({ calls }: Tables, whileOpen: WhileOpen): CallStore {
  const drop = (gone: readonly Call[]): number => {
    for (const { id } of gone) calls.delete(id);
    return gone.length;
  };
  return {
    saveCalls: whileOpen((kept) => {
      checkCalls(kept);
      for (const call of kept) if (!calls.has(call.id)) calls.set(call.id, JSON.parse(JSON.stringify(call)) as Call);
    }),
    call: whileOpen((id) => calls.get(id) ?? null),
    calls: whileOpen((query) =>
      [...calls.values()]
        .filter((call) => isAsked(query, call))
        .sort(newestFirst)
        .slice(0, query.limit),
    ),
    deleteCalls: whileOpen((before) => drop([...calls.values()].filter(({ id }) => id < idAt(before)))),
    trimCalls: whileOpen((merchantId, keep) =>
      drop(
        [...calls.values()]
          .filter((call) => call.merchantId === merchantId)
          .sort(newestFirst)
          .slice(keep),
      ),
    ),
  };
}
