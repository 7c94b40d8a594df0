import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrokenCommit } from '../../src/payments/storeErrors.ts';
import type { ListEntry, ListKind } from '../../src/risk/ports.ts';
import type { Store } from '../../src/store/store.ts';
import { NOW, nextId, type Open, type Opened } from './storeFixtures.ts';

/** A permanently blocked address by default. */
export const entry = (changes: Partial<ListEntry> = {}): ListEntry => ({
  merchantId: 'merchant',
  list: 'block',
  kind: 'email',
  value: 'jane@example.com',
  expiresAt: null,
  ...changes,
});

const kinds: readonly ListKind[] = ['card', 'bin', 'email', 'emailDomain', 'ip', 'country', 'customer'];

/** Customer ids that a merchant may send. */
const hostile: readonly string[] = [
  `'; DROP TABLE risk_list_entry; --`,
  '"quoted" \\ and `so on`',
  '%_*?',
  ' blank ',
  'line\nbreak',
  'A',
  'a',
  'é',
  'e\u0301',
  '😀'.repeat(127),
  'x'.repeat(255),
  '__proto__',
  '\u2028',
  '$1 ?1 :a',
];

/** Whether the number of changes rose by what was done. */
export async function isCounted(store: Store, step: () => Promise<unknown>): Promise<boolean> {
  const before = await store.listVersion();
  await step();
  const after = await store.listVersion();
  assert.ok(after >= before);
  return after > before;
}

/** Block and allow lists. */
export function listContract(name: string, opened: () => Opened): void {
  test(`${name}: entries of every kind and both lists come back in their order`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const made = (['block', 'allow'] as const).flatMap((list) =>
      kinds.map((kind) => entry({ merchantId, list, kind, value: 'DE' })),
    );
    for (const each of made) await store.putListEntry(each);
    const nameOf = ({ list, kind }: ListEntry) => `${list} ${kind}`;
    assert.deepEqual(
      await store.listEntries(NOW, merchantId),
      made.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1)),
    );
  });

  test(`${name}: an entry replaces the same entry, and no other`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const others = [
      entry({ merchantId, list: 'allow' }),
      entry({ merchantId, kind: 'customer' }),
      entry({ merchantId, value: 'JANE@example.com' }),
    ];
    for (const each of [...others, entry({ merchantId, expiresAt: NOW + 1 })]) await store.putListEntry(each);
    for (const expiresAt of [NOW + 2, null, NOW + 3, Number.MAX_SAFE_INTEGER]) {
      await store.putListEntry(entry({ merchantId, expiresAt }));
      const found = await store.listEntries(NOW, merchantId);
      assert.equal(found.length, 4);
      assert.deepEqual(
        found.filter(({ list, kind, value }) => list === 'block' && kind === 'email' && value === 'jane@example.com'),
        [entry({ merchantId, expiresAt })],
      );
    }
  });

  test(`${name}: an entry is removed once, and its neighbours stay`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const made = [entry({ merchantId }), entry({ merchantId, list: 'allow' }), entry({ merchantId, value: 'j@example.com' })];
    for (const each of made) await store.putListEntry(each);
    assert.equal(await store.removeListEntry(entry({ merchantId, kind: 'customer' })), false);
    assert.equal(await store.removeListEntry(entry({ merchantId, expiresAt: NOW })), true);
    assert.equal(await store.removeListEntry(entry({ merchantId })), false);
    assert.deepEqual(await store.listEntries(NOW, merchantId), made.slice(1));
  });

  test(`${name}: merchants neither see nor touch each other's entries`, async () => {
    const { store } = opened();
    const [merchantId, another] = [nextId(), nextId()];
    await store.putListEntry(entry({ merchantId, expiresAt: NOW + 5 }));
    assert.deepEqual(await store.listEntries(NOW, another), []);
    assert.equal(await store.removeListEntry(entry({ merchantId: another })), false);
    await store.putListEntry(entry({ merchantId: another }));
    assert.equal(await store.removeListEntry(entry({ merchantId: another })), true);
    assert.deepEqual(await store.listEntries(NOW, merchantId), [entry({ merchantId, expiresAt: NOW + 5 })]);
  });

  test(`${name}: unusual values are distinct and come back unchanged`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    for (const value of hostile) await store.putListEntry(entry({ merchantId, kind: 'customer', value }));
    const found = (await store.listEntries(NOW, merchantId)).map(({ value }) => value);
    assert.deepEqual(found.toSorted(), hostile.toSorted());
    for (const value of hostile) assert.equal(await store.removeListEntry(entry({ merchantId, kind: 'customer', value })), true);
    assert.deepEqual(await store.listEntries(NOW, merchantId), []);
  });

  const impossible: readonly (readonly [what: string, changes: Partial<ListEntry>])[] = [
    ['nothing', { value: '' }],
    ['a NUL', { value: 'a\0b' }],
    ['half a character', { value: 'a\ud800' }],
    ['256 characters', { value: 'x'.repeat(256) }],
    ['an unheard-of list', { list: 'grey' as ListEntry['list'] }],
    ['an unheard-of kind', { kind: 'toString' as ListKind }],
    ['an end that is no instant', { expiresAt: Number.NaN }],
    ['an end between two instants', { expiresAt: 1.5 }],
    ['nobody', { merchantId: '' }],
  ];
  for (const [what, changes] of impossible) {
    test(`${name}: an entry of ${what} is refused, and cannot be removed`, async () => {
      const { store } = opened();
      const merchantId = nextId();
      const wrong = entry({ merchantId, ...changes });
      assert.equal(await isCounted(store, () => assert.rejects(store.putListEntry(wrong), BrokenCommit)), false);
      assert.equal(await store.removeListEntry(wrong), false);
      assert.deepEqual(await store.listEntries(NOW, merchantId), []);
    });
  }

  test(`${name}: exactly the changes of the lists are counted`, async () => {
    const { store } = opened();
    const one = entry({ merchantId: nextId(), expiresAt: NOW + 1 });
    const { expiresAt, ...nameOnly } = one;
    const steps: readonly (readonly [what: string, step: () => Promise<unknown>, isChange: boolean])[] = [
      ['put', () => store.putListEntry(one), true],
      ['put again', () => store.putListEntry(one), false],
      ['put for ever', () => store.putListEntry({ ...one, expiresAt: null }), true],
      ['put for ever again', () => store.putListEntry({ ...one, expiresAt: null }), false],
      ['read', () => store.listEntries(NOW, null), false],
      ['removed where there is none', () => store.removeListEntry({ ...nameOnly, list: 'allow' }), false],
      ['removed', () => store.removeListEntry(nameOnly), true],
      ['removed again', () => store.removeListEntry(nameOnly), false],
      ['put with an end', () => store.putListEntry({ ...one, expiresAt }), true],
    ];
    for (const [what, step, isChange] of steps) assert.equal(await isCounted(store, step), isChange, what);
  });
}

