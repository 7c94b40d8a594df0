import { type Amount, amountText } from '../money/amount.ts';
import { DAY_MS } from '../spec/time.ts';
import type { DocumentStore, StoredDocument } from './documents.ts';
import type { UserNeeds } from './ports.ts';

/**
 * An action that a second user must approve: money above the limit, or a change that would weaken the approvals themselves. After the
 * approval the performer of `what` carries out the action under the id of the approval. The approval records the result.
 */
export type Approval = {
  readonly id: string;
  /** The endpoint of the action. */
  readonly what: string;
  readonly entityId: string;
  /** The object of the action: a payment. */
  readonly objectId: string | null;
  /** As on the wire; null for actions without money. */
  readonly amount: string | null;
  readonly currency: string | null;
  /** The limit that the amount would exceed; null for actions without money, or for requests older than this field. */
  readonly reason?: ApprovalReason | null;
  /** The parameters of the action; no secrets. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly askedBy: string;
  readonly askedAt: number;
  /** `approved`: the action is running. `done` and `failed`: it has ended. */
  readonly state: 'waiting' | 'approved' | 'refused' | 'done' | 'failed';
  readonly decidedBy: string | null;
  readonly decidedAt: number | null;
  readonly note: string | null;
  /** The result of the action: `done` or a result code. */
  readonly result: string | null;
};

/** The result of the action: the created object, and `done` or a result code. */
export type ActionResult = { readonly isDone: boolean; readonly result: string; readonly objectId: string | null };

/** Performs an approved action. It must be idempotent by the id: the gateway may crash in between. */
export type PerformAction = (approval: Approval) => Promise<ActionResult>;

export const APPROVAL_MS = 7 * DAY_MS;
/** After this time an approved action that has not ended may be approved and performed again. */
const STUCK_MS = 60_000;
const [COLLECTION, ASK] = ['approval', 'approvalAsk'];
const [WAITING, DECIDED] = ['waiting', 'decided'];
/** The limit of waiting approvals. */
const WAITING_MAX = 5_000;
const PORTION = 500;

type ApprovalDocument = StoredDocument<Approval>;
type AskNeeds = Pick<UserNeeds, 'store' | 'clock' | 'ids' | 'vault'>;

type ApprovalRequest = Pick<Approval, 'what' | 'entityId' | 'objectId' | 'amount' | 'currency' | 'values' | 'askedBy' | 'reason'>;

const isSame = (one: Approval, asked: ApprovalRequest): boolean =>
  (['what', 'entityId', 'objectId', 'amount', 'currency', 'askedBy'] as const).every((name) => one[name] === asked[name]) &&
  (asked.amount !== null || JSON.stringify(one.values) === JSON.stringify(asked.values));

/** The key of concurrent requests: two clicks are one request, on any node. */
const askIdOf = ({ vault }: Pick<UserNeeds, 'vault'>, { askedBy, what, objectId }: ApprovalRequest, key: string): string =>
  vault.digest(ASK, JSON.stringify([askedBy, what, objectId, key]));

/** Whether the approval still waits. It expires after a week. */
export const isWaiting = ({ state, askedAt }: Approval, now: number): boolean =>
  state === 'waiting' && now < askedAt + APPROVAL_MS;

/** Saves a request until another user decides. Two clicks create one request; null: too many are waiting. */
export async function createApproval(needs: AskNeeds, asked: ApprovalRequest, key: string): Promise<Approval | null> {
  const { store, clock, ids } = needs;
  const now = clock.now();
  const documents = (await store.documents({
    collection: COLLECTION,
    ownerId: WAITING,
    limit: WAITING_MAX,
  })) as readonly ApprovalDocument[];
  const before = documents.find(({ body }) => isWaiting(body, now) && isSame(body, asked));
  if (before) return before.body;
  if (documents.length >= WAITING_MAX) return null;
  const open = { state: 'waiting', decidedBy: null, decidedAt: null, note: null, result: null } as const;
  const approval: Approval = { ...asked, ...open, id: ids.next(), askedAt: now };
  const document: ApprovalDocument = {
    collection: COLLECTION,
    id: approval.id,
    ownerId: WAITING,
    at: now,
    revision: 1,
    body: approval,
  };
  const id = askIdOf(needs, asked, key);
  if (await store.saveDocuments([document, { collection: ASK, id, ownerId: approval.id, at: now, revision: 1, body: {} }]))
    return approval;
  return readApproval(needs, (await store.document(ASK, id))?.ownerId ?? '');
}

