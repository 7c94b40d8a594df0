import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { onlyMerchant } from '../../src/merchants/merchantFilter.ts';
import type { Store } from '../../src/store/store.ts';
import type { Delivery } from '../../src/webhooks/webhook.ts';
import { NOW, nextId, type Open } from './storeFixtures.ts';
import { openPostgres, openSqlite } from './storeOpen.ts';
import { many } from './storeRegistrationFixtures.ts';
import { asked, delivery, hook, outboxEvent } from './storeWebhookFixtures.ts';

const MANY = 100_000;
const PORTION = 2_000;
const ROUNDS = 25;
/** For the quickest of some rounds: the others may have waited for other processes. On an idle machine it takes 20 at most. */
const CLAIM_MS_MAX = 60;
const SPREAD_MS_MAX = 250;

async function quickest(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await work();
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

async function fill(store: Store, count: number, make: () => readonly Delivery[]): Promise<void> {
  for (let made = 0; made < count; ) {
    const some: Delivery[] = [];
    while (some.length < PORTION) some.push(...make());
    await store.saveFanOut([], some);
    made += some.length;
  }
}

/** A claim that ends at once: the next round finds the same again. */
const claim = { ...asked, until: NOW, limit: 200, each: 20 };

function quick(name: string, open: Open): void {
  test(`${name}: a webhook with ${MANY} due deliveries does not slow down the others`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const big = await hook(store);
    const others = await Promise.all(many(50, () => hook(store)));
    await store.saveFanOut(
      [],
      others.flatMap((one) => many(5, () => delivery(one))),
    );
    await fill(store, MANY / 2, () => [delivery(big, { dueAt: NOW - 9 })]);
    // Later events that wait for earlier ones, which are retried in an hour: none of them is due now.
    await fill(store, MANY / 2, () => {
      const subjectId = nextId();
      return many(2, (at) =>
        delivery(big, { dueAt: at ? NOW - 99 : NOW + 3_600_000, event: outboxEvent({ subjectId, revision: at + 1 }) }),
      );
    });
    assert.equal((await store.countDeliveries(big)).due, MANY);
    const claimed = await store.claimDeliveries(claim);
    assert.deepEqual([claimed.length, claimed.filter(({ webhookId }) => webhookId === big).length], [200, 20]);
    const times = {
      claim: await quickest(() => store.claimDeliveries(claim)),
      skipped: await quickest(() => store.claimDeliveries({ ...claim, skip: [big] })),
      alone: await quickest(() => store.claimDeliveries({ ...claim, each: 200 })),
      ofMerchant: await quickest(() => store.claimDeliveries({ ...claim, merchants: onlyMerchant('merchant') })),
      next: await quickest(() => store.nextDeliveryAt('merchant')),
      list: await quickest(() => store.deliveries({ webhookId: big, limit: 100 })),
      settle: await quickest(() => store.saveDeliveries(claimed)),
    };
    t.diagnostic(
      Object.entries(times)
        .map(([what, ms]) => `${what} ${ms.toFixed(1)} ms`)
        .join(', '),
    );
    const { settle, ...rest } = times;
    for (const [what, ms] of Object.entries(rest)) assert.ok(ms <= CLAIM_MS_MAX, `${what}: ${ms} ms`);
    assert.ok(settle <= SPREAD_MS_MAX, `settle: ${settle} ms`);
  });
}

describe('sqlite', () => quick('sqlite', openSqlite));
describe('postgres', () => quick('postgres', openPostgres));
