import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ScheduleChange } from '../../src/payments/ports.ts';
import type { Schedule } from '../../src/payments/schedule.ts';
import { BrokenCommit } from '../../src/payments/storeErrors.ts';
import { child, commit, idempotencyKeyOf, NOW, nextId, type Opened, payment } from './storeFixtures.ts';
import { many, tokenUseOf } from './storeRegistrationFixtures.ts';
import { anySchedule, charge, charging, newSchedule, onward, scheduling, skip, storeSchedule } from './storeScheduleFixtures.ts';

const DUE = NOW + 3_600_000;

/** A schedule changes in the commit of a transaction, on the previous revision, and no due instant is used twice. */
export function planContract(name: string, opened: () => Opened): void {
  const back = async (made: Schedule) => {
    const { store } = opened();
    await storeSchedule(store, made);
    assert.deepEqual(await store.schedule(made.merchantId, made.id), made);
  };

  test(`${name}: every field of any schedule comes back`, () => fc.assert(fc.asyncProperty(anySchedule, back), { numRuns: 60 }));
  test(`${name}: a field of a later version of the program comes back in a schedule`, () =>
    back({ ...newSchedule(), fee: '1' } as unknown as Schedule));

  test(`${name}: a schedule belongs to one merchant`, async () => {
    const { store } = opened();
    const made = await storeSchedule(store, newSchedule({ merchantId: nextId() }));
    await charge(store, onward(made), DUE);
    const another = nextId();
    assert.equal(await store.schedule(another, made.id), null);
    assert.deepEqual(await store.schedulesOf(another, made.registrationId, 9), []);
    assert.deepEqual(await store.runs(another, made.id, 9), []);
    assert.equal(await store.nextRunAt(another), null);
    assert.equal((await store.runs(made.merchantId, made.id, 9)).length, 1);
  });

  test(`${name}: two merchants may have schedules with one id, also at the same instant`, async () => {
    const { store } = opened();
    const [id, one, other] = [nextId(), nextId(), nextId()];
    for (const merchantId of [one, other]) {
      const made = await storeSchedule(store, newSchedule({ id, merchantId }));
      assert.equal(await charge(store, onward(made), DUE), 'kept');
    }
    assert.equal((await store.schedule(one, id))?.merchantId, one);
    assert.equal((await store.runs(other, id, 9)).length, 1);
  });

  test(`${name}: a change is stored on the previous revision; on another one nothing of its commit is written`, async () => {
    const { store, outbox } = opened();
    const made = await storeSchedule(store, newSchedule({ merchantId: nextId() }));
    const { merchantId } = made;
    const moved = onward(made, {
      state: 'ending',
      endsAt: NOW + 9,
      registrationId: 'another',
      nextAt: NOW + 5,
      movedAt: NOW + 1,
    });
    assert.equal(await charge(store, moved, null), 'kept');
    assert.deepEqual(await store.schedule(merchantId, made.id), moved);
    assert.deepEqual(await store.runs(merchantId, made.id, 9), []);
    for (const stale of [onward(made), onward(onward(moved)), onward(newSchedule({ merchantId }))]) {
      const idempotencyKey = idempotencyKeyOf(nextId());
      const attempt = charging(stale, DUE);
      assert.deepEqual(await store.commit({ ...attempt, idempotencyKey }), { is: 'moved' });
      assert.equal(await store.payment(merchantId, attempt.payment.id), null);
      assert.equal(await store.idempotencyKey(merchantId, idempotencyKey.entityId, idempotencyKey.key), null);
      assert.deepEqual(await store.runs(merchantId, made.id, 9), []);
    }
    assert.deepEqual(await store.schedule(merchantId, made.id), moved);
    assert.equal((await outbox(merchantId)).length, 2);
  });

  test(`${name}: an existing schedule is not created again`, async () => {
    const { store } = opened();
    const made = newSchedule({ merchantId: nextId() });
    const first = commit(scheduling(made), 0);
    assert.equal((await store.commit(first)).is, 'kept');
    // A pending SD creates the schedule when it moves; one that has moved already has created it.
    const moved = { ...scheduling(made), id: nextId(), familyId: made.id, referencedId: made.id };
    const broken = commit(moved, 1, { schedule: { schedule: made, dueAt: null, event: null } });
    await assert.rejects(store.commit(broken), BrokenCommit);
    const second = await storeSchedule(store, newSchedule({ merchantId: made.merchantId }));
    assert.deepEqual(
      await store.commit(commit(scheduling(second), 0, { schedule: { schedule: second, dueAt: null, event: null } })),
      {
        is: 'moved',
      },
    );
    assert.deepEqual(await store.schedule(made.merchantId, second.id), second);
  });

  instantContract(name, opened);
  reasonContract(name, opened);
  crowdContract(name, opened);
}

