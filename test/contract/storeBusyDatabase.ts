import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { Payment } from '../../src/payments/payment.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Store } from '../../src/store/store.ts';
import { sized } from '../long.ts';
import { CROWDS, commitOutcome, crowd } from './storeBusy.ts';
import { APPROVED, commit, DECLINED, moved, nextId, OPEN, type Open, payment } from './storeFixtures.ts';
import { many, tokenUseOf } from './storeRegistrationFixtures.ts';

/** One step of a random sequence: a payment of one of two checkouts or none, or a change of an existing one. */
type Step = readonly [kind: 'new' | 'move', which: number, phase: number, further: number];
const step: fc.Arbitrary<Step> = fc.tuple(fc.constantFrom('new' as const, 'move' as const), fc.nat(9), fc.nat(2), fc.nat(5));

/** What a database promises beyond the memory store: to several nodes, against raw statements, and the same as the reference. */
export function busyDatabaseContract(name: string, open: Open): void {
  const nodes = async (t: { after(fn: () => Promise<void>): void }) => {
    const first = await open();
    const second = await first.database?.again();
    assert.ok(second && first.database);
    t.after(async () => {
      await second.close();
      await first.end();
    });
    const { raw, place } = first.database;
    /** Only of a server, which notices them after the nodes have stopped. */
    const deadlocks = async (): Promise<number> => {
      if (!place.databaseUrl) return 0;
      await Promise.all([first.store.close(), second.close()]);
      await pause(500);
      return Number((await raw('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()'))[0]?.deadlocks);
    };
    /** Both nodes have sent what they have before a server lets either of them write. */
    const atOnce = async <T>(work: () => Promise<T>): Promise<T> => {
      if (!place.databaseUrl) return work();
      await raw('BEGIN');
      await raw('LOCK TABLE payment IN SHARE ROW EXCLUSIVE MODE');
      const done = work();
      await pause(100);
      await raw('COMMIT');
      return done;
    };
    return { stores: [first.store, second], atOnce, deadlocks };
  };

  test(`${name}: of 32 payments of one checkout at two nodes exactly one is stored, ${CROWDS} times`, async (t) => {
    const { stores } = await nodes(t);
    for (let round = 0; round < CROWDS; round += 1) await crowd(stores, round);
  });

  test(`${name}: two nodes with many checkouts in any order do not block each other`, async (t) => {
    const { stores, atOnce, deadlocks } = await nodes(t);
    for (let round = 0; round < 8; round += 1) {
      const merchantId = nextId();
      const checkoutIds = many(60, () => nextId());
      const of = (ids: readonly string[]) => ids.map((checkoutId) => commit(payment({ merchantId, checkoutId }), 0));
      const [there, back] = [of(checkoutIds), of(checkoutIds.toReversed())];
      const words = await atOnce(() =>
        Promise.all(
          there.flatMap((one, at) => [one, back[at] ?? one]).map(async (each, at) => (await stores[at % 2]?.commit(each))?.is),
        ),
      );
      assert.deepEqual(words.sort(), [...many(60, () => 'busy'), ...many(60, () => 'kept')]);
    }
    assert.equal(await deadlocks(), 0);
  });

  test(`${name}: checkouts behave like those of the reference store`, async (t) => {
    const { stores } = await nodes(t);
    const word = (store: Store, each: ReturnType<typeof commit>) =>
      store.commit(each).then(
        ({ is }) => is,
        (error: Error) => error.name,
      );
    const tellBoth = async (steps: readonly Step[]) => {
      const [reference, store] = [createMemoryStore(), stores[0] as Store];
      const [merchantId, one, other] = [nextId(), nextId(), nextId()];
      const known: Payment[] = [];
      for (const [kind, which, at, further] of steps) {
        const phase = [APPROVED, OPEN, DECLINED][at] ?? OPEN;
        const from = kind === 'move' ? known[which % (known.length || 1)] : undefined;
        const fresh = payment({ merchantId, checkoutId: [one, other, null][which % 3] ?? null, phase });
        const each = from ? moved(from, { phase }) : fresh;
        const extras = from || further > 1 ? {} : { tokenUse: tokenUseOf(`${merchantId} ${further}`) };
        const version = (await reference.family(merchantId, each.familyId))?.version ?? 0;
        const asked = commit(each, version, extras);
        const [expected, found] = [await word(reference, asked), await word(store, asked)];
        assert.equal(found, expected);
        if (expected === 'kept') known.splice(from ? known.indexOf(from) : known.length, from ? 1 : 0, each);
      }
      for (const id of [one, other]) {
        assert.deepEqual(await store.attempts(merchantId, id), await reference.attempts(merchantId, id));
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), tellBoth), {
      numRuns: sized({ quick: 15, assure: 40, reliability: 40 }),
    });
  });

  byHandContract(name, open);
}

