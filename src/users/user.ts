import type { Language } from '../spec/answers/users.ts';
import { type Right, type RoleName, rights, roles } from '../spec/rights.ts';
import type { DocumentChange, DocumentStore, StoredDocument } from './documents.ts';
import type { UserNeeds } from './ports.ts';
import type { SignedInUser } from './service.ts';

/** A role of a user at a node: the name of a built-in role, or the id of a custom one. */
export type Grant = { readonly entityId: string; readonly role: string };

export type Passkey = {
  readonly id: string;
  readonly name: string;
  /** The authenticator's id, in base64url. */
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: number;
  readonly usedAt: number | null;
};

/** A user of the back office. */
export type User = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** `invited`: has chosen no password yet. */
  readonly state: 'invited' | 'active' | 'disabled';
  /** Hashes of the user's passwords, the present one first. */
  readonly passwords: readonly string[];
  readonly passwordAt: number | null;
  /** The sealed secret of the authenticator app, and the last step whose code was used. */
  readonly totp: { readonly secretId: string; readonly lastStep: number } | null;
  readonly passkeys: readonly Passkey[];
  readonly grants: readonly Grant[];
  readonly language: Language | null;
  readonly theme: 'light' | 'dark' | null;
  readonly createdAt: number;
  readonly signedInAt: number | null;
};

export type UserDocument = StoredDocument<User>;

const [USER, EMAIL] = ['user', 'email'];
/** Attempts before a concurrently changed user is given up. */
const TRIES_MAX = 8;
const PORTION = 200;

/** The normalised address: two users never share one. */
export const plainEmail = (email: string): string => email.normalize('NFKC').toLowerCase();

export const userDocument = async (store: DocumentStore, id: string): Promise<UserDocument | null> =>
  (await store.document(USER, id)) as UserDocument | null;

/** The user of an address. An unknown address costs the same reads. */
export async function userByEmail(store: DocumentStore, email: string): Promise<UserDocument | null> {
  const found = await store.document(EMAIL, plainEmail(email));
  return userDocument(store, found?.ownerId ?? '');
}

/** The documents of a new user: the user, and the reservation of the address. */
export const newUserDocuments = (user: User): readonly StoredDocument[] => [
  { collection: USER, id: user.id, ownerId: '', at: user.createdAt, revision: 1, body: user },
  { collection: EMAIL, id: plainEmail(user.email), ownerId: user.id, at: user.createdAt, revision: 1, body: {} },
];

export const reviseUser = (document: UserDocument, user: User): UserDocument => ({
  ...document,
  revision: document.revision + 1,
  body: user,
});

/**
 * Changes the current state of a user, with other documents in the same commit. Returns null when there is no such user, or when
 * `change` or `also` returns null.
 */
export async function changeUser(
  store: DocumentStore,
  id: string,
  change: (user: User) => Promise<User | null>,
  also: () => Promise<readonly DocumentChange[] | null> = async () => [],
): Promise<User | null> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const document = await userDocument(store, id);
    const user = document && (await change(document.body));
    const others = user && (await also());
    if (!document || !user || !others) return null;
    if (user === document.body && others.length === 0) return user;
    if (await store.saveDocuments([reviseUser(document, user), ...others])) return user;
  }
  return null;
}

/** All users, in the order of their creation. There are few. */
export async function allUsers(store: DocumentStore): Promise<readonly User[]> {
  const users: User[] = [];
  for (let before: { readonly at: number; readonly id: string } | undefined; ; ) {
    const documents = (await store.documents({
      collection: USER,
      ownerId: '',
      limit: PORTION,
      ...(before && { before }),
    })) as UserDocument[];
    users.push(...documents.map(({ body }) => body));
    before = documents.at(-1);
    if (documents.length < PORTION) return users.reverse();
  }
}

export async function hasUsers(store: DocumentStore): Promise<boolean> {
  return (await store.documents({ collection: USER, ownerId: '', limit: 1 })).length > 0;
}

