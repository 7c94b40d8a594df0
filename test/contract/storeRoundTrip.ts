import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Payment } from '../../src/payments/payment.ts';
import type { Registration } from '../../src/registrations/registration.ts';
import { sized } from '../long.ts';
import { assessments, instruments, payments, phases } from './storeArbitraries.ts';
import { checkout, saved } from './storeCheckoutFixtures.ts';
import { APPROVED, child, commit, idempotencyKeyOf, keep, NOW, nextId, type Opened, payment } from './storeFixtures.ts';
import { registration, SECRET, storing, to } from './storeRegistrationFixtures.ts';

const exactly = { numRuns: sized({ quick: 60, assure: 150, reliability: 150 }) };

/** A commit comes back unchanged, to its merchant only. */
export function roundTripContract(name: string, opened: () => Opened): void {
  const back = async (change: Payment) => {
    const { store } = opened();
    assert.deepEqual(await store.commit(commit(change, 0)), { is: 'kept' });
    assert.deepEqual(await store.payment(change.merchantId, change.id), change);
    assert.deepEqual(await store.family(change.merchantId, change.id), { version: 1, payments: [change] });
  };

  test(`${name}: every field of any payment comes back`, () => fc.assert(fc.asyncProperty(payments, back), exactly));
  for (const kind of ['card', 'bankAccount', 'virtualAccount', 'tokenAccount'] as const) {
    test(`${name}: a ${kind} comes back`, () => {
      const some = instruments.filter((instrument) => instrument.kind === kind);
      return fc.assert(
        fc.asyncProperty(some, (instrument) => back(payment({ instrument }))),
        { numRuns: 10 },
      );
    });
  }
  for (const at of ['acquirer', 'doubt', 'cancelling', 'final'] as const) {
    test(`${name}: a payment at ${at} comes back`, () => {
      const some = phases.filter((phase) => phase.at === at);
      return fc.assert(
        fc.asyncProperty(some, (phase) => back(payment({ phase }))),
        { numRuns: 10 },
      );
    });
  }
  test(`${name}: the risk evaluation comes back`, () =>
    fc.assert(
      fc.asyncProperty(assessments, (risk) => back(payment({ risk }))),
      { numRuns: 20 },
    ));
  for (const amount of [0n, 1n, 9_007_199_254_740_993n / 10n, 123_456_789_012_345n, 999_999_999_999_999n]) {
    test(`${name}: ${amount} hundredths come back to the last one`, () => back(payment({ amount })));
  }
  for (const key of ['__proto__', 'constructor', 'customParameters[__proto__]', 'toString', '']) {
    test(`${name}: a field called ${JSON.stringify(key)} comes back`, () =>
      back(payment({ fields: Object.fromEntries([[key, 'x']]), details: { resultDetails: Object.fromEntries([[key, 'y']]) } })));
  }
  test(`${name}: a field of a later version of the program comes back`, () =>
    back({ ...payment(), threeDSecure: { eci: '05' } } as Payment));
  longContract(name, opened);

  sealedContract(name, opened);
  tenancyContract(name, opened);
}

