import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allMerchants, onlyMerchant, SKEW_MS_MAX } from '../../src/merchants/merchantFilter.ts';
import type { Payment } from '../../src/payments/payment.ts';
import type { AcquirerAnswer, Connector, World } from '../../src/payments/ports.ts';
import { StoreOutOfOrder } from '../../src/payments/storeErrors.ts';
import { sweep, type UnreleasedClaims } from '../../src/payments/sweep.ts';
import type { Store } from '../../src/store/store.ts';
import { commit, moved, NOW, type Open, type Opened, payment } from './storeFixtures.ts';

const LEASE_MS = 60_000;
const NODES = 4;
const PAYMENTS = 40;
const LOOKS = 5;

const doubted = (late: number, given: Partial<Payment> = {}): Payment =>
  payment({ phase: { at: 'doubt', tries: 0, dueAt: NOW - late, since: NOW }, ...given });

/** A due payment is claimed by one sweeper at a time. */
export function sweepClaimContract(name: string, open: Open): void {
  const onStore = (title: string, work: (opened: Opened) => Promise<void>) =>
    test(`${name}: ${title}`, async (t) => {
      const opened = await open();
      t.after(opened.end);
      await work(opened);
    });
  const claim = (store: Store, now = NOW, limit = 10) =>
    store.claimDue({ now, limit, until: now + LEASE_MS, merchants: allMerchants });

  onStore('a claimed payment is given to nobody else until the claim ends', async ({ store, database }) => {
    const other = await anotherNode(name, { store, database });
    try {
      const due = [doubted(3), doubted(2), doubted(1)];
      for (const one of [...due, doubted(-5)]) await store.commit(commit(one, 0));
      assert.deepEqual(await claim(store, NOW, 2), due.slice(0, 2));
      assert.deepEqual(await claim(other), due.slice(2));
      assert.deepEqual(await claim(other, NOW + 4), []);
      // The node that claimed them has died: the claims end by themselves.
      assert.deepEqual((await claim(other, NOW + LEASE_MS)).slice(0, 3), due);
    } finally {
      if (other !== store) await other.close();
    }
  });

  onStore('a released payment is free again; a claim that has ended is not released', async ({ store }) => {
    const one = doubted(1);
    await store.commit(commit(one, 0));
    assert.deepEqual(await claim(store), [one]);
    const again = moved(one, { phase: { at: 'cancelling', tries: 0, dueAt: NOW, since: NOW } });
    await store.commit(commit(again, 1));
    assert.deepEqual(await claim(store, NOW + 1), []);
    await store.releaseSwept({ payments: [again], until: NOW + LEASE_MS });
    assert.deepEqual(await claim(store, NOW + 1), [again]);
    await store.releaseSwept({ payments: [again], until: NOW + LEASE_MS });
    assert.deepEqual(await claim(store, NOW + 2), []);
    await store.releaseSwept({ payments: [again], until: NOW + 1 + LEASE_MS });
    await store.commit(commit(moved(again, { phase: { at: 'final', code: '900.100.301' } }), 2));
    assert.deepEqual(await claim(store, NOW + 3), []);
  });

  onStore('a claim of a clock that was put back does not count', async ({ store }) => {
    const one = doubted(1);
    await store.commit(commit(one, 0));
    const ahead = NOW + SKEW_MS_MAX + 1_000;
    assert.deepEqual(await claim(store, ahead), [one]);
    assert.deepEqual(await claim(store, NOW), [one]);
  });

  onStore('claims are of the merchants that were asked for', async ({ store }) => {
    const [one, other] = [doubted(2, { merchantId: 'claims one' }), doubted(1, { merchantId: 'claims other' })];
    for (const each of [one, other]) await store.commit(commit(each, 0));
    const asked = { now: NOW, limit: 10, until: NOW + LEASE_MS };
    assert.deepEqual(await store.claimDue({ ...asked, merchants: onlyMerchant('claims other') }), [other]);
    assert.deepEqual(await store.claimDue({ ...asked, merchants: allMerchants }), [one]);
  });

  onStore('ended claims are deleted', async ({ store }) => {
    for (const one of [doubted(2), doubted(1)]) await store.commit(commit(one, 0));
    await claim(store);
    assert.equal(await store.deleteClaims(NOW + LEASE_MS), 0);
    assert.equal(await store.deleteClaims(NOW + LEASE_MS + 1), 2);
    assert.equal((await claim(store)).length, 2);
  });

  for (const isKept of [true, false]) {
    const title = isKept ? 'are released when it is back' : 'last a minute where nothing remembers them';
    onStore(`claims of a sweep whose store went away ${title}`, async ({ store }) => {
      await store.commit(commit(doubted(1), 0));
      const line = { isAway: false };
      const time = { now: NOW };
      const asked: string[] = [];
      const world = sweeper(awayAfterClaim(store, line), time, asked);
      const unreleased: UnreleasedClaims = [];
      const swept = () => sweep(world, { limit: 10, merchants: allMerchants }, isKept ? unreleased : []);
      assert.deepEqual([(await swept()).failed, unreleased.length], [1, isKept ? 1 : 0]);
      time.now += 1_000;
      await assert.rejects(swept(), StoreOutOfOrder);
      line.isAway = false;
      time.now += 1_000;
      assert.equal((await swept()).looked, isKept ? 1 : 0);
      assert.equal(asked.length, isKept ? 1 : 0);
    });
  }

  for (const isClaiming of [true, false]) {
    const title = isClaiming ? 'ask about a payment once' : 'ask several times where nothing is claimed';
    onStore(`${NODES} nodes ${title}`, async ({ store, database }) => {
      const others = await Promise.all(Array.from({ length: NODES - 1 }, () => anotherNode(name, { store, database })));
      try {
        const stores = [store, ...others].map((one) => (isClaiming ? one : unclaimed(one)));
        const perLook = await inquiriesPerLook(store, stores);
        if (isClaiming) assert.ok(perLook <= 1.05, `${perLook} inquiries for each look`);
        else assert.ok(perLook > 1.5, `the trial does not see it: ${perLook}`);
      } finally {
        for (const one of others) if (one !== store) await one.close();
      }
    });
  }
}

