import type { TraceStore } from '../../ledger/trace.ts';
import { isFound, newestFirst, type SearchStore } from '../../payments/search/search.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';
import { traceMethods } from './trace.ts';

/** Search in memory: the reference, without an index. It always looks to the end. */
export function searchMethods(tables: Tables, whileOpen: WhileOpen): SearchStore & TraceStore {
  const { payments, emailHashes } = tables;
  return {
    ...traceMethods(tables, whileOpen),
    search: whileOpen((query) => {
      const found = [...payments].filter(([key, payment]) => isFound(query, payment, emailHashes.get(key) ?? null));
      const all = found.map(([, payment]) => payment).sort(newestFirst);
      const page = all.slice(0, query.limit);
      const last = page.at(-1);
      return { payments: page, next: all.length > page.length && last ? { createdAt: last.createdAt, id: last.id } : null };
    }),
    anyPayment: whileOpen(
      (merchantIds, id) => merchantIds.map((merchantId) => payments.get(join(merchantId, id))).find(Boolean) ?? null,
    ),
  };
}