function instantContract(name: string, opened: () => Opened): void {
  test(`${name}: a due instant is taken once, and by one payment`, async () => {
    const { store } = opened();
    const made = await storeSchedule(store, newSchedule({ merchantId: nextId() }));
    const [first, second] = [charging(onward(made), DUE), charging(onward(onward(made)), DUE)];
    assert.deepEqual(await store.commit(first), { is: 'kept' });
    assert.deepEqual(await store.commit(second), { is: 'moved' });
    assert.equal(await store.payment(made.merchantId, second.payment.id), null);
    assert.equal((await store.schedule(made.merchantId, made.id))?.revision, 2);
    const next = charging(onward(onward(made)), DUE + 1, { movedAt: NOW + 4 });
    assert.deepEqual(await store.commit(next), { is: 'kept' });
    const taken = { scheduleId: made.id, skipped: null };
    assert.deepEqual(await store.runs(made.merchantId, made.id, 9), [
      { ...taken, dueAt: DUE + 1, at: NOW + 4, paymentId: next.payment.id },
      { ...taken, dueAt: DUE, at: NOW, paymentId: first.payment.id },
    ]);
  });

  test(`${name}: a skipped run is not charged, and a charged one not skipped`, async () => {
    const { store } = opened();
    const made = await storeSchedule(store, newSchedule({ merchantId: nextId() }));
    const skipped = onward(made, { nextAt: DUE + 1 });
    assert.equal(await store.saveSchedule(skipped, [skip(made, DUE), skip(made, DUE + 5, 'too late')]), true);
    assert.equal(await charge(store, onward(skipped), DUE), 'moved');
    assert.equal(await charge(store, onward(skipped), DUE + 1), 'kept');
    const charged = onward(skipped);
    assert.equal(await store.saveSchedule(onward(charged), [skip(made, DUE + 2), skip(made, DUE + 1)]), false);
    assert.deepEqual(await store.schedule(made.merchantId, made.id), charged);
    const runs = await store.runs(made.merchantId, made.id, 9);
    assert.deepEqual(
      runs.map(({ dueAt, skipped: why }) => [dueAt - DUE, why]),
      [
        [5, 'too late'],
        [1, null],
        [0, 'the card has expired'],
      ],
    );
    assert.deepEqual(await store.runs(made.merchantId, made.id, 2), runs.slice(0, 2));
    assert.deepEqual(runs[2], skip(made, DUE));
  });
}

