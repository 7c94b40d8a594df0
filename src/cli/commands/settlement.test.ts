import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clock } from '../../app/system.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import { pullSecret } from '../../settlement/in/pull.ts';
import { createMemoryStore } from '../../store/memory/memoryStore.ts';
import { localMaster } from '../../vault/masterKey.ts';
import { openVault } from '../../vault/vault.ts';
import { refuseFileAccounts, secret, setup } from './settlement.ts';

const entity = sandbox.demoShop.merchantId;
const place = { kind: 'sftp', host: 'files.acquirer.example', user: 'shop', hostKey: `SHA256:${'A'.repeat(43)}` };

async function stage(files: Readonly<Record<string, string>>) {
  const store = createMemoryStore();
  await store.insertAccounts(sandboxRows(0));
  const vault = await openVault({ masters: [localMaster(Buffer.alloc(32, 7))], store, now: clock.now });
  const said: string[] = [];
  const context = {
    store: async () => store,
    vault: async () => vault,
    readText: (path: string) => files[path] ?? assert.fail('not there'),
    print: (line: string) => void said.push(line),
    printError: (line: string) => void said.push(line),
  };
  const settings = async () => (await store.entities()).find(({ id }) => id === entity)?.settings ?? {};
  return { context, said, settings, kept: () => pullSecret({ store, vault }, entity) };
}

test('the setting is set beside the others, and that the secret is missing is said as long as it is', async () => {
  const { context, said, settings } = await stage({ s: JSON.stringify({ pull: place }), p: 'secret \n' });
  const before = await settings();
  assert.equal(await setup({ entity, file: 's' }, context), 0);
  assert.deepEqual(await settings(), { ...before, settlement: { pull: place } });
  assert.match(said.join(), /nothing is fetched before/);
  await secret({ entity, file: 'p' }, context);
  said.length = 0;
  await setup({ entity, file: 's' }, context);
  assert.doesNotMatch(said.join(), /nothing is fetched before|secret/);
});

for (const [says, text, expected] of [
  ['a password keeps its blanks and loses the end of its line', ' a b \r\n', { kind: 'password', password: ' a b ' }],
  ['a key', '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n', null],
] as const) {
  test(`sealed: ${says}`, async () => {
    const { context, kept } = await stage({ p: text });
    await secret({ entity, file: 'p' }, context);
    assert.deepEqual(await kept(), expected ?? { kind: 'privateKey', privateKey: text });
  });
}

const refused: readonly (readonly [action: typeof setup, text: string, why: RegExp])[] = [
  [setup, '{', /no JSON/],
  [setup, '{"pull":{}}', /"settlement.pull.host" is missing/],
  [setup, JSON.stringify({ pull: { ...place, kind: 'ftp', hostKey: undefined } }), /"settlement.pull.insecure": true/],
  [secret, '\n', /no password/],
  [secret, 'two\nlines\n', /no password/],
];
for (const [action, text, why] of refused) {
  test(`refused: ${JSON.stringify(text.slice(0, 20))}`, async () => {
    const { context, settings, kept } = await stage({ f: text });
    const before = await settings();
    await assert.rejects(action({ entity, file: 'f' }, context), why);
    await assert.rejects(action({ entity, file: 'nowhere' }, context), /cannot be read/);
    await assert.rejects(action({ entity: 'nobody', file: 'f' }, context), /there is no entity/);
    assert.deepEqual([await settings(), await kept()], [before, null]);
  });
}

test('where files of a bank decide payments, the command line imports none', () => {
  const accounts = (connector: string) => ({ accounts: { bank: { connector, settings: {} } } });
  const below = (connector: string) => ({ below: () => [{ settings: {} }, { settings: accounts(connector) }] as never });
  assert.throws(() => refuseFileAccounts(below('sepa'), entity), /the gateway must import them/);
  refuseFileAccounts(below('stripe'), entity);
});
