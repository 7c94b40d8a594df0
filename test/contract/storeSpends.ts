import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrokenCommit } from '../../src/store/errors.ts';
import { child, claimOf, commit, moved, NOW, nextId, OPEN, type Open, type Opened, payment } from './storeFixtures.ts';
import { change, many, onward, register, registration, spendOf, to } from './storeRegistrationFixtures.ts';

/** A wallet's token pays once. */
export function spendContract(name: string, opened: () => Opened): void {
  test(`${name}: a wallet's token pays once, and the second payment is not written`, async () => {
    const { store, outbox } = opened();
    const merchantId = nextId();
    const spend = spendOf(nextId());
    const [first, second] = [payment({ merchantId }), payment({ merchantId })];
    assert.deepEqual(await store.commit(commit(first, 0, { spend })), { is: 'kept' });
    const again = commit(second, 0, { spend: { ...spend, until: spend.until + 9 }, claim: claimOf(second.id) });
    assert.deepEqual(await store.commit(again), { is: 'spent' });
    assert.equal(await store.payment(merchantId, second.id), null);
    assert.equal(await store.claim('channel', second.id), null);
    assert.equal((await outbox(merchantId)).length, 1);
  });

  test(`${name}: the same token at another merchant or of another wallet is another one`, async () => {
    const { store } = opened();
    const [merchantId, tokenId] = [nextId(), nextId()];
    for (const [owner, spend] of [
      [merchantId, spendOf(tokenId)],
      [nextId(), spendOf(tokenId)],
      [merchantId, spendOf(tokenId, { wallet: 'walletB' })],
    ] as const) {
      assert.deepEqual(await store.commit(commit(payment({ merchantId: owner }), 0, { spend })), { is: 'kept' });
    }
  });

  test(`${name}: a payment that is declined has spent its token all the same`, async () => {
    const { store } = opened();
    const spend = spendOf(nextId());
    const declined = payment({ phase: { at: 'final', code: '800.100.151' } });
    assert.deepEqual(await store.commit(commit(declined, 0, { spend })), { is: 'kept' });
    assert.deepEqual(await store.commit(commit(payment(), 0, { spend })), { is: 'spent' });
  });

  test(`${name}: a token that was refused with its payment can still pay`, async () => {
    const { store } = opened();
    const spend = spendOf(nextId());
    const known = payment();
    await store.commit(commit(known, 0));
    assert.deepEqual(await store.commit(commit(known, 0, { spend })), { is: 'moved' });
    const messageId = nextId();
    await store.commit(commit(payment(), 0, { messageId }));
    await assert.rejects(store.commit(commit(payment(), 0, { spend, messageId })), BrokenCommit);
    assert.deepEqual(await store.commit(commit(payment(), 0, { spend })), { is: 'kept' });
  });

  test(`${name}: of several reasons the first of claimed, moved, spent, overrun is told`, async () => {
    const { store } = opened();
    const [spend, claim] = [spendOf(nextId()), claimOf(nextId())];
    const first = payment();
    await store.commit(commit(first, 0, { spend, claim }));
    const held = await register(store, registration());
    assert.equal(await change(store, onward(held)), 'kept');
    const root = payment({ paymentType: 'PA', amount: 100n });
    await store.commit(commit(root, 0));
    const tooMuch = () => child(root, { paymentType: 'CP', amount: 101n, registrationId: held.id });
    const stale = to(onward(held));
    const fresh = to(onward(onward(held)));
    const claimed = { is: 'claimed', paymentId: first.id, bodyHash: claim.bodyHash };
    assert.deepEqual(await store.commit(commit(tooMuch(), 1, { claim, spend, registration: stale })), claimed);
    assert.deepEqual(await store.commit(commit(tooMuch(), 1, { spend, registration: stale })), { is: 'moved' });
    assert.deepEqual(await store.commit(commit(tooMuch(), 7, { spend, registration: fresh })), { is: 'moved' });
    assert.deepEqual(await store.commit(commit(tooMuch(), 1, { spend, registration: fresh })), { is: 'spent' });
    assert.deepEqual(await store.commit(commit(tooMuch(), 1, { registration: fresh })), { is: 'overrun' });
    assert.deepEqual(await store.commit(commit(first, 0, { spend, claim })), { is: 'moved' });
  });

  test(`${name}: a token is spent with a new payment only, and has a name and an end`, async () => {
    const { store } = opened();
    const asked = payment({ phase: OPEN });
    await store.commit(commit(asked, 0));
    await assert.rejects(store.commit(commit(moved(asked, {}), 1, { spend: spendOf('x') })), BrokenCommit);
    for (const spend of [spendOf(''), spendOf('x', { until: Number.NaN }), spendOf('x', { until: -1 })]) {
      await assert.rejects(store.commit(commit(payment(), 0, { spend })), BrokenCommit);
    }
  });

  test(`${name}: of 64 payments with one token exactly one is kept`, async () => {
    const { store, outbox } = opened();
    const merchantId = nextId();
    const spend = spendOf(nextId());
    const outcomes = await Promise.all(many(64, () => store.commit(commit(payment({ merchantId }), 0, { spend }))));
    assert.deepEqual(outcomes.map(({ is }) => is).sort(), ['kept', ...many(63, () => 'spent')]);
    assert.equal((await outbox(merchantId)).length, 1);
  });
}

export function spendAgeContract(name: string, open: Open): void {
  test(`${name}: tokens are forgotten when they would be refused as expired, and thousands at once`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const spends = many(2_100, (index) => spendOf(`old ${index}`, { until: NOW - (index % 3) }));
    const young = spendOf('young', { until: NOW + 1 });
    await Promise.all([...spends, young].map((spend) => store.commit(commit(payment(), 0, { spend }))));
    assert.equal(await store.forgetSpent(NOW - 3), 0);
    assert.equal(await store.forgetSpent(NOW - 2), 700);
    assert.equal(await store.forgetSpent(NOW), 1_400);
    assert.equal(await store.forgetSpent(NOW), 0);
    assert.deepEqual(await store.commit(commit(payment(), 0, { spend: young })), { is: 'spent' });
  });
}
