import { DAY_MS } from '../spec/time.ts';
import type { StoredDocument } from './documents.ts';
import type { UserNeeds } from './ports.ts';
import type { ApprovalReason } from './unapprovedActions.ts';

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

export type ApprovalRequest = Pick<
  Approval,
  'what' | 'entityId' | 'objectId' | 'amount' | 'currency' | 'values' | 'askedBy' | 'reason'
>;

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

export type ApprovalQuery = {
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

export type ApprovalDecision = {
  readonly id: string;
  readonly by: string;
  readonly isApproved: boolean;
  readonly note: string | null;
};

/** The decision, or why there is none. */
export type ApprovalOutcome =
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
