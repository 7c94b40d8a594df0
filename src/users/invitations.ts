import type { Enrolment, Invitation } from '../spec/answers/users.ts';
import { HOUR_MS } from '../spec/time.ts';
import type { DocumentChange, StoredDocument } from './documents.ts';
import { clearFailures } from './failedAttempts.ts';
import { deletedPasskey } from './passkeys.ts';
import { hashPassword, newPasswordFault, passwordHistory } from './passwordRules.ts';
import { freshToken, type UserNeeds } from './ports.ts';
import { dropSecret, newSecret, proveSecret, totpUri } from './secondFactor.ts';
import { type ClientInfo, endSessions, newSession } from './sessions.ts';
import type { SignInResult } from './signIn.ts';
import { attemptTicket, type ChosenCredentials, issueTicket, withTicketUse } from './tickets.ts';
import { type Grant, hasUsers, newUserDocuments, reviseUser, type User, userByEmail, userDocument } from './user.ts';

/** The lifetime of a link. */
export const INVITATION_MS = 72 * HOUR_MS;
/** The link of the first administrator is valid until it is used or the next one is printed. */
const NEVER = 8_640_000_000_000_000;
const COLLECTION = 'invitation';
const FIRST = 'first';
const ISSUER = 'Turnpike';
const PORTION = 200;

type FoundInvitation = { readonly document: StoredDocument; readonly isFirst: boolean; readonly user: User | null };

const deleted = ({ collection, id, revision }: StoredDocument): DocumentChange => ({ collection, id, revision, isDeleted: true });

const linksOf = ({ store }: UserNeeds, userId: string): Promise<readonly StoredDocument[]> =>
  store.documents({ collection: COLLECTION, ownerId: userId, limit: PORTION });

/** A new invitation link of a user, not saved yet. It replaces earlier ones. */
export async function newInvitation(needs: UserNeeds, userId: string) {
  const token = freshToken(needs);
  const until = needs.clock.now() + INVITATION_MS;
  const earlier = await linksOf(needs, userId);
  const id = linkIdOf(needs, token);
  const document: StoredDocument = { collection: COLLECTION, id, ownerId: userId, at: until, revision: 1, body: {} };
  return { token, until, changes: [...earlier.map(deleted), document] };
}

/** The link of the first administrator, while there are no users; null otherwise. It replaces an earlier one. */
export async function firstInvitation(needs: UserNeeds): Promise<string | null> {
  if (await hasUsers(needs.store)) return null;
  const token = freshToken(needs);
  const before = await needs.store.document(FIRST, FIRST);
  const body = { linkId: linkIdOf(needs, token) };
  const revision = (before?.revision ?? 0) + 1;
  // Two nodes that start together print two links, and one of them is valid.
  const isSaved = await needs.store.saveDocuments([{ collection: FIRST, id: FIRST, ownerId: '', at: NEVER, revision, body }]);
  return isSaved ? token : null;
}

/** The id of a link: a keyed hash. The token itself is never stored. */
const linkIdOf = ({ vault }: UserNeeds, token: string): string => vault.digest(COLLECTION, token);

async function find({ store, clock }: UserNeeds, linkId: string): Promise<FoundInvitation | null> {
  const first = await store.document(FIRST, FIRST);
  if (first && (first.body as { readonly linkId: string }).linkId === linkId) {
    return (await hasUsers(store)) ? null : { document: first, isFirst: true, user: null };
  }
  const document = await store.document(COLLECTION, linkId);
  const user = document && clock.now() < document.at ? (await userDocument(store, document.ownerId))?.body : undefined;
  return document && user && user.state !== 'disabled' ? { document, isFirst: false, user } : null;
}

/** Whom a link is for; null when it is none, or not any more. */
export async function readInvitation(needs: UserNeeds, token: string): Promise<Invitation | null> {
  const found = await find(needs, linkIdOf(needs, token));
  if (!found) return null;
  const { user } = found;
  return { email: user?.email ?? null, name: user?.name ?? null, isReset: user?.state === 'active' };
}

export type InvitationAcceptance = {
  readonly token: string;
  readonly name: string;
  readonly email?: string;
  readonly password: string;
};

export type Acceptance =
  | { readonly ok: true; readonly enrolment: Enrolment }
  | { readonly ok: false; readonly field: 'email' | 'password'; readonly message: string };