/** A custom role: a set of rights for a node and everything below it. */
export type Role = { readonly id: string; readonly entityId: string; readonly name: string; readonly rights: readonly Right[] };

export type RoleDocument = StoredDocument<Role>;

/** The rights of each grant, at its node and below. */
export type HeldRights = readonly { readonly entityId: string; readonly role: string; readonly rights: readonly Right[] }[];

export const ROLE_COLLECTION = 'role';

const isRoleName = (role: string): role is RoleName => Object.hasOwn(roles, role);
const isRight = (right: string): right is Right => Object.hasOwn(rights, right);

export const roleDocument = async (store: DocumentStore, id: string): Promise<RoleDocument | null> =>
  (await store.document(ROLE_COLLECTION, id)) as RoleDocument | null;

type ReadNeeds = Pick<UserNeeds, 'store' | 'directory'>;

/** The rights of a role at a node; null when the role does not exist there. A custom role exists at its node and below. */
export async function rightsOfRole({ store, directory }: ReadNeeds, { entityId, role }: Grant): Promise<readonly Right[] | null> {
  if (isRoleName(role)) return roles[role].rights;
  const custom = (await roleDocument(store, role))?.body;
  const isThere = custom !== undefined && (directory.entity(entityId)?.path.includes(custom.entityId) ?? false);
  return isThere ? custom.rights.filter(isRight) : null;
}

/** The rights of grants. A grant of a deleted role has none. */
export const rightsByGrant = (needs: ReadNeeds, grants: readonly Grant[]): Promise<HeldRights> =>
  Promise.all(grants.map(async (grant) => ({ ...grant, rights: (await rightsOfRole(needs, grant)) ?? [] })));

/** A user who grants or revokes: the rights at a path, which is a node with its parents. */
export type Grantor = { readonly who: string; readonly may: (right: Right, path: readonly string[]) => boolean };

/** A signed-in user has the rights of the roles; the operator's token has all rights. */
export const grantorOf = (who: string, signed: SignedInUser | undefined): Grantor => ({
  who,
  may: (right, path) => (signed ? signed.nodesWith(right).some((node) => path.includes(node)) : true),
});

/** The requester of an approved action, with the present rights; null: the user can no longer sign in. */
export async function requesterOf(needs: ReadNeeds, who: string): Promise<Grantor | null> {
  if (who === 'operator') return grantorOf(who, undefined);
  const user = (await userDocument(needs.store, who))?.body;
  if (user?.state !== 'active') return null;
  const held = await rightsByGrant(needs, user.grants);
  const may: Grantor['may'] = (right, path) =>
    held.some(({ entityId, rights }) => rights.includes(right) && path.includes(entityId));
  return { who, may };
}

export const pathOf = ({ directory }: Pick<UserNeeds, 'directory'>, entityId: string): readonly string[] =>
  directory.entity(entityId)?.path ?? [entityId];

/** A user can only grant rights of its own, at nodes of its own. */
export const mayGrant = (giver: Grantor, rights: readonly Right[], path: readonly string[]): boolean =>
  giver.may('users', path) && rights.every((right) => giver.may(right, path));

/** A user can only revoke what it could grant. A deleted role has no rights. */
export async function mayChangeGrant(needs: ReadNeeds, giver: Grantor, grant: Grant): Promise<boolean> {
  return mayGrant(giver, (await rightsOfRole(needs, grant)) ?? [], pathOf(needs, grant.entityId));
}

/** Whether the grantor has all rights of the user: only then can it lock the user or issue a link. */
export async function mayManage(needs: ReadNeeds, giver: Grantor, { grants }: Pick<User, 'grants'>): Promise<boolean> {
  const each = await Promise.all(grants.map((grant) => mayChangeGrant(needs, giver, grant)));
  return grants.length > 0 && each.every(Boolean);
}