const columns =
  'merchant_id, id, family_id, entity_id, payment_type, state, amount, currency, created_at, due_at, short_id, version, revision, data, checkout_id';
const cells = (checkoutId: string, state: string) => {
  const id = nextId();
  const dueAt = state === 'open' ? '1' : 'NULL';
  return `('m', '${id}', '${id}', 'e', 'DB', '${state}', 1, 'EUR', 1, ${dueAt}, '', 1, 1, '{}', '${checkoutId}')`;
};

function byHandContract(name: string, open: Open): void {
  test(`${name}: by raw SQL, a second payment of a checkout is refused`, async (t) => {
    const { store, database, end } = await open();
    t.after(end);
    assert.ok(database);
    const { raw } = database;
    const [merchantId, checkoutId] = ['m', nextId()];
    const declined = payment({ merchantId, checkoutId, phase: DECLINED });
    const [paid, apart] = [payment({ merchantId, checkoutId }), payment({ merchantId, checkoutId: nextId(), phase: OPEN })];
    const none = payment({ merchantId, phase: OPEN });
    for (const each of [declined, paid, apart, none]) assert.equal(await commitOutcome(store, each), 'kept');
    const into = `INSERT INTO payment (${columns}) VALUES`;
    const another = nextId();
    const refused: readonly (readonly [statement: string, why: RegExp])[] = [
      [`${into} ${cells(checkoutId, 'approved')}`, /payment_checkout/],
      [`${into} ${cells(checkoutId, 'open')}`, /payment_checkout/],
      [`${into} ${cells(another, 'open')}, ${cells(another, 'approved')}`, /payment_checkout/],
      [`UPDATE payment SET checkout_id = '${checkoutId}' WHERE id = '${apart.id}'`, /checkout of a payment is never updated/],
      [`UPDATE payment SET checkout_id = '${checkoutId}' WHERE id = '${none.id}'`, /checkout of a payment is never updated/],
      [`UPDATE payment SET checkout_id = NULL WHERE id = '${paid.id}'`, /checkout of a payment is never updated/],
      [`UPDATE payment SET state = 'approved', revision = 2 WHERE id = '${declined.id}'`, /payment_transition/],
    ];
    const replacing = [
      [`INSERT OR REPLACE INTO payment (${columns}) VALUES ${cells(checkoutId, 'approved')}`, /payment_checkout/],
      [`UPDATE OR REPLACE payment SET checkout_id = '${checkoutId}' WHERE id = '${apart.id}'`, /never updated/],
    ] as const;
    for (const [statement, why] of [...refused, ...(database.place.databaseUrl ? [] : replacing)]) {
      await assert.rejects(raw(statement), why, statement);
    }
    assert.deepEqual((await store.attempts(merchantId, checkoutId)).map(({ id }) => id).sort(), [declined.id, paid.id].sort());
    await raw(`${into} ${cells(checkoutId, 'declined')}`);
    await raw(`${into} ${cells(another, 'open')}`);
  });
}
