import type { TraceStore, TransactionEvents } from '../../ledger/trace.ts';
import type { OutboxEvent } from '../../webhooks/webhook.ts';
import type { Tables, WhileOpen } from './tables.ts';

/** One payment's past in memory. */
export function traceMethods(tables: Tables, whileOpen: WhileOpen): TraceStore {
  const isOf = (merchantId: string, paymentId: string) => (one: { readonly merchantId: string; readonly subjectId: string }) =>
    one.merchantId === merchantId && one.subjectId === paymentId;
  const isCausedBy =
    (merchantId: string, { subjectId, transactionId }: TransactionEvents) =>
    (event: OutboxEvent): boolean =>
      isOf(merchantId, subjectId)(event) && (event.transactionId ?? transactionId) === transactionId;
  const byRevision = (one: { readonly revision: number }, other: { readonly revision: number }) => one.revision - other.revision;
  return {
    eventsOf: whileOpen((merchantId, about) =>
      [...tables.fresh.values(), ...tables.fannedOut.values()].filter(isCausedBy(merchantId, about)).sort(byRevision),
    ),
    postingsOf: whileOpen((merchantId, paymentId, { from, to }) => {
      const { unsealed, blocks } = tables.books.get(merchantId) ?? { unsealed: new Map<string, never>(), blocks: [] };
      return [...blocks.flatMap(({ postings }) => postings), ...unsealed.values()]
        .filter((posting) => isOf(merchantId, paymentId)(posting) && posting.at >= from && posting.at <= to)
        .sort(byRevision);
    }),
    deliveriesOf: whileOpen((merchantId, about) =>
      [...tables.deliveries.values()].map(({ delivery }) => delivery).filter(({ event }) => isCausedBy(merchantId, about)(event)),
    ),
  };
}
