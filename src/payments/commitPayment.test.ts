import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commitPayment } from './commitPayment.ts';
import { exampleCommit, examplePayment } from './examples.ts';
import type { Commit, CommitEffects } from './ports.ts';

const effects: CommitEffects = {
  posting: { at: 1, entries: { merchant: 5n } },
  statisticsLine: 'a line',
  emailHash: 'a hash',
};

test('a commit has the effects of its payment, and null for what the caller leaves out', async () => {
  const commits: Commit[] = [];
  const commit = async (change: Commit) => {
    commits.push(change);
    return { is: 'kept' } as const;
  };
  const payment = examplePayment();
  const { event } = exampleCommit(payment);
  await commitPayment({ store: { commit }, deriveEffects: async () => effects }, { payment, version: 3, event });
  assert.deepEqual(commits, [{ ...exampleCommit(payment), version: 3, ...effects }]);
});

test('a commit without one of its effects does not compile', () => {
  const whole = exampleCommit(examplePayment());
  const { posting, ...unposted } = whole;
  const { statisticsLine, ...uncounted } = whole;
  const { emailHash, ...unsearchable } = whole;
  // @ts-expect-error The ledger posting is missing.
  const withoutPosting: Commit = unposted;
  // @ts-expect-error The statistics line is missing.
  const withoutLine: Commit = uncounted;
  // @ts-expect-error The search key is missing.
  const withoutKey: Commit = unsearchable;
  assert.deepEqual([posting, statisticsLine, emailHash], [null, null, null]);
  for (const one of [withoutPosting, withoutLine, withoutKey])
    assert.equal(Object.keys(one).length, Object.keys(whole).length - 1);
});

test('what the caller decides has no place for an effect', () => {
  const { payment, version, event } = exampleCommit(examplePayment());
  type Change = Parameters<typeof commitPayment>[1];
  // @ts-expect-error A caller cannot bring its own posting.
  const change: Change = { payment, version, event, posting: null };
  assert.ok(change);
});
