import type { Language } from '../spec/answers/users.ts';
import type { CabinetStore, Paper, PaperChange } from './documents.ts';

/** Where somebody has a role: the name of one that is always there, or the id of one that was made. */
export type Grant = { readonly entityId: string; readonly role: string };

export type Passkey = {
  readonly id: string;
  readonly name: string;
  /** As the authenticator names it, in base64url. */
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: number;
  readonly usedAt: number | null;
};

/** Somebody who works in the back office. */
export type User = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** `invited`: has chosen no password yet. */
  readonly state: 'invited' | 'active' | 'disabled';
  /** Hashes of the passwords he had, the present one first. */
  readonly passwords: readonly string[];
  readonly passwordAt: number | null;
  /** Where his app's secret is sealed, and the last step whose code he has used. */
  readonly totp: { readonly secretId: string; readonly lastStep: number } | null;
  readonly passkeys: readonly Passkey[];
  readonly grants: readonly Grant[];
  readonly language: Language | null;
  readonly theme: 'light' | 'dark' | null;
  readonly createdAt: number;
  readonly signedInAt: number | null;
};

export type UserPaper = Paper<User>;

const [USER, EMAIL] = ['user', 'email'];
/** As often as somebody else may be faster. */
const TRIES_MAX = 8;
const PORTION = 200;

/** As one address is told from another: two users never share one. */
export const plainEmail = (email: string): string => email.normalize('NFKC').toLowerCase();

export const userPaper = async (store: CabinetStore, id: string): Promise<UserPaper | null> =>
  (await store.paper(USER, id)) as UserPaper | null;

/** Whoever has an address; nobody is looked for as thoroughly as somebody. */
export async function userByEmail(store: CabinetStore, email: string): Promise<UserPaper | null> {
  const found = await store.paper(EMAIL, plainEmail(email));
  return userPaper(store, found?.ownerId ?? '');
}

/** Papers of a new user: himself, and what keeps his address his own. */
export const newUserPapers = (user: User): readonly Paper[] => [
  { drawer: USER, id: user.id, ownerId: '', at: user.createdAt, revision: 1, body: user },
  { drawer: EMAIL, id: plainEmail(user.email), ownerId: user.id, at: user.createdAt, revision: 1, body: {} },
];

export const movedUser = (paper: UserPaper, user: User): UserPaper => ({ ...paper, revision: paper.revision + 1, body: user });

/**
 * Changes a user as he is at that moment, with other documents in the same commit. Returns null when there is no such user, or when
 * `change` or `also` returns null.
 */
export async function changeUser(
  store: CabinetStore,
  id: string,
  change: (user: User) => User | null | Promise<User | null>,
  also: () => Promise<readonly PaperChange[] | null> = async () => [],
): Promise<User | null> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const paper = await userPaper(store, id);
    const user = paper && (await change(paper.body));
    const others = user && (await also());
    if (!paper || !user || !others) return null;
    if (user === paper.body && others.length === 0) return user;
    if (await store.filePapers([movedUser(paper, user), ...others])) return user;
  }
  return null;
}

/** Everybody, in the order in which they came. There are as many as people who work here: few. */
export async function allUsers(store: CabinetStore): Promise<readonly User[]> {
  const users: User[] = [];
  for (let before: { readonly at: number; readonly id: string } | undefined; ; ) {
    const papers = (await store.papers({ drawer: USER, ownerId: '', limit: PORTION, ...(before && { before }) })) as UserPaper[];
    users.push(...papers.map(({ body }) => body));
    before = papers.at(-1);
    if (papers.length < PORTION) return users.reverse();
  }
}

export async function isAnybodyThere(store: CabinetStore): Promise<boolean> {
  return (await store.papers({ drawer: USER, ownerId: '', limit: 1 })).length > 0;
}
