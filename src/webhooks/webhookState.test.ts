import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleWebhook } from './examples.ts';
import type { Webhook } from './webhook.ts';
import { activated, healthAfter } from './webhookState.ts';

const DAY = 86_400_000;
const [T, well] = [1_790_000_000_000, exampleWebhook()];
const failing = exampleWebhook({ failingSince: T });
const at = (now: number, status: number | null, failingSince: number | null = now) => ({ status, now, failingSince });

const cases: readonly (readonly [says: string, before: Webhook, felt: ReturnType<typeof at>, then: Partial<Webhook>])[] = [
  ['well and stays so', well, at(T, 200), {}],
  ['a hiccup', well, at(T, 500, null), {}],
  ['begins to fail', well, at(T + 5, 500, T + 1), { failingSince: T + 1, changedAt: T + 5 }],
  ['fails on', failing, at(T + DAY, null), {}],
  ['is well again', failing, at(T + DAY, 204), { failingSince: null, changedAt: T + DAY }],
  ['fails almost five days', failing, at(T + 5 * DAY - 1, 500), {}],
  [
    'has failed five days',
    failing,
    at(T + 5 * DAY, null),
    { state: 'paused', why: 'nothing could be delivered for 5 days', changedAt: T + 5 * DAY },
  ],
  ['wants nothing more', well, at(T, 410), { state: 'off', why: 'it answered 410: it has unsubscribed', changedAt: T }],
  ['a redirect is a failure', well, at(T, 302), { failingSince: T, changedAt: T }],
];
for (const [says, before, felt, then] of cases) {
  test(`a webhook: ${says}`, () => {
    const next = healthAfter(before, felt);
    assert.deepEqual(next, { ...before, ...then });
    assert.equal(next === before, Object.keys(then).length === 0);
  });
}

test('what is not active is not touched by calls that end late', () => {
  for (const state of ['unproven', 'paused', 'off'] as const) {
    const webhook = exampleWebhook({ state });
    for (const status of [200, 410, 500, null]) assert.equal(healthAfter(webhook, at(T + 9 * DAY, status, T)), webhook);
  }
});

test('a test delivery sets everything right', () => {
  const paused = exampleWebhook({ state: 'paused', why: 'it failed', failingSince: T });
  assert.deepEqual(activated(paused, T + 1), exampleWebhook({ changedAt: T + 1 }));
});
