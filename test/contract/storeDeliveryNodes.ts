import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { onlyMerchant } from '../../src/merchants/merchantFilter.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Store } from '../../src/store/store.ts';
import type { Delivery } from '../../src/webhooks/webhook.ts';
import { commit, NOW, nextId, type Open, payment } from './storeFixtures.ts';
import { many } from './storeRegistrationFixtures.ts';
import { answered, asked, delivery, failed, hook, outboxEvent, webhook } from './storeWebhookFixtures.ts';

/** What a database promises of deliveries beyond the memory store. */
export function deliveryNodesContract(name: string, open: Open): void {
  const nodes = async (t: { after(fn: () => Promise<void>): void }) => {
    const first = await open();
    const second = await first.database?.again();
    assert.ok(second && first.database);
    t.after(async () => {
      await second.close();
      await first.end();
    });
    return { stores: [first.store, second] as const, raw: first.database.raw };
  };

  test(`${name}: two nodes that deliver at once attempt every delivery once, each subject's events in their order`, async (t) => {
    const { stores } = await nodes(t);
    const hooks = await Promise.all(many(5, () => hook(stores[0])));
    const made = many(200, (index) => {
      const [subjectId, webhookId] = [nextId(), hooks[index % 7] ?? (hooks[0] as string)];
      return many((index % 3) + 1, (at) =>
        delivery(webhookId, { dueAt: NOW - at, event: outboxEvent({ subjectId, revision: at + 1 }) }),
      );
    }).flat();
    await stores[0].saveFanOut([], made);
    const tried: Delivery[] = [];
    const work = async (store: Store, each: number) => {
      for (let empty = 0; empty < 8 && tried.length <= made.length; ) {
        const some = await store.claimDeliveries({ ...asked, limit: 25, each });
        tried.push(...some);
        await store.saveDeliveries(some.map((one) => ({ ...one, state: 'delivered', dueAt: NOW, tries: [answered] })));
        empty = some.length === 0 ? empty + 1 : 0;
      }
    };
    await Promise.all(stores.flatMap((store) => [work(store, 3), work(store, 20)]));
    assert.equal(tried.length, made.length);
    assert.equal(new Set(tried.map(({ id }) => id)).size, made.length);
    const last = new Map<string, number>();
    for (const { event: each } of tried) {
      assert.equal(each.revision, (last.get(each.subjectId) ?? 0) + 1);
      last.set(each.subjectId, each.revision);
    }
  });

  test(`${name}: two nodes that fan out the same events at once make one delivery of each`, async (t) => {
    const { stores } = await nodes(t);
    const webhookId = await hook(stores[0]);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(many(50, () => stores[round % 2]?.commit(commit(payment(), 0))));
      const spread = async (store: Store) => {
        const some = await store.pendingEvents(asked.merchants, 99);
        const ways = some.map((each) => delivery(webhookId, { event: each }));
        await store.saveFanOut(round % 2 ? some : some.toReversed(), round % 2 ? ways.toReversed() : ways);
      };
      await Promise.all([...stores, ...stores].map(spread));
      assert.deepEqual(await stores[0].countDeliveries(webhookId), { due: 50 * (round + 1), delivered: 0, dead: 0 });
      assert.deepEqual(await stores[1].pendingEvents(asked.merchants, 9), []);
    }
  });

  test(`${name}: a webhook that is removed while events are fanned out to it leaves nothing behind`, async (t) => {
    const { stores, raw } = await nodes(t);
    for (let round = 0; round < 6; round += 1) {
      const webhookId = await hook(stores[0]);
      const spread = many(8, () =>
        stores[1].saveFanOut(
          [],
          many(5, () => delivery(webhookId)),
        ),
      );
      const [removed] = await Promise.all([stores[0].removeWebhook(webhookId), ...spread]);
      assert.equal(removed, true);
    }
    assert.equal((await raw('SELECT id FROM delivery')).length, 0);
  });

  test(`${name}: deliveries that wait for earlier events are deferred until these are due, and resumed when they end`, async (t) => {
    const { stores, raw } = await nodes(t);
    const [store] = stores;
    const [webhookId, subjectId] = [await hook(store), nextId()];
    const some = many(3, (at) => delivery(webhookId, { dueAt: NOW + at, event: outboxEvent({ subjectId, revision: at + 1 }) }));
    const [first] = some as [Delivery];
    const ready = async () =>
      (await raw("SELECT ready_at FROM delivery WHERE state = 'due' ORDER BY revision")).map((row) => Number(row.ready_at) - NOW);
    await store.saveFanOut([], some.slice(0, 2));
    assert.deepEqual(await ready(), [0, 1]);
    await store.saveDeliveries([{ ...first, dueAt: NOW + 500, tries: [failed] }]);
    assert.deepEqual(await ready(), [500, 500]);
    await store.saveFanOut([], some.slice(2));
    assert.deepEqual(await ready(), [500, 500, 500]);
    await store.saveDeliveries([{ ...first, state: 'dead', dueAt: NOW + 501, tries: [failed] }]);
    assert.deepEqual(await ready(), [1, 2]);
  });

  storyContract(name, open);
}