function reasonContract(name: string, opened: () => Opened): void {
  test(`${name}: the outcome for a changed schedule comes after claimed, before busy, spent and overrun`, async () => {
    const { store } = opened();
    const [checkoutId, tokenUse, idempotencyKey] = [nextId(), tokenUseOf(nextId()), idempotencyKeyOf(nextId())];
    const first = payment({ checkoutId });
    await store.commit(commit(first, 0, { tokenUse, idempotencyKey }));
    const made = await storeSchedule(store, newSchedule());
    assert.equal(await charge(store, onward(made), DUE), 'kept');
    const root = payment({ paymentType: 'PA', amount: 100n });
    await store.commit(commit(root, 0));
    const fresh: ScheduleChange = { schedule: onward(onward(made)), dueAt: DUE + 1, event: null };
    const [stale, taken]: ScheduleChange[] = [
      { schedule: onward(made), dueAt: null, event: null },
      { ...fresh, dueAt: DUE },
    ] as [ScheduleChange, ScheduleChange];
    const tooMuch = (of: string | null = checkoutId) => child(root, { paymentType: 'CP', amount: 101n, checkoutId: of });
    const claimed = { is: 'keyUsed', paymentId: first.id, bodyHash: idempotencyKey.bodyHash };
    assert.deepEqual(await store.commit(commit(tooMuch(), 1, { idempotencyKey, tokenUse, schedule: stale })), claimed);
    for (const each of [stale, taken] as ScheduleChange[]) {
      assert.deepEqual(await store.commit(commit(tooMuch(), 1, { tokenUse, schedule: each })), { is: 'moved' });
    }
    assert.deepEqual(await store.commit(commit(tooMuch(), 7, { tokenUse, schedule: fresh })), { is: 'moved' });
    assert.deepEqual(await store.commit(commit(tooMuch(), 1, { tokenUse, schedule: fresh })), { is: 'busy' });
    assert.deepEqual(await store.commit(commit(tooMuch(null), 1, { tokenUse, schedule: fresh })), { is: 'tokenUsed' });
    assert.deepEqual(await store.commit(commit(tooMuch(null), 1, { schedule: fresh })), { is: 'overrun' });
    assert.deepEqual(await store.schedule(made.merchantId, made.id), onward(made));
    assert.equal((await store.runs(made.merchantId, made.id, 9)).length, 1);
  });

  const nonsense: readonly (readonly [what: string, change: (made: Schedule) => Partial<Schedule>])[] = [
    ['another merchant', () => ({ merchantId: 'another' })],
    ['another channel', () => ({ entityId: 'another' })],
    ['another birthday', () => ({ createdAt: NOW - 1 })],
    ['over and looked at again', () => ({ state: 'over' })],
    ['never looked at again and not over', () => ({ nextAt: null })],
    ['an instant that is none', () => ({ nextAt: 1.5 })],
    ['half a revision', () => ({ revision: 1.5 })],
    ['no revision', () => ({ revision: 0 })],
    ['no id', () => ({ id: '' })],
  ];
  for (const [what, change] of nonsense) {
    test(`${name}: a schedule with ${what} is refused, in a commit and alone`, async () => {
      const { store } = opened();
      const made = await storeSchedule(store, newSchedule());
      const next = onward(made, change(made));
      const attempt = commit(payment(), 0, { schedule: { schedule: next, dueAt: DUE, event: null } });
      await assert.rejects(store.commit(attempt), BrokenCommit);
      if (what !== 'another merchant') await assert.rejects(store.saveSchedule(next, []), BrokenCommit);
      assert.equal(await store.payment('merchant', attempt.payment.id), null);
      assert.deepEqual(await store.schedule('merchant', made.id), made);
    });
  }

  test(`${name}: an ended schedule stays ended, a run is consistent, and a schedule is created in a commit`, async () => {
    const { store } = opened();
    const made = await storeSchedule(store, newSchedule());
    for (const run of [
      { ...skip(made, DUE), paymentId: 'p' },
      { ...skip(made, DUE), skipped: '' },
      { ...skip(made, DUE), scheduleId: 'x' },
      skip(made, 1.5),
    ]) {
      await assert.rejects(store.saveSchedule(onward(made), [run]), BrokenCommit);
    }
    await assert.rejects(store.saveSchedule(newSchedule(), []), BrokenCommit);
    await assert.rejects(store.commit(charging(onward(made), 0.5)), BrokenCommit);
    const over = onward(made, { state: 'over', nextAt: null, regularAt: null });
    assert.equal(await store.saveSchedule(over, []), true);
    await assert.rejects(store.saveSchedule(onward(over), []), BrokenCommit);
    await assert.rejects(store.saveSchedule(onward(made, { revision: 3 }), []), BrokenCommit);
    await assert.rejects(store.commit(charging(onward(over), null)), BrokenCommit);
    assert.deepEqual(await store.schedule('merchant', made.id), over);
  });
}

function crowdContract(name: string, opened: () => Opened): void {
  test(`${name}: of 32 commits and saves on one revision exactly one is stored, and all unrelated ones`, async () => {
    const { store } = opened();
    for (let round = 0; round < 10; round += 1) {
      const made = await storeSchedule(store, newSchedule({ merchantId: nextId() }));
      const changes = many(32, (index) => onward(made, { nextAt: NOW + index }));
      const kept = Promise.all(
        changes.map(async (each, at) =>
          at % 4 === round % 4 ? store.saveSchedule(each, [skip(made, DUE)]) : (await charge(store, each, DUE)) === 'kept',
        ),
      );
      const beside = many(8, (index) => store.commit(commit(payment(index % 2 ? {} : { checkoutId: nextId() }), 0)));
      assert.deepEqual(new Set((await Promise.all(beside)).map(({ is }) => is)), new Set(['kept']));
      const words = await kept;
      assert.equal(words.filter(Boolean).length, 1, `round ${round}`);
      assert.deepEqual(await store.schedule(made.merchantId, made.id), changes[words.indexOf(true)]);
      assert.equal((await store.runs(made.merchantId, made.id, 9)).length, 1);
    }
  });
}
