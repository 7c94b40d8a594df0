import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import type { Commit, NewOutboxEvent } from '../../src/payments/ports.ts';
import { BrokenCommit } from '../../src/payments/storeErrors.ts';
import type { Registration } from '../../src/registrations/registration.ts';
import { sized } from '../long.ts';
import { registrations } from './storeArbitraries.ts';
import { child, commit, idempotencyKeyOf, moved, NOW, nextId, OPEN, type Open, type Opened, payment } from './storeFixtures.ts';
import { acting, change, onward, register, registration, SECRET, storing, to } from './storeRegistrationFixtures.ts';

/** A registration is changed in a payment's commit, guarded by its revision, or not at all. */
export function registrationContract(name: string, opened: () => Opened): void {
  keepingContract(name, opened);
  revisionContract(name, opened);
  nonsenseContract(name, opened);
}

function keepingContract(name: string, opened: () => Opened): void {
  test(`${name}: every field of any registration comes back`, () =>
    fc.assert(
      fc.asyncProperty(registrations, fc.uint8Array({ maxLength: 64 }), async (some, bytes) => {
        const { store } = opened();
        const sealed = some.state === 'open' || some.state === 'active' ? bytes : null;
        await register(store, some, sealed);
        assert.deepEqual(await store.registration(some.merchantId, some.id), { registration: some, sealed });
      }),
      { numRuns: sized({ quick: 40, assure: 100, reliability: 100 }) },
    ));

  test(`${name}: an unknown registration is not found, nor one of another merchant`, async () => {
    const { store } = opened();
    const mine = await register(store, registration({ merchantId: nextId() }));
    assert.equal(await store.registration(mine.merchantId, nextId()), null);
    assert.equal(await store.registration('another', mine.id), null);
  });

  for (const paymentType of ['RG', 'DR', 'TE', 'TK'] as const) {
    test(`${name}: a ${paymentType} is a transaction of amount 0 without a currency`, async () => {
      const { store } = opened();
      const after = registration();
      const made = payment({ paymentType, amount: 0n, currency: 'XXX', registrationId: after.id, id: after.id });
      assert.deepEqual(await store.commit(commit(made, 0, { registration: to(after, SECRET) })), { is: 'kept' });
      assert.deepEqual(await store.family(made.merchantId, made.id), { version: 1, payments: [made] });
    });
  }

  test(`${name}: secrets are stored, replaced and deleted by the commit`, async () => {
    const { store } = opened();
    const first = await register(store, registration());
    const sealedNow = async () => (await store.registration(first.merchantId, first.id))?.sealed ?? null;
    const second = onward(first, { extendedUntil: NOW });
    assert.equal(await change(store, second, 'kept'), 'kept');
    assert.deepEqual(await sealedNow(), SECRET);
    const third = onward(second);
    assert.equal(await change(store, third, Uint8Array.of(9)), 'kept');
    assert.deepEqual(await sealedNow(), Uint8Array.of(9));
    assert.equal(await change(store, onward(third, { state: 'deleted' }), null), 'kept');
    assert.equal(await sealedNow(), null);
  });

  test(`${name}: a registration has its own outbox event beside the payment's, with its own subject`, async () => {
    const { store, outbox } = opened();
    const merchantId = nextId();
    const made = registration({ merchantId, paymentId: nextId() });
    const event: NewOutboxEvent = { id: nextId(), type: 'REGISTRATION', action: 'CREATED', code: '000.100.110' };
    const debit = payment({ merchantId, id: made.paymentId, registrationId: made.id });
    const eventId = nextId();
    assert.deepEqual(await store.commit(commit(debit, 0, { registration: to(made, SECRET, event), eventId })), { is: 'kept' });
    const own = { id: eventId, paymentId: debit.id, revision: 1, code: '000.100.110', action: null, about: 'payment' };
    const other = { id: event.id, paymentId: made.id, revision: 1, code: event.code, action: 'CREATED', about: 'registration' };
    const byId = (one: { readonly id: string }, two: { readonly id: string }) => (one.id < two.id ? -1 : 1);
    assert.deepEqual([...(await outbox(merchantId))].sort(byId), [own, other].sort(byId));
  });

  test(`${name}: a payment and a registration with one id count their events separately`, async () => {
    const { store, outbox } = opened();
    const merchantId = nextId();
    const made = registration({ merchantId, state: 'open' });
    const asked = storing(made, { phase: OPEN });
    const doubted = moved(asked, { phase: { at: 'doubt', tries: 1, dueAt: NOW } });
    const event: NewOutboxEvent = { id: nextId(), type: 'REGISTRATION', action: 'UPDATED', code: '000.100.110' };
    const changes: Commit[] = [
      commit(asked, 0, { registration: to(made, SECRET) }),
      commit(doubted, 1),
      commit(acting(made), 0, { registration: to(onward(made, { state: 'active' }), 'kept', event) }),
    ];
    for (const each of changes) assert.deepEqual(await store.commit(each), { is: 'kept' });
    assert.equal((await outbox(merchantId)).length, 4);
  });
}

