import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payment, Phase } from '../../src/payments/payment.ts';
import type { Store } from '../../src/store/store.ts';
import { chargebackStories } from './storeChargebackStories.ts';
import {
  APPROVED,
  child,
  commit,
  DECLINED,
  idempotencyKeyOf,
  keep,
  moved,
  nextId,
  OPEN,
  type Opened,
  payment,
} from './storeFixtures.ts';

/** `CP 60 open > 1`: a capture of 60 of the payment in line 1, not answered yet. `2 approved`: that payment is answered. */
export type Line = readonly [step: string, outcome: 'kept' | 'overrun'];
const phases: Readonly<Record<string, Phase>> = { open: OPEN, approved: APPROVED, declined: DECLINED };

const stories: Readonly<Record<string, readonly Line[]>> = {
  'captures up to what was authorised': [
    ['PA 100', 'kept'],
    ['CP 60 > 1', 'kept'],
    ['CP 41 > 1', 'overrun'],
    ['CP 40 > 1', 'kept'],
    ['CP 1 > 1', 'overrun'],
  ],
  'a capture that is still open counts': [
    ['PA 100', 'kept'],
    ['CP 60 open > 1', 'kept'],
    ['CP 41 open > 1', 'overrun'],
    ['CP 40 open > 1', 'kept'],
  ],
  'a declined capture gives its amount back': [
    ['PA 100', 'kept'],
    ['CP 100 open > 1', 'kept'],
    ['CP 1 > 1', 'overrun'],
    ['2 declined', 'kept'],
    ['CP 100 > 1', 'kept'],
  ],
  'an approved capture keeps its amount': [
    ['PA 100', 'kept'],
    ['CP 100 open > 1', 'kept'],
    ['2 approved', 'kept'],
    ['CP 1 > 1', 'overrun'],
  ],
  'a capture that was declined at once counts for nothing': [
    ['PA 100', 'kept'],
    ['CP 999 declined > 1', 'kept'],
    ['CP 100 > 1', 'kept'],
  ],
  'a reversal of nothing follows a debit that was declined': [
    ['DB 100 open', 'kept'],
    ['RV 0 > 1', 'overrun'],
    ['1 declined', 'kept'],
    ['RV 1 > 1', 'overrun'],
    ['RF 0 > 1', 'overrun'],
    ['RV 0 > 1', 'kept'],
    ['RF 1 > 1', 'overrun'],
  ],
  'a reversal of nothing follows no preauthorization that was declined': [
    ['PA 100 declined', 'kept'],
    ['RV 0 > 1', 'overrun'],
  ],
  'nothing is captured of an open preauthorization': [
    ['PA 100 open', 'kept'],
    ['CP 1 > 1', 'overrun'],
    ['1 approved', 'kept'],
    ['CP 100 > 1', 'kept'],
  ],
  'nothing is captured of a declined preauthorization': [
    ['PA 100 declined', 'kept'],
    ['CP 1 > 1', 'overrun'],
  ],
  'not even nothing is captured of a declined preauthorization': [
    ['PA 100 declined', 'kept'],
    ['CP 0 > 1', 'overrun'],
  ],
  'a reversed rest cannot be captured': [
    ['PA 100', 'kept'],
    ['CP 60 > 1', 'kept'],
    ['RV 40 > 1', 'kept'],
    ['CP 1 > 1', 'overrun'],
  ],
  'what was captured cannot be reversed with the preauthorization': [
    ['PA 100', 'kept'],
    ['CP 60 > 1', 'kept'],
    ['RV 41 open > 1', 'overrun'],
    ['RV 40 open > 1', 'kept'],
  ],
  'a declined reversal gives back': [
    ['PA 100', 'kept'],
    ['RV 100 open > 1', 'kept'],
    ['CP 1 > 1', 'overrun'],
    ['2 declined', 'kept'],
    ['CP 100 > 1', 'kept'],
  ],
  'an approved increment raises the total': [
    ['PA 100', 'kept'],
    ['IN 50 > 1', 'kept'],
    ['CP 151 > 1', 'overrun'],
    ['CP 150 > 1', 'kept'],
  ],
  'an open increment raises nothing yet': [
    ['PA 100', 'kept'],
    ['IN 50 open > 1', 'kept'],
    ['CP 101 > 1', 'overrun'],
    ['2 approved', 'kept'],
    ['CP 150 > 1', 'kept'],
  ],
  'a declined increment raises nothing': [
    ['PA 100', 'kept'],
    ['IN 50 open > 1', 'kept'],
    ['2 declined', 'kept'],
    ['CP 101 > 1', 'overrun'],
  ],
  'several increments add up': [
    ['PA 100', 'kept'],
    ['IN 50 > 1', 'kept'],
    ['IN 25 > 1', 'kept'],
    ['CP 176 > 1', 'overrun'],
    ['CP 175 > 1', 'kept'],
  ],
  'a reversed increment lowers the total again': [
    ['PA 100', 'kept'],
    ['IN 50 > 1', 'kept'],
    ['RV 50 > 2', 'kept'],
    ['CP 101 > 1', 'overrun'],
    ['CP 100 > 1', 'kept'],
  ],
  'an increment that is captured cannot be reversed': [
    ['PA 100', 'kept'],
    ['IN 50 > 1', 'kept'],
    ['CP 120 > 1', 'kept'],
    ['RV 31 > 2', 'overrun'],
    ['RV 30 > 2', 'kept'],
  ],
  'an increment is not incremented': [
    ['PA 100', 'kept'],
    ['IN 50 > 1', 'kept'],
    ['IN 50 > 2', 'overrun'],
  ],
  'an increment of nothing authorised': [
    ['PA 100 declined', 'kept'],
    ['IN 50 open > 1', 'overrun'],
  ],
  'refunds up to the debit': [
    ['DB 100', 'kept'],
    ['RF 60 > 1', 'kept'],
    ['RF 41 > 1', 'overrun'],
    ['RF 40 open > 1', 'kept'],
    ['RF 1 > 1', 'overrun'],
  ],
  'a declined refund gives back': [
    ['DB 100', 'kept'],
    ['RF 100 open > 1', 'kept'],
    ['2 declined', 'kept'],
    ['RF 100 > 1', 'kept'],
  ],
  'refunds of a credit': [
    ['CD 100', 'kept'],
    ['RF 101 > 1', 'overrun'],
    ['RF 100 > 1', 'kept'],
  ],
  'refunds up to each capture': [
    ['PA 100', 'kept'],
    ['CP 60 > 1', 'kept'],
    ['CP 40 > 1', 'kept'],
    ['RF 61 > 2', 'overrun'],
    ['RF 60 > 2', 'kept'],
    ['RF 40 > 3', 'kept'],
    ['RF 1 > 3', 'overrun'],
  ],
  'no refund of an open capture': [
    ['PA 100', 'kept'],
    ['CP 60 open > 1', 'kept'],
    ['RF 1 > 2', 'overrun'],
    ['2 approved', 'kept'],
    ['RF 60 > 2', 'kept'],
  ],
  'refunds and reversals share a debit': [
    ['DB 100', 'kept'],
    ['RF 60 > 1', 'kept'],
    ['RV 41 > 1', 'overrun'],
    ['RV 40 > 1', 'kept'],
    ['RF 1 > 1', 'overrun'],
  ],
  'a reversed debit is not refunded': [
    ['DB 100', 'kept'],
    ['RV 100 open > 1', 'kept'],
    ['RF 1 > 1', 'overrun'],
  ],
  'a debit is not captured': [
    ['DB 100', 'kept'],
    ['CP 1 > 1', 'overrun'],
  ],
  'a preauthorization is not refunded': [
    ['PA 100', 'kept'],
    ['RF 1 > 1', 'overrun'],
  ],
  'a refund is not refunded': [
    ['DB 100', 'kept'],
    ['RF 50 > 1', 'kept'],
    ['RF 1 > 2', 'overrun'],
  ],
  'a reversal is not reversed': [
    ['DB 100', 'kept'],
    ['RV 100 > 1', 'kept'],
    ['RV 1 > 2', 'overrun'],
  ],
  'other practices leave the sums alone': [
    ['PA 100', 'kept'],
    ['RE 500 > 1', 'kept'],
    ['CP 101 > 1', 'overrun'],
    ['CP 100 > 1', 'kept'],
  ],
  'thirteen digits add up exactly': [
    ['PA 999999999999999', 'kept'],
    ['CP 999999999999998 > 1', 'kept'],
    ['CP 2 > 1', 'overrun'],
    ['CP 1 > 1', 'kept'],
  ],
};

