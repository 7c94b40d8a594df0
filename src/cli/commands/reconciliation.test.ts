import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { before, test } from 'node:test';
import { bring } from '../../../test/contract/storeSettlementFixtures.ts';
import { OperatorError } from '../../app/operatorError.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import { deliverySecret } from '../../reports/reconciliation/settings.ts';
import { defaultColumns } from '../../spec/reconciliation.ts';
import { createMemoryStore } from '../../store/memory/memoryStore.ts';
import { localMasters } from '../../vault/masterKey.ts';
import { openVault } from '../../vault/vault.ts';
import { UsageError } from '../command.ts';
import { reconciliation, reconciliationSetup } from './reconciliation.ts';

const { demoShop } = sandbox;
const store = createMemoryStore();
const vault = await openVault({ masters: localMasters(Buffer.alloc(32, 7), []), store, now: () => 1_800_000_000_000 });
const { privateKey } = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const setup = {
  kind: 'sftp',
  host: 'files.example',
  user: 'books',
  hostKey: `SHA256:${'a'.repeat(43)}`,
  since: '2031-10-01',
};
const files: Readonly<Record<string, string>> = {
  'setup.json': JSON.stringify(setup),
  'bad.json': JSON.stringify({ ...setup, password: 'x' }),
  password: 'hunter 2\n',
  'key.pem': privateKey,
  'cert.pem': 'no key',
};
const context = () => {
  const [output, pieces]: [string[], Uint8Array[]] = [[], []];
  return {
    output,
    pieces,
    store: async () => store,
    vault: async () => vault,
    readText: (path: string) => files[path] ?? '',
    print: (line: string) => void output.push(line),
    printError: (line: string) => void output.push(line),
    progress: () => {},
    write: async (piece: Uint8Array) => void pieces.push(piece),
  };
};

before(async () => {
  await store.insertAccounts(sandboxRows(0));
  const own = { merchantId: demoShop.merchantId, entityId: demoShop.channelId };
  await bring(store, [own, { ...own, entityId: demoShop.lenientChannelId }, { ...own, settledOn: '2031-10-09' }]);
});

const days = ['--from', '2031-10-01', '--to', '2031-10-03'];

test('the file of some days goes to standard output, and what was done to standard error', async () => {
  const its = context();
  assert.equal(await reconciliation(['--entity', demoShop.merchantId, ...days], its), 0);
  const text = Buffer.concat(its.pieces).toString();
  assert.equal(text.split('\r\n').length, 4);
  assert.equal(text.split('\r\n')[0], defaultColumns.join(';'));
  assert.deepEqual(its.output, ['2 records of Demo Shop from 2031-10-01 to 2031-10-03']);
  const channel = context();
  await reconciliation(['--entity', demoShop.channelId, ...days, '--columns', 'MerchantAccountName, PspId'], channel);
  assert.equal(Buffer.concat(channel.pieces).toString(), `MerchantAccountName;PspId\r\nDemo_Shop;${sandbox.psp}\r\n`);
});

const misused: readonly (readonly [words: readonly string[], error: typeof UsageError | typeof OperatorError])[] = [
  [days, UsageError],
  [['--entity', demoShop.merchantId, '--from', '2031-02-30', '--to', '2031-10-03'], UsageError],
  [['--entity', demoShop.merchantId, ...days, '--columns', 'Iban'], UsageError],
  [['--entity', sandbox.psp, ...days], OperatorError],
];
for (const [words, error] of misused)
  test(`reconciliation ${words.join(' ')} is refused`, () => assert.rejects(reconciliation(words, context()), error));

const own = ['--entity', demoShop.merchantId];
const setOf = async () => (await store.entities()).find(({ id }) => id === demoShop.merchantId)?.settings.reconciliation;

test('a server is set up with its password sealed, gets a key instead, and is taken away', async () => {
  const its = context();
  await reconciliationSetup([...own, '--file', 'setup.json', '--password', 'password'], its);
  assert.deepEqual(await setOf(), setup);
  const place = { secrets: store, vault };
  assert.deepEqual(await deliverySecret(place, demoShop.merchantId), { kind: 'password', password: 'hunter 2' });
  const sealed = await store.secret(demoShop.merchantId, 'reconciliation');
  assert.ok(sealed && !Buffer.from(sealed).includes('hunter'));
  await reconciliationSetup([...own, '--key', 'key.pem'], its);
  assert.deepEqual(await deliverySecret(place, demoShop.merchantId), { kind: 'privateKey', privateKey });
  await reconciliationSetup([...own, '--remove'], its);
  assert.equal(await setOf(), undefined);
  await assert.rejects(deliverySecret(place, demoShop.merchantId), /is missing/);
  assert.ok(!its.output.join().includes('hunter'));
});

const refused: readonly (readonly [words: readonly string[], error: typeof UsageError | typeof OperatorError])[] = [
  [own, UsageError],
  [[...own, '--file', 'bad.json'], OperatorError],
  [[...own, '--file', 'password'], OperatorError],
  [[...own, '--file', 'setup.json', '--key', 'cert.pem'], OperatorError],
  [[...own, '--password', 'password', '--key', 'key.pem'], UsageError],
  [['--entity', demoShop.channelId, '--file', 'setup.json'], OperatorError],
];
for (const [words, error] of refused)
  test(`reconciliation-setup ${words.slice(2).join(' ')} is refused for ${words[1]?.slice(-2)}`, async () => {
    await assert.rejects(reconciliationSetup(words, context()), error);
    assert.equal(await setOf(), undefined);
  });
