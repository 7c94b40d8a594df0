import type { Amount } from '../money/amount.ts';
import { amountText } from '../money/amount.ts';
import { DAY_MS } from '../spec/time.ts';
import type { DocumentStore, StoredDocument } from './documents.ts';
import type { UserNeeds } from './ports.ts';

/** Amounts that a user moves without approval by a second user: summed per payment and per day, before the action runs. */

/** Kinds of actions with a common sum. Refunds, reversals and refused reviews all return money. */
export type UnapprovedKind = 'giveBack' | 'capture' | 'chargeback' | 'chargebackReversal';

export type UnapprovedAction = {
  readonly userId: string;
  readonly merchantId: string;
  /** The family of the payment. */
  readonly familyId: string;
  readonly kind: UnapprovedKind;
  readonly currency: string;
  readonly amount: Amount;
  /** The idempotency key: a repeated action is counted once. */
  readonly key: string;
  /** The hash of the request: the key is valid for this request only. */
  readonly body: string;
};

/** The user and payment of the sums. */
export type UnapprovedScope = Omit<UnapprovedAction, 'amount' | 'key' | 'body'>;

/** The limit that an action would exceed, the resulting sum, and the limit's amount, as on the wire. */
export type ApprovalReason = { readonly rule: 'single' | 'payment' | 'day'; readonly sum: string; readonly limit: string };

export type UnapprovedSums = { readonly payment: Amount; readonly day: Amount };

const [PAYMENT, DAY, ACT] = ['soloPayment', 'soloDay', 'soloAct'];
/** Attempts before concurrent actions of the same user make it busy. */
const RACES_MAX = 60;
/** Shorter than an idempotency key is kept: an act that is repeated after that is counted again, never done again uncounted. */
const KEPT_MS = 7 * DAY_MS;

type Sum = { readonly sum: string };
/** The counted amounts of one action. */
type Counted = { readonly amount: string; readonly day: string; readonly body: string };
type Needs = Pick<UserNeeds, 'store' | 'clock' | 'vault'>;
type Sums = { readonly payment: StoredDocument<Sum> | null; readonly day: StoredDocument<Sum> | null };

/** Days are UTC, as in the audit log. Users work in real time, also when a merchant has a test clock. */
const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const actIdOf = ({ vault }: Pick<Needs, 'vault'>, { userId, familyId, kind, key }: UnapprovedAction): string =>
  vault.digest(ACT, JSON.stringify([userId, familyId, kind, key]));
const paymentIdOf = ({ userId, familyId, kind, currency }: UnapprovedScope): string =>
  [userId, familyId, kind, currency].join(':');
const dayIdOf = ({ userId, merchantId, kind, currency }: UnapprovedScope, day: string): string =>
  [userId, merchantId, kind, currency, day].join(':');

const sumOf = (document: StoredDocument<Sum> | null): Amount => BigInt(document?.body.sum ?? '0');

async function sumsOf(store: DocumentStore, act: UnapprovedScope, day: string): Promise<Sums> {
  const [payment, ofDay] = await Promise.all([store.document(PAYMENT, paymentIdOf(act)), store.document(DAY, dayIdOf(act, day))]);
  return { payment: payment as StoredDocument<Sum> | null, day: ofDay as StoredDocument<Sum> | null };
}

/** The sums of a user: on this payment, and today at this merchant. */
export async function unapprovedSums(
  { store, clock }: Pick<Needs, 'store' | 'clock'>,
  act: UnapprovedScope,
): Promise<UnapprovedSums> {
  const { payment, day } = await sumsOf(store, act, dayOf(clock.now()));
  return { payment: sumOf(payment), day: sumOf(day) };
}

/** The first limit that an action would exceed; null: none. */
export function approvalReasonFor(amount: Amount, { payment, day }: UnapprovedSums, limit: Amount): ApprovalReason | null {
  const sums = [
    ['single', amount],
    ['payment', payment + amount],
    ['day', day + amount],
  ] as const;
  const exceeded = sums.find(([, sum]) => sum > limit);
  return exceeded ? { rule: exceeded[0], sum: amountText(exceeded[1]), limit: amountText(limit) } : null;
}

