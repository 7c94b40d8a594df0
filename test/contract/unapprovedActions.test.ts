import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import {
  approvalReasonFor,
  confirmUnapproved,
  countUnapproved,
  type UnapprovedAction,
  type UnapprovedCount,
  unapprovedSums,
  uncountUnapproved,
} from '../../src/users/approvals.ts';
import type { DocumentStore } from '../../src/users/documents.ts';
import type { UserNeeds } from '../../src/users/ports.ts';
import { createChance } from '../simulation/chance.ts';
import { onEveryStore } from './everyStore.ts';
import { NOW, nextId } from './storeFixtures.ts';

/** What one user moves alone: never more than the limit, however it is split, sent at once or spread over nodes. */

const LIMIT = 40_00n;
const DAY_MS = 24 * 3_600_000;

function world(store: DocumentStore) {
  const clock = { at: NOW, now: () => clock.at };
  const vault = { digest: (purpose: string, text: string) => `${purpose} ${text}` };
  return { clock, needs: { store, clock, vault } as unknown as UserNeeds };
}

const act = (changes: Partial<UnapprovedAction> = {}): UnapprovedAction => ({
  userId: 'ann',
  merchantId: 'shop',
  familyId: 'p1',
  kind: 'giveBack',
  currency: 'EUR',
  amount: 10_00n,
  key: nextId(),
  body: 'x',
  ...changes,
});

type Row = readonly [changes: Partial<UnapprovedAction>, came: 'counted' | 'single' | 'payment' | 'day'];
const came = (count: UnapprovedCount): string => (count.is === 'approval' ? count.reason.rule : count.is);

const splits: readonly (readonly [what: string, rows: readonly Row[]])[] = [
  [
    'the limit itself is free, one more is not',
    [
      [{ amount: 40_00n }, 'counted'],
      [{ amount: 1n }, 'payment'],
    ],
  ],
  [
    'one that is above it alone',
    [
      [{ amount: 40_01n }, 'single'],
      [{ amount: 40_00n }, 'counted'],
    ],
  ],
  [
    'five of ten on one payment',
    [
      [{}, 'counted'],
      [{}, 'counted'],
      [{}, 'counted'],
      [{}, 'counted'],
      [{}, 'payment'],
    ],
  ],
  [
    'split over payments of one day',
    [
      [{}, 'counted'],
      [{ familyId: 'p2' }, 'counted'],
      [{ familyId: 'p3', amount: 20_00n }, 'counted'],
      [{ familyId: 'p4' }, 'day'],
    ],
  ],
  [
    'another user has a separate limit',
    [
      [{ amount: 40_00n }, 'counted'],
      [{ amount: 40_00n, userId: 'bob' }, 'counted'],
    ],
  ],
  [
    'currencies are not added',
    [
      [{ amount: 40_00n }, 'counted'],
      [{ amount: 40_00n, currency: 'USD' }, 'counted'],
    ],
  ],
  [
    'captures are not refunds',
    [
      [{ amount: 40_00n }, 'counted'],
      [{ amount: 40_00n, kind: 'capture' }, 'counted'],
    ],
  ],
  [
    'merchants are not added',
    [
      [{ amount: 40_00n }, 'counted'],
      [{ amount: 40_00n, merchantId: 'other', familyId: 'p9' }, 'counted'],
    ],
  ],
];

