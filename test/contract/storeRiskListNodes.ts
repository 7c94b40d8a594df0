import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Store } from '../../src/store/store.ts';
import { NOW, type Open } from './storeFixtures.ts';
import { entry, isCounted } from './storeRiskLists.ts';

/** One step of a random sequence: the action, one of a few entries, and its expiry. */
type Step = readonly [kind: 'put' | 'remove' | 'forget', which: number, end: number | null];
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('put' as const, 'put' as const, 'remove' as const, 'forget' as const),
  fc.nat(7),
  fc.option(fc.integer({ min: NOW - 2, max: NOW + 2 }), { nil: null }),
);

async function readStep(store: Store, [kind, which, end]: Step): Promise<readonly unknown[]> {
  const each = entry({
    merchantId: `m${which % 2}`,
    list: which % 4 < 2 ? 'block' : 'allow',
    value: `v${which >> 2}`,
    expiresAt: end,
  });
  const before = await store.listVersion();
  const result =
    kind === 'put'
      ? await store.putListEntry(each)
      : kind === 'remove'
        ? await store.removeListEntry(each)
        : await store.deleteListEntries(end ?? NOW);
  const isChanged = (await store.listVersion()) > before;
  return [
    result,
    isChanged,
    await store.listEntries(NOW, null),
    await store.listEntries(NOW, 'm1'),
    await store.listEntries(0, 'm0'),
  ];
}

/** What a database promises of its lists beyond the memory store. */
export function listNodesContract(name: string, open: Open): void {
  test(`${name}: two nodes see each other's entries and their count, also after a restart`, async (t) => {
    const first = await open();
    t.after(first.end);
    const second = await first.database?.again();
    assert.ok(second);
    await first.store.putListEntry(entry());
    assert.deepEqual(await second.listEntries(NOW, null), [entry()]);
    const count = await second.listVersion();
    assert.equal(count, await first.store.listVersion());
    assert.equal(await second.removeListEntry(entry()), true);
    assert.deepEqual(await first.store.listEntries(NOW, null), []);
    assert.ok((await first.store.listVersion()) > count);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        [first.store, second][index % 2]?.putListEntry(entry({ value: `${index >> 1}@x` })),
      ),
    );
    assert.equal((await second.listEntries(NOW, null)).length, 20);
    await second.close();
    const third = await first.database?.again();
    assert.ok(third);
    t.after(() => third.close());
    assert.equal((await third.listEntries(NOW, 'merchant')).length, 20);
    assert.equal(await third.listVersion(), await first.store.listVersion());
  });

  test(`${name}: a change by raw SQL is counted, and the count never decreases`, async (t) => {
    const { store, database, end } = await open();
    t.after(end);
    assert.ok(database);
    const insertion = (cells: string) =>
      `INSERT INTO risk_list_entry (merchant_id, list, kind, value, expires_at) VALUES (${cells})`;
    const byHand: readonly string[] = [
      insertion(`'m', 'block', 'bin', '411111', NULL`),
      `UPDATE risk_list_entry SET expires_at = 5 WHERE value = '411111'`,
      `UPDATE risk_list_entry SET list = 'allow' WHERE value = '411111'`,
      `DELETE FROM risk_list_entry WHERE value = '411111'`,
    ];
    for (const statement of byHand) assert.equal(await isCounted(store, () => database.raw(statement)), true, statement);
    assert.equal(await isCounted(store, () => database.raw(`DELETE FROM risk_list_entry WHERE value = 'none'`)), false);
    const refused: readonly (readonly [statement: string, why: RegExp])[] = [
      ['UPDATE risk_list_change SET count = 0', /risk_list_change_rises/],
      ['DELETE FROM risk_list_change', /risk_list_change_no_delete/],
      ['INSERT INTO risk_list_change (id, count) VALUES (2, 0)', /risk_list_change_one/],
      [insertion(`'m', 'grey', 'bin', '411111', NULL`), /risk_list_entry_list/],
      [insertion(`'m', 'block', 'pan', '411111', NULL`), /risk_list_entry_kind/],
      [insertion(`'m', 'block', 'bin', '', NULL`), /risk_list_entry_value/],
      [insertion(`'m', 'block', 'customer', '${'x'.repeat(256)}', NULL`), /risk_list_entry_value/],
    ];
    for (const [statement, why] of refused) await assert.rejects(database.raw(statement), why);
  });

  test(`${name}: lists behave like those of the reference store`, async (t) => {
    const tellBoth = async (steps: readonly Step[]) => {
      const reference = createMemoryStore();
      for (const { merchantId, list, kind, value } of await store.listEntries(0, null)) {
        await store.removeListEntry({ merchantId, list, kind, value });
      }
      for (const each of steps) assert.deepEqual(await readStep(store, each), await readStep(reference, each));
    };
    const { store, end } = await open();
    t.after(end);
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), tellBoth), { numRuns: 25 });
  });
}
