import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { accounts } from '../../src/ledger/entry.ts';
import { moneyByFold, moneyByPostings } from '../../src/ledger/verifyPayments.ts';
import { isApproved } from '../../src/payments/balance.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { type Step, steps, tell } from './families.ts';

/** Random lives of families, with everything that can be done to a payment, as a store keeps them. */
const kept = (life: readonly Step[]) => tell(createMemoryStore(), 'merchant', life);

test('of every family the books say what the fold says', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (life) => {
      const { payments } = await kept(life);
      for (const family of Map.groupBy(payments, ({ familyId }) => familyId).values()) {
        assert.deepEqual(moneyByPostings(family), moneyByFold(family));
        if (family.filter(isApproved).length > 3) compared += 1;
      }
    }),
    { numRuns: 200 },
  );
  assert.ok(compared > 25, `${compared} families of some size`);
});

test('currency by currency and mode by mode the books add up to nothing at every moment', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (life) => {
      for (const { entries } of (await kept(life)).postings) {
        assert.equal(
          accounts.reduce((sum, account) => sum + (entries[account] ?? 0n), 0n),
          0n,
        );
        assert.ok(Object.values(entries).every((amount) => amount !== 0n));
      }
    }),
    { numRuns: 100 },
  );
});
