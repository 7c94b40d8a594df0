import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDirectory } from '../../merchants/directory.ts';
import type { EntityRow } from '../../merchants/ports.ts';
import { createMemoryStore } from '../../store/memory/memoryStore.ts';
import { missingForPayments } from './accountModule.ts';

const id = (end: string): string => end.padStart(32, '0');
const psp: EntityRow = { id: id('1'), kind: 'psp', parentId: null, name: 'P', settings: {} };
const division: EntityRow = { id: id('2'), kind: 'division', parentId: psp.id, name: 'D', settings: {} };
const shop = (settings: EntityRow['settings']): EntityRow => ({
  id: id('3'),
  kind: 'merchant',
  parentId: division.id,
  name: 'M',
  settings,
});
const channel: EntityRow = { id: id('4'), kind: 'channel', parentId: id('3'), name: 'Web', settings: {} };
const accounts = { other: { connector: 'upstream', settings: { url: 'https://api.example.com', entityId: 'a'.repeat(32) } } };
const named = { connectors: { default: 'other' }, accounts };

const cases: readonly (readonly [what: string, entities: readonly EntityRow[], kind: string | null, says: RegExp])[] = [
  ['no merchant', [psp, division], 'merchant', /add one/],
  ['no channel', [psp, division, shop({})], 'channel', /add one/],
  ['no account', [psp, division, shop({}), channel], 'account', /Web names no account/],
  ['the simulator', [psp, division, shop({ connectors: { default: 'simulator' } }), channel], 'account', /no live payment/],
  ['an unknown account', [psp, division, shop({ connectors: { default: 'gone' } }), channel], 'account', /does not exist/],
  ['no credentials', [psp, division, shop(named), channel], 'credential', /--entity 0+3 --name other --secret accessToken=file/],
];

for (const [what, entities, kind, says] of cases) {
  test(`before a live payment is missing: ${what}`, async () => {
    const store = createMemoryStore();
    await store.insertAccounts({ entities, tokens: [] });
    const [first] = await missingForPayments(await createDirectory(store, { now: () => 0 }), store);
    assert.equal(first?.kind ?? null, kind);
    assert.match(first?.says ?? '', says);
  });
}

test('nothing is missing once the required credentials are stored', async () => {
  const store = createMemoryStore();
  await store.insertAccounts({ entities: [psp, division, shop(named), channel], tokens: [] });
  await store.storeSecret(id('3'), 'accounts/other/accessToken', new Uint8Array(8));
  const missing = await missingForPayments(await createDirectory(store, { now: () => 0 }), store);
  assert.deepEqual(missing, []);
});
