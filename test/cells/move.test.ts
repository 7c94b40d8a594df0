import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sealBooks } from '../../src/ledger/seal.ts';
import { verify } from '../../src/ledger/verify.ts';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import { StoreOutOfOrder } from '../../src/payments/storeErrors.ts';
import { type Cell, FENCED } from '../../src/store/cells/cell.ts';
import { MoveHeldUp, type MoveNeeds, moveMerchant, takeBackMove } from '../../src/store/cells/move.ts';
import type { MovingCell } from '../../src/store/cells/moving.ts';
import { withAudit } from '../../src/store/openAudit.ts';
import { emptiedTables, movedTables } from '../../src/store/postgres/cells/movedTables.ts';
import { connectTo, dropUnused } from '../contract/freshDatabases.ts';
import { checkout, saved } from '../contract/storeCheckoutFixtures.ts';
import {
  child,
  commit,
  commitWithEffects,
  DECLINED,
  idempotencyKeyOf,
  keepWithEffects,
  moved,
  NOW,
  OPEN,
  payment,
} from '../contract/storeFixtures.ts';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import {
  checkFilled,
  fillMerchant,
  type Gateway,
  isEmpty,
  type Kill,
  Killed,
  killedAt,
  killsOf,
  needsOf,
  rowsOf,
  twoCells,
} from './movingFixtures.ts';

/** A merchant moves from one cell to another, whatever happens to the mover. */

after(dropUnused);

const run = async (url: string, statement: string): Promise<readonly Record<string, unknown>[]> => {
  const sql = connectTo(url);
  return sql.unsafe(statement).finally(() => sql.end());
};

/** What `turnpike verify` finds in both cells. */
async function verified({ urls }: Pick<Gateway, 'urls'>): Promise<{ readonly found: number; readonly payments: number }> {
  const verdicts = [urls.main, urls.east].map((databaseUrl) =>
    withAudit({ databaseUrl }, (audit) =>
      verify(audit, { merchantId: null, onStep: () => {}, signal: new AbortController().signal }),
    ),
  );
  const sum = (one: 'found' | 'payments', all: readonly Awaited<(typeof verdicts)[number]>[]): number =>
    all.reduce((before, verdict) => before + verdict[one], 0);
  const all = await Promise.all(verdicts);
  return { found: sum('found', all), payments: sum('payments', all) };
}

