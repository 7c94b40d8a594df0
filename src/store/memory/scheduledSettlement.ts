import { matchesMerchant } from '../../merchants/merchantFilter.ts';
import type { SandboxSettlementStore, ScheduledSettlement } from '../../settlement/ports.ts';
import { actText, checkDay, checkScheduledSettlements } from '../areas/sandboxDays.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

const placeOf = ({ merchantId, paymentId, act }: ScheduledSettlement): string => join(merchantId, paymentId, actText(act));

/** The days of the sandbox's acquirer in memory. */
export function scheduledSettlementMethods(
  { scheduledSettlements, settlementDays, payments }: Tables,
  whileOpen: WhileOpen,
): SandboxSettlementStore {
  const add = (acts: readonly ScheduledSettlement[]): void => {
    for (const act of acts) if (!scheduledSettlements.has(placeOf(act))) scheduledSettlements.set(placeOf(act), act);
  };
  return {
    scheduledSettlementsDue: whileOpen(({ now, limit, merchants }) =>
      [...scheduledSettlements]
        .filter(([, { merchantId, dueAt }]) => dueAt <= now && matchesMerchant(merchants, merchantId))
        .sort(([onePlace, one], [otherPlace, other]) => one.dueAt - other.dueAt || (onePlace < otherPlace ? -1 : 1))
        .map(([, act]) => act)
        .slice(0, limit),
    ),
    addScheduledSettlements: whileOpen(({ merchantId, since }, acts) => {
      checkScheduledSettlements(acts, merchantId);
      if (settlementDays.get(merchantId)?.since !== since) return false;
      add(acts);
      return true;
    }),
    finishScheduledSettlements: whileOpen((done, instead) => {
      checkScheduledSettlements([...done, ...instead], done[0].merchantId);
      if (!scheduledSettlements.has(placeOf(done[0]))) return false;
      for (const act of done) scheduledSettlements.delete(placeOf(act));
      add(instead);
      return true;
    }),
    daysDue: whileOpen(({ now, limit, merchants }) =>
      [...settlementDays.values()]
        .filter(({ merchantId, dueAt }) => dueAt !== null && dueAt <= now && matchesMerchant(merchants, merchantId))
        .sort((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0) || (one.merchantId < other.merchantId ? -1 : 1))
        .slice(0, limit),
    ),
    daysToBegin: whileOpen(({ merchantIds, now, floor }) =>
      merchantIds.flatMap((merchantId) => {
        const day = settlementDays.get(merchantId);
        if (day && day.dueAt !== null && day.since <= now) return [];
        const from = day && day.since <= now ? day.since : floor;
        const instants = [...payments.values()]
          .filter((one) => one.merchantId === merchantId && one.createdAt >= from && one.createdAt <= now)
          .map(({ createdAt }) => createdAt);
        if (instants.length === 0) return [];
        return [{ merchantId, since: day?.since ?? null, firstAt: instants.reduce((one, other) => Math.min(one, other)) }];
      }),
    ),
    saveDay: whileOpen((day, from, acts = []) => {
      checkDay(day);
      checkScheduledSettlements(acts, day.merchantId);
      if ((settlementDays.get(day.merchantId)?.since ?? null) !== from) return false;
      settlementDays.set(day.merchantId, day);
      add(acts);
      return true;
    }),
  };
}
