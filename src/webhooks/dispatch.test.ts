import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveryWriter } from './dispatch.ts';
import { exampleDelivery } from './examples.ts';
import type { Delivery } from './webhook.ts';

const delivery = (at: number): Delivery => exampleDelivery({ id: String(at) });

test('what ends while the store is busy goes into its next commit, in order', async () => {
  const commits: string[][] = [];
  const settler = createDeliveryWriter({
    async saveDeliveries(some) {
      await new Promise((resolve) => setImmediate(resolve));
      commits.push(some.map(({ id }) => id));
    },
  });
  for (let at = 0; at < 1_200; at += 1) settler.add(delivery(at));
  await settler.flush();
  assert.deepEqual(commits[0], ['0']);
  assert.deepEqual(
    commits.flat(),
    Array.from({ length: 1_200 }, (_, at) => String(at)),
  );
  assert.equal(commits.length, 4);
});

test('what a store out of order did not take is written when it is well', async () => {
  let isWell = false;
  const written: string[] = [];
  const settler = createDeliveryWriter({
    async saveDeliveries(some) {
      if (!isWell) throw new Error('out of order');
      written.push(...some.map(({ id }) => id));
    },
  });
  settler.add(delivery(1));
  settler.add(delivery(2));
  await assert.rejects(settler.flush(), /out of order/);
  isWell = true;
  await settler.flush();
  assert.deepEqual(written, ['1', '2']);
});
