import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { relyingPartyOf } from '../../src/users/passkeys.ts';
import { createAuthenticator, type Manner } from '../users/authenticator.ts';
import { startGateway } from './gateway.ts';
import { browserOf, cookieOf, createUserWithPassword, PASSWORD, sessionFor } from './userFixture.ts';

/** Passkeys, for hosts that have a name. */

const gateway = await startGateway();
after(() => gateway.close());
const origin = gateway.backOfficeUrl.replace('127.0.0.1', 'localhost');
const named = { ...gateway, backOfficeUrl: origin };
const browser = browserOf(origin, null, null);

/** A signed-in user with a passkey. */
async function withPasskey() {
  const who = await createUserWithPassword(named);
  const session = await sessionFor(named, who.user);
  const passkey = createAuthenticator(origin);
  const { ticket, passkey: asked } = (await session.ask('POST', '/me/passkeys/options')).body;
  const added = await session.ask('POST', '/me/passkeys', { ticket, credential: passkey.create(asked), name: 'My phone' });
  assert.equal(added.status, 200, JSON.stringify(added.body));
  return { who, session, passkey, id: added.body.id as string };
}

type Holder = Awaited<ReturnType<typeof withPasskey>>;

async function second({ who, passkey }: Holder, manner: Manner = {}) {
  const half = await browser('POST', '/session', { email: who.user.email, password: PASSWORD });
  assert.deepEqual(half.body.ways, ['totp', 'passkey']);
  return browser('POST', '/session/second', { ticket: half.body.ticket, credential: passkey.get(half.body.passkey, manner) });
}

async function alone({ passkey }: Pick<Holder, 'passkey'>, manner: Manner = {}) {
  const { ticket, passkey: asked } = (await browser('POST', '/session/passkeyOptions')).body;
  assert.deepEqual([asked.userVerification, asked.allowCredentials], ['required', undefined]);
  return browser('POST', '/session/passkey', { ticket, credential: passkey.get(asked, manner) });
}

test('a passkey is a second factor, or both of them', async () => {
  const holder = await withPasskey();
  assert.equal((await second(holder)).status, 200);
  assert.equal((await second(holder, { isVerified: false })).status, 200, 'to have it is enough beside a password');
  const reply = await alone(holder);
  assert.equal(reply.status, 200);
  const me = await browserOf(origin, cookieOf(reply), null)('GET', '/me');
  assert.equal(me.body.user.id, holder.who.user.id);
  const { passkeys } = (await holder.session.ask('GET', '/me/passkeys')).body;
  assert.deepEqual([passkeys.length, passkeys[0].name, passkeys[0].usedAt !== null], [1, 'My phone', true]);
});

