import type { ClockStore } from '../../merchants/ports.ts';
import type { CountedQueue, QueueStore } from '../../payments/ports.ts';
import type { Delivery } from '../../webhooks/webhook.ts';
import { checkClock } from '../areas/clocks.ts';
import { dueAtOf } from './queries.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

const NONE = Number.NEGATIVE_INFINITY;

/** Merchants' clocks in memory. */
export function clockMethods(tables: Tables, whileOpen: WhileOpen): ClockStore {
  const { clocks, schedules, deliveries } = tables;
  return {
    clocks: whileOpen(() => [...clocks.values()].sort((one, other) => (one.merchantId < other.merchantId ? -1 : 1))),
    saveClock: whileOpen((clock) => {
      checkClock(clock);
      if ((clocks.get(clock.merchantId)?.revision ?? 0) + 1 !== clock.revision) return false;
      clocks.set(clock.merchantId, clock);
      return true;
    }),
    nextDueAt: whileOpen((merchantId, after) => {
      const next = instantsOf(tables, merchantId).filter((instant) => instant > after);
      return next.length > 0 ? next.reduce((one, other) => Math.min(one, other)) : null;
    }),
    releaseClaims: whileOpen((merchantId) => {
      for (const [at, { schedule }] of schedules)
        if (schedule.merchantId === merchantId) schedules.set(at, { schedule, claimedUntil: NONE });
      for (const [at, { delivery }] of deliveries)
        if (delivery.event.merchantId === merchantId) deliveries.set(at, { delivery, claimedUntil: NONE });
    }),
    makeDeliveriesDue: whileOpen((merchantId, now) => {
      for (const [at, { delivery, claimedUntil }] of deliveries) {
        const isWaiting = delivery.event.merchantId === merchantId && delivery.state === 'due' && delivery.dueAt > now;
        if (isWaiting) deliveries.set(at, { delivery: { ...delivery, dueAt: now }, claimedUntil });
      }
    }),
  };
}

/** When anything of a merchant is due, in no order. */
function instantsOf(tables: Tables, merchantId: string): number[] {
  const { open, releases, schedules, checkouts, registrations, scheduledSettlements, settlementDays } = tables;
  const own = <One extends { readonly merchantId: string }>(all: Iterable<One>): One[] =>
    [...all].filter((one) => one.merchantId === merchantId);
  const active = own([...registrations.values()].map(({ registration }) => registration)).filter(
    ({ state }) => state === 'active',
  );
  const instants = [
    ...own(open.values()).map(({ phase }) => (phase.at === 'final' ? null : phase.dueAt)),
    ...own(releases.values()).map(dueAtOf),
    ...own([...schedules.values()].map(({ schedule }) => schedule)).map(({ nextAt }) => nextAt),
    ...own(checkouts.values()).map(({ callAt }) => callAt),
    ...active.flatMap(({ expiresAt, tokenDueAt }) => [expiresAt, tokenDueAt]),
    ...readyInstants(tables, merchantId),
    ...[...own(scheduledSettlements.values()), ...own(settlementDays.values())].map(({ dueAt }) => dueAt),
  ];
  return instants.filter((instant) => instant !== null);
}

/** When deliveries to active webhooks may be tried: not before earlier events of the same subject. */
function readyInstants({ deliveries, webhooks }: Tables, merchantId: string): number[] {
  const due = [...deliveries.values()]
    .map(({ delivery }) => delivery)
    .filter(
      ({ event, state, webhookId }) =>
        event.merchantId === merchantId && state === 'due' && webhooks.get(webhookId)?.state === 'active',
    );
  return due.map((one) => {
    const ahead = due.filter(
      ({ webhookId, event }) =>
        webhookId === one.webhookId && event.subjectId === one.event.subjectId && event.revision <= one.event.revision,
    );
    return ahead.reduce((latest, { dueAt }) => Math.max(latest, dueAt), one.dueAt);
  });
}

type Entry = { readonly merchantId: string; readonly at: number };

/** A delivery waits for the earlier ones of its subject. */
function dueDeliveries({ deliveries }: Tables): readonly Entry[] {
  const latest = new Map<string, number>();
  const due = [...deliveries.values()].map(({ delivery }) => delivery).filter(({ state }) => state === 'due');
  return due.sort(byRevision).map(({ webhookId, dueAt, event: { merchantId, subjectId } }) => {
    const key = join(webhookId, merchantId, subjectId);
    const at = Math.max(dueAt, latest.get(key) ?? dueAt);
    latest.set(key, at);
    return { merchantId, at };
  });
}

const byRevision = ({ event: one }: Delivery, { event: other }: Delivery): number => one.revision - other.revision;

const entriesOf: Readonly<Record<CountedQueue, (tables: Tables) => readonly Entry[]>> = {
  events: ({ fresh }) => [...fresh.values()].map(({ merchantId, createdAt }) => ({ merchantId, at: createdAt })),
  deliveries: dueDeliveries,
  schedules: ({ schedules }) =>
    [...schedules.values()].flatMap(({ schedule: { merchantId, nextAt } }) =>
      nextAt === null ? [] : [{ merchantId, at: nextAt }],
    ),
};

/** Lengths of queues in memory. */
export const queueMethods = (tables: Tables, whileOpen: WhileOpen): QueueStore => ({
  queueLength: whileOpen((queue, { now, limit, except }) => {
    const waiting = entriesOf[queue](tables).filter(({ merchantId, at }) => at <= now && !except.includes(merchantId));
    const oldestAt = waiting.reduce<number | null>((oldest, { at }) => Math.min(oldest ?? at, at), null);
    return { length: Math.min(waiting.length, limit), oldestAt };
  }),
});
