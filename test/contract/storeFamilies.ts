import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payment } from '../../src/payments/payment.ts';
import { BrokenCommit } from '../../src/payments/storeErrors.ts';
import { APPROVED, child, commit, DECLINED, keep, moved, NOW, nextId, OPEN, type Opened, payment } from './storeFixtures.ts';

/** A family is read as one, moves by one version a commit, and only for who knew where it stood. */
export function familyContract(name: string, opened: () => Opened): void {
  readingContract(name, opened);
  versionContract(name, opened);
  brokenContract(name, opened);
}

function readingContract(name: string, opened: () => Opened): void {
  test(`${name}: any member leads to the whole family, oldest first`, async () => {
    const { store } = opened();
    const root = payment({ paymentType: 'PA', merchantId: nextId() });
    const capture = child(root, { paymentType: 'CP', amount: 50n, createdAt: NOW + 2 });
    const early = child(root, { paymentType: 'CP', amount: 60n, createdAt: NOW + 1 });
    const refund = child(capture, { paymentType: 'RF', amount: 20n, createdAt: NOW + 3 });
    for (const change of [root, capture, early, refund]) assert.equal(await keep(store, change), 'kept');
    for (const { id } of [root, early, capture, refund]) {
      assert.deepEqual(await store.family(root.merchantId, id), { version: 4, payments: [root, early, capture, refund] });
    }
    assert.equal(await store.familyVersion(root.merchantId, root.id), 4);
    assert.equal(await store.familyVersion(root.merchantId, capture.id), null);
    assert.equal(await store.familyVersion(nextId(), root.id), null);
  });

  test(`${name}: the first payment leads although a clock was wrong`, async () => {
    const { store } = opened();
    const root = payment({ paymentType: 'PA', createdAt: NOW + 60_000 });
    const capture = child(root, { paymentType: 'CP', amount: 1n, createdAt: NOW });
    await keep(store, root);
    await keep(store, capture);
    assert.deepEqual((await store.family(root.merchantId, capture.id))?.payments, [root, capture]);
  });

  test(`${name}: a refused reference to nothing is a family of its own`, async () => {
    const { store } = opened();
    const change = payment({ paymentType: 'RF', referencedId: nextId(), phase: DECLINED });
    assert.equal(await keep(store, change), 'kept');
    assert.deepEqual(await store.family(change.merchantId, change.id), { version: 1, payments: [change] });
  });

  test(`${name}: two families of one merchant stay apart`, async () => {
    const { store } = opened();
    const [one, other] = [payment({ paymentType: 'PA' }), payment({ paymentType: 'PA' })];
    await keep(store, one);
    await keep(store, other);
    await keep(store, child(other, { paymentType: 'CP', amount: 1n }));
    assert.deepEqual(await store.family(one.merchantId, one.id), { version: 1, payments: [one] });
    assert.equal((await store.family(one.merchantId, other.id))?.version, 2);
  });
}

function versionContract(name: string, opened: () => Opened): void {
  test(`${name}: a payment moves through its life, revision by revision`, async () => {
    const { store } = opened();
    const asked = payment({ phase: OPEN });
    const doubted = moved(asked, { phase: { at: 'doubt', tries: 1, dueAt: NOW + 1 }, movedAt: NOW + 1 });
    const settled = moved(doubted, { phase: APPROVED, movedAt: NOW + 2, details: { initialTransactionId: 'x' } });
    for (const [version, change] of [asked, doubted, settled].entries()) {
      assert.deepEqual(await store.commit(commit(change, version)), { is: 'kept' });
      assert.deepEqual(await store.family(asked.merchantId, asked.id), { version: version + 1, payments: [change] });
    }
  });

  test(`${name}: a move of a member raises the version of its family`, async () => {
    const { store } = opened();
    const root = payment({ paymentType: 'PA' });
    const capture = child(root, { paymentType: 'CP', phase: OPEN });
    await store.commit(commit(root, 0));
    await store.commit(commit(capture, 1));
    assert.deepEqual(await store.commit(commit(moved(capture, { phase: APPROVED }), 2)), { is: 'kept' });
    const family = await store.family(root.merchantId, root.id);
    assert.deepEqual(family, { version: 3, payments: [root, moved(capture, { phase: APPROVED })] });
  });

  const elsewhere: readonly (readonly [what: string, version: number])[] = [
    ['on a version that has passed', 1],
    ['on a version that is still to come', 3],
  ];
  for (const [what, version] of elsewhere) {
    test(`${name}: a commit ${what} has no effect`, async () => {
      const { store, outbox } = opened();
      const root = payment({ paymentType: 'PA', merchantId: nextId() });
      await store.commit(commit(root, 0));
      await store.commit(commit(child(root, { paymentType: 'CP', amount: 1n }), 1));
      const before = [await store.family(root.merchantId, root.id), await outbox(root.merchantId)];
      const late = child(root, { paymentType: 'CP', amount: 2n });
      const idempotencyKey = { entityId: 'channel', key: late.id, bodyHash: 'hash' };
      assert.deepEqual(await store.commit(commit(late, version, { idempotencyKey, sealed: Uint8Array.of(1) })), { is: 'moved' });
      assert.deepEqual([await store.family(root.merchantId, root.id), await outbox(root.merchantId)], before);
      assert.equal(await store.payment(root.merchantId, late.id), null);
      assert.equal(await store.idempotencyKey(late.merchantId, 'channel', late.id), null);
    });
  }

  test(`${name}: the same commit again is too late`, async () => {
    const { store } = opened();
    const change = commit(payment(), 0);
    assert.deepEqual(await store.commit(change), { is: 'kept' });
    assert.deepEqual(await store.commit(change), { is: 'moved' });
    assert.equal((await store.family(change.payment.merchantId, change.payment.id))?.version, 1);
  });

  test(`${name}: a missing family is refused as moved`, async () => {
    const { store } = opened();
    const lost = child(payment(), { paymentType: 'RF' });
    assert.deepEqual(await store.commit(commit(lost, 1)), { is: 'moved' });
    assert.deepEqual(await store.commit(commit(moved(payment(), { phase: OPEN }), 1)), { is: 'moved' });
  });
}

