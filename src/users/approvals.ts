import type { Paper } from './documents.ts';
import type { PeopleNeeds } from './ports.ts';
import type { ApprovalReason } from './soloActs.ts';

/**
 * What one user has asked for and a second must approve: money above the limit, or a change that would weaken the approvals themselves.
 * When another approves, the performer of `what` carries out the act under the id of the approval, and what came of it is kept here.
 */
export type Approval = {
  readonly id: string;
  /** The endpoint whose act it is. */
  readonly what: string;
  readonly entityId: string;
  /** What it is about: a payment. */
  readonly objectId: string | null;
  /** As on the wire; null where no money is moved. */
  readonly amount: string | null;
  readonly currency: string | null;
  /** Which limit money would exceed; null where none is moved, or the request is older than this field. */
  readonly reason?: ApprovalReason | null;
  /** What the act was asked with; nothing secret. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly askedBy: string;
  readonly askedAt: number;
  /** `approved`: it is being carried out. `done` and `failed`: it was. */
  readonly state: 'waiting' | 'approved' | 'refused' | 'done' | 'failed';
  readonly decidedBy: string | null;
  readonly decidedAt: number | null;
  readonly note: string | null;
  /** What came of the act: `done` or a result code. */
  readonly result: string | null;
};

/** What came of the act: what was made by it, and `done` or a result code. */
export type Performed = { readonly isDone: boolean; readonly result: string; readonly objectId: string | null };

/** Carries out an approved act. Asked twice under one id it must do it once: the gateway may have died in between. */
export type Perform = (approval: Approval) => Promise<Performed>;

export const APPROVAL_MS = 7 * 24 * 3_600_000;
/** What was approved and not carried out by then may be carried out by whoever approves it again. */
const STUCK_MS = 60_000;
const [DRAWER, ASK] = ['approval', 'approvalAsk'];
const [WAITING, DECIDED] = ['waiting', 'decided'];
/** How many may wait at once: beyond that somebody should look first. */
const WAITING_MAX = 5_000;
const PORTION = 500;

type ApprovalPaper = Paper<Approval>;
type AskNeeds = Pick<PeopleNeeds, 'store' | 'clock' | 'ids' | 'vault'>;

export type Asked = Pick<Approval, 'what' | 'entityId' | 'objectId' | 'amount' | 'currency' | 'values' | 'askedBy' | 'reason'>;

const isSame = (one: Approval, asked: Asked): boolean =>
  (['what', 'entityId', 'objectId', 'amount', 'currency', 'askedBy'] as const).every((name) => one[name] === asked[name]) &&
  (asked.amount !== null || JSON.stringify(one.values) === JSON.stringify(asked.values));

/** The key of what is asked at once: two clicks are one request, on any node. */
const askIdOf = ({ vault }: Pick<PeopleNeeds, 'vault'>, { askedBy, what, objectId }: Asked, key: string): string =>
  vault.digest(ASK, JSON.stringify([askedBy, what, objectId, key]));

/** Whether it still waits: what nobody decided in a week is over. */
export const isWaiting = ({ state, askedAt }: Approval, now: number): boolean =>
  state === 'waiting' && now < askedAt + APPROVAL_MS;

/** Keeps what was asked for, until another decides. Two clicks ask once; null: too much waits already. */
export async function askApproval(needs: AskNeeds, asked: Asked, key: string): Promise<Approval | null> {
  const { store, clock, ids } = needs;
  const now = clock.now();
  const papers = (await store.papers({ drawer: DRAWER, ownerId: WAITING, limit: WAITING_MAX })) as readonly ApprovalPaper[];
  const before = papers.find(({ body }) => isWaiting(body, now) && isSame(body, asked));
  if (before) return before.body;
  if (papers.length >= WAITING_MAX) return null;
  const open = { state: 'waiting', decidedBy: null, decidedAt: null, note: null, result: null } as const;
  const approval: Approval = { ...asked, ...open, id: ids.next(), askedAt: now };
  const paper: ApprovalPaper = { drawer: DRAWER, id: approval.id, ownerId: WAITING, at: now, revision: 1, body: approval };
  const id = askIdOf(needs, asked, key);
  if (await store.filePapers([paper, { drawer: ASK, id, ownerId: approval.id, at: now, revision: 1, body: {} }])) return approval;
  return readApproval(needs, (await store.paper(ASK, id))?.ownerId ?? '');
}

/** Keys of requests whose approval is over. */
export const forgetOldAsks = ({ store, clock }: PeopleNeeds): Promise<number> =>
  store.forgetPapers(ASK, clock.now() - APPROVAL_MS);

export const readApproval = async ({ store }: Pick<PeopleNeeds, 'store'>, id: string): Promise<Approval | null> =>
  ((await store.paper(DRAWER, id)) as ApprovalPaper | null)?.body ?? null;

export type ApprovalsQuestion = {
  readonly isWaiting: boolean;
  readonly isSeen: (entityId: string) => boolean;
  readonly limit: number;
  /** Only what is older than this one. */
  readonly after?: string;
};

/** Approvals, the youngest first. */
export async function listApprovals({ store, clock }: PeopleNeeds, asked: ApprovalsQuestion): Promise<readonly Approval[]> {
  const found: Approval[] = [];
  const start = asked.after === undefined ? null : await store.paper(DRAWER, asked.after);
  for (let before = start ?? undefined; ; ) {
    const question = { drawer: DRAWER, ownerId: asked.isWaiting ? WAITING : DECIDED, limit: PORTION };
    const papers = (await store.papers({ ...question, ...(before && { before }) })) as readonly ApprovalPaper[];
    for (const { body } of papers) {
      const isMeant = asked.isSeen(body.entityId) && (!asked.isWaiting || isWaiting(body, clock.now()));
      if (isMeant) found.push(body);
      if (found.length === asked.limit) return found;
    }
    before = papers.at(-1);
    if (papers.length < PORTION) return found;
  }
}

export type Decision = {
  readonly id: string;
  readonly by: string;
  readonly isApproved: boolean;
  readonly note: string | null;
};

/** Why nothing was decided, or what was. */
export type Decided = { readonly refused: 'own' | 'over' } | { readonly approval: Approval };

const moved = (paper: ApprovalPaper, body: Approval): ApprovalPaper => ({
  ...{ ...paper, body, revision: paper.revision + 1 },
  ownerId: body.state === 'waiting' ? WAITING : DECIDED,
});

/** Decides. Of two who approve at once one carries it out; never who asked. */
export async function decide(needs: PeopleNeeds, { id, by, isApproved, note }: Decision, perform: Perform): Promise<Decided> {
  const { store, clock } = needs;
  const now = clock.now();
  const paper = (await store.paper(DRAWER, id)) as ApprovalPaper | null;
  if (!paper) return { refused: 'over' };
  const before = paper.body;
  if (before.askedBy === by) return { refused: 'own' };
  const isStuck = isApproved && before.state === 'approved' && now - (before.decidedAt ?? 0) >= STUCK_MS;
  if (!isWaiting(before, now) && !isStuck) return { refused: 'over' };
  const state = isApproved ? 'approved' : 'refused';
  const decided = moved(paper, { ...before, state, decidedBy: by, decidedAt: now, note });
  if (!(await store.filePapers([decided]))) return { refused: 'over' };
  if (!isApproved) return { approval: decided.body };
  const { isDone, result, objectId } = await perform(decided.body);
  const ended = moved(decided, {
    ...decided.body,
    state: isDone ? 'done' : 'failed',
    result,
    values: { ...before.values, madeId: objectId },
  });
  await store.filePapers([ended]);
  return { approval: ended.body };
}
