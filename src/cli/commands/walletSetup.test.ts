import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthority } from '../../../test/threeDS/authority.ts';
import { OperatorError } from '../../app/operatorError.ts';
import { createIds } from '../../app/system.ts';
import { createDirectory } from '../../merchants/directory.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import { createMemoryStore } from '../../store/memory/memoryStore.ts';
import { localMaster } from '../../vault/masterKey.ts';
import { openVault } from '../../vault/vault.ts';
import { NOW, order, random } from '../../wallets/examples.ts';
import { createWalletIssuer } from '../../wallets/issuer/issuer.ts';
import { isFault } from '../../wallets/wallet.ts';
import { createWallets } from '../../wallets/wallets.ts';
import { UsageError } from '../command.ts';
import { type WalletSetupNeeds, walletSetup } from './walletSetup.ts';
import { type WalletTokenNeeds, walletToken } from './walletToken.ts';

const { demoShop } = sandbox;
const provider = createWalletIssuer({ seed: 'provider', merchant: 'outside', random });
const { keys, ...walletA } = provider.setupFor('walletA').walletA!;
const [current, previous] = keys.map(({ privateKey }) => privateKey) as [string, string];
const strange = createWalletIssuer({ seed: 'x', merchant: 'x', random }).setupFor('walletB').walletB!.keys[0]!.privateKey;

const authority = createAuthority('Wallet Root');
const [proof, other] = [authority.issue({ name: 'merchant.shop' }), authority.issue({ name: 'merchant.other' })];
const identity = { id: 'web1', certificate: proof.cert, displayName: 'Shop', domains: ['shop.example'] };

