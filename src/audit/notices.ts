import type { NoticesView, NoticeView } from '../spec/answers/users.ts';
import { type Endpoint, endpoints } from '../spec/endpoints.ts';
import { retention } from '../spec/retention.ts';
import type { Right } from '../spec/rights.ts';
import { DAY_MS } from '../spec/time.ts';
import type { DocumentStore, StoredDocument } from '../users/documents.ts';
import type { UserNeeds } from '../users/ports.ts';
import type { SignedInUser } from '../users/service.ts';
import { allUsers, pathOf, rightsByGrant, type User } from '../users/user.ts';
import type { AuditEntry, AuditStore } from './entry.ts';
import { resultOf } from './list.ts';

/**
 * Notices: when a webhook, a token or a key is changed, every other user with the same right there learns it. They are made from the audit
 * log, batch by batch, and the place in the log moves in the commit that stores them: after a crash none is missing or doubled.
 */

type NoticeNeeds = Pick<UserNeeds, 'directory' | 'clock'> & {
  readonly store: UserNeeds['store'] & Pick<AuditStore, 'auditChain' | 'auditHead'>;
};

/** The part of an entry that a notice keeps. */
type Notice = Pick<AuditEntry, 'number' | 'by' | 'whoName' | 'what' | 'objectId' | 'from'> & { readonly entityId: string };

const [NOTICE, READ, PLACE] = ['notice', 'noticesRead', 'noticePlace'];
const LOG = 'audit';
const PORTION = 50;
const PORTIONS_MAX = 20;
const TRIES_MAX = 4;
const LISTED_MAX = 100;

/** Commands that change keys while the gateway runs, with the right that the same change needs in the back office. */
const commands: ReadonlyMap<string, Right> = new Map([
  ['command account', 'keys'],
  ['command wallet-setup', 'keys'],
  ['command settlement setup', 'keys'],
  ['command settlement secret', 'keys'],
  ['command reconciliation-setup', 'keys'],
]);

/** The right whose holders learn of an action; null: it makes no notice. */
export function noticeRight(what: string): Right | null {
  if (!Object.hasOwn(endpoints, what)) return commands.get(what) ?? null;
  const { right, notifies = false } = endpoints[what as keyof typeof endpoints] as Endpoint;
  return notifies ? (right ?? null) : null;
}

/** Makes the notices of the entries since the last run. The first run begins at the end of the log. */
export async function writeNotices(needs: NoticeNeeds): Promise<void> {
  const { store, clock } = needs;
  for (let portions = 0; portions < PORTIONS_MAX; portions += 1) {
    const place = (await store.document(PLACE, LOG)) as StoredDocument<{ readonly number: number }> | null;
    const entries = place ? await store.auditChain(place.body.number, PORTION) : [];
    const number = place ? entries.at(-1)?.number : (await store.auditHead()).number;
    if (number === undefined) return;
    const revision = (place?.revision ?? 0) + 1;
    const moved = { collection: PLACE, id: LOG, ownerId: '', at: clock.now(), revision, body: { number } };
    // False: another node has made them.
    if (!(await store.saveDocuments([moved, ...(await noticesOf(needs, entries))]))) return;
    if (entries.length < PORTION) return;
  }
}

async function noticesOf(needs: NoticeNeeds, entries: readonly AuditEntry[]): Promise<readonly StoredDocument<Notice>[]> {
  const told = entries.flatMap((entry) => {
    const { entityId } = entry;
    const right = resultOf(entry) === 'done' ? noticeRight(entry.what) : null;
    return right === null || entityId === null ? [] : { ...entry, entityId, right };
  });
  if (told.length === 0) return [];
  const users = (await allUsers(needs.store)).filter(({ state }) => state === 'active');
  const held = await Promise.all(users.map(({ grants }) => rightsByGrant(needs, grants)));
  const isTold = (at: number, right: Right, path: readonly string[]): boolean =>
    held[at]?.some(({ entityId, rights }) => rights.includes(right) && path.includes(entityId)) ?? false;
  return told.flatMap(({ right, who, ...entry }) => {
    const path = pathOf(needs, entry.entityId);
    return users.filter(({ id }, at) => id !== who && isTold(at, right, path)).map((user) => noticeFor(user, entry));
  });
}

function noticeFor(user: User, { at, ...entry }: Notice & Pick<AuditEntry, 'at'>): StoredDocument<Notice> {
  const { number, by, whoName, what, entityId, objectId, from } = entry;
  const body = { number, by, whoName, what, entityId, objectId, from };
  return { collection: NOTICE, id: `${user.id}-${number}`, ownerId: user.id, at, revision: 1, body };
}

type ReadDocument = StoredDocument<{ readonly number: number }>;

const readDocument = async (store: DocumentStore, userId: string): Promise<ReadDocument | null> =>
  (await store.document(READ, userId)) as ReadDocument | null;

/** The newest notices of a user. One about an entity at which the user has lost the right is not shown any more. */
export async function listNotices(
  needs: Pick<UserNeeds, 'store' | 'directory'>,
  { user, nodesWith }: Pick<SignedInUser, 'user' | 'nodesWith'>,
): Promise<NoticesView> {
  const found = (await needs.store.documents({
    collection: NOTICE,
    ownerId: user.id,
    limit: LISTED_MAX,
  })) as readonly StoredDocument<Notice>[];
  const read = (await readDocument(needs.store, user.id))?.body.number ?? 0;
  const notices = found.flatMap(({ at, body }): NoticeView | readonly NoticeView[] => {
    const right = noticeRight(body.what);
    const path = pathOf(needs, body.entityId);
    if (right === null || !nodesWith(right).some((node) => path.includes(node))) return [];
    return { ...body, at: new Date(at).toISOString(), isRead: body.number <= read };
  });
  return { notices, unread: notices.filter(({ isRead }) => !isRead).length };
}

/** Marks the notices of a user up to a number as read. */
export async function readNotices(
  { store, clock }: Pick<UserNeeds, 'store' | 'clock'>,
  userId: string,
  number: number,
): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const before = await readDocument(store, userId);
    if ((before?.body.number ?? 0) >= number) return;
    const revision = (before?.revision ?? 0) + 1;
    const marked = { collection: READ, id: userId, ownerId: userId, at: clock.now(), revision, body: { number } };
    if (await store.saveDocuments([marked])) return;
  }
}

export const deleteOldNotices = ({ store, clock }: Pick<UserNeeds, 'store' | 'clock'>): Promise<number> =>
  store.deleteDocuments(NOTICE, clock.now() - retention.notices.days * DAY_MS);
