import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Payment } from '../../src/payments/payment.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Store } from '../../src/store/store.ts';
import { sized } from '../long.ts';
import {
  APPROVED,
  child,
  commit,
  DECLINED,
  idempotencyKeyOf,
  moved,
  nextId,
  OPEN,
  type Open,
  type Opened,
  payment,
} from './storeFixtures.ts';

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

async function anotherNode({ database }: Opened): Promise<Store> {
  if (!database) throw new Error('not a database');
  return database.again();
}

/** What a database promises beyond the memory store: to stay, and to serve several nodes. */
export function databaseContract(name: string, open: Open): void {
  test(`${name}: everything is there after a restart`, async (t) => {
    const first = await open();
    t.after(first.end);
    const [change, idempotencyKey] = [payment({ merchantId: nextId() }), idempotencyKeyOf(nextId())];
    const entities = [{ id: 'a', kind: 'psp', parentId: null, name: 'A', settings: { x: 1 } }] as const;
    await first.store.insertAccounts({ entities, tokens: [] });
    await first.store.commit(commit(change, 0, { idempotencyKey, sealed: Uint8Array.of(7) }));
    await first.store.close();
    const store = await anotherNode(first);
    t.after(() => store.close());
    assert.deepEqual(await store.family(change.merchantId, change.id), { version: 1, payments: [change] });
    assert.deepEqual([...((await store.sealed(change.merchantId, change.id)) ?? [])], [7]);
    assert.equal(
      (await store.idempotencyKey(change.merchantId, idempotencyKey.entityId, idempotencyKey.key))?.paymentId,
      change.id,
    );
    assert.deepEqual(await store.entities(), [{ ...entities[0], revision: 1 }]);
    assert.deepEqual(await store.commit(commit(change, 0)), { is: 'moved' });
  });

  test(`${name}: two nodes see each other's commits at once, and one of two conflicting commits is stored`, async (t) => {
    const first = await open();
    const second = await anotherNode(first);
    t.after(async () => {
      await second.close();
      await first.end();
    });
    const nodes = [first.store, second];
    for (const round of many(10, (index) => index)) {
      const root = payment({ paymentType: 'PA', merchantId: nextId() });
      await first.store.commit(commit(root, 0));
      assert.deepEqual(await second.payment(root.merchantId, root.id), root);
      const captures = many(32, () => child(root, { paymentType: 'CP', amount: 1n }));
      const outcomes = await Promise.all(captures.map((change, at) => nodes[at % 2]?.commit(commit(change, 1))));
      assert.equal(outcomes.filter((outcome) => outcome?.is === 'kept').length, 1, `round ${round}`);
      assert.equal(outcomes.filter((outcome) => outcome?.is === 'moved').length, 31, `round ${round}`);
      assert.deepEqual(await second.family(root.merchantId, root.id), await first.store.family(root.merchantId, root.id));
    }
  });

  test(`${name}: a key used by two nodes at once belongs to one payment`, async (t) => {
    const first = await open();
    const second = await anotherNode(first);
    t.after(async () => {
      await second.close();
      await first.end();
    });
    const nodes = [first.store, second];
    for (const idempotencyKey of many(10, () => idempotencyKeyOf(nextId()))) {
      const changes = many(32, () => payment());
      const outcomes = await Promise.all(
        changes.map((change, at) => nodes[at % 2]?.commit(commit(change, 0, { idempotencyKey }))),
      );
      const winner = changes[outcomes.findIndex((outcome) => outcome?.is === 'kept')];
      assert.equal(outcomes.filter((outcome) => outcome?.is === 'kept').length, 1);
      for (const outcome of outcomes.filter((one) => one?.is !== 'kept')) {
        assert.deepEqual(outcome, { is: 'keyUsed', paymentId: winner?.id, bodyHash: idempotencyKey.bodyHash });
      }
    }
  });

  test(`${name}: two nodes under mixed load keep the sums and lose nothing`, (t) => mixedLoad(t, open));
  test(`${name}: behaves like the reference store`, (t) => sameStory(t, open));
}

