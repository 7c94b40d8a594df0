import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { sealBooks } from '../../src/ledger/seal.ts';
import { REVIEW_COLLECTION } from '../../src/payments/search/listing.ts';
import type { Cell, Placements } from '../../src/store/cells/cell.ts';
import type { MoveNeeds } from '../../src/store/cells/move.ts';
import type { MovingCell } from '../../src/store/cells/moving.ts';
import { type OpenedDatabases, openDatabases } from '../../src/store/cells/openDatabases.ts';
import { copiedTables, movedTables, restTables } from '../../src/store/postgres/cells/movedTables.ts';
import type { Store } from '../../src/store/store.ts';
import { connectTo, freshDatabase } from '../contract/freshDatabases.ts';
import { checkout } from '../contract/storeCheckoutFixtures.ts';
import {
  child,
  commit,
  commitWithEffects,
  idempotencyKeyOf,
  keepWithEffects,
  NOW,
  nextId,
  OPEN,
  payment,
} from '../contract/storeFixtures.ts';
import { register, registration, tokenUseOf } from '../contract/storeRegistrationFixtures.ts';
import { charging, newSchedule, onward, storeSchedule } from '../contract/storeScheduleFixtures.ts';
import { bring, matchedWith } from '../contract/storeSettlementFixtures.ts';
import { delivery, hook, outboxEvent, send } from '../contract/storeWebhookFixtures.ts';

/** Merchants in the cells of a test, and what is stored about them. */

export type Gateway = OpenedDatabases & {
  readonly urls: { readonly main: string; readonly east: string };
  /** Another node on the same databases. */
  again(): Promise<OpenedDatabases>;
};

type Test = { after(end: () => Promise<void>): void };

/** The control database, which is the cell `main`, and a cell of its own, `east`. */
export async function twoCells(t: Test): Promise<Gateway> {
  const [control, east] = [await freshDatabase(), await freshDatabase()];
  const cells = [
    { name: 'main', url: null },
    { name: 'east', url: east.url },
  ];
  const again = () => openDatabases({ databaseUrl: control.url, cells, poolMax: 4 });
  const opened = await again();
  t.after(async () => {
    await opened.store.close();
    for (const { giveBack } of [control, east]) await giveBack(true);
  });
  return { ...opened, urls: { main: control.url, east: east.url }, again };
}

export const merchant = (id: string) => ({ id, kind: 'merchant' as const, parentId: null, name: id, settings: {} });

/** A merchant in `main` with rows in every table. */
export async function fillMerchant({ store, control, cells }: OpenedDatabases): Promise<string> {
  const merchantId = nextId();
  await store.insertAccounts({ entities: [merchant(merchantId)], tokens: [] });
  await control.place(merchantId, 'main');
  await cells[0]?.own(merchantId, 1);
  const authorised = payment({ merchantId, paymentType: 'PA' });
  assert.equal(await keepWithEffects(store, authorised), 'kept');
  const captured = child(authorised, { paymentType: 'CP', amount: 5000n, createdAt: NOW + 1 });
  assert.equal(await keepWithEffects(store, captured), 'kept');
  assert.equal(await keepWithEffects(store, child(captured, { paymentType: 'RF', amount: 1000n, createdAt: NOW + 2 })), 'kept');
  await bring(store, [{ merchantId, entityId: 'channel', match: matchedWith(captured.id) }]);
  await sealBooks(store);
  // Behind the last block, and still open.
  const extras = { idempotencyKey: idempotencyKeyOf('key'), tokenUse: tokenUseOf(nextId()), sealed: Uint8Array.of(0, 1, 255) };
  const open = payment({ merchantId, phase: OPEN, createdAt: NOW + 3, fields: { 'customer.givenName': '"\\\u0000\u2028é' } });
  assert.equal((await commitWithEffects(store, commit(open, 0, extras))).is, 'kept');
  await fillSessions(store, merchantId);
  await fillWork(store, merchantId);
  await foldOne((cells[0] as Cell).store, merchantId);
  return merchantId;
}

async function fillSessions(store: Store, merchantId: string): Promise<void> {
  const stored = await register(store, registration({ merchantId }));
  const plan = await storeSchedule(store, newSchedule({ merchantId, registrationId: stored.id }));
  const charged = charging(onward(plan, { nextAt: NOW + 7_200_000 }), NOW + 3_600_000);
  assert.equal((await commitWithEffects(store, charged)).is, 'kept');
  await store.addCheckout(checkout({ merchantId }));
  const webhookId = await hook(store);
  await send(store, delivery(webhookId, { event: outboxEvent({ merchantId }) }));
  await store.saveCalls([
    { id: nextId(), firstId: '0', merchantId, entityId: merchantId, calls: 1, data: Uint8Array.of(1, 0, 2) },
  ]);
}