/** Stores the chosen password and a secret for the app. Both become valid with the first code. Null: the link is not valid. */
export async function acceptInvitation(needs: UserNeeds, asked: InvitationAcceptance): Promise<Acceptance | null> {
  const linkId = linkIdOf(needs, asked.token);
  const found = await find(needs, linkId);
  if (!found) return null;
  const email = found.user?.email ?? asked.email;
  if (email === undefined) return { ok: false, field: 'email', message: 'may not be empty' };
  const message = await newPasswordFault(needs, asked.password, {
    email,
    name: asked.name,
    passwords: found.user?.passwords ?? [],
  });
  if (message !== null) return { ok: false, field: 'password', message };
  const { secret, sealed } = await newSecret(needs);
  const chosen: ChosenCredentials = {
    email: found.isFirst ? email : null,
    name: asked.name,
    hash: await hashPassword(needs, asked.password),
  };
  const ticket = await issueTicket(needs, { for: 'invitation', linkId, sealed, chosen });
  return { ok: true, enrolment: { ticket, secret, uri: totpUri(secret, email, ISSUER) } };
}

/** A gateway has one top node, or a few. */
const TOPS_MAX = 1_000;

/** The grants of the first administrator: every top node. Creates a first node where there is none. */
export async function topGrants({ store, ids, directory }: UserNeeds): Promise<readonly Grant[]> {
  const tops = await store.entitiesBelow(null, null, TOPS_MAX);
  if (tops.length > 0) return tops.map(({ row }) => ({ entityId: row.id, role: 'operator' }));
  const id = ids.random();
  await store.insertAccounts({ entities: [{ id, kind: 'psp', parentId: null, name: 'Turnpike', settings: {} }], tokens: [] });
  await directory.reload();
  return [{ entityId: id, role: 'operator' }];
}

const emptyUser = (needs: UserNeeds, email: string): User => ({
  id: needs.ids.next(),
  email,
  name: '',
  state: 'invited',
  passwords: [],
  passwordAt: null,
  totp: null,
  passkeys: [],
  grants: [],
  language: null,
  theme: null,
  createdAt: needs.clock.now(),
  signedInAt: null,
});

/** An invited user, with a name and roles only. */
export const invitedUser = (needs: UserNeeds, about: Pick<User, 'email' | 'name' | 'grants'>): User => ({
  ...emptyUser(needs, about.email),
  ...about,
});

/** The user with the chosen credentials. Earlier passkeys and authenticator apps may be lost, so they are removed. */
const withCredentials = (needs: UserNeeds, user: User, { name, hash }: ChosenCredentials, totp: User['totp']): User => {
  const now = needs.clock.now();
  const passwords = passwordHistory(hash, user.passwords);
  return { ...user, name, state: 'active', passwords, passwordAt: now, totp, passkeys: [], signedInAt: now };
};

/** Activates the password and the app with a first code, and opens a session. */
export async function finishInvitation(
  needs: UserNeeds,
  asked: { readonly ticket: string; readonly code: string },
  from: ClientInfo,
): Promise<SignInResult> {
  const tried = await attemptTicket(needs, asked.ticket, 'invitation');
  const found = tried && (await find(needs, tried.ticket.linkId));
  if (!tried || !found) return { ok: false, refused: 'over', userId: null };
  const { chosen, sealed } = tried.ticket;
  const before = found.user && (await userDocument(needs.store, found.user.id));
  const totp = await proveSecret(needs, sealed, asked.code);
  if (!totp) return { ok: false, refused: 'wrong', userId: found.user?.id ?? null };
  const started = before?.body ?? { ...emptyUser(needs, chosen.email ?? ''), grants: await topGrants(needs) };
  const user = withCredentials(needs, started, chosen, totp);
  const opened = newSession(needs, user.id, from);
  const own = before ? [reviseUser(before, user), ...started.passkeys.map(deletedPasskey)] : newUserDocuments(user);
  // Two links that were created concurrently are both valid until one of them is used.
  const links = before ? await linksOf(needs, before.id) : [found.document];
  const changes = await withTicketUse(tried, ...links.map(deleted), opened.document);
  const isNamed = links.some(({ id }) => id === found.document.id);
  if (!changes || !isNamed || !(await needs.store.saveDocuments([...own, ...changes]))) {
    await dropSecret(needs, totp);
    return { ok: false, refused: 'over', userId: null };
  }
  await endSessions(needs, user.id, opened.document.body.id);
  await dropSecret(needs, started.totp);
  await clearFailures(needs, user.email);
  return { ok: true, ...opened, user };
}

/** Whether a new user can have the address. The address of a user without roles is free. */
export async function isEmailFree(needs: UserNeeds, email: string): Promise<boolean> {
  const user = (await userByEmail(needs.store, email))?.body;
  return user === undefined || user.grants.length === 0;
}

export const deleteExpiredInvitations = ({ store, clock }: UserNeeds): Promise<number> =>
  store.deleteDocuments(COLLECTION, clock.now());