onEveryStore(({ name, opened }) => {
  for (const [what, rows] of splits) {
    test(`${name}: ${what}`, async () => {
      const { needs } = world(opened().store);
      const userId = nextId();
      for (const [changes, expected] of rows)
        assert.equal(
          came(await countUnapproved(needs, act({ ...changes, userId: `${userId}${changes.userId ?? ''}` }), LIMIT)),
          expected,
        );
    });
  }

  test(`${name}: a new day resets the sum of the day, not that of the payment`, async () => {
    const { needs, clock } = world(opened().store);
    const userId = nextId();
    const count = async (changes: Partial<UnapprovedAction>) =>
      came(await countUnapproved(needs, act({ userId, ...changes }), LIMIT));
    assert.equal(await count({ amount: 30_00n }), 'counted');
    assert.equal(await count({ amount: 20_00n, familyId: 'p2' }), 'day');
    clock.at += DAY_MS;
    assert.equal(await count({ amount: 20_00n, familyId: 'p2' }), 'counted');
    assert.equal(await count({ amount: 20_00n }), 'payment');
  });

  test(`${name}: forty concurrent actions at two nodes: four of ten are counted`, async () => {
    const held = opened();
    const other = await held.database?.again();
    const nodes = [held.store, other ?? held.store].map((store) => world(store).needs);
    const userId = nextId();
    const counts = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        countUnapproved(nodes[at % 2] as UserNeeds, act({ userId, familyId: `p${at % 3}` }), LIMIT),
      ),
    );
    assert.equal(counts.filter(({ is }) => is === 'counted').length, 4);
    assert.equal(counts.filter(({ is }) => is === 'approval').length, 36);
    await other?.close();
  });

  test(`${name}: control: sums that are read first and written after let more through`, async () => {
    const { needs } = world(opened().store);
    const userId = nextId();
    const counts = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const one = act({ userId });
        const isFree = approvalReasonFor(one.amount, await unapprovedSums(needs, one), LIMIT) === null;
        if (isFree) await countUnapproved(needs, one, 1_000_000_00n);
        return isFree;
      }),
    );
    assert.ok(counts.filter(Boolean).length > 4);
  });

  test(`${name}: an action that moved nothing is not counted; a repeated key counts once, and only for the same action`, async () => {
    const { needs } = world(opened().store);
    const userId = nextId();
    const first = act({ userId, amount: 40_00n });
    assert.equal(came(await countUnapproved(needs, first, LIMIT)), 'counted');
    assert.equal(came(await countUnapproved(needs, first, LIMIT)), 'again');
    assert.equal(came(await countUnapproved(needs, { ...first, amount: 1n, body: 'y' }, LIMIT)), 'other');
    await uncountUnapproved(needs, first);
    assert.deepEqual(await unapprovedSums(needs, first), { payment: 0n, day: 0n });
    assert.equal(came(await countUnapproved(needs, first, LIMIT)), 'counted');
    await confirmUnapproved(needs, first);
    await uncountUnapproved(needs, first);
    assert.equal((await unapprovedSums(needs, first)).day, 40_00n, 'another request has moved it');
    const late = act({ userId });
    await confirmUnapproved(needs, late);
    assert.equal((await unapprovedSums(needs, late)).day, 50_00n, 'moved money is counted, whatever the limit');
  });
});

describe('property', () => {
  test('no sequence of actions by one user moves more than the limit without a second person', async () => {
    for (let seed = 1; seed <= 150; seed += 1) {
      const chance = createChance(seed);
      const { needs, clock } = world(createMemoryStore());
      const moved = new Map<string, bigint>();
      const add = (name: string, amount: bigint) => moved.set(name, (moved.get(name) ?? 0n) + amount);
      for (let round = 0; round < 12; round += 1) {
        const day = new Date(clock.at).toISOString().slice(0, 10);
        await Promise.all(
          Array.from({ length: chance.between(1, 8) }, async () => {
            const [familyId, currency] = [`p${chance.below(3)}`, chance.pick(['EUR', 'USD'])];
            const one = act({ familyId, currency, amount: BigInt(chance.between(1, 45_00)), key: `k${chance.below(60)}` });
            const body = String(one.amount);
            const isDeclined = chance.hits(0.2);
            const count = await countUnapproved(needs, { ...one, body }, LIMIT);
            if (count.is !== 'counted') return;
            if (isDeclined) return uncountUnapproved(needs, { ...one, body });
            add(`${familyId} ${currency}`, one.amount);
            add(`${day} ${currency}`, one.amount);
          }),
        );
        if (chance.hits(0.3)) clock.at += DAY_MS / 2;
      }
      for (const [name, sum] of moved) assert.ok(sum <= LIMIT, `seed ${seed}: ${name} ${sum}`);
    }
  });
});
