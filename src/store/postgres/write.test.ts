import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { child, commit, idempotencyKeyOf, payment } from '../../../test/contract/storeFixtures.ts';
import { acting, onward, registration, to, tokenUseOf } from '../../../test/contract/storeRegistrationFixtures.ts';
import { charging, newSchedule } from '../../../test/contract/storeScheduleFixtures.ts';
import type { Commit, CommitOutcome } from '../../payments/ports.ts';
import { createWriteQueues, type WriteBatch } from './write.ts';

/** A database that answers when it is told to. */
function slowDatabase() {
  const batches: { readonly ids: readonly string[]; readonly answer: (outcomes?: (CommitOutcome | Error)[]) => void }[] = [];
  const write: WriteBatch = (batch) =>
    new Promise((resolve) => {
      const kept = batch.map((): CommitOutcome => ({ is: 'kept' }));
      batches.push({ ids: batch.map(({ payment: { id } }) => id), answer: (outcomes = kept) => resolve(outcomes) });
    });
  return { batches, write };
}

const changes = (count: number): Commit[] => Array.from({ length: count }, () => commit(payment(), 0));
const idsOf = (some: readonly Commit[]) => some.map(({ payment: { id } }) => id);

test('what arrives in one turn goes in one batch, what arrives meanwhile in the next', async () => {
  const { batches, write } = slowDatabase();
  const queues = createWriteQueues(write, { batchMax: 64, queues: 1 });
  const [first, second] = [changes(3), changes(5)];
  const all = [...first.map(queues.commit)];
  await turn();
  all.push(...second.map(queues.commit));
  await turn();
  assert.deepEqual(
    batches.map(({ ids }) => ids),
    [idsOf(first)],
  );
  batches[0]?.answer();
  await turn();
  assert.deepEqual(batches[1]?.ids, idsOf(second));
  batches[1]?.answer();
  assert.deepEqual(new Set((await Promise.all(all)).map(({ is }) => is)), new Set(['kept']));
});

test('a batch has its limit, and so has the number under way', async () => {
  const { batches, write } = slowDatabase();
  const queues = createWriteQueues(write, { batchMax: 4, queues: 2 });
  for (const change of changes(11)) void queues.commit(change);
  await turn();
  assert.deepEqual(
    batches.map(({ ids }) => ids.length),
    [4, 4],
  );
  batches[0]?.answer();
  await turn();
  assert.deepEqual(
    batches.map(({ ids }) => ids.length),
    [4, 4, 3],
  );
});

test('a batch has one commit with thousands of fields at most, and others beside it', async () => {
  const { batches, write } = slowDatabase();
  const queues = createWriteQueues(write, { batchMax: 4, queues: 1 });
  const fields = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`cart.items[${n}].name`, 'x']));
  const [long, other] = [() => commit(payment({ fields }), 0), () => commit(payment(), 0)];
  const sent = [long(), long(), other(), long()];
  for (const change of sent) void queues.commit(change);
  const [first, second, third, fourth] = idsOf(sent);
  for (const ids of [[first, third], [second], [fourth]]) {
    await turn();
    assert.deepEqual(new Set(batches.at(-1)?.ids), new Set(ids));
    batches.at(-1)?.answer();
    await turn();
  }
});

test('two commits of one family, with one key, checkout, registration, schedule or token are never written at the same time', async () => {
  const { batches, write } = slowDatabase();
  const queues = createWriteQueues(write, { batchMax: 64, queues: 2 });
  const root = payment({ paymentType: 'PA' });
  const idempotencyKey = idempotencyKeyOf('key');
  const sameFamily = [child(root), child(root)].map((change) => commit(change, 1));
  const sameKey = [payment(), payment()].map((change) => commit(change, 0, { idempotencyKey }));
  const held = registration();
  const sameDetails = [acting(held), acting(held)].map((change) => commit(change, 0, { registration: to(onward(held)) }));
  const sameToken = [payment(), payment()].map((change) => commit(change, 0, { tokenUse: tokenUseOf('token') }));
  const sameCheckout = [payment(), payment()].map((change) => commit({ ...change, checkoutId: 'checkout' }, 0));
  const made = newSchedule();
  const samePlan = [charging(made, null, { id: made.id }), charging(made, 1)];
  const bystander = commit(payment({ checkoutId: 'another' }), 0);
  const all = [...sameFamily, ...sameKey, ...sameDetails, ...sameToken, ...sameCheckout, ...samePlan, bystander];
  for (const change of all) void queues.commit(change);
  await turn();
  assert.deepEqual(
    batches.map(({ ids }) => [...ids].sort()),
    [
      idsOf([
        sameFamily[0],
        sameKey[0],
        sameDetails[0],
        sameToken[0],
        sameCheckout[0],
        samePlan[0],
        bystander,
      ] as Commit[]).sort(),
    ],
  );
  batches[0]?.answer();
  await turn();
  const rest = [sameFamily[1], sameKey[1], sameDetails[1], sameToken[1], sameCheckout[1], samePlan[1]] as Commit[];
  assert.deepEqual([...(batches[1]?.ids ?? [])].sort(), idsOf(rest).sort());
});

test('every batch is in the order of families', async () => {
  const { batches, write } = slowDatabase();
  const queues = createWriteQueues(write, { batchMax: 64, queues: 1 });
  const some = changes(20);
  for (const change of some.toReversed()) void queues.commit(change);
  await turn();
  assert.deepEqual(batches[0]?.ids, idsOf(some).sort());
});

test('each commit hears its own outcome, and an error is for one alone', async () => {
  const { batches, write } = slowDatabase();
  const queues = createWriteQueues(write, { batchMax: 64, queues: 1 });
  const [one, two, three] = changes(3).map(queues.commit);
  await turn();
  batches[0]?.answer([{ is: 'overrun' }, new Error('for the second'), { is: 'kept' }]);
  assert.deepEqual(await one, { is: 'overrun' });
  await assert.rejects(two as Promise<CommitOutcome>, /for the second/);
  assert.deepEqual(await three, { is: 'kept' });
});

test('closing waits for what was accepted and accepts no more', async () => {
  const { batches, write } = slowDatabase();
  const queues = createWriteQueues(write, { batchMax: 1, queues: 1 });
  const accepted = changes(3).map(queues.commit);
  let isClosed = false;
  const closed = queues.close().then(() => {
    isClosed = true;
  });
  await assert.rejects(queues.commit(changes(1)[0] as Commit), /closed/);
  for (let at = 0; at < 3; at += 1) {
    await turn();
    assert.equal(isClosed, false);
    batches[at]?.answer();
  }
  await closed;
  assert.equal((await Promise.all(accepted)).length, 3);
});
