import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrokenCommit } from '../../src/payments/storeErrors.ts';
import type { ReconciliationRun } from '../../src/reports/reconciliation/ports.ts';
import { NOW, nextId, type Open, type Opened } from './storeFixtures.ts';

/** A due file by default. */
export function run(changes: Partial<ReconciliationRun> = {}): ReconciliationRun {
  return {
    merchantId: nextId(),
    day: '2031-10-02',
    part: 1,
    state: 'due',
    tries: 0,
    dueAt: NOW,
    claimedUntil: 0,
    name: null,
    temporaryName: null,
    digest: null,
    bytes: null,
    records: null,
    covers: null,
    files: [],
    changed: {},
    why: null,
    createdAt: NOW,
    movedAt: NOW,
    revision: 1,
    ...changes,
  };
}

const onward = (before: ReconciliationRun, changes: Partial<ReconciliationRun> = {}): ReconciliationRun => ({
  ...before,
  ...changes,
  revision: before.revision + 1,
});

/** What every store promises of files for merchants. */
export function reconciliationContract(name: string, opened: () => Opened, open: Open): void {
  test(`${name}: a part of a day exists once, and comes back as stored`, async () => {
    const { store } = opened();
    const one = run({ files: ['a', 'b'], changed: { x: 2 }, why: 'é;"' });
    assert.equal(await store.addReconciliation(one), true);
    assert.equal(await store.addReconciliation({ ...one, dueAt: NOW + 1 }), false);
    const [later, second] = [
      { ...one, day: '2031-10-10' },
      { ...one, part: 10 },
    ];
    for (const other of [later, second, { ...one, part: 2 }]) assert.equal(await store.addReconciliation(other), true);
    const all = await store.reconciliations(one.merchantId, '2031-10-02');
    assert.deepEqual(
      all.map(({ day, part }) => `${day} ${part}`),
      ['2031-10-02 1', '2031-10-02 2', '2031-10-02 10', '2031-10-10 1'],
    );
    assert.deepEqual(all[0], one);
    assert.deepEqual(await store.reconciliations(one.merchantId, '2031-10-03'), [later]);
    assert.deepEqual(await store.reconciliations(nextId(), ''), []);
  });

  test(`${name}: of two nodes that claim a file one gets it`, async () => {
    const { store } = opened();
    const one = run();
    await store.addReconciliation(one);
    const claims = [1, 2, 3, 4].map((at) => store.saveReconciliation(onward(one, { claimedUntil: NOW + at, tries: 1 })));
    assert.equal((await Promise.all(claims)).filter(Boolean).length, 1);
    assert.equal(await store.saveReconciliation(onward(one, { why: 'too late' })), false);
    assert.equal(await store.saveReconciliation(onward(run())), false, 'one that was never there');
  });

  test(`${name}: an inconsistent run is refused`, async () => {
    const { store } = opened();
    const broken: readonly Partial<ReconciliationRun>[] = [
      { state: 'done' },
      { state: 'renaming' },
      { part: 0 },
      { day: 'today' },
      { state: 'failed', claimedUntil: NOW },
    ];
    for (const changes of broken) await assert.rejects(store.addReconciliation(run(changes)), BrokenCommit);
  });

  test(`${name}: due runs are listed the longest overdue first, without claimed or finished ones`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const sent = { name: 'n', digest: 'd' };
    const made = [
      run({ dueAt: NOW - 1 }),
      run({ dueAt: NOW - 9, state: 'renaming', ...sent }),
      run({ dueAt: NOW + 1 }),
      run({ claimedUntil: NOW + 1 }),
      run({ claimedUntil: NOW }),
      run({ state: 'done', ...sent }),
      run({ state: 'failed' }),
    ];
    for (const one of made) await store.addReconciliation(one);
    const places = async (...asked: Parameters<typeof store.dueReconciliations>) =>
      (await store.dueReconciliations(...asked)).map(({ merchantId }) => made.findIndex((one) => one.merchantId === merchantId));
    assert.deepEqual(await places(NOW, null, 9), [1, 0, 4]);
    assert.deepEqual(await places(NOW, null, 2), [1, 0]);
    assert.deepEqual((await places(NOW + 1, null, 9)).toSorted(), [0, 1, 2, 3, 4]);
    assert.deepEqual(await places(NOW, made[4]?.merchantId ?? '', 9), [4]);
    assert.deepEqual(await places(NOW, nextId(), 9), []);
  });
}
