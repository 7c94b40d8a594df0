import type { ClockStore, MerchantClock } from '../../merchants/ports.ts';
import type { CountedQueue, QueueLength, QueueStore } from '../../payments/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import { type Cell, type Database, type Dialects, inBoth, type ReadDatabase, step } from '../database.ts';
import { hooks } from './deliveryStatements.ts';
import { releasable, releaseAt } from './payments.ts';

/** Merchants' test clocks, and the claims and due instants that a change of a clock touches. */

const columns = 'merchant_id, offset_ms, frozen_at, target, stepped_at, revision';

/** The first instant after another one, along an index. */
const first = (column: string, from: string): string =>
  `SELECT (SELECT ${column} FROM ${from} AND ${column} > ?2 ORDER BY ${column} LIMIT 1) AS instant`;

/** Deliveries to inactive webhooks do not count. */
const firstDelivery = `
    SELECT MIN((
      SELECT d.ready_at FROM delivery d
      WHERE d.merchant_id = ?1 AND d.webhook_id = webhook.id AND d.state = 'due' AND d.ready_at > ?2
      ORDER BY d.ready_at, d.id LIMIT 1
    )) AS instant
    FROM webhook WHERE webhook.id > '' AND webhook.state = 'active'`;

export const clockStatements = {
  clocks: `SELECT ${columns} FROM merchant_clock ORDER BY merchant_id`,
  nextDueAt: `
    SELECT MIN(instant) AS number FROM (
      ${first('due_at', "payment WHERE state = 'open' AND merchant_id || '' = ?1")}
      UNION ALL ${first(releaseAt, `payment WHERE ${releasable} AND merchant_id = ?1`)}
      UNION ALL ${first('next_at', 'schedule WHERE next_at IS NOT NULL AND merchant_id = ?1')}
      UNION ALL ${first('call_at', 'checkout WHERE call_at IS NOT NULL AND merchant_id = ?1')}
      UNION ALL ${first('expires_at', "registration WHERE state = 'active' AND merchant_id = ?1")}
      UNION ALL ${first('token_due_at', "registration WHERE state = 'active' AND token_due_at IS NOT NULL AND merchant_id = ?1")}
      UNION ALL ${firstDelivery}
      UNION ALL ${first('due_at', 'scheduled_settlement WHERE merchant_id = ?1')}
      UNION ALL ${first('due_at', 'settlement_day WHERE due_at IS NOT NULL AND merchant_id = ?1')}
    ) AS due`,
  addClock: `INSERT INTO merchant_clock (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING`,
  saveClock: `
    UPDATE merchant_clock SET offset_ms = ?2, frozen_at = ?3, target = ?4, stepped_at = ?5, revision = ?6
    WHERE merchant_id = ?1 AND revision + 1 = ?6`,
  endScheduleClaims: 'UPDATE schedule SET claimed_until = 0 WHERE merchant_id = ?1 AND next_at IS NOT NULL AND claimed_until > 0',
  endDeliveryClaims: "UPDATE delivery SET claimed_until = 0 WHERE merchant_id = ?1 AND state = 'due' AND claimed_until > 0",
  makeDeliveriesDue: "UPDATE delivery SET due_at = ?2, ready_at = ?2 WHERE merchant_id = ?1 AND state = 'due' AND due_at > ?2",
} as const;

export const clockMethods = (db: Database): ClockStore => ({
  clocks: async () => (await db.read<ClockRow>(clockStatements.clocks)).map(clockOf),
  saveClock: async (clock) => {
    checkClock(clock);
    const statement = clock.revision === 1 ? clockStatements.addClock : clockStatements.saveClock;
    return (await db.write(step(statement, ...clockCells(clock)))) > 0;
  },
  nextDueAt: async (merchantId, after) => {
    const [row] = await db.read<{ readonly number: number | string | null }>(clockStatements.nextDueAt, merchantId, after);
    return instantOf(row?.number ?? null);
  },
  releaseClaims: (merchantId) =>
    db.writeApart(step(clockStatements.endScheduleClaims, merchantId), step(clockStatements.endDeliveryClaims, merchantId)),
  makeDeliveriesDue: (merchantId, now) => db.writeApart(step(clockStatements.makeDeliveriesDue, merchantId, now)),
});

