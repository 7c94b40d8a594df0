import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MASTER_KEY, startGateway } from '../../../test/http/gateway.ts';
import { browserOf, createUserWithPassword } from '../../../test/http/userFixture.ts';
import { OperatorError } from '../../app/operatorError.ts';
import type { Config } from '../../config/config.ts';
import { createMemoryStore } from '../../store/memory/memoryStore.ts';
import { localMaster } from '../../vault/masterKey.ts';
import { openVault } from '../../vault/vault.ts';
import { type Context, UsageError } from '../command.ts';
import { users } from './users.ts';

const store = createMemoryStore();
const gateway = await startGateway({ store });
after(() => gateway.close());
const { clock, ids } = gateway.services.users.needs;
const masters = [localMaster(MASTER_KEY)] as const;

async function run(line: string, backOfficePort: number | null = 8081) {
  const [output, errors]: [string[], string[]] = [[], []];
  const context = {
    config: () => ({ host: '127.0.0.1', tls: null, publicUrl: null, backOfficePort }) as Config,
    store: async () => store,
    vault: () => openVault({ masters, store, now: clock.now }),
    clock,
    ids,
    print: (text: string) => output.push(text),
    printError: (text: string) => errors.push(text),
  } as unknown as Context;
  assert.equal(await users(line.split(' ').filter(Boolean), context), 0);
  return { output, errors };
}

const ask = browserOf(gateway.backOfficeUrl, null, null);
const invitationOf = async (link: string | undefined) =>
  (await ask('POST', '/invitations/read', { token: link?.split('#')[1] })).body;

test('an operator is invited at the machine, and listed', async () => {
  const { output, errors } = await run('invite-operator --email ops@shop.example --name Ann');
  assert.match(output[0] ?? '', /^http:\/\/127\.0\.0\.1:8081\/welcome#[\w-]{43}$/);
  assert.match(errors.join(), /good until .* UTC; it is not shown again.*"First administrator" .* is no longer good/);
  assert.deepEqual(await invitationOf(output[0]), { email: 'ops@shop.example', name: 'Ann', isReset: false });
  const listed = await run('list');
  assert.match(listed.output.join('\n'), /^ops@shop\.example {2}Ann {3}invited .* operator at Sandbox$/m);
  await assert.rejects(run('invite-operator --email OPS@shop.example'), OperatorError, 'twice');
  assert.doesNotMatch((await run('invite-operator --email second@shop.example')).errors.join(), /First administrator/);
});

test('who is locked or disabled is let in again', async () => {
  const who = await createUserWithPassword(gateway);
  for (const _ of [1, 2, 3, 4, 5]) await ask('POST', '/session', { email: who.user.email, password: 'x' });
  assert.match((await run('list')).output.join('\n'), new RegExp(`^${who.user.email} .* active +\\d{4}-\\d\\d-\\d\\dT`, 'm'));
  const document = (await store.document('user', who.user.id)) ?? assert.fail();
  await store.saveDocuments([
    { ...document, revision: document.revision + 1, body: { ...(document.body as object), state: 'disabled' } },
  ]);
  const { output } = await run(`reset --email ${who.user.email}`);
  assert.equal((await invitationOf(output[0])).isReset, true);
  assert.match((await run('list')).output.join('\n'), new RegExp(`^${who.user.email} .* active +- `, 'm'));
});

const wrong: readonly (readonly [line: string, error: typeof OperatorError | typeof UsageError])[] = [
  ['remove', UsageError],
  ['list --email x@y.example', UsageError],
  ['reset', UsageError],
  ['reset --email nobody@shop.example', OperatorError],
  ['invite-operator --email nobody', OperatorError],
];
for (const [line, error] of wrong) test(`users ${line} is refused`, () => assert.rejects(run(line), error));

test('without pages there is no link to follow', async () => {
  await assert.rejects(run('invite-operator --email late@shop.example', null), /BACKOFFICE_PORT/);
  assert.doesNotMatch((await run('list')).output.join(), /late@/, 'and nobody to follow it');
});