type Context = { after(fn: () => Promise<void>): void };

async function mixedLoad(t: Context, open: Open): Promise<void> {
  const first = await open();
  const second = await anotherNode(first);
  t.after(async () => {
    await second.close();
    await first.end();
  });
  const merchantId = nextId();
  const roots = many(6, () => payment({ paymentType: 'PA', amount: 100n, merchantId }));
  await Promise.all(roots.map((root) => first.store.commit(commit(root, 0))));
  let kept = 0;
  const capture = async (root: Payment, store: Store) => {
    for (let tries = 0; tries < 200; tries += 1) {
      const version = (await store.family(merchantId, root.id))?.version ?? 0;
      const { is } = await store.commit(commit(child(root, { paymentType: 'CP', amount: 9n }), version));
      if (is === 'kept') kept += 1;
      if (is !== 'moved') return;
    }
  };
  await Promise.all(many(120, (index) => capture(roots[index % 6] as Payment, index % 2 ? first.store : second)));
  const families = await Promise.all(roots.map(({ id }) => second.family(merchantId, id)));
  assert.deepEqual(
    families.map((family) => family?.payments.length),
    many(6, () => 12),
  );
  assert.equal(kept, 66);
  assert.equal((await first.outbox(merchantId)).length, 72);
}

/** One step of a random sequence, as numbers that both stores interpret alike. */
type Step = readonly [kind: number, of: number, amount: number, state: number, stale: number];
const step: fc.Arbitrary<Step> = fc.tuple(fc.nat(9), fc.nat(9), fc.nat(120), fc.nat(2), fc.nat(9));
const kinds = ['PA', 'DB', 'CP', 'CP', 'RF', 'RV', 'IN', 'move', 'move', 'move'] as const;

/** Random lives of families, applied to the store and to the reference: every outcome and the final state must be equal. */
async function sameStory(t: Context, open: Open): Promise<void> {
  const { store, end } = await open();
  t.after(end);
  const tellBoth = async (steps: readonly Step[]) => {
    const merchantId = nextId();
    const reference = createMemoryStore();
    const known: Payment[] = [];
    for (const [kind, of, amount, state, stale] of steps) {
      const change = changeOf(kinds[kind] ?? 'PA', known[of % (known.length || 1)], {
        merchantId,
        amount: BigInt(amount),
        phase: [APPROVED, OPEN, DECLINED][state] ?? OPEN,
      });
      const version = ((await reference.family(merchantId, change.familyId))?.version ?? 0) + (stale === 0 ? 1 : 0);
      const outcomes = await Promise.all([reference, store].map((each) => wordOf(each, commit(change, version))));
      assert.equal(outcomes[1], outcomes[0]);
      if (outcomes[0] !== 'kept') continue;
      const at = known.findIndex(({ id }) => id === change.id);
      known.splice(at === -1 ? known.length : at, 1, change);
    }
    for (const { id } of known) assert.deepEqual(await store.family(merchantId, id), await reference.family(merchantId, id));
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), tellBoth), {
    numRuns: sized({ quick: 25, assure: 60, reliability: 60 }),
  });
}

function changeOf(kind: (typeof kinds)[number], of: Payment | undefined, changes: Partial<Payment>): Payment {
  if (kind === 'move' && of) return moved(of, { phase: changes.phase ?? OPEN });
  if (kind === 'IN' && of) return child(of, { ...changes, paymentType: 'PA', industryPractice: 'INCREMENTAL_AUTH' });
  if ((kind === 'CP' || kind === 'RF' || kind === 'RV') && of) return child(of, { ...changes, paymentType: kind });
  return payment({ ...changes, paymentType: kind === 'DB' ? 'DB' : 'PA' });
}

const wordOf = (store: Store, change: ReturnType<typeof commit>): Promise<string> =>
  store.commit(change).then(
    ({ is }) => is,
    (error: Error) => error.name,
  );