async function fillWork(store: Store, merchantId: string): Promise<void> {
  const day = { merchantId, since: NOW, dueAt: null };
  assert.equal(await store.saveDay(day, null), true);
  const act = { does: 'pay', number: 0, gross: '9200', fee: '153' } as const;
  assert.equal(await store.addScheduledSettlements(day, [{ merchantId, paymentId: nextId(), dueAt: NOW, act }]), true);
  const run = { merchantId, day: '2027-01-15', part: 1, state: 'due' as const, dueAt: NOW, claimedUntil: 0, revision: 1 };
  await store.addReconciliation({ ...run, tries: 0, name: null, temporaryName: null, digest: null } as never);
  await store.saveDocuments([
    { collection: REVIEW_COLLECTION, id: nextId(), ownerId: merchantId, at: NOW, revision: 1, body: {} },
  ]);
}

/** Folds one line of the merchant, in its own cell. */
async function foldOne(store: Store, merchantId: string): Promise<void> {
  const line = (await store.changes(1_000)).find((one) => one.merchantId === merchantId);
  assert.ok(line);
  await store.fold({ revision: await store.foldRevision(), sheets: [], counted: [line], ended: [], done: [line.n] });
}

/** Several sessions count in shares of their own. */
const counts = `(
  SELECT merchant_id, span, begins, entity_id, payment_type, method, mode, SUM(count) AS count FROM payment_count
  GROUP BY merchant_id, span, begins, entity_id, payment_type, method, mode
)`;

/** All rows of a merchant, by table. Numbers of the queue of statistics are those of a database. */
export async function rowsOf(url: string, merchantId: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const sql = connectTo(url);
  const tables = [
    ...movedTables.map(({ name, owner = 'merchant_id' }) => ({ name, owner, from: name })),
    ...restTables.slice(1).map(({ name }) => ({ name, owner: 'merchant_id', from: name })),
    { name: 'payment_count', owner: 'merchant_id', from: counts },
  ];
  // One statement: a test asks within the stop of a merchant.
  const all = tables.map(
    ({ name, owner, from }) => `SELECT '${name}' AS name, (to_jsonb(t) - 'n')::text AS row FROM ${from} t WHERE ${owner} = $1`,
  );
  const rows = await sql.unsafe(`${all.join('\nUNION ALL\n')} ORDER BY 1, 2`, [merchantId]).finally(() => sql.end());
  const found = Map.groupBy(rows, ({ name }) => String(name));
  return Object.fromEntries(tables.map(({ name }) => [name, (found.get(name) ?? []).map(({ row }) => String(row))]));
}

export const isEmpty = (rows: Awaited<ReturnType<typeof rowsOf>>): boolean =>
  Object.values(rows).every((some) => some.length === 0);

/** What a mover needs; nodes follow at once. */
export const needsOf = ({ control, cells }: OpenedDatabases): MoveNeeds => ({
  control,
  cells,
  pause: async (ms) => void (await pause(Math.min(Math.max(ms, 0), 50))),
  now: () => performance.now(),
  onStep: () => {},
  followMs: 0,
});

export class Killed extends Error {}

/** The nth call of a method: the process ends before or after it, and none of its later calls arrives. */
export type Kill = { readonly method: string; readonly when: 'before' | 'after'; readonly nth: number };

/** The same needs, for a mover that is killed. `seen`: how often it calls each method of control and of the cells that it moves between. */
export function killedAt(needs: MoveNeeds, to: string, kill: Kill | null, seen: Map<string, number> = new Map()): MoveNeeds {
  let isDead = false;
  const wrap = <T extends object>(place: string, target: T): T =>
    new Proxy(target, {
      get(its, name, self) {
        const value = Reflect.get(its, name, self);
        if (typeof value !== 'function' || name === 'moving') return value;
        const called = `${place}.${String(name)}`;
        return async (...args: unknown[]) => {
          if (isDead) throw new Killed(called);
          const nth = (seen.get(called) ?? 0) + 1;
          seen.set(called, nth);
          const isHit = called === kill?.method && nth === kill.nth;
          if (isHit) isDead = true;
          if (isHit && kill?.when === 'before') throw new Killed(called);
          const answer = await value.apply(its, args);
          if (isDead) throw new Killed(called);
          return answer;
        };
      },
    });
  const moving = (place: string, of: Pick<Cell, 'moving'>) => async (): Promise<MovingCell> => wrap(place, await of.moving());
  return {
    ...needs,
    control: {
      ...wrap('control', needs.control as Placements),
      moving: moving('control', needs.control),
    } as MoveNeeds['control'],
    cells: needs.cells.map((cell) => ({ ...cell, moving: moving(cell.name === to ? 'to' : 'from', cell) })),
  };
}

/** Every call of a move, before and after it. */
export const killsOf = (seen: ReadonlyMap<string, number>): readonly Kill[] =>
  [...seen].flatMap(([method, calls]) =>
    Array.from({ length: calls }, (_, at) =>
      (['before', 'after'] as const).map((when) => ({ method, when, nth: at + 1 })),
    ).flat(),
  );

/** Every copied table has a row, or the test would not see that one is forgotten. */
export function checkFilled(rows: Awaited<ReturnType<typeof rowsOf>>): void {
  const empty = copiedTables.filter((name) => (rows[name] ?? []).length === 0);
  assert.deepEqual(empty, []);
}