const files: Readonly<Record<string, string>> = {
  'a.json': JSON.stringify(walletA),
  'named.json': JSON.stringify({ ...walletA, keys: ['2026', '2025'] }),
  'bad.json': JSON.stringify({ ...walletA, roots: [strange], extra: 1 }),
  'root.json': JSON.stringify({ ...walletA, roots: ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'] }),
  'list.json': '[]',
  'none.json': 'null',
  'sandbox.json': '"sandbox"',
  'no.json': '{',
  'web.json': JSON.stringify({ ...walletA, identity }),
  'next.json': JSON.stringify({ ...walletA, identity: { ...identity, id: 'web2', certificate: other.cert } }),
  'web.pem': proof.key,
  'next.pem': other.key,
  'new.pem': current,
  'old.pem': previous,
  'no.pem': 'no key',
};

async function standing(environment: 'test' | 'live' = 'live') {
  const store = createMemoryStore();
  const clock = { now: () => NOW };
  await store.insertAccounts(sandboxRows(0));
  const vault = await openVault({ masters: [localMaster(Buffer.alloc(32, 7))], store, now: clock.now });
  const [output, errors]: [string[], string[]] = [[], []];
  const readText = (path: string): string => files[path] ?? assert.fail(Object.assign(new Error(path), { code: 'ENOENT' }));
  const directory = await createDirectory(store, clock);
  const wallets = createWallets({
    entity: (id) => directory.entity(id),
    secrets: store,
    vault,
    environment,
    clock,
    issuer: null,
    alarm: (message) => assert.fail(message),
  });
  const context: WalletTokenNeeds & WalletSetupNeeds = {
    config: () => ({ environment }),
    store: async () => store,
    vault: async () => vault,
    clock,
    ids: createIds(clock.now),
    readText,
    print: (line) => output.push(line),
    printError: (line) => errors.push(line),
  };
  /** Runs a command as the program does: an `OperatorError` is printed and gives the exit code. */
  const called = async (command: typeof walletToken | typeof walletSetup, words: readonly string[]): Promise<number> => {
    try {
      return await command(words, context);
    } catch (error) {
      if (!(error instanceof OperatorError || error instanceof UsageError)) throw error;
      errors.push(error.message);
      return error instanceof UsageError ? 2 : 1;
    }
  };
  return {
    store,
    output,
    errors,
    setup: (line: string) =>
      called(walletSetup, ['--entity', demoShop.merchantId, '--wallet', 'walletA', ...line.split(' ').filter(Boolean)]),
    run: (words: readonly string[]) => called(walletSetup, words),
    token: (words: readonly string[]) => called(walletToken, words),
    /** What a token made for each of the two keys comes to, after the directory was read again. */
    async opens(): Promise<readonly string[]> {
      await directory.reload();
      const tokens = (['current', 'previous'] as const).map((key) => provider.issue('walletA', { ...order, key }));
      const opened = await Promise.all(tokens.map((token) => wallets.open(demoShop.channelId, 'walletA', token)));
      return opened.map((card) => (isFault(card) ? card.why : 'card'));
    },
    secrets: () =>
      Promise.all(['2025', '2026'].map(async (id) => (await store.secret(demoShop.merchantId, `walletA/${id}`)) !== null)),
  };
}

test('a wallet is set up, its key exchanged without a gap, and taken away', async () => {
  const { setup, opens, secrets, store, output, errors } = await standing();
  assert.deepEqual(await opens(), ['unsupported', 'unsupported']);

  assert.equal(await setup('--file a.json --key 2025=old.pem'), 0, errors.join());
  assert.deepEqual(await opens(), ['unknownKey', 'card']);
  assert.equal(await setup('--key 2026=new.pem'), 0, errors.join());
  assert.deepEqual(await opens(), ['card', 'card'], 'both open while they are exchanged');
  assert.equal(await setup('--drop-key 2025'), 0, errors.join());
  assert.deepEqual(await opens(), ['card', 'unknownKey']);
  assert.deepEqual(await secrets(), [false, true]);

  const row = (await store.entities()).find(({ id }) => id === demoShop.merchantId);
  assert.equal(row?.settings.dispatch, true, 'the other settings stay');
  assert.ok(!JSON.stringify(await store.entities()).includes('PRIVATE KEY'));

  assert.equal(await setup('--remove'), 0, errors.join());
  assert.deepEqual(await opens(), ['unsupported', 'unsupported']);
  assert.deepEqual(await secrets(), [false, false]);
  assert.deepEqual((await store.entities()).find(({ id }) => id === demoShop.merchantId)?.settings, { dispatch: true });
  assert.ok(!`${output}${errors}`.includes('PRIVATE KEY'));
});

test('an identity is kept with its key, exchanged with its certificate, and goes with the wallet', async () => {
  const { setup, store, secrets, output, errors } = await standing();
  const kept = () =>
    Promise.all(['web1', 'web2'].map(async (id) => (await store.secret(demoShop.merchantId, `walletA/identity/${id}`)) !== null));
  assert.equal(await setup('--file web.json --key 2026=new.pem --identity web.pem'), 0, errors.join());
  assert.deepEqual(await kept(), [true, false]);
  assert.equal(await setup('--key 2025=old.pem'), 0, 'the key of the identity is there already');
  assert.deepEqual(
    [await kept(), await secrets()],
    [
      [true, false],
      [true, true],
    ],
  );
  assert.equal(await setup('--file next.json --identity next.pem'), 0, errors.join());
  assert.deepEqual(
    [await kept(), await secrets()],
    [
      [false, true],
      [true, true],
    ],
  );
  assert.equal(await setup('--file a.json'), 0, errors.join());
  assert.deepEqual(await kept(), [false, false], 'without an identity its key is of no use');
  assert.equal(await setup('--file next.json --identity next.pem'), 0, errors.join());
  assert.equal(await setup('--remove'), 0, errors.join());
  assert.deepEqual(
    [await kept(), await secrets()],
    [
      [false, false],
      [false, false],
    ],
  );
  assert.ok(!`${JSON.stringify(await store.entities())}${output}${errors}`.includes('PRIVATE KEY'));
});

test('both keys at once, named by the file', async () => {
  const { setup, opens, errors } = await standing();
  assert.equal(await setup('--file named.json --key 2025=old.pem --key 2026=new.pem'), 0, errors.join());
  assert.deepEqual(await opens(), ['card', 'card']);
});

test('a wallet can be shut, and its keys go', async () => {
  const { setup, opens, secrets, errors } = await standing('test');
  assert.equal(await setup('--file a.json --key 2026=new.pem'), 0, errors.join());
  assert.equal(await setup('--file none.json'), 0, errors.join());
  assert.deepEqual(await opens(), ['unsupported', 'unsupported']);
  assert.deepEqual(await secrets(), [false, false]);
  assert.equal(await setup('--file sandbox.json'), 0, errors.join());
});

const refused: readonly [line: string, says: RegExp][] = [
  ['', /--file: is missing; Demo Shop has no setup of walletA yet/],
  ['--key 2026=new.pem', /--file: is missing/],
  ['--file a.json', /"walletA.keys" must be a list of key ids/],
  ['--file absent.json', /--file: absent.json cannot be read \(ENOENT\)/],
  ['--file no.json', /--file: this is not JSON/],
  ['--file list.json --key 2026=new.pem', /"walletA" must be null, "sandbox" or an object/],
  ['--file bad.json --key 2026=new.pem', /"walletA.extra" does not exist\n"walletA.roots" must be a list of certificates/],
  ['--file root.json --key 2026=new.pem', /walletA.roots\[0\] must be the certificate of an authority/],
  ['--file a.json --key 2026=no.pem', /walletA, key 2026: must be a P-256 private key/],
  ['--file a.json --key 2026=absent.pem', /--key: absent.pem cannot be read/],
  ['--file a.json --key new.pem', /--key: write an id and the file/],
  ['--file a.json --key ../x=new.pem', /"walletA.keys" must be a list of key ids/],
  ['--file named.json --key 2026=new.pem', /the private key 2025 is missing/],
  ['--file a.json --key 2026=new.pem --drop-key 2024', /--drop-key: there is no key 2024/],
  ['--file web.json --key 2026=new.pem', /--identity: the private key identity\/web1 is missing; give it as <file>/],
  ['--file web.json --key 2026=new.pem --identity next.pem', /--identity: this is not the private key of/],
  ['--file web.json --key 2026=new.pem --identity no.pem', /--identity: this is not the private key of/],
  ['--file web.json --key 2026=new.pem --identity absent.pem', /--identity: absent.pem cannot be read/],
  ['--file a.json --key 2026=new.pem --identity web.pem', /--identity: the setup has no "identity"/],
  ['--file sandbox.json', /the live environment knows no sandbox/],
  ['--remove', /walletA is not set on Demo Shop itself/],
  ['--colour red', /Unknown option '--colour'/],
];
for (const [line, says] of refused) {
  test(`wallet-setup ${line}: refused, and nothing is written`, async () => {
    const { setup, errors, secrets, store } = await standing();
    const before = JSON.stringify(await store.entities());
    assert.equal(await setup(line), says.source.startsWith('Unknown') || line.includes('--key new') ? 2 : 1);
    assert.match(errors.join('\n'), says);
    assert.ok(!errors.join('\n').includes('PRIVATE KEY'));
    assert.deepEqual(await secrets(), [false, false]);
    assert.equal(JSON.stringify(await store.entities()), before);
  });
}

test('a key id is not used again for another key, and an unknown entity or wallet is reported', async () => {
  const { setup, run, errors } = await standing();
  assert.equal(await setup('--file a.json --key 2026=new.pem'), 0);
  assert.equal(await setup('--key 2026=old.pem'), 1);
  assert.match(errors.splice(0).join(), /2026 is there already/);
  assert.equal(await run(['--entity', 'f'.repeat(32), '--wallet', 'walletA', '--remove']), 1);
  assert.match(errors.splice(0).join(), /--entity: there is no such entity/);
  assert.equal(await run(['--entity', demoShop.merchantId, '--wallet', 'walletZ', '--remove']), 1);
  assert.match(errors.splice(0).join(), /--wallet: choose one of walletA, walletB, walletC/);
});

test('wallet-token prints a token and nothing else; faults are reported with their options', async () => {
  const { token, output, errors } = await standing('test');
  assert.equal(await token(['--wallet', 'applePay', '--amount', '12.00', '--currency', 'EUR']), 0, errors.join());
  assert.equal(JSON.parse(output.splice(0).join('')).version, 'EC_v1');
  assert.equal(errors.length, 0);
  assert.equal(await token(['--wallet', 'walletB', '--fault', 'expired', '--entity', demoShop.channelId]), 0);
  assert.match(errors.splice(0).join(), /refused \(expired\)/);
  assert.equal(output.splice(0).length, 1);
  assert.equal(await token(['--wallet', 'walletB', '--amount', 'x', '--expiry-month', '13', '--entity', 'x']), 1);
  assert.deepEqual(
    errors.splice(0).flatMap((text) => text.split('\n').map((line) => line.split(':')[0])),
    ['--entity', '--expiry-month', '--amount'],
  );
  assert.equal(await token(['--colour', 'red']), 2);
  assert.match(errors.join(), /Unknown option '--colour'/);
  assert.deepEqual(output, []);
});

test('wallet-token knows no live environment', async () => {
  const { token, output, errors } = await standing('live');
  assert.equal(await token(['--wallet', 'walletA']), 1);
  assert.deepEqual([output.length, errors.length], [0, 1]);
});