/** PostgreSQL returns large integers as strings. */
type ClockRow = {
  readonly merchant_id: string;
  readonly offset_ms: number | string;
  readonly frozen_at: number | string | null;
  readonly target: number | string | null;
  readonly stepped_at: number | string;
  readonly revision: number | string;
};

const instantOf = (cell: number | string | null): number | null => (cell === null ? null : Number(cell));

const clockOf = (row: ClockRow): MerchantClock => ({
  merchantId: row.merchant_id,
  offsetMs: Number(row.offset_ms),
  frozenAt: instantOf(row.frozen_at),
  target: instantOf(row.target),
  steppedAt: Number(row.stepped_at),
  revision: Number(row.revision),
});

const clockCells = ({ merchantId, offsetMs, frozenAt, target, steppedAt, revision }: MerchantClock): Cell[] => [
  merchantId,
  offsetMs,
  frozenAt,
  target,
  steppedAt,
  revision,
];

/** The instants of a clock are whole milliseconds. */
export function checkClock({ offsetMs, frozenAt, target, steppedAt, revision }: MerchantClock): void {
  const numbers = [offsetMs, frozenAt ?? 0, target ?? 0, steppedAt, revision];
  if (!numbers.every(Number.isSafeInteger) || revision < 1) throw new BrokenCommit('a clock that no merchant can have');
}

/** Lengths of queues: ?1 now, ?2 the limit, ?3 the merchants that do not count. */

const counted = (entries: string): string => `SELECT count(*) AS number, min(at) AS oldest FROM (${entries}) waiting`;

/** The first entry of every webhook, so that the oldest is right beyond the limit too. */
const oldestDelivery = (isCounted: string): string => `
    SELECT min((
      SELECT d.ready_at FROM delivery d WHERE d.webhook_id = hook.id AND ${isCounted} ORDER BY d.ready_at, d.id LIMIT 1
    )) FROM hook WHERE hook.id IS NOT NULL`;

const isDue = (list: string): string => `d.state = 'due' AND d.ready_at <= ?1 AND d.merchant_id NOT IN (${list})`;

export const queueStatements = {
  // Along the index outbox_new.
  events: inBoth(({ among }) =>
    counted(`
      SELECT created_at AS at FROM outbox
      WHERE state = 'new' AND created_at >= 0 AND created_at <= ?1 AND merchant_id NOT IN (${among('?3')}) ORDER BY created_at LIMIT ?2`),
  ),
  // From webhook to webhook, along the index delivery_due.
  deliveries: inBoth(
    ({ among }) => `
      WITH RECURSIVE ${hooks('')}
      SELECT count(*) AS number, (${oldestDelivery(isDue(among('?3')))}) AS oldest FROM (
        SELECT d.ready_at FROM hook CROSS JOIN delivery d WHERE d.webhook_id = hook.id AND ${isDue(among('?3'))} LIMIT ?2
      ) waiting`,
  ),
  // Along the index schedule_next.
  schedules: inBoth(({ among }) =>
    counted(`
      SELECT next_at AS at FROM schedule
      WHERE next_at IS NOT NULL AND next_at <= ?1 AND merchant_id NOT IN (${among('?3')}) ORDER BY next_at, id LIMIT ?2`),
  ),
} as const satisfies Readonly<Record<CountedQueue, Dialects>>;

type QueueRow = { readonly number: string | number; readonly oldest: string | number | null };

export const queueMethods = (db: Pick<ReadDatabase, 'read'>): QueueStore => ({
  queueLength: async (queue, { now, limit, except }): Promise<QueueLength> => {
    const [row] = await db.read<QueueRow>(queueStatements[queue], now, limit, JSON.stringify(except));
    return { length: Number(row?.number ?? 0), oldestAt: row?.oldest == null ? null : Number(row.oldest) };
  },
});
