import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrokenCommit } from '../../src/payments/storeErrors.ts';
import { child, commit, idempotencyKeyOf, moved, NOW, nextId, OPEN, type Open, type Opened, payment } from './storeFixtures.ts';
import { change, many, onward, register, registration, to, tokenUseOf } from './storeRegistrationFixtures.ts';

/** A wallet's token pays once. */
export function tokenUseContract(name: string, opened: () => Opened): void {
  test(`${name}: a wallet's token pays once, and the second payment is not written`, async () => {
    const { store, outbox } = opened();
    const merchantId = nextId();
    const tokenUse = tokenUseOf(nextId());
    const [first, second] = [payment({ merchantId }), payment({ merchantId })];
    assert.deepEqual(await store.commit(commit(first, 0, { tokenUse })), { is: 'kept' });
    const again = commit(second, 0, {
      tokenUse: { ...tokenUse, until: tokenUse.until + 9 },
      idempotencyKey: idempotencyKeyOf(second.id),
    });
    assert.deepEqual(await store.commit(again), { is: 'tokenUsed' });
    assert.equal(await store.payment(merchantId, second.id), null);
    assert.equal(await store.idempotencyKey(second.merchantId, 'channel', second.id), null);
    assert.equal((await outbox(merchantId)).length, 1);
  });

  test(`${name}: the same token at another merchant or of another wallet is another one`, async () => {
    const { store } = opened();
    const [merchantId, tokenId] = [nextId(), nextId()];
    for (const [owner, tokenUse] of [
      [merchantId, tokenUseOf(tokenId)],
      [nextId(), tokenUseOf(tokenId)],
      [merchantId, tokenUseOf(tokenId, { wallet: 'walletB' })],
    ] as const) {
      assert.deepEqual(await store.commit(commit(payment({ merchantId: owner }), 0, { tokenUse })), { is: 'kept' });
    }
  });

  test(`${name}: a declined payment has used its token too`, async () => {
    const { store } = opened();
    const tokenUse = tokenUseOf(nextId());
    const declined = payment({ phase: { at: 'final', code: '800.100.151' } });
    assert.deepEqual(await store.commit(commit(declined, 0, { tokenUse })), { is: 'kept' });
    assert.deepEqual(await store.commit(commit(payment(), 0, { tokenUse })), { is: 'tokenUsed' });
  });

  test(`${name}: a token that was refused with its payment can still pay`, async () => {
    const { store } = opened();
    const tokenUse = tokenUseOf(nextId());
    const known = payment();
    await store.commit(commit(known, 0));
    assert.deepEqual(await store.commit(commit(known, 0, { tokenUse })), { is: 'moved' });
    const eventId = nextId();
    await store.commit(commit(payment(), 0, { eventId }));
    await assert.rejects(store.commit(commit(payment(), 0, { tokenUse, eventId })), BrokenCommit);
    assert.deepEqual(await store.commit(commit(payment(), 0, { tokenUse })), { is: 'kept' });
  });

  test(`${name}: of several outcomes the first of claimed, moved, spent, overrun is returned`, async () => {
    const { store } = opened();
    const [tokenUse, idempotencyKey] = [tokenUseOf(nextId()), idempotencyKeyOf(nextId())];
    const first = payment();
    await store.commit(commit(first, 0, { tokenUse, idempotencyKey }));
    const held = await register(store, registration());
    assert.equal(await change(store, onward(held)), 'kept');
    const root = payment({ paymentType: 'PA', amount: 100n });
    await store.commit(commit(root, 0));
    const tooMuch = () => child(root, { paymentType: 'CP', amount: 101n, registrationId: held.id });
    const stale = to(onward(held));
    const fresh = to(onward(onward(held)));
    const claimed = { is: 'keyUsed', paymentId: first.id, bodyHash: idempotencyKey.bodyHash };
    assert.deepEqual(await store.commit(commit(tooMuch(), 1, { idempotencyKey, tokenUse, registration: stale })), claimed);
    assert.deepEqual(await store.commit(commit(tooMuch(), 1, { tokenUse, registration: stale })), { is: 'moved' });
    assert.deepEqual(await store.commit(commit(tooMuch(), 7, { tokenUse, registration: fresh })), { is: 'moved' });
    assert.deepEqual(await store.commit(commit(tooMuch(), 1, { tokenUse, registration: fresh })), { is: 'tokenUsed' });
    assert.deepEqual(await store.commit(commit(tooMuch(), 1, { registration: fresh })), { is: 'overrun' });
    assert.deepEqual(await store.commit(commit(first, 0, { tokenUse, idempotencyKey })), { is: 'moved' });
  });

  test(`${name}: a token use needs a new payment, a name and an expiry`, async () => {
    const { store } = opened();
    const asked = payment({ phase: OPEN });
    await store.commit(commit(asked, 0));
    await assert.rejects(store.commit(commit(moved(asked, {}), 1, { tokenUse: tokenUseOf('x') })), BrokenCommit);
    for (const tokenUse of [tokenUseOf(''), tokenUseOf('x', { until: Number.NaN }), tokenUseOf('x', { until: -1 })]) {
      await assert.rejects(store.commit(commit(payment(), 0, { tokenUse })), BrokenCommit);
    }
  });

  test(`${name}: of 64 payments with one token exactly one is stored`, async () => {
    const { store, outbox } = opened();
    const merchantId = nextId();
    const tokenUse = tokenUseOf(nextId());
    const outcomes = await Promise.all(many(64, () => store.commit(commit(payment({ merchantId }), 0, { tokenUse }))));
    assert.deepEqual(outcomes.map(({ is }) => is).sort(), ['kept', ...many(63, () => 'tokenUsed')]);
    assert.equal((await outbox(merchantId)).length, 1);
  });
}

export function tokenUseAgeContract(name: string, open: Open): void {
  test(`${name}: token uses are deleted when the token would be refused as expired, thousands at once`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const spends = many(2_100, (index) => tokenUseOf(`old ${index}`, { until: NOW - (index % 3) }));
    const young = tokenUseOf('young', { until: NOW + 1 });
    await Promise.all([...spends, young].map((tokenUse) => store.commit(commit(payment(), 0, { tokenUse }))));
    assert.equal(await store.deleteTokenUses(NOW - 3), 0);
    assert.equal(await store.deleteTokenUses(NOW - 2), 700);
    assert.equal(await store.deleteTokenUses(NOW), 1_400);
    assert.equal(await store.deleteTokenUses(NOW), 0);
    assert.deepEqual(await store.commit(commit(payment(), 0, { tokenUse: young })), { is: 'tokenUsed' });
  });
}