/** Both sums, changed by an amount. The payment's sum always comes first, so that two transactions never deadlock. */
function moved(
  act: UnapprovedAction,
  sums: Sums,
  { by, day, at }: { readonly by: Amount; readonly day: string; readonly at: number },
): StoredDocument<Sum>[] {
  const document = (collection: string, id: string, before: StoredDocument<Sum> | null): StoredDocument<Sum> => ({
    collection,
    id,
    ownerId: act.userId,
    at,
    revision: (before?.revision ?? 0) + 1,
    body: { sum: String(sumOf(before) + by) },
  });
  return [document(PAYMENT, paymentIdOf(act), sums.payment), document(DAY, dayIdOf(act, day), sums.day)];
}

/**
 * `counted`: the caller may act, and must uncount it when no money moves. `again`: the same action was counted before. `other`: the key
 * was used for another action. `busy`: concurrent actions of this user won every time.
 */
export type UnapprovedCount =
  | { readonly is: 'counted' | 'again' | 'other' | 'busy' }
  | { readonly is: 'approval'; readonly reason: ApprovalReason };

/**
 * Counts an act before it is done, unless it would exceed the limit. Both sums and the act are one commit on the revisions that were read:
 * simultaneous actions, on any number of nodes, cannot slip under the limit together.
 */
export async function countUnapproved(needs: Needs, act: UnapprovedAction, limit: Amount): Promise<UnapprovedCount> {
  for (let races = 0; races < RACES_MAX; races += 1) {
    const before = (await needs.store.document(ACT, actIdOf(needs, act))) as StoredDocument<Counted> | null;
    if (before) return { is: before.body.body === act.body ? 'again' : 'other' };
    const sums = await sumsOf(needs.store, act, dayOf(needs.clock.now()));
    const reason = approvalReasonFor(act.amount, { payment: sumOf(sums.payment), day: sumOf(sums.day) }, limit);
    if (reason) return { is: 'approval', reason };
    if (await add(needs, act, sums)) return { is: 'counted' };
  }
  return { is: 'busy' };
}

async function add(needs: Needs, act: UnapprovedAction, sums: Sums): Promise<boolean> {
  const at = needs.clock.now();
  const day = dayOf(at);
  const body: Counted = { amount: String(act.amount), day, body: act.body };
  const own: StoredDocument<Counted> = { collection: ACT, id: actIdOf(needs, act), ownerId: act.userId, at, revision: 1, body };
  return needs.store.saveDocuments([...moved(act, sums, { by: act.amount, day, at }), own]);
}

/** Takes back the count of an action that moved no money. A count that another request has confirmed stays. */
export async function uncountUnapproved(needs: Needs, act: UnapprovedAction): Promise<void> {
  for (let races = 0; races < RACES_MAX; races += 1) {
    const id = actIdOf(needs, act);
    const own = (await needs.store.document(ACT, id)) as StoredDocument<Counted> | null;
    if (own?.revision !== 1) return;
    const { amount, day } = own.body;
    const sums = await sumsOf(needs.store, act, day);
    const changes = moved(act, sums, { by: -BigInt(amount), day, at: needs.clock.now() });
    if (await needs.store.saveDocuments([...changes, { collection: ACT, id, revision: 1, isDeleted: true }])) return;
  }
}

/**
 * Money was moved by a request that found its act counted already (`again`). The request that counted it may take that back meanwhile, so
 * the act is marked as done; where it is gone it is counted again, whatever the limit.
 */
export async function confirmUnapproved(needs: Needs, act: UnapprovedAction): Promise<void> {
  for (let races = 0; races < RACES_MAX; races += 1) {
    const own = (await needs.store.document(ACT, actIdOf(needs, act))) as StoredDocument<Counted> | null;
    if (own && own.revision > 1) return;
    if (own && (await needs.store.saveDocuments([{ ...own, revision: own.revision + 1 }]))) return;
    if (!own && (await add(needs, act, await sumsOf(needs.store, act, dayOf(needs.clock.now()))))) return;
  }
}

/** Deletes old actions and daily sums. Sums of payments stay as long as the payments. */
export async function deleteOldUnapproved({ store, clock }: Pick<Needs, 'store' | 'clock'>): Promise<number> {
  const before = clock.now() - KEPT_MS;
  return (await store.deleteDocuments(ACT, before)) + (await store.deleteDocuments(DAY, before));
}
