import type { Paper } from './cabinet.ts';
import type { PeopleNeeds } from './needs.ts';
import { plainEmail } from './user.ts';

/** So many wrong passwords or codes in a row close the door for so long. */
export const FAILURES_MAX = 5;
export const LOCK_MS = 30 * 60_000;
/** How long single failures are remembered. */
const REMEMBERED_MS = 24 * 3_600_000;
const DRAWER = 'tries';
const RACES_MAX = 20;

type Tries = { readonly failures: number; readonly lockedUntil: number };

/**
 * Who failed how often stands by the address that was typed, whether somebody has it or not: so nothing that an address does tells
 * whether it is anybody's.
 */
const nameOf = ({ vault }: PeopleNeeds, email: string): string => vault.digest('tries', plainEmail(email));

const present = async (needs: PeopleNeeds, email: string): Promise<Paper<Tries> | null> =>
  (await needs.store.paper(DRAWER, nameOf(needs, email))) as Paper<Tries> | null;

/** Until when an address is locked; 0 when it is not. */
export async function lockedUntil(needs: PeopleNeeds, email: string): Promise<number> {
  const until = (await present(needs, email))?.body.lockedUntil ?? 0;
  return until > needs.clock.now() ? until : 0;
}

/** One more failure of those that are counted; a lock neither grows nor is renewed while it lasts. */
function failedOnce(before: Tries | undefined, now: number): Tries {
  if (before && before.lockedUntil > now) return before;
  const failures = (before && before.lockedUntil === 0 ? before.failures : 0) + 1;
  return { failures, lockedUntil: failures >= FAILURES_MAX ? now + LOCK_MS : 0 };
}

/** Counts a failure; answers whether the address is locked by now. */
export async function countFailure(needs: PeopleNeeds, email: string): Promise<boolean> {
  const now = needs.clock.now();
  for (let races = 0; races < RACES_MAX; races += 1) {
    const paper = await present(needs, email);
    const body = failedOnce(paper?.body, now);
    const changed = { drawer: DRAWER, id: nameOf(needs, email), ownerId: '', at: now + REMEMBERED_MS, body };
    if (await needs.store.filePapers([{ ...changed, revision: (paper?.revision ?? 0) + 1 }])) return body.lockedUntil > now;
  }
  return true;
}

/** Somebody has signed in, or another has seen to it: nothing counts any more. */
export async function forgetFailures(needs: PeopleNeeds, email: string): Promise<void> {
  const paper = await present(needs, email);
  if (paper) await needs.store.filePapers([{ drawer: DRAWER, id: paper.id, revision: paper.revision, isGone: true }]);
}

export const forgetOldTries = ({ store, clock }: PeopleNeeds): Promise<number> => store.forgetPapers(DRAWER, clock.now());