const practices: Readonly<Record<string, Partial<Payment>>> = {
  IN: { paymentType: 'PA', industryPractice: 'INCREMENTAL_AUTH' },
  RE: { paymentType: 'PA', industryPractice: 'REAUTHORIZATION' },
};

async function tell(store: Store, merchantId: string, lines: readonly Line[]): Promise<void> {
  const members: Payment[] = [];
  for (const [step, outcome] of lines) {
    const [, at, answer] = /^(\d+) (\w+)$/.exec(step) ?? [];
    const [, type = '', amount = '', state = 'approved', of] =
      /^([A-Z]{2}) (\d+)(?: (open|approved|declined))?(?: > (\d+))?$/.exec(step) ?? [];
    const before = members[Number(at) - 1];
    const referenced = members[Number(of) - 1];
    const changes = {
      amount: BigInt(amount),
      phase: phases[state] as Phase,
      merchantId,
      ...(practices[type] ?? { paymentType: type as Payment['paymentType'] }),
    };
    const change = before
      ? moved(before, { phase: phases[answer as string] as Phase })
      : referenced
        ? child(referenced, changes)
        : payment(changes);
    assert.equal(await keep(store, change), outcome, step);
    if (before) members[Number(at) - 1] = change;
    else if (outcome === 'kept') members.push(change);
  }
}