type Step = readonly [what: 'send' | 'claim' | 'settle' | 'again' | 'remove', which: number, more: number];
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('send', 'send', 'send', 'claim', 'claim', 'settle', 'settle', 'again', 'remove'),
  fc.nat(9),
  fc.nat(5),
);

function storyContract(name: string, open: Open): void {
  test(`${name}: deliveries behave like those of the reference store`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const tellBoth = async (steps: readonly Step[]) => {
      const both = [createMemoryStore(), store] as const;
      const merchantId = nextId();
      const hooks = many(2, () => webhook());
      const subjects = many(2, () => nextId());
      const one = async <T>(work: (each: Store) => Promise<T>): Promise<T> => {
        const [expected, found] = [await work(both[0]), await work(both[1])];
        assert.deepEqual(found, expected);
        return found;
      };
      for (const each of hooks) await one((here) => here.addWebhook(each));
      let [now, claimed, revision]: [number, readonly Delivery[], number] = [NOW, [], 0];
      for (const [what, which, more] of steps) {
        now += which;
        const webhookId = hooks[which % 2]?.id ?? '';
        if (what === 'send') {
          revision += 1;
          const its = outboxEvent({
            merchantId,
            subjectId: subjects[more % 2] ?? '',
            revision: more === 5 ? 1 : revision,
            createdAt: now,
          });
          const way = delivery(webhookId, { event: its, dueAt: now + more - 2, createdAt: now });
          await one((here) => here.saveFanOut([], [way]));
        } else if (what === 'claim') {
          claimed = await one((here) =>
            here.claimDeliveries({
              ...asked,
              now,
              until: now + 3 * more,
              each: 1 + (which % 3),
              limit: 3,
              merchants: onlyMerchant(merchantId),
            }),
          );
        } else if (what === 'settle') {
          const state = (['due', 'delivered', 'dead'] as const)[which % 3] ?? 'due';
          const settled = claimed.map(
            (each): Delivery => ({ ...each, state, dueAt: now + more, tries: [...each.tries, failed] }),
          );
          await one((here) => here.saveDeliveries(settled));
        } else if (what === 'again') {
          const state = (['due', 'delivered', 'dead'] as const)[more];
          await one((here) => here.redeliver(state ? { webhookId, state } : { webhookId, to: now - more }, now + 1));
        } else if (what === 'remove' && more === 0) {
          await one((here) => here.removeWebhook(webhookId));
        }
        await one((here) => here.nextDeliveryAt(merchantId));
      }
      for (const { id } of hooks) {
        await one((here) => here.deliveries({ webhookId: id, limit: 99 }));
        await one((here) => here.countDeliveries(id));
        await store.removeWebhook(id);
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), tellBoth), {
      numRuns: name === 'sqlite' ? 60 : 20,
    });
  });
}