function revisionContract(name: string, opened: () => Opened): void {
  const wrong: readonly (readonly [what: string, revision: number])[] = [
    ['that was there', 2],
    ['that leaves one out', 4],
    ['of a new one', 1],
  ];
  for (const [what, revision] of wrong) {
    test(`${name}: a revision of a registration ${what} has moved, and nothing is written`, async () => {
      const { store, outbox } = opened();
      const first = await register(store, registration({ merchantId: nextId() }));
      assert.equal(await change(store, onward(first)), 'kept');
      const before = [await store.registration(first.merchantId, first.id), await outbox(first.merchantId)];
      const made = acting(first);
      const late = { ...first, revision, usedAt: NOW + 9, paymentId: revision === 1 ? made.id : first.paymentId };
      const own: NewOutboxEvent = { id: nextId(), type: 'REGISTRATION', action: 'UPDATED', code: '000.100.110' };
      const after = to(late, Uint8Array.of(8), own);
      const attempt = commit(made, 0, { registration: after, idempotencyKey: idempotencyKeyOf(made.id), sealed: SECRET });
      assert.deepEqual(await store.commit(attempt), { is: 'moved' });
      assert.deepEqual([await store.registration(first.merchantId, first.id), await outbox(first.merchantId)], before);
      assert.equal(await store.payment(first.merchantId, made.id), null);
      assert.equal(await store.idempotencyKey(made.merchantId, 'channel', made.id), null);
    });
  }

  test(`${name}: a change of a missing registration is refused as moved`, async () => {
    const { store } = opened();
    assert.equal(await change(store, registration({ revision: 2 })), 'moved');
  });

  test(`${name}: a registration does not change when its payment's family has moved`, async () => {
    const { store } = opened();
    const first = await register(store, registration());
    const asked = acting(first, { phase: OPEN });
    await store.commit(commit(asked, 0));
    const late = commit(moved(asked, { phase: OPEN }), 7, { registration: to(onward(first)) });
    assert.deepEqual(await store.commit(late), { is: 'moved' });
    assert.deepEqual((await store.registration(first.merchantId, first.id))?.registration, first);
    const inTime = commit(moved(asked, { phase: OPEN }), 1, { registration: to(onward(first)) });
    assert.deepEqual(await store.commit(inTime), { is: 'kept' });
    assert.deepEqual((await store.registration(first.merchantId, first.id))?.registration, onward(first));
  });

  test(`${name}: a registration does not change with a payment that the sums refuse`, async () => {
    const { store } = opened();
    const first = await register(store, registration());
    const root = payment({ paymentType: 'PA', amount: 100n });
    await store.commit(commit(root, 0));
    const capture = child(root, { paymentType: 'CP', amount: 101n, registrationId: first.id });
    assert.deepEqual(await store.commit(commit(capture, 1, { registration: to(onward(first)) })), { is: 'overrun' });
    assert.deepEqual((await store.registration(first.merchantId, first.id))?.registration, first);
  });
}

function nonsenseContract(name: string, opened: () => Opened): void {
  type Made = { readonly first: Registration; readonly after: Registration };
  const nonsense: readonly (readonly [what: string, commit: (made: Made) => Commit])[] = [
    [
      'a registration of another merchant',
      ({ after }) => commit({ ...acting(after), merchantId: 'other' }, 0, { registration: to(after) }),
    ],
    [
      'a registration that the payment does not name',
      ({ after }) => commit(acting(after, { registrationId: null }), 0, { registration: to(after) }),
    ],
    ['revision 0', ({ after }) => commit(acting(after), 0, { registration: to({ ...after, revision: 0 }) })],
    [
      'a new one that another payment has made',
      () => commit(acting(registration({ id: 'x' })), 0, { registration: to(registration({ id: 'x' }), SECRET) }),
    ],
    [
      'a new one that keeps its secrets',
      () => {
        const other = registration();
        return commit(storing(other), 0, { registration: to(other, 'kept') });
      },
    ],
    [
      'a deleted one that keeps its secrets',
      ({ after }) => commit(acting(after), 0, { registration: to({ ...after, state: 'deleted' }, 'kept') }),
    ],
    [
      'a rejected one with secrets',
      ({ after }) => commit(acting(after), 0, { registration: to({ ...after, state: 'rejected' }, SECRET) }),
    ],
    ['another channel', ({ after }) => commit(acting(after), 0, { registration: to({ ...after, entityId: 'other' }) })],
    ['another maker', ({ after }) => commit(acting(after), 0, { registration: to({ ...after, paymentId: nextId() }) })],
    ['another birthday', ({ after }) => commit(acting(after), 0, { registration: to({ ...after, createdAt: NOW - 1 }) })],
  ];
  for (const [what, make] of nonsense) {
    test(`${name}: ${what} is refused as a bug and changes nothing`, async () => {
      const { store, outbox } = opened();
      const first = await register(store, registration({ merchantId: nextId() }));
      const before = [await store.registration(first.merchantId, first.id), await outbox(first.merchantId)];
      const bad = make({ first, after: onward(first) });
      await assert.rejects(store.commit(bad), BrokenCommit);
      assert.deepEqual([await store.registration(first.merchantId, first.id), await outbox(first.merchantId)], before);
      assert.equal(await store.payment(bad.payment.merchantId, bad.payment.id), null);
    });
  }
}