/** Thousands of fields, which are written and read in slices. */
function longContract(name: string, opened: () => Opened): void {
  const fields = Object.fromEntries(Array.from({ length: 5_005 }, (_, n) => [`cart.items[${n}].name`, `"${n}",\n"ä`]));

  test(`${name}: thousands of fields of a payment and its registration come back, one beside the other and after a change`, async () => {
    const { store } = opened();
    const stored = Array.from({ length: 3 }, () => registration({ fields }));
    const made = stored.map((one) => storing(one, { fields, ...({ threeDSecure: { eci: '05' } } as object) }));
    const others = Array.from({ length: 5 }, () => payment());
    const changes = [
      ...made.map((one, at) => commit(one, 0, { registration: to(stored[at] as Registration, SECRET) })),
      ...others.map((one) => commit(one, 0)),
    ];
    const outcomes = await Promise.all(changes.map((one) => store.commit(one)));
    assert.deepEqual(new Set(outcomes.map(({ is }) => is)), new Set(['kept']));
    for (const one of [...made, ...others]) assert.deepEqual(await store.payment(one.merchantId, one.id), one);
    for (const one of stored) assert.deepEqual((await store.registration(one.merchantId, one.id))?.registration, one);
    const [first] = made as [Payment];
    const next = child(first, { fields });
    assert.deepEqual(await store.commit(commit(next, 1)), { is: 'kept' });
    assert.deepEqual((await store.family(first.merchantId, next.id))?.payments, [first, next]);
  });

  test(`${name}: thousands of fields of a checkout come back, also after a change and with a key`, async () => {
    const { store } = opened();
    const first = checkout({ fields });
    await store.addCheckout(first);
    assert.deepEqual(await store.checkout(first.id), first);
    const second = saved(first, { fields: { ...fields, more: 'x' } });
    assert.equal(await store.saveCheckout(second), true);
    const third = saved(second, { fields });
    assert.equal(await store.saveCheckoutWithKey(third, idempotencyKeyOf(nextId()), NOW), 'kept');
    assert.deepEqual(await store.checkout(first.id), third);
  });
}

function sealedContract(name: string, opened: () => Opened): void {
  test(`${name}: the sealed instrument comes back byte for byte`, async () => {
    const { store } = opened();
    const sealed = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const change = payment();
    await store.commit(commit(change, 0, { sealed }));
    assert.deepEqual([...((await store.sealed(change.merchantId, change.id)) ?? [])], [...sealed]);
  });

  test(`${name}: a payment without a sealed instrument has none`, async () => {
    const { store } = opened();
    const change = payment();
    await store.commit(commit(change, 0));
    assert.equal(await store.sealed(change.merchantId, change.id), null);
  });

  test(`${name}: a move keeps the sealed instrument`, async () => {
    const { store } = opened();
    const change = payment({ phase: { at: 'acquirer', dueAt: 1 } });
    await store.commit(commit(change, 0, { sealed: Uint8Array.of(1, 2, 3) }));
    await store.commit(commit({ ...change, revision: 2, phase: APPROVED }, 1));
    assert.deepEqual([...((await store.sealed(change.merchantId, change.id)) ?? [])], [1, 2, 3]);
  });
}

function tenancyContract(name: string, opened: () => Opened): void {
  test(`${name}: an unknown payment is not found`, async () => {
    const { store } = opened();
    const id = nextId();
    assert.equal(await store.payment('merchant', id), null);
    assert.equal(await store.family('merchant', id), null);
    assert.equal(await store.sealed('merchant', id), null);
    assert.equal(await store.idempotencyKey('merchant', 'channel', id), null);
  });

  test(`${name}: another merchant cannot read it`, async () => {
    const { store } = opened();
    const change = payment({ merchantId: nextId() });
    await store.commit(commit(change, 0, { sealed: Uint8Array.of(1) }));
    assert.equal(await store.payment('another', change.id), null);
    assert.equal(await store.family('another', change.id), null);
    assert.equal(await store.sealed('another', change.id), null);
  });

  test(`${name}: another merchant cannot change it`, async () => {
    const { store } = opened();
    const change = payment({ merchantId: nextId(), paymentType: 'PA' });
    await store.commit(commit(change, 0));
    const foreign = { ...child(change, { paymentType: 'CP', amount: 1n }), merchantId: 'another' };
    assert.deepEqual(await store.commit(commit(foreign, 1)), { is: 'moved' });
    assert.deepEqual(await store.family(change.merchantId, change.id), { version: 1, payments: [change] });
  });

  test(`${name}: the same id at two merchants is two payments`, async () => {
    const { store } = opened();
    const [one, other] = [payment({ merchantId: nextId() }), payment({ merchantId: nextId(), amount: 5n })];
    const twin = { ...other, id: one.id, familyId: one.id };
    assert.equal(await keep(store, one), 'kept');
    assert.equal(await keep(store, twin), 'kept');
    assert.deepEqual(await store.payment(one.merchantId, one.id), one);
    assert.deepEqual(await store.payment(twin.merchantId, one.id), twin);
  });
}
