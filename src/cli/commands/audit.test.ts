import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { OperatorError } from '../../app/operatorError.ts';
import { createIds } from '../../app/system.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import { openSqliteStore } from '../../store/sqlite/sqliteStore.ts';
import { localMasters } from '../../vault/masterKey.ts';
import { openVault } from '../../vault/vault.ts';
import { audited } from '../audited.ts';
import { type Command, type Context, UsageError } from '../command.ts';
import { audit, auditCommand } from './audit.ts';
import { proof } from './verify.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-audit-'));
const store = await openSqliteStore({ dataDir });
const NOW = Date.parse('2031-10-02T09:15:31Z');
await store.insertAccounts(sandboxRows(NOW));
const masters = localMasters(Buffer.alloc(32, 5), []);
after(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

function stage() {
  const output: string[] = [];
  const context: Context = {
    config: () => ({ databaseUrl: null, dataDir, nodeName: 'node9' }) as never,
    masters: () => masters,
    store: async () => store,
    vault: () => openVault({ masters, store, now: () => NOW }),
    signal: () => new AbortController().signal,
    sleep: async () => {},
    clock: { now: () => NOW },
    ids: createIds(() => NOW),
    readText: () => '',
    print: (line) => void output.push(line),
    write: async (bytes) => void output.push(Buffer.from(bytes).toString()),
    printError: () => {},
    progress: () => {},
  };
  return { context, text: () => output.join('\n') };
}

const command = (name: string, run: Command['run'] = async () => 0): Command => ({ name, summary: '', usage: '', run });
const last = async () => (await store.auditChain((await store.auditHead()).number - 1, 1))[0];

test('a command that changes something is recorded in the audit log, without its arguments', async () => {
  const { context } = stage();
  const words = ['add', '--entity', sandbox.demoShop.merchantId, '--value', '4200000000000000'];
  assert.equal(await audited(command('risk-list'), words, context), 0);
  const entry = await last();
  assert.deepEqual(
    [entry?.by, entry?.what, entry?.entityId, entry?.result, entry?.node],
    ['command', 'command risk-list add', sandbox.demoShop.merchantId, 'done', 'node9'],
  );
  assert.ok(entry?.who && !JSON.stringify(entry).includes('420000'));
});

test('one that failed is written down as such, one that was called wrongly or only looks is not', async () => {
  const { context } = stage();
  const throwing = (error: Error) => command('rotate-master', () => Promise.reject(error));
  await assert.rejects(audited(throwing(new OperatorError('no')), [], context), { name: 'OperatorError' });
  assert.equal((await last())?.result, 'failed');
  const { number } = await store.auditHead();
  await assert.rejects(audited(throwing(new UsageError('no')), [], context), { name: 'UsageError' });
  await audited(command('keys'), [], context);
  await audited(command('risk-rules'), ['--entity', 'x'], context);
  await audited(command('risk-rules'), ['--entity', 'x', '--set', 'f', '--show-only'], context);
  assert.equal((await store.auditHead()).number, number);
});

test('the log is listed, filtered and written out, and that is written down', async () => {
  const { context, text } = stage();
  assert.equal(await audited(auditCommand, ['--what', 'command risk-list add'], context), 0);
  assert.match(text(), /^number +when +who +what/);
  assert.match(text(), / 1 {2}2031-10-02T09:15:31\.000Z .*command risk-list add/);
  assert.equal((await last())?.what, 'command audit');
  const json = stage();
  await audit(['--json', '--result', 'failed', '--from', '2031-10-02T00:00:00Z', '--to', '2031-10-03T00:00:00Z'], json.context);
  assert.equal(JSON.parse(json.text()).what, 'command rotate-master');
  const csv = stage();
  await audit(['--csv', '--entity', sandbox.demoShop.merchantId], csv.context);
  assert.equal(csv.text().trim().split('\r\n').length, 2);
  await assert.rejects(audit(['--result', 'odd'], stage().context), { name: 'UsageError' });
  await assert.rejects(audit(['--from', 'today'], stage().context), { name: 'OperatorError' });
});

test('verify proves the log with its seal, and finds what was changed', async () => {
  const well = stage();
  assert.equal(await proof([], well.context), 0);
  assert.match(well.text(), /^The audit log is in order: 3 entries; it ends with 3:[0-9a-f]{64}, its seal is right\.$/m);
  const kept = /3:[0-9a-f]{64}/.exec(well.text())?.[0] ?? '';
  assert.equal(await proof(['--audit-head', kept], stage().context), 0);
  const named = stage();
  assert.equal(await proof(['--database', join(dataDir, 'turnpike.db')], named.context), 0);
  assert.match(named.text(), /its seal was not checked/);
  const hand = new DatabaseSync(join(dataDir, 'turnpike.db'));
  hand.exec("DROP TRIGGER audit_entry_fixed; UPDATE audit_entry SET result = 'done' WHERE number = 2");
  hand.close();
  const changed = stage();
  assert.equal(await proof([], changed.context), 1);
  assert.match(changed.text(), /^audit log, entry 2: its hash is not that of what it says$/m);
  assert.equal(await proof(['--merchant', sandbox.demoShop.merchantId], stage().context), 0, 'only the books');
  const json = stage();
  assert.equal(await proof(['--json', '--audit-head', kept.replace('3:', '9:')], json.context), 1);
  const { ok, audit: log } = JSON.parse(json.text());
  assert.deepEqual([ok, log.found, log.head.number], [false, 2, 3]);
});
