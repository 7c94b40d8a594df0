import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clock, createIds } from '../../src/app/system.ts';
import type { Directory, Entity } from '../../src/merchants/directory.ts';
import { defaultSettings } from '../../src/merchants/settings.ts';
import { amountText } from '../../src/money/amount.ts';
import { importFile } from '../../src/settlement/in/importFile.ts';
import { columns } from '../../src/settlement/in/readers/csv.ts';
import { recordIdOf, type SettledLine } from '../../src/settlement/record.ts';
import { commit } from '../contract/storeFixtures.ts';
import { openMemory, openPostgres, openSqlite } from '../contract/storeOpen.ts';
import { OWN, tell } from './acquirer.ts';

/** A line as our own CSV has it. */
function written(line: SettledLine): string {
  const { clearingInstitute, ...rest } = line;
  const { name: acquirerName, merchantId: acquirerMerchantId, ...references } = clearingInstitute;
  const values: Record<string, unknown> = { ...rest, ...references, acquirerName, acquirerMerchantId };
  return columns
    .map(({ member }) => {
      const value = values[member] ?? '';
      return typeof value === 'bigint' ? amountText(value) : String(value);
    })
    .join(';');
}

const entity = (id: string, kind: Entity['kind'], path: readonly string[]): Entity => ({
  id,
  kind,
  path,
  name: id,
  settings: defaultSettings,
  channel: null,
  channels: [],
  merchantId: kind === 'merchant' ? id : null,
});
const entities = [entity('psp', 'psp', ['psp']), ...OWN.map((id) => entity(id, 'merchant', [id, 'psp']))];
const directory: Pick<Directory, 'entity' | 'idsBelow' | 'ownersOf'> = {
  entity: (id) => entities.find((one) => one.id === id) ?? null,
  idsBelow: (id, kind) => entities.filter((one) => one.path.includes(id) && (kind ?? one.kind) === one.kind).map((one) => one.id),
  ownersOf: () => entities.map((one) => one.id),
};

const sizes = { memory: 1_500, sqlite: 6_000, postgres: 2_500 } as const;

for (const [name, open] of [
  ['memory', openMemory],
  ['sqlite', openSqlite],
  ['postgres', openPostgres],
] as const) {
  test(`${name}: a whole file finds every planted fault and matches nothing falsely, and the same again changes nothing`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const { payments, planted } = tell(sizes[name], 7);
    // A family stands before what references it.
    for (const [version, some] of Map.groupBy(payments, ({ id, familyId }) => Number(id !== familyId))) {
      if (version === 0)
        assert.ok((await Promise.all(some.map((one) => store.commit(commit(one, 0))))).every(({ is }) => is === 'kept'));
      else {
        for (const one of some) {
          const family = await store.family(one.merchantId, one.familyId);
          assert.equal((await store.commit(commit(one, family?.version ?? 0))).is, 'kept');
        }
      }
    }
    const text = [columns.map((column) => column.name).join(';'), ...planted.map(({ line }) => written(line))].join('\n');
    async function* bytes() {
      for (let at = 0; at < text.length; at += 65_536) yield Buffer.from(text.slice(at, at + 65_536));
    }
    const needs = { store, directory, clock, ids: createIds(clock.now) };
    const beganAt = performance.now();
    const brought = await importFile(needs, 'psp', { name: 'story.csv', open: bytes });
    t.diagnostic(`${planted.length} lines in ${Math.round(performance.now() - beganAt)} ms`);
    assert.equal(brought.is, 'kept', JSON.stringify(brought.file.faults.slice(0, 3)));
    for (const [at, { truth, fault, isSure, line }] of planted.entries()) {
      const record = await store.record(recordIdOf(brought.file.id, at + 1));
      assert.equal(record?.line, line.line);
      const { status, paymentIds, why } = record.match;
      const about = `line ${line.line}, planted ${fault}: ${why}`;
      if (status === 'MATCHED') assert.deepEqual(paymentIds, [truth.id], about);
      if (fault !== null && fault !== 'doubled') assert.notEqual(status, 'MATCHED', about);
      if (fault === null && isSure) assert.equal(status, 'MATCHED', about);
    }
    const again = await importFile(needs, 'psp', { name: 'again.csv', open: bytes });
    assert.deepEqual([again.is, again.file.id], ['known', brought.file.id]);
  });
}
