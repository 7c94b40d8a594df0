import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { browserOf, cookieOf, createUserWithPassword, PASSWORD, signedInAs } from './userFixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-people-'));
after(() => rmSync(folder, { recursive: true }));

const stores = { memory: async () => createMemoryStore(), sqlite: () => openSqliteStore({ dataDir: folder }) } as const;
for (const [name, open] of Object.entries(stores)) {
  test(`${name}: password, code, session: the user, the rights, and sign-out`, async () => {
    const gateway = await startGateway({ store: await open() });
    await story(gateway).finally(() => gateway.close());
  });
}

async function story(gateway: TestGateway): Promise<void> {
  const { ask, user, code } = await createUserWithPassword(gateway);
  const half = await ask('POST', '/session', { email: user.email.toUpperCase(), password: PASSWORD });
  assert.deepEqual([half.status, half.body.ways, half.body.passkey], [200, ['totp'], null]);
  const whole = await ask('POST', '/session/second', { ticket: half.body.ticket, code: code() });
  assert.equal(whole.status, 200, JSON.stringify(whole.body));
  assert.match(whole.headers.get('set-cookie') ?? '', /^turnpike=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  const me = await browserOf(gateway.backOfficeUrl, cookieOf(whole), null)('GET', '/me');
  assert.equal(me.status, 200);
  assert.equal(me.body.user.email, user.email);
  assert.deepEqual(me.body.entities[0].parentId, null);
  assert.equal(me.body.gatewayUrl, gateway.url);
  const mine = browserOf(gateway.backOfficeUrl, cookieOf(whole), me.body.csrf);
  assert.equal((await mine('DELETE', '/session')).status, 200);
  assert.equal((await mine('GET', '/me')).status, 401);
}

test('a session that a test has filed is one like any other', async () => {
  const gateway = await startGateway();
  const { ask, user } = await signedInAs(gateway, { role: 'readOnly' });
  const { status, body } = await ask('GET', '/me');
  assert.deepEqual([status, body.user.id, body.grants[0].role], [200, user.id, 'readOnly']);
  await gateway.close();
});