test('every table with rows of a merchant is copied or emptied', async (t) => {
  const { urls } = await twoCells(t);
  const rows = await run(
    urls.main,
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = current_schema() AND c.column_name = 'merchant_id' AND t.table_type = 'BASE TABLE'`,
  );
  const inControl = ['merchant_cell', 'owned_merchant', 'merchant_clock', 'risk_list_entry'];
  const known = new Set([...emptiedTables, ...movedTables.map(({ name }) => name), ...inControl]);
  assert.deepEqual(
    rows.map(({ name }) => String(name)).filter((name) => !known.has(name)),
    [],
  );
});

test('a merchant moves with every row, and comes back', async (t) => {
  const gateway = await twoCells(t);
  const merchantId = await fillMerchant(gateway);
  const before = await rowsOf(gateway.urls.main, merchantId);
  checkFilled(before);
  const proof = await verified(gateway);
  assert.equal(proof.found, 0);
  for (const [from, to] of [
    ['main', 'east'],
    ['east', 'main'],
  ] as const) {
    const { stops, stoppedMs } = await moveMerchant(needsOf(gateway), merchantId, to);
    assert.equal(stops, 1);
    assert.ok(stoppedMs !== null && stoppedMs > 0);
    assert.deepEqual(await rowsOf(gateway.urls[to], merchantId), before);
    assert.ok(isEmpty(await rowsOf(gateway.urls[from], merchantId)), 'nothing is left');
    assert.deepEqual(await verified(gateway), proof);
  }
  assert.equal(await keepWithEffects(gateway.store, payment({ merchantId, createdAt: NOW + 9 })), 'kept');
});

const isFenced = (error: unknown): boolean => error instanceof StoreOutOfOrder && error.code === FENCED;

/** Pays until the cell takes it: a stop ends by itself, and a node finishes a move that is decided. */
async function pay({ store }: Gateway, merchantId: string): Promise<string> {
  const paid = payment({ merchantId, createdAt: NOW + 10 });
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      assert.equal(await keepWithEffects(store, paid), 'kept');
      return paid.id;
    } catch (error) {
      if (!isFenced(error)) throw error;
      await needsOf({ control: null, cells: [] } as never).pause(50);
    }
  }
  throw new Error('the merchant cannot pay');
}

const otherOf = (cell: 'main' | 'east'): 'main' | 'east' => (cell === 'main' ? 'east' : 'main');

/** The decision, and the steps around it, are always among those of the quick form. */
const isDecision = ({ method }: Kill): boolean =>
  ['from.stop', 'from.depart', 'to.change', 'control.switchCell'].includes(method);
const KILLS_MAX = sized({ quick: 4, assure: 60, reliability: 1_000 });

/** As many of the kills as a run has time for, spread over the whole move. */
function chosenOf(kills: readonly Kill[]): readonly Kill[] {
  const step = Math.ceil(kills.length / KILLS_MAX);
  // An odd step takes calls before and after their effect.
  const odd = step + (1 - (step % 2));
  return kills.filter((kill, at) => at % odd === 0 || (isDecision(kill) && kill.nth === 1 && kill.when === 'after'));
}

const idsOf = (rows: Awaited<ReturnType<typeof rowsOf>>): readonly string[] =>
  (rows.payment ?? []).map((row) => (JSON.parse(row) as { readonly id: string }).id).sort();

test('a mover that is killed at any call stops no merchant, and the next run finishes or takes back', {
  timeout: sized({ quick: 120_000, assure: 600_000, reliability: 1_800_000 }),
}, async (t) => {
  const gateway = await twoCells(t);
  const merchantId = await fillMerchant(gateway);
  const seen = new Map<string, number>();
  await moveMerchant(needsOf(gateway), merchantId, 'east');
  await moveMerchant(killedAt(needsOf(gateway), 'main', null, seen), merchantId, 'main');
  const all = killsOf(seen);
  assert.ok(seen.size >= 30 && all.length >= 200, `${all.length} kills of ${[...seen.keys()].join(' ')}`);
  let cell: 'main' | 'east' = 'main';
  const ids = [...idsOf(await rowsOf(gateway.urls.main, merchantId))];
  const kills = chosenOf(all);
  for (const [at, kill] of kills.entries()) {
    const name = `${kill.when} call ${kill.nth} of ${kill.method}`;
    const to = otherOf(cell);
    const killed = killedAt(needsOf(gateway), to, kill);
    await assert.rejects(moveMerchant(killed, merchantId, to), Killed, name);
    ids.push(await pay(gateway, merchantId));
    assert.equal((await verified(gateway)).found, 0, name);
    const back = at % 3 === 0 && (await takeBackMove(needsOf(gateway), merchantId).then(() => true, assertDecided));
    if (!back) await moveMerchant(needsOf(gateway), merchantId, to);
    const [placed] = await gateway.control.placementsOf([merchantId]);
    assert.deepEqual([placed?.movingTo, placed?.movingFrom], [null, null], name);
    cell = placed?.cell as 'main' | 'east';
    const rows = await rowsOf(gateway.urls[cell], merchantId);
    checkFilled(rows);
    assert.deepEqual(idsOf(rows), ids.sort(), `${name}: nothing is lost or doubled`);
    assert.ok(isEmpty(await rowsOf(gateway.urls[otherOf(cell)], merchantId)), `${name}: nothing is left`);
    assert.equal((await verified(gateway)).found, 0, name);
    ids.push(await pay(gateway, merchantId));
  }
  t.diagnostic(`${kills.length} kills of the ${all.length} that a move has`);
  reportFigure('R46', 'kills of the mover', kills.length);
  reportFigure('R46', 'payments moved', ids.length);
});

function assertDecided(error: unknown): false {
  assert.ok(error instanceof MoveHeldUp && /decided/.test(error.message), String(error));
  return false;
}

/** Writes about the merchant in its cell: a capture, a fold, a delivery that ends, a call that is due, a schedule that is charged. */
async function change({ store, cells }: Gateway, merchantId: string, round: number): Promise<void> {
  const at = NOW + 100 + round;
  const [root] = (await store.history({ merchantId, after: null, before: NOW + 1, limit: 1 })).filter(
    ({ paymentType }) => paymentType === 'PA',
  );
  assert.ok(root);
  const captured = child(root, { paymentType: 'CP', amount: 100n, createdAt: at });
  const family = await store.family(merchantId, root.id);
  const extras = { idempotencyKey: idempotencyKeyOf(`round ${round}`) };
  assert.equal((await commitWithEffects(store, commit(captured, family?.version ?? 0, extras))).is, 'kept');
  const attempt = checkout({ merchantId });
  await store.addCheckout(attempt);
  const declined = payment({ merchantId, checkoutId: attempt.id, phase: OPEN, createdAt: at });
  assert.equal(await keepWithEffects(store, declined), 'kept');
  assert.equal(await keepWithEffects(store, moved(declined, { phase: DECLINED })), 'kept');
  // The same checkout again: two rows that only fit together in their order.
  assert.equal(await keepWithEffects(store, payment({ merchantId, checkoutId: attempt.id, createdAt: at + 1 })), 'kept');
  assert.equal(await store.saveCheckout(saved(attempt, { callAt: null })), true);
  await sealBooks(store);
  const [cell] = cells as [Cell];
  const line = (await cell.store.changes(1_000)).find((one) => one.merchantId === merchantId);
  const [ended] = await cell.store.counted(await openSubjects(cell, merchantId));
  assert.ok(line);
  const fold = { revision: await cell.store.foldRevision(), sheets: [], counted: [line], done: [line.n] };
  assert.equal(await cell.store.fold({ ...fold, ended: ended && ended.subjectId !== line.subjectId ? [ended] : [] }), true);
}

const openSubjects = async (cell: Cell, merchantId: string) =>
  (await cell.store.history({ merchantId, after: null, before: NOW + 1_000, limit: 100 })).map(({ id }) => ({
    merchantId,
    subjectId: id,
  }));

test('what changes while a merchant moves arrives as it is, and its due work is claimed once', {
  timeout: 120_000,
}, async (t) => {
  const gateway = await twoCells(t);
  const merchantId = await fillMerchant(gateway);
  const due = { now: NOW + 40_000_000, until: NOW + 50_000_000, limit: 100, merchants: allMerchants };
  let [round, atStop]: [number, Awaited<ReturnType<typeof rowsOf>> | null] = [0, null];
  // Tables are copied at once; the changes come one after the other.
  let last = Promise.resolve();
  const claimed = { payments: 0, schedules: 0, deliveries: 0, events: 0 };
  const needs: MoveNeeds = {
    ...needsOf(gateway),
    onStep: () => {},
    cells: gateway.cells.map((cell) => ({
      ...cell,
      moving: async () => {
        const its = await cell.moving();
        const changing = (): Promise<void> => {
          round += 1;
          const mine = round;
          last = last.then(() => change(gateway, merchantId, mine));
          return last;
        };
        return {
          ...its,
          portion: async (...args) => {
            const found = await its.portion(...args);
            if (['payment', 'checkout', 'posting', 'statistic_open'].includes(args[0])) await changing();
            return found;
          },
          depart: async (...args) => {
            atStop = await rowsOf(gateway.urls.main, merchantId);
            // The copy is complete and the writes are stopped: nobody may work on either side.
            claimed.payments += (await gateway.store.claimDue(due)).length;
            claimed.schedules += (await gateway.store.claimSchedules(due)).length;
            claimed.deliveries += (await gateway.store.claimDeliveries({ ...due, each: 100, skip: [] })).length;
            claimed.events += (await gateway.store.pendingEvents(allMerchants, 100)).length;
            assert.equal(
              (await gateway.store.history({ merchantId: null, after: null, before: NOW + 1_000, limit: 100 })).length,
              atStop.payment?.length,
            );
            return its.depart(...args);
          },
        };
      },
    })),
  };
  const { stops } = await moveMerchant(needs, merchantId, 'east');
  assert.equal(round, 4);
  assert.deepEqual(claimed, { payments: 0, schedules: 0, deliveries: 0, events: 0 }, `${stops} stops`);
  assert.deepEqual(await rowsOf(gateway.urls.east, merchantId), atStop);
  assert.equal((await verified(gateway)).found, 0);
  assert.equal((await gateway.store.claimDue(due)).length, 1);
  assert.equal((await gateway.store.claimSchedules(due)).length, 1);
  assert.equal((await gateway.store.claimDeliveries({ ...due, each: 100, skip: [] })).length, 1);
  assert.ok((await gateway.store.pendingEvents(allMerchants, 100)).length > 5);
});

test('the control: changes whose keys are not noted are found before the map is changed', { timeout: 60_000 }, async (t) => {
  const gateway = await twoCells(t);
  const merchantId = await fillMerchant(gateway);
  const [root] = await gateway.store.history({ merchantId, after: null, before: NOW + 1, limit: 1 });
  await run(gateway.urls.main, 'ALTER TABLE payment DISABLE TRIGGER payment_fence_update');
  const needs: MoveNeeds = {
    ...needsOf(gateway),
    cells: gateway.cells.map((cell) => ({
      ...cell,
      moving: async () => {
        const its = await cell.moving();
        return {
          ...its,
          rangeDigest: async (...args: Parameters<MovingCell['rangeDigest']>) => {
            if (args[0] === 'payment')
              await run(gateway.urls.main, `UPDATE payment SET version = version + 1 WHERE id = '${root?.id}'`);
            return its.rangeDigest(...args);
          },
        };
      },
    })),
  };
  await assert.rejects(
    moveMerchant(needs, merchantId, 'east'),
    (error) => error instanceof MoveHeldUp && /a row of payment differs/.test(error.message),
  );
  assert.equal((await gateway.control.placementsOf([merchantId]))[0]?.cell, 'main');
  await pay(gateway, merchantId);
  await takeBackMove(needsOf(gateway), merchantId);
  assert.ok(isEmpty(await rowsOf(gateway.urls.east, merchantId)));
});
