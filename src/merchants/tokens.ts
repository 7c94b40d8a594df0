import { hash, timingSafeEqual } from 'node:crypto';
import type { TokenView } from '../spec/answers/account.ts';
import { dayText } from '../spec/formats/dates.ts';
import { DAY_MS, HOUR_MS } from '../spec/time.ts';
import type { MerchantStore, TokenLocation, TokenRow } from './ports.ts';

/** An access token is the base64 of `userId|password`, so its first 44 characters hold the user's 32 hex digits and the bar. */
const USER_CHARACTERS = 44;
const USER = /^[0-9a-f]{32}\|$/;

/** The token that a user id and a password make: clients may send the two apart. */
export const tokenOf = (userId: string, password: string): string => Buffer.from(`${userId}|${password}`).toString('base64');

/** Only this is ever stored of a token: SHA-256 in hex. Tokens are long and random, so a fast hash is enough. */
export const tokenHash = (token: string): string => hash('sha256', token);

/** The user id in a token; null when it does not have the form of one. */
export function userOf(token: string): string | null {
  const start = Buffer.from(token.slice(0, USER_CHARACTERS), 'base64').toString('latin1');
  return USER.test(start) ? start.slice(0, 32) : null;
}

/** One token of a user: its hash, its entity, and its expiry. */
export type TokenGrant = { readonly tokenHash: string; readonly entityId: string; readonly endsAt: number };

/** The grants that a token opens at this instant, found in constant time. */
export function grantsOpenedBy<Known extends TokenGrant>(token: string, grants: readonly Known[], now: number): readonly Known[] {
  const sent = hash('sha256', token, 'buffer');
  const found: Known[] = [];
  for (const grant of grants) {
    if (timingSafeEqual(sent, Buffer.from(grant.tokenHash, 'hex')) && now < grant.endsAt) found.push(grant);
  }
  return found;
}

/** Access tokens for administrators: issue, rotate, end. */

/** Of one entity, not counting ended tokens: enough for two for each of several shops. */
export const TOKENS_MAX = 20;
/** How long an ended token is still listed. */
const LISTED_MS = 90 * DAY_MS;

const spans = { now: 0, '1h': HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS } as const;

/** The expiry of a token; `byHand`: only when a user ends it. */
type TokenEnd = keyof typeof spans | 'byHand';

export const tokenEndsAt = (end: TokenEnd, now: number): number | null => (end === 'byHand' ? null : now + spans[end]);

/** The name by which a token can be spoken of: it says nothing about the token. */
export const tokenId = ({ tokenHash: kept, entityId }: TokenLocation): string =>
  hash('sha256', `${kept} ${entityId}`).slice(0, 32);

export const hasEnded = ({ endsAt }: Pick<TokenRow, 'endsAt'>, now: number): boolean => endsAt !== undefined && endsAt <= now;

const instant = (at: number): string => new Date(at).toISOString();

/** A token as listed, without anything that could identify its value. */
export const tokenView = (row: TokenRow, createdBy: string | null, now: number): TokenView => ({
  id: tokenId(row),
  entityId: row.entityId,
  name: row.name ?? null,
  createdBy,
  createdAt: instant(row.createdAt),
  lastUsedOn: row.usedOn === undefined ? null : dayText(row.usedOn),
  endsAt: row.endsAt === undefined ? null : instant(row.endsAt),
  hasEnded: hasEnded(row, now),
  allowedAddresses: row.allowedAddresses ?? [],
});

/** The tokens of an entity: active ones first, then recently ended ones, each the newest first. */
export function tokensListed(rows: readonly TokenRow[], now: number): readonly TokenRow[] {
  const isListed = ({ endsAt = now }: TokenRow) => endsAt > now - LISTED_MS;
  const order = (row: TokenRow): number => (hasEnded(row, now) ? 1 : 0);
  return rows.filter(isListed).sort((one, other) => order(one) - order(other) || other.createdAt - one.createdAt);
}

const PAGE = 2_000;

/** The token with this id, which is a hash: the tokens are looked through page by page. */
export async function tokenWithId(store: Pick<MerchantStore, 'tokenPage'>, id: string): Promise<TokenRow | null> {
  for (let after: TokenLocation | null = null; ; ) {
    const page: readonly TokenRow[] = await store.tokenPage(after, PAGE);
    const found = page.find((row) => tokenId(row) === id);
    const last = page.at(-1);
    if (found || !last || page.length < PAGE) return found ?? null;
    after = last;
  }
}

/** Whom a token is made for, and by whom. */
type TokenIssue = {
  readonly entityId: string;
  readonly name: string;
  readonly createdBy: string | null;
  /** The token to replace. Its user id stays, so clients that send user and password apart change only the password. */
  readonly before?: TokenRow;
  /** Where it is accepted from; empty: anywhere. A token that replaces another has its list. */
  readonly allowedAddresses?: readonly string[];
};

type IssuedToken = { readonly token: string; readonly row: TokenRow };

type IssueNeeds = {
  readonly store: Pick<MerchantStore, 'tokensOfEntity' | 'insertAccounts' | 'endToken'>;
  readonly ids: { random(): string };
  readonly now: number;
};

/** Makes a token and keeps its hash; null: the entity has as many as it may have. */
export async function issueToken({ store, ids, now }: IssueNeeds, issue: TokenIssue): Promise<IssuedToken | null> {
  const { entityId, name, createdBy, before, allowedAddresses = before?.allowedAddresses ?? [] } = issue;
  const good = (await store.tokensOfEntity(entityId)).filter((row) => !hasEnded(row, now));
  if (good.length >= TOKENS_MAX) return null;
  const userId = before?.userId ?? ids.random();
  const token = tokenOf(userId, ids.random());
  const row: TokenRow = {
    userId,
    tokenHash: tokenHash(token),
    entityId,
    createdAt: now,
    name,
    ...(createdBy !== null && { createdBy }),
    ...(allowedAddresses.length > 0 && { allowedAddresses }),
  };
  await store.insertAccounts({ entities: [], tokens: [row] });
  return { token, row };
}
