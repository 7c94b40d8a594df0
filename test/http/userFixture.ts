import { sandbox } from '../../src/merchants/sandbox.ts';
import type { RoleName } from '../../src/spec/rights.ts';
import { invitedUser } from '../../src/users/invitations.ts';
import { hashPassword } from '../../src/users/passwordRules.ts';
import { bytesOfBase32, codeAt, newSecret, proveSecret, stepAt } from '../../src/users/secondFactor.ts';
import { newSession } from '../../src/users/sessions.ts';
import { type Grant, newUserDocuments, type User } from '../../src/users/user.ts';
import { checkAnswer } from './answerSchema.ts';
import type { Reply } from './client.ts';
import type { TestGateway } from './gateway.ts';

export const PASSWORD = 'four quiet herons at dusk';

/** A browser with this session. */
export function browserOf(backOfficeUrl: string, cookie: string | null, csrf: string | null) {
  /** `path` behind /admin/v1. */
  return async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const response = await fetch(`${backOfficeUrl}/admin/v1${path}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(cookie !== null && { cookie }),
        ...(csrf !== null && { 'x-turnpike-csrf': csrf }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = (text.startsWith('{') ? JSON.parse(text) : { text }) as Reply['body'];
    checkAnswer(method, `/admin/v1${path}`, response.status, answer);
    return { status: response.status, code: answer.result?.code, id: answer.id, headers: response.headers, body: answer };
  };
}

export type TestUser = {
  /** A built-in role, or the id of a custom one; left out: operator. */
  readonly role?: RoleName | (string & {});
  /** The node of the role; left out: the top. */
  readonly entityId?: string;
  /** Instead of role and entityId. */
  readonly grants?: readonly Grant[];
  readonly email?: string;
  /** Whether the session has a recent step-up; left out: it has. */
  readonly isSteppedUp?: boolean;
};

let count = 0;

/** Stores a user without an invitation. */
export async function userOf(gateway: TestGateway, person: TestUser = {}): Promise<User> {
  const { needs } = gateway.services.users;
  count += 1;
  const { role = 'operator', entityId = sandbox.psp, email = `person${count}@shop.example` } = person;
  const grants = person.grants ?? [{ entityId, role }];
  const user: User = { ...invitedUser(needs, { email, name: 'Ann Example', grants }), state: 'active' };
  await needs.store.saveDocuments(newUserDocuments(user));
  return user;
}

/** A signed-in user, with a browser. */
export async function signedInAs(gateway: TestGateway, person: TestUser = {}) {
  return sessionFor(gateway, await userOf(gateway, person), person.isSteppedUp);
}

/** Opens a session for an existing user. */
export async function sessionFor(gateway: TestGateway, user: User, isSteppedUp = true) {
  const { needs } = gateway.services.users;
  const { token, document } = newSession(needs, user.id, { from: '127.0.0.1', agent: 'test' });
  const body = { ...document.body, steppedUpUntil: isSteppedUp ? document.body.steppedUpUntil : 0 };
  await needs.store.saveDocuments([{ ...document, body }]);
  const cookie = `${gateway.backOfficeUrl.startsWith('https:') ? '__Host-turnpike' : 'turnpike'}=${token}`;
  const csrf = (await gateway.services.users.authenticate(token))?.csrf ?? '';
  return { ask: browserOf(gateway.backOfficeUrl, cookie, csrf), cookie, csrf, token, user };
}

/** A user with a password and an app, who is not signed in; `code` is what the app shows now. */
export async function createUserWithPassword(gateway: TestGateway, person: TestUser & { readonly password?: string } = {}) {
  const { needs } = gateway.services.users;
  const user = await userOf(gateway, person);
  const { secret, sealed } = await newSecret(needs);
  const app = bytesOfBase32(secret);
  const totp = await proveSecret(needs, sealed, codeAt(app, stepAt(needs.clock.now())));
  if (!totp) throw new Error('the code of the app is not right');
  const kept = await needs.store.document('user', user.id);
  if (!kept) throw new Error('the user is not there');
  const passwords = [await hashPassword(needs, person.password ?? PASSWORD)];
  const settled: User = { ...user, passwords, totp: { ...totp, lastStep: 0 } };
  await needs.store.saveDocuments([{ ...kept, revision: kept.revision + 1, body: settled }]);
  const ask = browserOf(gateway.backOfficeUrl, null, null);
  return {
    user: settled,
    secret,
    ask,
    /** The code of so many steps from now. */
    code: (steps = 0) => codeAt(app, stepAt(needs.clock.now()) + steps),
  };
}

/** The session cookie of a reply, as a browser sends it back. */
export const cookieOf = (reply: Reply): string => (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
