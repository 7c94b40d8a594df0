import type { Language } from '../spec/answers/users.ts';
import type { DocumentChange, DocumentStore, StoredDocument } from './documents.ts';

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
  change: (user: User) => User | null | Promise<User | null>,
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
