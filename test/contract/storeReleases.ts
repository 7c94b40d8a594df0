import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exceptMerchants, onlyMerchant } from '../../src/merchants/merchantFilter.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { type DueRelease, NEVER_AGAIN } from '../../src/payments/ports.ts';
import { releaseAtOf } from '../../src/payments/validity.ts';
import type { Store } from '../../src/store/store.ts';
import { child, commit, DECLINED, keep, moved, NOW, nextId, OPEN, type Open, type Opened, payment } from './storeFixtures.ts';

const FAR = 9_000_000_000_000;
const validity = { days: 7 } as const;
const authorisation = (given: Partial<Payment> = {}): Payment => payment({ paymentType: 'PA', validity, ...given });
const END = releaseAtOf(authorisation()) ?? Number.NaN;

/** When the rest of an authorisation is looked at. */
export function releaseContract(name: string, open: Open): void {
  const onStore = (title: string, work: (opened: Opened) => Promise<void>) =>
    test(`${name}: ${title}`, async (t) => {
      const opened = await open();
      t.after(opened.end);
      await work(opened);
    });
  const due = (store: Store, now: number, limit = 10) => store.releasesDue({ now, limit, merchants: exceptMerchants([]) });
  const of = ({ merchantId, id }: Payment, releaseAt: number | null): DueRelease => ({ merchantId, id, releaseAt });

  onStore(
    'approved authorisations are due after their end, the longest overdue first, and nothing else is',
    async ({ store }) => {
      const first = authorisation({ movedAt: NOW - 3_600_000 });
      const [second, third] = [authorisation(), authorisation()];
      const others = [
        payment(),
        authorisation({ phase: DECLINED }),
        authorisation({ phase: OPEN }),
        authorisation({ amount: 0n }),
        payment({ paymentType: 'CD' }),
      ];
      for (const one of [third, ...others, second, first]) assert.equal(await keep(store, one), 'kept');
      assert.deepEqual(await due(store, END - 3_600_000 - 1), []);
      assert.deepEqual(await due(store, END - 1), [of(first, END - 3_600_000)]);
      assert.deepEqual(await due(store, END), [of(first, END - 3_600_000), of(second, END), of(third, END)]);
      assert.deepEqual(await due(store, FAR, 2), [of(first, END - 3_600_000), of(second, END)]);
    },
  );

  onStore('an authorisation that is approved later is due after that', async ({ store }) => {
    const waiting = authorisation({ phase: OPEN });
    await keep(store, waiting);
    assert.deepEqual(await due(store, FAR), []);
    const late = moved(waiting, { phase: { at: 'final', code: '000.100.110' }, movedAt: NOW + 36_000_000 });
    await keep(store, late);
    assert.deepEqual(await due(store, FAR), [of(late, END + 36_000_000)]);
    const root = authorisation();
    await keep(store, root);
    const raising = child(root, { paymentType: 'PA', industryPractice: 'INCREMENTAL_AUTH', phase: OPEN, validity, amount: 1n });
    await keep(store, raising);
    await keep(store, moved(raising, { phase: { at: 'final', code: '000.100.110' }, movedAt: NOW + 72_000_000 }));
    assert.deepEqual(await due(store, FAR), [of(root, END), of(late, END + 36_000_000), of(raising, END + 72_000_000)]);
  });

  onStore('an authorisation without a known end is due before all others', async ({ store }) => {
    const [known, unknown] = [authorisation({ movedAt: 0 }), payment({ paymentType: 'PA' })];
    for (const one of [known, unknown]) await keep(store, one);
    assert.deepEqual(await due(store, FAR), [of(unknown, null), of(known, releaseAtOf(known))]);
    assert.deepEqual(await due(store, 0), [of(unknown, null)]);
  });

  onStore('a mark is kept where the one that was read still stands', async ({ store }) => {
    const [one, other, unknown] = [authorisation(), authorisation(), payment({ paymentType: 'PA' })];
    for (const each of [one, other, unknown]) await keep(store, each);
    await store.markReleases([]);
    await store.markReleases([
      { ...of(unknown, null), next: NOW + 5 },
      { ...of(one, END), next: END + 9 },
      { ...of(other, END + 1), next: 1 },
      { ...of(authorisation(), END), next: 1 },
    ]);
    assert.deepEqual(await due(store, FAR), [of(unknown, NOW + 5), of(other, END), of(one, END + 9)]);
    await store.markReleases([{ ...of(unknown, null), next: 7 }]);
    assert.deepEqual((await due(store, FAR))[0], of(unknown, NOW + 5));
    await store.markReleases([
      { ...of(unknown, NOW + 5), next: NEVER_AGAIN },
      { ...of(one, END + 9), next: NEVER_AGAIN },
    ]);
    assert.deepEqual(await due(store, FAR), [of(other, END)]);
    await assert.rejects(store.markReleases([{ ...of(other, END), next: 0.5 }]));
    await assert.rejects(store.markReleases([{ ...of(other, END), next: -2 }]));
    assert.deepEqual(await due(store, FAR), [of(other, END)]);
  });

  onStore('a mark of another merchant changes nothing, and a mark changes no payment', async ({ store }) => {
    const one = authorisation();
    await keep(store, one);
    const before = await store.family(one.merchantId, one.id);
    await store.markReleases([{ merchantId: 'another', id: one.id, releaseAt: END, next: NEVER_AGAIN }]);
    assert.deepEqual(await due(store, FAR), [of(one, END)]);
    await store.markReleases([{ ...of(one, END), next: END + 1 }]);
    assert.deepEqual(await store.family(one.merchantId, one.id), before);
    const capture = child(one, { paymentType: 'CP', amount: 1n });
    assert.equal((await store.commit(commit(capture, before?.version ?? 0))).is, 'kept');
    assert.deepEqual(await due(store, FAR), [of(one, END + 1)]);
  });

  onStore('releases are those of one merchant, or of all but some, and a test clock stops at each', async ({ store }) => {
    const [own, other] = [nextId(), nextId()];
    const mine = authorisation({ merchantId: own });
    const theirs = authorisation({ merchantId: other, movedAt: NOW - 7_200_000 });
    for (const one of [mine, theirs]) await keep(store, one);
    const asked = { now: FAR, limit: 10 };
    assert.deepEqual(await store.releasesDue({ ...asked, merchants: onlyMerchant(own) }), [of(mine, END)]);
    assert.deepEqual(await store.releasesDue({ ...asked, merchants: exceptMerchants([own]) }), [of(theirs, END - 7_200_000)]);
    assert.deepEqual(await store.releasesDue({ ...asked, merchants: onlyMerchant(nextId()) }), []);
    assert.deepEqual([await store.nextDueAt(own, 0), await store.nextDueAt(own, END)], [END, null]);
    await store.markReleases([{ ...of(mine, END), next: NEVER_AGAIN }]);
    assert.equal(await store.nextDueAt(own, 0), null);
  });
}
