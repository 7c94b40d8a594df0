import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleWebhook } from './examples.ts';
import { createSubscribers } from './subscribers.ts';

test('webhooks are read again after a second, and at once when the clock was put back', async () => {
  let [now, reads] = [10_000_000, 0];
  const store = {
    webhooks: async () => {
      reads += 1;
      return [exampleWebhook()];
    },
    saveWebhook: async () => true,
  };
  const known = createSubscribers({ store, clock: { now: () => now }, onDisabled: () => {} });
  await known.refreshIfStale();
  now += 500;
  await known.refreshIfStale();
  assert.equal(reads, 1);
  now -= 3_600_000;
  await known.refreshIfStale();
  assert.equal(reads, 2);
  now += 1_000;
  await known.refreshIfStale();
  assert.equal(reads, 3);
});
