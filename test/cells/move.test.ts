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
import { sized } from '../long.ts';
import {
  checkFilled,
  fillMerchant,
  type Gateway,
  isEmpty,
  Killed,
  killedAt,
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
  let [found, payments] = [0, 0];
  for (const databaseUrl of [urls.main, urls.east]) {
    const verdict = await withAudit({ databaseUrl }, (audit) =>
      verify(audit, { merchantId: null, onStep: () => {}, signal: new AbortController().signal }),
    );
    found += verdict.found;
    payments += verdict.payments;
  }
  return { found, payments };
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

const calls = async (gateway: Gateway, to: string): Promise<readonly string[]> => {
  const seen = new Set<string>();
  const merchantId = await fillMerchant(gateway);
  await moveMerchant(killedAt(needsOf(gateway), null, seen), merchantId, to);
  return [...seen];
};

/** The steps of a move that change something, and the reads that matter less: of those the quick form takes a few. */
const KILLS_MAX = sized({ quick: 3, assure: 200, reliability: 200 });

test('a mover that is killed at any step stops no merchant, and the next run finishes or takes back', {
  timeout: 600_000,
}, async (t) => {
  const gateway = await twoCells(t);
  const methods = await calls(gateway, 'east');
  const writes = methods.filter((name) =>
    /change|depart|stop|switchCell|putRest|dropKeys|arrive|leave|endMove|beginMove|apply|Portion/.test(name),
  );
  assert.ok(writes.length >= 12, writes.join(' '));
  const chosen = writes.length <= KILLS_MAX ? methods : writes.filter((_, at) => at % Math.ceil(writes.length / KILLS_MAX) === 0);
  // The decision and what follows it are always among them.
  const kills = [...new Set([...chosen, 'main.depart', 'main.stop', 'east.change', 'control.switchCell'])];
  for (const [at, method] of kills.entries()) {
    const merchantId = await fillMerchant(gateway);
    const when = at % 2 === 0 ? 'after' : 'before';
    const died = moveMerchant(killedAt(needsOf(gateway), { method, when, nth: 1 }), merchantId, 'east');
    await assert.rejects(died, Killed, method);
    const id = await pay(gateway, merchantId);
    assert.equal((await verified(gateway)).found, 0, `${when} ${method}`);
    const back =
      at % 3 === 0 &&
      (await takeBackMove(needsOf(gateway), merchantId).then(
        () => true,
        (error) => assertDecided(error),
      ));
    if (!back) await moveMerchant(needsOf(gateway), merchantId, 'east');
    const [cell] = await gateway.control.placementsOf([merchantId]);
    assert.deepEqual([cell?.movingTo, cell?.movingFrom], [null, null]);
    const [lives, left] = cell?.cell === 'east' ? (['east', 'main'] as const) : (['main', 'east'] as const);
    const rows = await rowsOf(gateway.urls[lives], merchantId);
    checkFilled(rows);
    assert.ok(
      rows.payment?.some((row) => row.includes(id)),
      `${when} ${method}: the payment after the kill`,
    );
    assert.ok(isEmpty(await rowsOf(gateway.urls[left], merchantId)), `${when} ${method}: nothing is left`);
    assert.equal((await verified(gateway)).found, 0, `${when} ${method}`);
    await pay(gateway, merchantId);
  }
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
  const claimed = { payments: 0, schedules: 0, deliveries: 0, events: 0 };
  const needs: MoveNeeds = {
    ...needsOf(gateway),
    onStep: () => {},
    cells: gateway.cells.map((cell) => ({
      ...cell,
      moving: async () => {
        const its = await cell.moving();
        const changing = async () => {
          round += 1;
          await change(gateway, merchantId, round);
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
          digests: async (...args: Parameters<MovingCell['digests']>) => {
            if (args[0] === 'payment')
              await run(gateway.urls.main, `UPDATE payment SET version = version + 1 WHERE id = '${root?.id}'`);
            return its.digests(...args);
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
