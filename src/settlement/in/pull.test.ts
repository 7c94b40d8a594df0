import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clock, createIds } from '../../app/system.ts';
import { settlementFileOf } from '../../connectors/simulator/settlement.ts';
import { createDirectory, type Entity } from '../../merchants/directory.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import { createMemoryStore } from '../../store/memory/memoryStore.ts';
import { pullFaults, pullOf } from '../settings.ts';
import { pullFiles, type SourceFolder } from './pull.ts';
import { createUploadStore } from './uploads.ts';

const server = { kind: 'sftp', host: 'files.acquirer.example', user: 'shop', hostKey: `SHA256:${'A'.repeat(43)}` };

test('the setting is read with its defaults, and its faults are reported', () => {
  assert.deepEqual(pullFaults(server), []);
  assert.equal(pullOf({ pull: server })?.target.port, 22);
  assert.equal(pullOf({ pull: { ...server, kind: 'ftps', hostKey: undefined } })?.target.port, 21);
  assert.equal(pullOf({}), null);
  const faulty: readonly unknown[] = [
    null,
    [],
    {},
    { ...server, afterwards: 'burn' },
    { ...server, pattern: 'x' },
    { ...server, hostKey: undefined },
    { ...server, kind: 'ftp', hostKey: undefined },
    { ...server, host: 'a b' },
    { ...server, password: 'secret' },
  ];
  for (const value of faulty) {
    const faults = pullFaults(value);
    assert.ok(faults.length > 0, JSON.stringify(value));
    assert.ok(
      faults.every((fault) => !fault.includes('reconciliation')),
      faults.join(),
    );
  }
});

/** An acquirer's folder in memory. */
function createFolder(files: Map<string, string>): SourceFolder & { isClosed: boolean } {
  return {
    isClosed: false,
    list: async () => [...files].map(([name, text]) => ({ name, bytes: text.length })),
    fetch: async (name, _, write) => {
      for (const piece of [files.get(name)?.slice(0, 40) ?? '', files.get(name)?.slice(40) ?? ''])
        await write(Buffer.from(piece));
    },
    rename: async (from, to) => {
      files.set(to, files.get(from) ?? '');
      files.delete(from);
    },
    remove: async (name) => void files.delete(name),
    close() {
      this.isClosed = true;
    },
  };
}

for (const [afterwards, left] of [
  ['leave', ['.hidden', 'a.csv', 'b.csv']],
  ['rename', ['.hidden', 'a.csv.taken', 'b.csv']],
  ['remove', ['.hidden', 'b.csv']],
] as const) {
  test(`a new file is fetched and imported, and then on the server: ${afterwards}`, async () => {
    const store = createMemoryStore();
    await store.insertAccounts(sandboxRows(0));
    const directory = await createDirectory(store, clock);
    const good = `${settlementFileOf('2031-10-02', [])}FEE;MONTHLY;NEG;ACQ-1;;;;;5.00;EUR;;;5.00;EUR;;;2031-10-02;;;;Acquirer;\n`;
    const files = new Map([
      ['b.csv', 'nonsense'],
      ['a.csv', good],
      ['.hidden', good],
    ]);
    const folder = createFolder(files);
    const alarms: string[] = [];
    const needs = {
      store,
      directory,
      clock,
      ids: createIds(clock.now),
      openFolder: async () => folder,
      secret: async () => ({ kind: 'password', password: 'x' }) as const,
      alarm: (message: string) => void alarms.push(message),
      uploads: createUploadStore(null),
      rest: async () => {},
      handled: new Map(),
    };
    const entity = directory.entity(sandbox.demoShop.merchantId) as Entity;
    const own = { ...entity, settings: { ...entity.settings, settlement: { pull: { ...server, afterwards } } } };
    assert.equal(await pullFiles(needs, own), 1);
    assert.equal(folder.isClosed, true);
    assert.deepEqual([...files.keys()].sort(), left);
    assert.equal(await pullFiles(needs, own), 0);
    const kept = await store.files([entity.id], 9);
    assert.deepEqual(kept.map(({ name, state }) => `${name} ${state}`).sort(), ['a.csv kept', 'b.csv refused']);
    assert.deepEqual(alarms, ['a settlement file was refused']);
    assert.equal(await pullFiles({ ...needs, secret: async () => null }, own), 0);
    assert.match(alarms[1] ?? '', /no password or key/);
  });
}