/** The store has the last word on what is captured, refunded and reversed. */
export function sumContract(name: string, opened: () => Opened): void {
  for (const [what, lines] of Object.entries({ ...stories, ...chargebackStories })) {
    test(`${name}: ${what}`, () => tell(opened().store, nextId(), lines));
  }

  test(`${name}: an overrun has no effect`, async () => {
    const { store, outbox } = opened();
    const root = payment({ paymentType: 'PA', amount: 100n, merchantId: nextId() });
    await store.commit(commit(root, 0));
    const before = [await store.family(root.merchantId, root.id), await outbox(root.merchantId)];
    const change = commit(child(root, { paymentType: 'CP', amount: 101n }), 1, { idempotencyKey: idempotencyKeyOf(root.id) });
    assert.deepEqual(await store.commit(change), { is: 'overrun' });
    assert.deepEqual([await store.family(root.merchantId, root.id), await outbox(root.merchantId)], before);
    assert.equal(await store.idempotencyKey(root.merchantId, 'channel', root.id), null);
  });

  test(`${name}: another currency does not count, so it is refused`, async () => {
    const { store } = opened();
    const root = payment({ paymentType: 'PA', amount: 100n });
    await store.commit(commit(root, 0));
    assert.equal(await keep(store, child(root, { paymentType: 'CP', amount: 1n, currency: 'JPY' })), 'overrun');
  });

  test(`${name}: money is not taken from another family`, async () => {
    const { store } = opened();
    const root = payment({ paymentType: 'PA', amount: 100n });
    const stranger = payment({ paymentType: 'CP', amount: 1n, referencedId: root.id });
    await store.commit(commit(root, 0));
    assert.equal(await keep(store, stranger), 'overrun');
    assert.equal(await store.payment(stranger.merchantId, stranger.id), null);
  });
}
