import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { firstInvitation } from '../../src/users/invitations.ts';
import { bytesOfBase32, codeAt, stepAt } from '../../src/users/secondFactor.ts';
import { DEMO, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { browserOf, cookieOf, createUserWithPassword, PASSWORD, sessionFor, signedInAs, userOf } from './userFixture.ts';

/** Invitations: rights to invite, and links. */

const gateway = await startGateway();
after(() => gateway.close());
const HOUR = 3_600_000;
const ask = browserOf(gateway.backOfficeUrl, null, null);
const tokenIn = (link: string): string => link.split('#')[1] ?? '';

/** Follows a link to its end. */
async function follow(where: TestGateway, token: string, more: object = {}): Promise<Reply> {
  const browser = browserOf(where.backOfficeUrl, null, null);
  const accepted = await browser('POST', '/invitations/accept', { token, name: 'Ann Example', password: PASSWORD, ...more });
  if (accepted.status !== 200) return accepted;
  const { ticket, secret } = accepted.body;
  const code = codeAt(bytesOfBase32(secret), stepAt(where.services.users.needs.clock.now()));
  return browser('POST', '/invitations/finish', { ticket, code });
}

test('the first administrator comes by the link of the terminal, once, and runs everything', async () => {
  const fresh = await startGateway();
  const { needs } = fresh.services.users;
  const [older, token] = [await firstInvitation(needs), await firstInvitation(needs)];
  assert.ok(older && token);
  const browser = browserOf(fresh.backOfficeUrl, null, null);
  assert.equal((await browser('POST', '/invitations/read', { token: older })).status, 404, 'the next start makes another');
  assert.deepEqual((await browser('POST', '/invitations/read', { token })).body, { email: null, name: null, isReset: false });
  assert.deepEqual((await follow(fresh, token)).body.result.parameterErrors[0].name, 'email');
  assert.equal(
    (await follow(fresh, token, { email: 'a@b.example', password: 'short' })).body.result.parameterErrors[0].name,
    'password',
  );
  fresh.pass(500 * HOUR);
  const email = 'First@Shop.Example';
  const both = await Promise.all([follow(fresh, token, { email }), follow(fresh, token, { email: 'second@shop.example' })]);
  const [welcome] = both.filter(({ status }) => status === 200);
  assert.equal(both.filter(({ status }) => status === 200).length, 1, 'of two who follow it one is the first');
  const me = await browserOf(fresh.backOfficeUrl, cookieOf(welcome ?? assert.fail()), null)('GET', '/me');
  assert.deepEqual(
    me.body.grants.map(({ entityId, role }: { entityId: string; role: string }) => [entityId, role]),
    [[sandbox.psp, 'operator']],
  );
  assert.equal((await browser('POST', '/invitations/read', { token })).status, 404);
  assert.equal(await firstInvitation(needs), null, 'no link is printed any more');
  await fresh.close();
});

test('in an installation without any entity the first administrator gets one to begin with', async () => {
  const { createMemoryStore } = await import('../../src/store/memory/memoryStore.ts');
  const store = createMemoryStore();
  const fresh = await startGateway({
    store: { ...store, insertAccounts: async (rows) => (rows.tokens.length > 0 ? 0 : store.insertAccounts(rows)) },
  });
  const token = (await firstInvitation(fresh.services.users.needs)) ?? assert.fail();
  const welcome = await follow(fresh, token, { email: 'first@shop.example' });
  const me = await browserOf(fresh.backOfficeUrl, cookieOf(welcome), null)('GET', '/me');
  assert.deepEqual([me.body.entities.length, me.body.entities[0].kind], [1, 'psp']);
  await fresh.close();
});

test('an invitation is valid for 72 hours and once; its user chooses a password and is signed in', async () => {
  const { ask: invite } = await signedInAs(gateway, { role: 'administrator', entityId: DEMO.merchantId });
  const asked = { entityId: DEMO.merchantId, email: 'new@shop.example', name: 'Ann Example', role: 'support' };
  const { status, body } = await invite('POST', '/users', asked);
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(body.link, new RegExp(`^${gateway.backOfficeUrl}/welcome#[\\w-]{43}$`));
  assert.deepEqual([body.user.state, body.user.grants], ['invited', [{ entityId: DEMO.merchantId, role: 'support' }]]);
  const token = tokenIn(body.link);
  gateway.pass(72 * HOUR - 10_000);
  assert.deepEqual((await ask('POST', '/invitations/read', { token })).body, {
    email: asked.email,
    name: asked.name,
    isReset: false,
  });
  const welcome = await follow(gateway, token);
  assert.equal(welcome.status, 200, JSON.stringify(welcome.body));
  assert.equal((await follow(gateway, token)).status, 404, 'twice');
  const me = await browserOf(gateway.backOfficeUrl, cookieOf(welcome), null)('GET', '/me');
  assert.deepEqual([me.body.user.email, me.body.user.hasTotp, me.body.grants[0].role], [asked.email, true, 'support']);
  const late = await signedInAs(gateway);
  const other = await late.ask('POST', '/users', { ...asked, email: 'late@shop.example' });
  gateway.pass(72 * HOUR);
  assert.equal((await ask('POST', '/invitations/read', { token: tokenIn(other.body.link) })).status, 404);
});

test('an address is one user’s, however it is written; a link that is sent again replaces the one before', async () => {
  const { ask: invite } = await signedInAs(gateway);
  const asked = { entityId: DEMO.merchantId, email: 'twice@shop.example', name: 'Ann Example', role: 'support' };
  const first = await invite('POST', '/users', asked);
  const again = await invite('POST', '/users', { ...asked, email: 'TWICE@shop.example' });
  assert.deepEqual([again.status, again.body.result.parameterErrors[0].name], [400, 'email']);
  const second = await invite('POST', `/users/${first.body.user.id}/reset`, { entityId: DEMO.merchantId });
  assert.equal((await follow(gateway, tokenIn(first.body.link))).status, 404);
  assert.equal((await follow(gateway, tokenIn(second.body.link))).status, 200);
});

test('a reset restores access, ends sessions and lock, and revokes the old app and password', async () => {
  const who = await createUserWithPassword(gateway, { role: 'finance', entityId: DEMO.merchantId });
  const session = await sessionFor(gateway, who.user);
  for (const _ of [1, 2, 3, 4, 5]) await who.ask('POST', '/session', { email: who.user.email, password: 'x' });
  const admin = await signedInAs(gateway, { role: 'administrator', entityId: DEMO.merchantId });
  const seen = await admin.ask('GET', `/users/${who.user.id}?entityId=${DEMO.merchantId}`);
  assert.ok(Date.parse(seen.body.lockedUntil) > 0);
  const { body } = await admin.ask('POST', `/users/${who.user.id}/reset`, { entityId: DEMO.merchantId });
  const used = await follow(gateway, tokenIn(body.link));
  assert.equal(used.body.result.parameterErrors[0].message, 'must be none of the last 4');
  const welcome = await follow(gateway, tokenIn(body.link), { password: 'nine slow barges upriver' });
  assert.equal(welcome.status, 200);
  assert.equal((await session.ask('GET', '/me')).status, 401);
  const half = await ask('POST', '/session', { email: who.user.email, password: 'nine slow barges upriver' });
  assert.equal(half.status, 200, 'the lock is gone');
  assert.equal((await ask('POST', '/session/second', { ticket: half.body.ticket, code: who.code() })).status, 401, 'the old app');
});

test("a user cannot grant, revoke, reset or disable more than the user's own rights", async () => {
  const admin = await signedInAs(gateway, { role: 'administrator', entityId: DEMO.merchantId });
  const operator = await userOf(gateway, { grants: [{ entityId: DEMO.merchantId, role: 'operator' }] });
  const both = await userOf(gateway, {
    grants: [
      { entityId: DEMO.merchantId, role: 'readOnly' },
      { entityId: sandbox.otherShop.merchantId, role: 'readOnly' },
    ],
  });
  const here = { entityId: DEMO.merchantId };
  const invited = { ...here, email: 'op@shop.example', name: 'Ann Example', role: 'operator' };
  const tries: readonly (readonly [path: string, body: object, status: number])[] = [
    ['/users', invited, 403],
    ['/users', { ...invited, entityId: sandbox.division, role: 'readOnly' }, 404],
    ['/users', { ...invited, role: 'f'.repeat(32) }, 400],
    [`/users/${operator.id}`, { ...here, grants: [] }, 403],
    [`/users/${operator.id}`, { ...here, state: 'disabled' }, 403],
    [`/users/${operator.id}/reset`, here, 403],
    [`/users/${operator.id}/endSessions`, here, 403],
    [`/users/${admin.user.id}`, { ...here, grants: [{ ...here, role: 'operator' }] }, 403],
    [`/users/${both.id}`, { ...here, state: 'disabled' }, 403],
    [`/users/${both.id}/reset`, here, 403],
    [`/users/${both.id}`, { ...here, grants: [{ entityId: sandbox.otherShop.merchantId, role: 'readOnly' }] }, 400],
    [`/users/${both.id}`, { ...here, grants: [] }, 200],
    [`/users/${both.id}`, { ...here, grants: [] }, 404],
    ['/roles', { ...here, name: 'All', rights: ['readPayments', 'entities'] }, 403],
    ['/roles', { ...here, name: 'Some', rights: ['readPayments', 'refund'] }, 200],
  ];
  for (const [path, body, status] of tries) {
    const reply = await admin.ask('POST', path, body);
    assert.equal(reply.status, status, `${path} ${JSON.stringify(body)}: ${JSON.stringify(reply.body)}`);
  }
  const seen = await admin.ask('GET', `/users?entityId=${DEMO.merchantId}&limit=200`);
  assert.ok(
    seen.body.users.every(({ id }: { id: string }) => id !== both.id),
    'who has no role here any more is not seen',
  );
  const manageable = new Map(seen.body.users.map((user: { id: string; isManageable: boolean }) => [user.id, user.isManageable]));
  assert.deepEqual([manageable.get(operator.id), manageable.get(admin.user.id)], [false, true]);
});

test('a disabled user is signed out at once, and can sign in again when enabled', async () => {
  const operator = await signedInAs(gateway);
  const who = await createUserWithPassword(gateway, { role: 'support', entityId: DEMO.merchantId });
  const session = await sessionFor(gateway, who.user);
  const change = (state: string) => operator.ask('POST', `/users/${who.user.id}`, { entityId: DEMO.merchantId, state });
  assert.equal((await change('disabled')).status, 200);
  assert.equal((await session.ask('GET', '/me')).status, 401);
  assert.equal((await who.ask('POST', '/session', { email: who.user.email, password: PASSWORD })).status, 401);
  assert.equal((await operator.ask('POST', `/users/${who.user.id}/reset`, { entityId: DEMO.merchantId })).status, 400);
  assert.equal((await change('active')).status, 200);
  assert.equal((await who.ask('POST', '/session', { email: who.user.email, password: PASSWORD })).status, 200);
});

test('rights that change count from the next request on; a role that was made is one like any other', async () => {
  const operator = await signedInAs(gateway);
  const role = { entityId: sandbox.division, name: 'Night shift', rights: ['readPayments'] };
  const made = await operator.ask('POST', '/roles', role);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  assert.equal((await operator.ask('POST', '/roles', { ...role, name: 'night SHIFT' })).status, 400, 'the name is taken');
  const { ask: night } = await signedInAs(gateway, { role: made.body.id, entityId: DEMO.merchantId });
  const webhooks = () => night('GET', `/webhooks?entityId=${DEMO.merchantId}`);
  assert.equal((await webhooks()).status, 403);
  const rights = ['readPayments', 'readWebhooks'];
  assert.equal((await operator.ask('POST', `/roles/${made.body.id}`, { rights })).status, 200);
  assert.equal((await webhooks()).status, 200);
  assert.equal((await operator.ask('DELETE', `/roles/${made.body.id}`)).status, 400, 'somebody has it');
  const seen = (await operator.ask('GET', `/roles?entityId=${DEMO.merchantId}`)).body.roles as {
    id: string;
    isGivable: boolean;
  }[];
  assert.ok(seen.some(({ id, isGivable }) => id === made.body.id && isGivable));
  assert.equal((await operator.ask('GET', `/roles?entityId=${sandbox.psp}`)).body.roles.length, 6, 'above its node it is none');
});

test('the last operator cannot be lost', async () => {
  const fresh = await startGateway();
  const one = await signedInAs(fresh);
  const [here, itself] = [{ entityId: sandbox.psp }, `/users/${one.user.id}`];
  const last = await one.ask('POST', itself, { ...here, state: 'disabled' });
  assert.match(last.body.result.parameterErrors[0].message, /last operator/);
  const finance = { ...here, grants: [{ ...here, role: 'finance' }] };
  assert.equal((await one.ask('POST', itself, finance)).status, 400);
  await userOf(fresh);
  assert.equal((await one.ask('POST', itself, finance)).status, 200);
  await fresh.close();
});

test('users change their own name, language and colours, and set up another app', async () => {
  const who = await createUserWithPassword(gateway);
  const { ask: mine } = await sessionFor(gateway, who.user);
  const changed = await mine('POST', '/me', { name: 'Ann Other Example', language: 'de', theme: 'dark' });
  assert.deepEqual([changed.body.name, changed.body.language, changed.body.theme], ['Ann Other Example', 'de', 'dark']);
  assert.equal((await mine('POST', '/me', { language: 'auto' })).body.language, null);
  assert.equal((await mine('POST', '/me', { email: 'x@y.example' })).status, 400, 'the address is not his to change');
  const { ticket, secret } = (await mine('POST', '/me/totp')).body;
  const { needs } = gateway.services.users;
  assert.equal((await mine('POST', '/me/totp/finish', { ticket, code: '000000' })).status, 400);
  const code = codeAt(bytesOfBase32(secret), stepAt(needs.clock.now()));
  assert.equal((await mine('POST', '/me/totp/finish', { ticket, code })).status, 200);
  const half = await ask('POST', '/session', { email: who.user.email, password: PASSWORD });
  assert.equal((await ask('POST', '/session/second', { ticket: half.body.ticket, code: who.code() })).status, 401, 'the old app');
  gateway.pass(30_000);
  const next = codeAt(bytesOfBase32(secret), stepAt(needs.clock.now()));
  assert.equal((await ask('POST', '/session/second', { ticket: half.body.ticket, code: next })).status, 200);
});

test('what is over is thrown away', async () => {
  const { ask: mine } = await signedInAs(gateway);
  await mine('POST', '/me/totp');
  const { store } = gateway.services.users.needs;
  gateway.pass(100 * HOUR);
  await gateway.work('delete expired sessions');
  const left = await Promise.all(
    ['session', 'ticket', 'invitation', 'tries'].map((collection) => store.deleteDocuments(collection, Number.MAX_SAFE_INTEGER)),
  );
  assert.deepEqual(left, [0, 0, 0, 0]);
});