/** Deletes the keys of expired requests. */
export const deleteOldApprovals = ({ store, clock }: UserNeeds): Promise<number> =>
  store.deleteDocuments(ASK, clock.now() - APPROVAL_MS);

export const readApproval = async ({ store }: Pick<UserNeeds, 'store'>, id: string): Promise<Approval | null> =>
  ((await store.document(COLLECTION, id)) as ApprovalDocument | null)?.body ?? null;

type ApprovalQuery = {
  readonly isWaiting: boolean;
  readonly isSeen: (entityId: string) => boolean;
  readonly limit: number;
  /** Only approvals older than this one. */
  readonly after?: string;
};

/** Approvals, the newest first. */
export async function listApprovals({ store, clock }: UserNeeds, asked: ApprovalQuery): Promise<readonly Approval[]> {
  const found: Approval[] = [];
  const start = asked.after === undefined ? null : await store.document(COLLECTION, asked.after);
  for (let before = start ?? undefined; ; ) {
    const question = { collection: COLLECTION, ownerId: asked.isWaiting ? WAITING : DECIDED, limit: PORTION };
    const documents = (await store.documents({ ...question, ...(before && { before }) })) as readonly ApprovalDocument[];
    for (const { body } of documents) {
      const isMeant = asked.isSeen(body.entityId) && (!asked.isWaiting || isWaiting(body, clock.now()));
      if (isMeant) found.push(body);
      if (found.length === asked.limit) return found;
    }
    before = documents.at(-1);
    if (documents.length < PORTION) return found;
  }
}

type ApprovalDecision = {
  readonly id: string;
  readonly by: string;
  readonly isApproved: boolean;
  readonly note: string | null;
};

/** The decision, or why there is none. */
type ApprovalOutcome =
  | { readonly ok: false; readonly refused: 'own' | 'over' }
  | { readonly ok: true; readonly approval: Approval };

const moved = (document: ApprovalDocument, body: Approval): ApprovalDocument => ({
  ...document,
  body,
  revision: document.revision + 1,
  ownerId: body.state === 'waiting' ? WAITING : DECIDED,
});

/** Decides an approval. Of two concurrent approvals one performs the action. The requester can never approve. */
export async function decideApproval(
  needs: UserNeeds,
  { id, by, isApproved, note }: ApprovalDecision,
  perform: PerformAction,
): Promise<ApprovalOutcome> {
  const { store, clock } = needs;
  const now = clock.now();
  const document = (await store.document(COLLECTION, id)) as ApprovalDocument | null;
  if (!document) return { ok: false, refused: 'over' };
  const before = document.body;
  if (before.askedBy === by) return { ok: false, refused: 'own' };
  const isStuck = isApproved && before.state === 'approved' && now - (before.decidedAt ?? 0) >= STUCK_MS;
  if (!isWaiting(before, now) && !isStuck) return { ok: false, refused: 'over' };
  const state = isApproved ? 'approved' : 'refused';
  const decided = moved(document, { ...before, state, decidedBy: by, decidedAt: now, note });
  if (!(await store.saveDocuments([decided]))) return { ok: false, refused: 'over' };
  if (!isApproved) return { ok: true, approval: decided.body };
  const { isDone, result, objectId } = await perform(decided.body);
  const ended = moved(decided, {
    ...decided.body,
    state: isDone ? 'done' : 'failed',
    result,
    values: { ...before.values, madeId: objectId },
  });
  await store.saveDocuments([ended]);
  return { ok: true, approval: ended.body };
}

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
type UnapprovedScope = Omit<UnapprovedAction, 'amount' | 'key' | 'body'>;

/** The limit that an action would exceed, the resulting sum, and the limit's amount, as on the wire. */
export type ApprovalReason = { readonly rule: 'single' | 'payment' | 'day'; readonly sum: string; readonly limit: string };

type UnapprovedSums = { readonly payment: Amount; readonly day: Amount };

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
function changedCounts(
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
  return needs.store.saveDocuments([...changedCounts(act, sums, { by: act.amount, day, at }), own]);
}

/** Takes back the count of an action that moved no money. A count that another request has confirmed stays. */
export async function uncountUnapproved(needs: Needs, act: UnapprovedAction): Promise<void> {
  for (let races = 0; races < RACES_MAX; races += 1) {
    const id = actIdOf(needs, act);
    const own = (await needs.store.document(ACT, id)) as StoredDocument<Counted> | null;
    if (own?.revision !== 1) return;
    const { amount, day } = own.body;
    const sums = await sumsOf(needs.store, act, day);
    const changes = changedCounts(act, sums, { by: -BigInt(amount), day, at: needs.clock.now() });
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
