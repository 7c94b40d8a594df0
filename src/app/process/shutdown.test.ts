import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timers } from '../system.ts';
import { shutDown } from './shutdown.ts';

const never = () => new Promise<never>(() => {});

test('steps end one after the other, and nothing is waited for longer than its bound', async () => {
  const order: string[] = [];
  const ends = (name: string) => ({
    name,
    ms: 10_000,
    stop: async () => {
      order.push(name);
      return [];
    },
  });
  const steps = [[ends('gateway'), { name: 'jobs', ms: 5, stop: never }], [ends('store')]];
  assert.deepEqual(await shutDown(steps, timers), ['jobs']);
  assert.deepEqual(order, ['gateway', 'store']);
});

test('who knows what it has left says so', async () => {
  const left = await shutDown([[{ name: 'jobs', ms: 1_000, stop: async () => ['sweep', 'seal ledger blocks'] }]], timers);
  assert.deepEqual(left, ['jobs: sweep', 'jobs: seal ledger blocks']);
});

test('an error is told after everything else has ended', async () => {
  const order: string[] = [];
  const broken = { name: 'gateway', ms: 1_000, stop: () => Promise.reject(new Error('a bug')) };
  const store = {
    name: 'store',
    ms: 1_000,
    stop: async () => {
      order.push('store');
      return [];
    },
  };
  await assert.rejects(shutDown([[broken], [store]], timers), /a bug/);
  assert.deepEqual(order, ['store']);
});
