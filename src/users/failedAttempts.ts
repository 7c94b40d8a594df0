import { DAY_MS, MINUTE_MS } from '../spec/time.ts';
import type { StoredDocument } from './documents.ts';
import { HashQueueFull, isPassword } from './passwordRules.ts';
import type { UserNeeds } from './ports.ts';
import { plainEmail } from './user.ts';

/** So many consecutive failures lock an address for so long. */
export const FAILURES_MAX = 5;
export const LOCK_MS = 30 * MINUTE_MS;
/** How long a single failure counts. */
const REMEMBERED_MS = DAY_MS;
const COLLECTION = 'tries';
/**
 * As often as another request may be faster. A series takes five writes and is locked then, so a request that loses more often than this
 * is part of a flood: it is refused, never let through uncounted.
 */
const RACES_MAX = 20;

/** `series` identifies the attempts since the last success or lock: an attempt of an earlier series is not taken back from a later one. */
type Tries = { readonly series: string; readonly failures: number; readonly lockedUntil: number };

/** An attempt, counted as a failure before the comparison. */
export type CountedAttempt = { readonly email: string; readonly series: string; readonly isLast: boolean };

/**
 * Failures are counted by the address that was typed, whether a user has it or not, so that nothing reveals whether it
 * belongs to a user.
 */
const nameOf = ({ vault }: UserNeeds, email: string): string => vault.digest('tries', plainEmail(email));

const present = async (needs: UserNeeds, email: string): Promise<StoredDocument<Tries> | null> =>
  (await needs.store.document(COLLECTION, nameOf(needs, email))) as StoredDocument<Tries> | null;

/** Until when an address is locked; 0 when it is not. For display only: `countAttempt` decides. */
export async function lockedUntil(needs: UserNeeds, email: string): Promise<number> {
  const until = (await present(needs, email))?.body.lockedUntil ?? 0;
  return until > needs.clock.now() ? until : 0;
}

async function keep(needs: UserNeeds, email: string, document: StoredDocument<Tries> | null, body: Tries): Promise<boolean> {
  const at = needs.clock.now() + REMEMBERED_MS;
  const revision = (document?.revision ?? 0) + 1;
  return needs.store.saveDocuments([{ collection: COLLECTION, id: nameOf(needs, email), ownerId: '', at, revision, body }]);
}

/**
 * Counts a try as a failure, before it is compared with anything; null: the address is locked, and nothing may be compared. Of any number
 * of simultaneous tries, on any number of nodes, five get through: the count is a commit on the revision that was read.
 */
export async function countAttempt(needs: UserNeeds, email: string): Promise<CountedAttempt | null> {
  for (let races = 0; races < RACES_MAX; races += 1) {
    const now = needs.clock.now();
    const document = await present(needs, email);
    const before = document?.body;
    if (before && before.lockedUntil > now) return null;
    const goesOn = before !== undefined && before.lockedUntil === 0;
    const series = goesOn ? before.series : needs.ids.next();
    const failures = (goesOn ? before.failures : 0) + 1;
    const isLast = failures >= FAILURES_MAX;
    const body: Tries = { series, failures, lockedUntil: isLast ? now + LOCK_MS : 0 };
    if (await keep(needs, email, document, body)) return { email, series, isLast };
  }
  return null;
}

/** Takes back one attempt that was no failure: the password was right, or nothing was compared. Earlier failures still count. */
export async function uncountAttempt(needs: UserNeeds, { email, series }: CountedAttempt): Promise<void> {
  for (let races = 0; races < RACES_MAX; races += 1) {
    const document = await present(needs, email);
    if (document?.body.series !== series) return;
    const failures = document.body.failures - 1;
    if (await keep(needs, email, document, { series, failures, lockedUntil: 0 })) return;
  }
}

/** Clears the failures after a sign-in, or after a reset by an administrator. */
export async function clearFailures(needs: UserNeeds, email: string): Promise<void> {
  for (let races = 0; races < RACES_MAX; races += 1) {
    const document = await present(needs, email);
    if (!document) return;
    if (
      await needs.store.saveDocuments([{ collection: COLLECTION, id: document.id, revision: document.revision, isDeleted: true }])
    )
      return;
  }
}

export const deleteOldAttempts = ({ store, clock }: UserNeeds): Promise<number> => store.deleteDocuments(COLLECTION, clock.now());

type PasswordCheck = 'right' | 'wrong' | 'locked';

/**
 * Compares a password. The attempt counts as a failure before the comparison. A right password takes back its own attempt only: earlier
 * failures are cleared by a right second factor, otherwise an attacker who knows the password could guess codes without end. A locked
 * address and an unknown one cost the same work.
 */
export async function comparePassword(
  needs: UserNeeds,
  email: string,
  { password, kept }: { readonly password: string; readonly kept: string | undefined },
): Promise<PasswordCheck> {
  const counted = await countAttempt(needs, email);
  try {
    const isRight = await isPassword(needs, password, counted ? kept : undefined);
    if (!counted) return 'locked';
    if (!isRight) return counted.isLast ? 'locked' : 'wrong';
    await uncountAttempt(needs, counted);
    return 'right';
  } catch (error) {
    // Nothing was compared: the queue was full.
    if (error instanceof HashQueueFull && counted) await uncountAttempt(needs, counted);
    throw error;
  }
}