/** These look at everything there is, so each has a store of its own. */
export function registrationAgeContract(name: string, open: Open): void {
  test(`${name}: a use is recorded and does not count as a change`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const first = await register(store, registration());
    const use = { usedAt: NOW + 5, expiresAt: first.expiresAt + 5 };
    await store.touch(first.merchantId, first.id, use);
    assert.deepEqual((await store.registration(first.merchantId, first.id))?.registration, { ...first, ...use });
    await store.touch(first.merchantId, first.id, { usedAt: NOW + 1, expiresAt: 1 });
    await store.touch('another', first.id, { usedAt: NOW + 9, expiresAt: NOW + 9_000_000 });
    assert.deepEqual(await store.registration(first.merchantId, first.id), {
      registration: { ...first, ...use },
      sealed: SECRET,
    });
    assert.equal(await change(store, onward({ ...first, ...use })), 'kept');
  });

  test(`${name}: a use of a deleted or unknown registration leaves no trace`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const first = await register(store, registration({ state: 'deleted' }), null);
    await store.touch(first.merchantId, first.id, { usedAt: NOW + 5, expiresAt: NOW + 9_000_000 });
    await store.touch(first.merchantId, nextId(), { usedAt: NOW + 5, expiresAt: NOW });
    assert.deepEqual((await store.registration(first.merchantId, first.id))?.registration, first);
  });

  test(`${name}: expired registrations of all merchants are listed, the longest overdue first`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const old = [5, 1, 4, 2].map((late) => registration({ merchantId: `merchant ${late}`, expiresAt: NOW - late }));
    const gone = registration({ expiresAt: NOW - 9, state: 'deleted' });
    for (const each of [...old, registration({ expiresAt: NOW + 1 })]) await register(store, each);
    await register(store, gone, null);
    const overdue = old.toSorted((one, other) => one.expiresAt - other.expiresAt);
    assert.deepEqual(await store.outlived({ now: NOW, limit: 10, merchants: allMerchants }), overdue);
    assert.deepEqual(await store.outlived({ now: NOW, limit: 2, merchants: allMerchants }), overdue.slice(0, 2));
    assert.deepEqual(await store.outlived({ now: NOW - 4, limit: 10, merchants: allMerchants }), overdue.slice(0, 2));
    const [first] = overdue as [Registration];
    await store.touch(first.merchantId, first.id, { usedAt: NOW, expiresAt: NOW + 100 });
    assert.deepEqual(await store.outlived({ now: NOW, limit: 10, merchants: allMerchants }), overdue.slice(1));
  });

  test(`${name}: a due network token is listed with the secrets it needs`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const waiting = [3, 1, 2].map((late) => registration({ tokenDueAt: NOW - late }));
    const others = [registration(), registration({ tokenDueAt: NOW + 1 }), registration({ tokenDueAt: NOW, state: 'open' })];
    for (const each of [...waiting, ...others]) await register(store, each);
    const overdue = waiting.toSorted((one, other) => (one.tokenDueAt ?? 0) - (other.tokenDueAt ?? 0));
    const expected = overdue.map((one) => ({ registration: one, sealed: SECRET }));
    assert.deepEqual(await store.awaitingToken({ now: NOW, limit: 10, merchants: allMerchants }), expected);
    assert.deepEqual(await store.awaitingToken({ now: NOW, limit: 1, merchants: allMerchants }), expected.slice(0, 1));
    const token = { last4Digits: '4242', expiryMonth: '01', expiryYear: '2040' };
    const [first] = overdue as [Registration];
    assert.equal(await change(store, onward(first, { tokenDueAt: null, networkToken: token }), Uint8Array.of(7)), 'kept');
    assert.deepEqual(await store.awaitingToken({ now: NOW, limit: 10, merchants: allMerchants }), expected.slice(1));
  });
}
