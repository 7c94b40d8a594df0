import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../app/operatorError.ts';
import { accountSecretName } from '../../merchants/accounts.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import { createMemoryStore } from '../../store/memory/memoryStore.ts';
import { localMaster } from '../../vault/masterKey.ts';
import { openVault } from '../../vault/vault.ts';
import { UsageError } from '../command.ts';
import { account } from './account.ts';

const { demoShop } = sandbox;
const TOKEN = 'a-token-of-the-other-platform-0123456789';
const files: Readonly<Record<string, string>> = { 'token.txt': `${TOKEN}\n`, 'short.txt': 'x' };

async function openCommand() {
  const store = createMemoryStore();
  await store.insertAccounts(sandboxRows(0));
  const vault = await openVault({ masters: [localMaster(Buffer.alloc(32, 7))], store, now: () => 0 });
  const output: string[] = [];
  const run = (...words: readonly string[]) =>
    account(words, {
      store: async () => store,
      vault: async () => vault,
      readText: (path) => files[path] ?? assert.fail(`no file ${path}`),
      print: (line) => output.push(line),
    });
  const settings = async () => (await store.entities()).find(({ id }) => id === demoShop.merchantId)?.settings ?? {};
  return { store, vault, output, run, settings };
}

const words = ['--entity', demoShop.merchantId, '--name', 'other'];
const made = ['--connector', 'upstream', '--set', 'url=https://api.example.com', '--set', `entityId=${'a'.repeat(32)}`];

test('an account is made, used, changed and removed with its credentials', async () => {
  const { store, vault, output, run, settings } = await openCommand();
  assert.equal(await run(...words, ...made, '--secret', 'accessToken=token.txt', '--use'), 0);
  const { accounts, connectors } = await settings();
  assert.deepEqual(connectors, { default: 'other' });
  assert.deepEqual(accounts, {
    other: { connector: 'upstream', settings: { url: 'https://api.example.com', entityId: 'a'.repeat(32) } },
  });
  const field = accountSecretName('other', 'accessToken');
  const sealed = (await store.secret(demoShop.merchantId, field)) ?? assert.fail('not stored');
  const record = { merchantId: demoShop.merchantId, entityId: demoShop.merchantId, recordId: demoShop.merchantId, field };
  assert.equal(await vault.open(record, sealed), TOKEN);
  assert.ok(!output.join('\n').includes(TOKEN));
  assert.match(output.join('\n'), /Notifications of the acquirer go to: \/v1\/connectors\/upstream\//);
  await run(...words, '--set', 'answerSeconds=30', '--state', 'off');
  assert.match(JSON.stringify(await settings()), /"answerSeconds":30.*"state":"off"/);
  await run('--entity', demoShop.merchantId);
  assert.match(output.join('\n'), /other +upstream +off/);
  await run(...words, '--remove');
  assert.equal((await settings()).accounts, undefined);
  assert.equal(await store.secret(demoShop.merchantId, field), null);
});

const faults: readonly (readonly [what: string, words: readonly string[], says: RegExp])[] = [
  ['no connector', words, /--connector/],
  ['an unknown connector', [...words, '--connector', 'none'], /choose one of .*upstream/],
  ['an unknown setting', [...words, ...made, '--set', 'colour=red'], /"settings\.colour" does not exist/],
  ['a setting without a value', [...words, ...made, '--set', 'colour'], /--set/],
  ['a credential that is too short', [...words, ...made, '--secret', 'accessToken=short.txt'], /accessToken: must be 8 to/],
  ['a credential of an unknown name', [...words, ...made, '--secret', 'key=token.txt'], /must be one of accessToken/],
  ['an entity that is not there', ['--entity', 'f'.repeat(32), '--name', 'other'], /no such entity/],
  ['a name without an entity', ['--name', 'other'], /--entity/],
  ['an account that is not there', [...words, '--remove'], /no account "other"/],
];

for (const [what, given, says] of faults) {
  test(`refused, and nothing is changed: ${what}`, async () => {
    const { run, settings } = await openCommand();
    const before = await settings();
    await assert.rejects(
      run(...given),
      (error: Error) => (error instanceof OperatorError || error instanceof UsageError) && says.test(error.message),
    );
    assert.deepEqual(await settings(), before);
  });
}