/** Only PostgreSQL has several nodes. Elsewhere one process has the data, and its sweeps share a store. */
const anotherNode = async (name: string, { store, database }: Pick<Opened, 'store'> & { database: Opened['database'] }) =>
  name !== 'sqlite' && database ? database.again() : store;

const unclaimed = (store: Store): Store => ({ ...store, claimDue: (query) => store.due(query) });

/** A store that is out of order from its first claim on, until the line is mended. */
function awayAfterClaim(store: Store, line: { isAway: boolean }): Store {
  const away = () => Promise.reject(new StoreOutOfOrder('it is away'));
  return {
    ...store,
    claimDue: async (query) => {
      if (line.isAway) return away();
      const claimed = await store.claimDue(query);
      line.isAway = query.now === NOW;
      return claimed;
    },
    family: (...args) => (line.isAway ? away() : store.family(...args)),
    releaseSwept: (release) => (line.isAway ? away() : store.releaseSwept(release)),
  };
}

/** How many inquiries there were for each time that a payment was due. */
async function inquiriesPerLook(store: Store, stores: readonly Store[]): Promise<number> {
  const time = { now: NOW };
  const asked: string[] = [];
  for (let made = 0; made < PAYMENTS; made += 1) await store.commit(commit(doubted(made), 0));
  const nodes = stores.map((one) => sweeper(one, time, asked));
  for (let look = 0; look < LOOKS; look += 1) {
    await Promise.all(nodes.map((node) => sweep(node, { limit: PAYMENTS / 2, merchants: allMerchants })));
    await Promise.all(nodes.map((node) => sweep(node, { limit: PAYMENTS / 2, merchants: allMerchants })));
    time.now += 10 * 60_000;
  }
  assert.equal(new Set(asked).size, PAYMENTS * LOOKS, 'not every payment was asked about');
  return asked.length / new Set(asked).size;
}

/** A node that only sweeps. Its acquirer has never decided yet. */
function sweeper(store: Store, time: { readonly now: number }, asked: string[]): World {
  const connector = {
    answerMsMax: 10_000,
    uncertainty: { learnedBy: 'id', lateMs: 0, cancelBindsLate: true, absenceIsProof: true },
    async inquire({ payment: { id, revision } }: { readonly payment: Payment }): Promise<AcquirerAnswer> {
      asked.push(`${id} ${revision}`);
      await new Promise((done) => setImmediate(done));
      return { is: 'waiting' };
    },
  } as unknown as Connector;
  return {
    store,
    clock: { now: () => time.now },
    timers: { within: <T>(_: number, promise: Promise<T>) => promise },
    connector: () => connector,
    deriveEffects: async () => ({ posting: null, statisticsLine: null, emailHash: null }),
    ids: { next: () => '0'.repeat(32) },
  } as unknown as World;
}
