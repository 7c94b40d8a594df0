import { StoreOutOfOrder } from '../payments/storeErrors.ts';
import { MINUTE_MS } from '../spec/time.ts';
import type { DocumentChange, DocumentStore, StoredDocument } from './documents.ts';
import { freshToken, type UserNeeds } from './ports.ts';
import type { SignedInUser } from './service.ts';
import { type HeldRights, rightsByGrant, type User, userDocument } from './user.ts';

/** Of doing nothing, and in all. */
export const IDLE_MS = 15 * MINUTE_MS;
export const LIFE_MS = 12 * 60 * MINUTE_MS;
/** How long a step-up counts. */
export const STEP_UP_MS = 5 * MINUTE_MS;
/** A session's last use is written at most this often. */
const WRITE_MS = MINUTE_MS;
const COLLECTION = 'session';
const OWN_MAX = 200;

/** The client of a session, as shown to its user. */
export type Session = {
  readonly id: string;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly endsAt: number;
  readonly steppedUpUntil: number;
  /** The address and the program that it was opened from. */
  readonly from: string;
  readonly agent: string;
};

export type SessionDocument = StoredDocument<Session>;
export type OpenedSession = { readonly token: string; readonly document: SessionDocument };
export type ClientInfo = { readonly from: string; readonly agent: string };

const nameOf = ({ vault }: UserNeeds, token: string): string => vault.digest('session', token);

/** A new session, not saved yet. Its token is always new, and only its hash is stored. */
export function newSession(needs: UserNeeds, userId: string, { from, agent }: ClientInfo): OpenedSession {
  const token = freshToken(needs);
  const now = needs.clock.now();
  const [id, endsAt] = [needs.ids.next(), now + LIFE_MS];
  const body: Session = { id, createdAt: now, usedAt: now, endsAt, steppedUpUntil: now + STEP_UP_MS, from, agent };
  return {
    token,
    document: { collection: COLLECTION, id: nameOf(needs, token), ownerId: userId, at: endsAt, revision: 1, body },
  };
}

export const idleUntil = ({ usedAt, endsAt }: Session): number => Math.min(usedAt + IDLE_MS, endsAt);

/** The session of a token while it lasts. */
export async function sessionOf(needs: UserNeeds, token: string): Promise<SessionDocument | null> {
  const document = (await needs.store.document(COLLECTION, nameOf(needs, token))) as SessionDocument | null;
  return document && needs.clock.now() < idleUntil(document.body) ? document : null;
}

const used = async ({ store, clock }: UserNeeds, document: SessionDocument): Promise<void> => {
  const now = clock.now();
  if (now - document.body.usedAt < WRITE_MS) return;
  // A concurrent request of the same page may have written it already.
  await store.saveDocuments([{ ...document, revision: document.revision + 1, body: { ...document.body, usedAt: now } }]);
};

/** Where nothing can be written the session is read all the same; unused in the eyes of the store, it ends in time. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof StoreOutOfOrder)) throw error;
}

/** The user of a session token. `isQuiet`: a background request of a page, which does not extend the session. */
export async function authenticateSession(needs: UserNeeds, token: string, isQuiet = false): Promise<SignedInUser | null> {
  const document = await sessionOf(needs, token);
  const user = document && (await userDocument(needs.store, document.ownerId))?.body;
  if (!document || user?.state !== 'active') return null;
  if (!isQuiet) await used(needs, document).catch(unlessRefused);
  return signedInAs(user, document.body, { csrf: csrfOf(needs, token), held: await rightsByGrant(needs, user.grants) });
}

/** The CSRF token of a session. It is derived from the session token, so it need not be stored. */
const csrfOf = ({ vault }: UserNeeds, token: string): string => vault.digest('csrf', token);

function signedInAs(
  user: User,
  session: Session,
  { csrf, held }: { readonly csrf: string; readonly held: HeldRights },
): SignedInUser {
  return {
    sessionId: session.id,
    user: { id: user.id, email: user.email, name: user.name },
    csrf,
    nodesWith: (right) => held.filter(({ rights }) => rights.includes(right)).map(({ entityId }) => entityId),
    steppedUpUntil: session.steppedUpUntil,
  };
}

/** Records a step-up; returns its expiry, or null when the session has ended. */
export async function stepUp(needs: UserNeeds, token: string): Promise<number | null> {
  const until = needs.clock.now() + STEP_UP_MS;
  for (let tries = 0; tries < 8; tries += 1) {
    const document = await sessionOf(needs, token);
    if (!document) return null;
    const body: Session = { ...document.body, steppedUpUntil: until };
    if (await needs.store.saveDocuments([{ ...document, revision: document.revision + 1, body }])) return until;
  }
  return null;
}

/** Every session of a user that lasts, the youngest first. */
export async function sessionsOf(
  { store, clock }: Pick<UserNeeds, 'store' | 'clock'>,
  userId: string,
): Promise<readonly SessionDocument[]> {
  const documents = (await store.documents({
    collection: COLLECTION,
    ownerId: userId,
    limit: OWN_MAX,
  })) as readonly SessionDocument[];
  return documents.filter(({ body }) => clock.now() < idleUntil(body));
}

const ended = ({ collection, id, revision }: SessionDocument): DocumentChange => ({ collection, id, revision, isDeleted: true });

/** Ends a session. One that moves under our hands is ended where it went. */
export async function endSession({ store }: { readonly store: DocumentStore }, document: SessionDocument): Promise<void> {
  for (let tries = 0; tries < 8; tries += 1) {
    const current = (await store.document(COLLECTION, document.id)) as SessionDocument | null;
    if (!current || (await store.saveDocuments([ended(current)]))) return;
  }
}

/** Ends every session of a user but one; answers how many. */
export async function endSessions(needs: UserNeeds, userId: string, butId: string | null = null): Promise<number> {
  const others = (await sessionsOf(needs, userId)).filter(({ body }) => body.id !== butId);
  for (const document of others) await endSession(needs, document);
  return others.length;
}

export const deleteExpiredSessions = ({ store, clock }: UserNeeds): Promise<number> =>
  store.deleteDocuments(COLLECTION, clock.now());