/** These look at everything there is, so each has a store of its own. */
export function listAgeContract(name: string, open: Open): void {
  test(`${name}: expired entries are left out, then deleted`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    assert.deepEqual([await store.listEntries(NOW, null), await store.deleteListEntries(NOW)], [[], 0]);
    const ends = [null, NOW - 1, NOW, NOW + 1];
    const made = ends.map((expiresAt, index) => entry({ merchantId: `merchant ${index}`, expiresAt }));
    for (const each of made) await store.putListEntry(each);
    const [forEver, , , later] = made as [ListEntry, ListEntry, ListEntry, ListEntry];
    assert.deepEqual(await store.listEntries(NOW, null), [forEver, later]);
    assert.deepEqual(await store.listEntries(NOW, later.merchantId), [later]);
    assert.deepEqual(await store.listEntries(NOW, 'merchant 2'), []);
    assert.deepEqual(await store.listEntries(NOW - 2, null), made);
    assert.equal(await isCounted(store, async () => assert.equal(await store.deleteListEntries(NOW - 1), 0)), false);
    assert.equal(await isCounted(store, async () => assert.equal(await store.deleteListEntries(NOW + 1), 2)), true);
    assert.equal(await isCounted(store, async () => assert.equal(await store.deleteListEntries(NOW + 1), 0)), false);
    assert.deepEqual(await store.listEntries(0, null), [forEver, later]);
  });

  test(`${name}: thousands of entries are deleted at once`, async (t) => {
    const { store, database, end } = await open();
    t.after(end);
    const made = Array.from({ length: 4_500 }, (_, index) => entry({ kind: 'customer', value: `c-${index}`, expiresAt: NOW }));
    // By hand where it can be: a database waits for its disk at every single entry.
    const rows = made.map(({ value }) => `('merchant', 'block', 'customer', '${value}', ${NOW})`);
    if (database) await database.raw(`INSERT INTO risk_list_entry VALUES ${rows.join(', ')}`);
    else await Promise.all(made.map((each) => store.putListEntry(each)));
    await store.putListEntry(entry());
    assert.equal((await store.listEntries(NOW - 1, null)).length, 4_501);
    assert.equal(await store.deleteListEntries(NOW + 1), 4_500);
    assert.deepEqual(await store.listEntries(0, null), [entry()]);
  });

  test(`${name}: concurrent changes of the lists are all counted`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const before = await store.listVersion();
    const names = Array.from({ length: 50 }, (_, index) => entry({ kind: 'customer', value: `c-${index}` }));
    await Promise.all(names.map((each) => store.putListEntry(each)));
    assert.equal(await store.listVersion(), before + 50);
    const removed = await Promise.all([...names, ...names].map((each) => store.removeListEntry(each)));
    assert.equal(removed.filter(Boolean).length, 50);
    assert.equal(await store.listVersion(), before + 100);
    assert.deepEqual(await store.listEntries(0, null), []);
  });
}