const wrong: readonly (readonly [what: string, manner: Manner])[] = [
  ['that was asked by another site', { origin: 'https://evil.example' }],
  ['to another question', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ['of a copy that counts again from the beginning', { counter: 0 }],
];
for (const [what, manner] of wrong) {
  test(`an answer ${what} is nothing`, async () => {
    const holder = await withPasskey();
    assert.equal((await second(holder)).status, 200);
    assert.equal((await second(holder, manner)).status, 401);
    assert.equal((await alone(holder, manner)).status, 401);
  });
}

test('a passkey alone must verify its user and be registered', async () => {
  const holder = await withPasskey();
  assert.equal((await alone(holder, { isVerified: false })).status, 401);
  assert.equal((await alone({ passkey: createAuthenticator(origin) })).status, 401);
});

test('an answer is good once', async () => {
  const { passkey } = await withPasskey();
  const { ticket, passkey: asked } = (await browser('POST', '/session/passkeyOptions')).body;
  const credential = passkey.get(asked);
  assert.equal((await browser('POST', '/session/passkey', { ticket, credential })).status, 200);
  assert.equal((await browser('POST', '/session/passkey', { ticket, credential })).status, 401);
});

test('five wrong answers lock as wrong passwords do', async () => {
  const holder = await withPasskey();
  for (const _ of [1, 2, 3, 4, 5]) assert.equal((await alone(holder, { isVerified: false })).status, 401);
  assert.equal((await alone(holder)).status, 401);
  gateway.pass(30 * 60_000);
  assert.equal((await alone(holder)).status, 200);
});

test('what is no answer of a passkey is refused, whatever it is', async () => {
  const { passkey } = await withPasskey();
  const { ticket, passkey: asked } = (await browser('POST', '/session/passkeyOptions')).body;
  const real = passkey.get(asked);
  const broken = [
    {},
    { id: 7 },
    { ...real, response: null },
    { ...real, response: {} },
    { ...real, rawId: 'x' },
    { ...real, type: 'x' },
    { id: '__proto__' },
  ];
  for (const credential of broken) {
    gateway.pass(60_000);
    const fresh = (await browser('POST', '/session/passkeyOptions')).body.ticket;
    assert.equal(
      (await browser('POST', '/session/passkey', { ticket: fresh, credential })).status,
      401,
      JSON.stringify(credential),
    );
  }
  assert.ok(ticket);
});

test("a step-up by a passkey: the user's own, with the user's own challenge", async () => {
  const holder = await withPasskey();
  const other = await withPasskey();
  const tired = await sessionFor(named, holder.who.user, false);
  const options = async (ask: typeof tired.ask) => (await ask('POST', '/me/stepUpOptions')).body;
  const stolen = await options(other.session.ask);
  const foreign = { ticket: stolen.ticket, credential: holder.passkey.get(stolen.passkey) };
  assert.equal((await tired.ask('POST', '/me/stepUp', foreign)).status, 403);
  const { ticket, passkey } = await options(tired.ask);
  assert.equal((await tired.ask('POST', '/me/stepUp', { ticket, credential: other.passkey.get(passkey) })).status, 403);
  assert.equal((await tired.ask('POST', '/me/passkeys/options')).status, 403);
  assert.equal((await tired.ask('POST', '/me/stepUp', { ticket, credential: holder.passkey.get(passkey) })).status, 200);
  assert.equal((await tired.ask('POST', '/me/passkeys/options')).status, 200);
});

test('a removed passkey does not work, and users remove only their own', async () => {
  const [holder, other] = [await withPasskey(), await withPasskey()];
  assert.equal((await other.session.ask('DELETE', `/me/passkeys/${holder.id}`)).status, 404);
  assert.equal((await holder.session.ask('DELETE', `/me/passkeys/${holder.id}`)).status, 200);
  assert.equal((await alone(holder)).status, 401);
});

test("a passkey of another user, or for another user's challenge, is not added", async () => {
  const [holder, other] = [await withPasskey(), await withPasskey()];
  const { ticket, passkey } = (await holder.session.ask('POST', '/me/passkeys/options')).body;
  const credential = createAuthenticator(origin).create(passkey);
  assert.equal((await other.session.ask('POST', '/me/passkeys', { ticket, credential, name: 'x' })).status, 400);
  const again = (await other.session.ask('POST', '/me/passkeys/options')).body;
  const taken = { ticket: again.ticket, credential: holder.passkey.create(again.passkey), name: 'x' };
  assert.equal((await other.session.ask('POST', '/me/passkeys', taken)).status, 400);
});

test('hosts without a name have no passkeys', async () => {
  const hosts: readonly (readonly [origin: string | null, isParty: boolean])[] = [
    ['http://localhost:8081', true],
    ['https://office.example', true],
    ['http://office.localhost:8081', true],
    ['http://office.example', false],
    ['http://127.0.0.1:8081', false],
    ['https://127.0.0.1', false],
    ['https://[::1]:8081', false],
    [null, false],
  ];
  for (const [host, isParty] of hosts) assert.equal(relyingPartyOf(host) !== null, isParty, String(host));
  const ask = browserOf(gateway.backOfficeUrl, null, null);
  const refused = await ask('POST', '/session/passkeyOptions');
  assert.equal(refused.status, 400);
  assert.match(refused.body.result.description, /localhost/);
});