/** From an open capture of an approved preauthorization: what no caller can mean. */
const contradictions: readonly (readonly [what: string, change: (capture: Payment) => Payment, version?: number])[] = [
  ['a second first payment', (capture) => payment({ id: capture.familyId, familyId: capture.familyId }), 2],
  ['version 0 for a member', (capture) => child(capture, { paymentType: 'RF', phase: DECLINED }), 0],
  ['version 0 for a move', (capture) => moved(capture, {}), 0],
  ['a member that references nothing', (capture) => child(capture, { referencedId: null })],
  ['an amount below zero', (capture) => child(capture, { amount: -1n })],
  ['an amount beyond thirteen digits', (capture) => child(capture, { amount: 1_000_000_000_000_000n })],
  ['revision 0', (capture) => ({ ...capture, revision: 0 })],
  ['a revision that leaves one out', (capture) => ({ ...capture, revision: 3 })],
  ['a revision that was there', (capture) => ({ ...capture, movedAt: NOW + 1 })],
  ['a move of a payment that is not there', (capture) => moved(child(capture, { paymentType: 'RF' }), {})],
  ['another amount', (capture) => moved(capture, { amount: capture.amount + 1n })],
  ['another currency', (capture) => moved(capture, { currency: 'USD' })],
  ['another type', (capture) => moved(capture, { paymentType: 'RV' })],
  ['another reference', (capture) => moved(capture, { referencedId: nextId() })],
  ['another practice', (capture) => moved(capture, { industryPractice: 'NO_SHOW' })],
  ['another channel', (capture) => moved(capture, { entityId: 'other' })],
  ['another birthday', (capture) => moved(capture, { createdAt: NOW - 1 })],
];

/** From a first payment that is open. */
const contradictionsAtFirst: readonly (readonly [what: string, change: (asked: Payment) => Payment])[] = [
  ['another amount of a first payment', (asked) => moved(asked, { amount: asked.amount + 1n })],
  ['another currency of a first payment', (asked) => moved(asked, { currency: 'USD' })],
  ['another type of a first payment', (asked) => moved(asked, { paymentType: 'PA' })],
  ['another channel of a first payment', (asked) => moved(asked, { entityId: 'other' })],
  ['another birthday of a first payment', (asked) => moved(asked, { createdAt: NOW - 1 })],
  ['a reference for a first payment', (asked) => moved(asked, { referencedId: nextId() })],
  ['a revision of a first payment that leaves one out', (asked) => ({ ...asked, revision: 3, phase: APPROVED })],
];

function brokenContract(name: string, opened: () => Opened): void {
  for (const [what, contradict] of contradictionsAtFirst) {
    test(`${name}: ${what} is refused as a bug and changes nothing`, async () => {
      const { store } = opened();
      const asked = payment({ phase: OPEN });
      await store.commit(commit(asked, 0));
      await assert.rejects(store.commit(commit(contradict(asked), 1)), BrokenCommit);
      assert.deepEqual(await store.family(asked.merchantId, asked.id), { version: 1, payments: [asked] });
    });
  }

  for (const [what, contradict, version] of contradictions) {
    test(`${name}: ${what} is refused as a bug and changes nothing`, async () => {
      const { store, outbox } = opened();
      const root = payment({ paymentType: 'PA', merchantId: nextId() });
      const capture = child(root, { paymentType: 'CP', phase: OPEN, amount: 100n });
      await store.commit(commit(root, 0));
      await store.commit(commit(capture, 1));
      const before = [await store.family(root.merchantId, root.id), await outbox(root.merchantId)];
      const change = { ...contradict(capture), merchantId: root.merchantId };
      await assert.rejects(store.commit(commit(change, version ?? 2)), BrokenCommit);
      assert.deepEqual([await store.family(root.merchantId, root.id), await outbox(root.merchantId)], before);
    });
  }

  for (const [from, to] of [
    [APPROVED, DECLINED],
    [DECLINED, APPROVED],
    [APPROVED, OPEN],
    [APPROVED, APPROVED],
  ] as const) {
    test(`${name}: a payment that is final at ${JSON.stringify(from)} never becomes ${JSON.stringify(to)}`, async () => {
      const { store } = opened();
      const settled = payment({ phase: from });
      await store.commit(commit(settled, 0));
      await assert.rejects(store.commit(commit(moved(settled, { phase: to }), 1)), BrokenCommit);
      assert.deepEqual(await store.family(settled.merchantId, settled.id), { version: 1, payments: [settled] });
    });
  }

  test(`${name}: an instrument is sealed with a new payment only`, async () => {
    const { store } = opened();
    const asked = payment({ phase: OPEN });
    await store.commit(commit(asked, 0));
    const change = commit(moved(asked, { phase: APPROVED }), 1, { sealed: Uint8Array.of(1) });
    await assert.rejects(store.commit(change), BrokenCommit);
  });
}
