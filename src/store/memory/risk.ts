import type { Payment } from '../../payments/payment.ts';
import type { HistoryQuery, PaymentCursor, PaymentHistory } from '../../payments/ports.ts';
import type { ListEntry, RiskStore } from '../../risk/ports.ts';
import { canBeListed, checkEntry, entryNameCells } from '../areas/risk.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

/** The past in memory. */
export function historyMethods({ payments }: Tables, whileOpen: WhileOpen): PaymentHistory {
  return {
    history: whileOpen(({ after, before, merchantId, limit }: HistoryQuery) => {
      const isAsked = (payment: Payment) =>
        payment.createdAt < before &&
        (merchantId === null || payment.merchantId === merchantId) &&
        (after === null || byPlace(payment, after) > 0);
      return [...payments.values()].filter(isAsked).sort(byPlace).slice(0, limit);
    }),
  };
}

const byText = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

const byPlace = (one: PaymentCursor, other: PaymentCursor): number =>
  one.createdAt - other.createdAt || byText(one.merchantId, other.merchantId) || byText(one.id, other.id);

/** Block and allow lists in memory. */
export function riskMethods({ listEntries, listChange }: Tables, whileOpen: WhileOpen): RiskStore {
  const removed = (entry: Omit<ListEntry, 'expiresAt'>): boolean => {
    const isThere = listEntries.delete(placeOf(entry));
    if (isThere) listChange.count += 1;
    return isThere;
  };
  return {
    listVersion: whileOpen(() => listChange.count),
    listEntries: whileOpen((now, merchantId) =>
      [...listEntries.values()]
        .filter((entry) => merchantId === null || entry.merchantId === merchantId)
        .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
        .sort((one, other) => byText(placeOf(one), placeOf(other))),
    ),
    putListEntry: whileOpen((entry) => {
      checkEntry(entry);
      const { merchantId, list, kind, value, expiresAt } = entry;
      const at = placeOf(entry);
      if (listEntries.get(at)?.expiresAt === expiresAt) return;
      listEntries.set(at, { merchantId, list, kind, value, expiresAt });
      listChange.count += 1;
    }),
    removeListEntry: whileOpen((entry) => canBeListed(entry) && removed(entry)),
    deleteListEntries: whileOpen((before) => {
      const isOver = ({ expiresAt }: ListEntry) => expiresAt !== null && expiresAt < before;
      return [...listEntries.values()].filter((entry) => isOver(entry) && removed(entry)).length;
    }),
  };
}

/** The value stands last: it alone may hold a line break. */
const placeOf = (entry: Omit<ListEntry, 'expiresAt'>): string => join(...entryNameCells(entry));
