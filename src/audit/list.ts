import { type AuditEntry, type AuditStore, loggedId } from './entry.ts';

/** `refused`: everything that has a result code. */
export const auditResults = ['done', 'refused', 'failed'] as const;
export type AuditResult = (typeof auditResults)[number];

/** The filter of a list, within the rights of its reader. */
export type AuditFilter = {
  readonly entityIds: ReadonlySet<string>;
  /** Includes entries of the installation, without an entity. */
  readonly includesInstallation: boolean;
  /** An id, or a part of a name or address. */
  readonly who?: string;
  readonly what?: string;
  readonly result?: AuditResult;
  readonly objectId?: string;
  readonly from?: number;
  readonly to?: number;
};

export type AuditCursor = { readonly at: number; readonly number: number };

/** A right first factor and an action that waits for approval count as done, not as refused. */
const DONE = /^(?:done|half|2\d\d|000\..*)$/;

export const resultOf = ({ result }: Pick<AuditEntry, 'result'>): AuditResult =>
  DONE.test(result) ? 'done' : result === 'failed' ? 'failed' : 'refused';

const isWanted =
  ({ entityIds, includesInstallation: isWhole, who, what, result, objectId }: AuditFilter) =>
  (entry: AuditEntry): boolean => {
    if (entry.entityId === null ? !isWhole : !entityIds.has(entry.entityId)) return false;
    if (what !== undefined && entry.what !== what) return false;
    if (result !== undefined && resultOf(entry) !== result) return false;
    if (objectId !== undefined && entry.objectId !== loggedId(objectId)) return false;
    if (who === undefined || entry.who === who) return true;
    return entry.whoName.toLowerCase().includes(who.toLowerCase());
  };

type ListNeeds = { readonly store: Pick<AuditStore, 'auditEntries'>; readonly rest: () => Promise<void> };

const PORTION = 1_000;
/** How many entries one page reads at most. */
const PORTIONS_MAX = 20;

/** Batches of the log, the newest first: the matching entries of each, and its end. */
async function* batches(
  { store, rest }: ListNeeds,
  filter: AuditFilter,
  before: AuditCursor | undefined,
): AsyncGenerator<{ readonly entries: readonly AuditEntry[]; readonly end: AuditCursor | null }> {
  const { from, to } = filter;
  const frame = { limit: PORTION, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  for (let place = before; ; ) {
    const found = await store.auditEntries({ ...frame, ...(place && { before: place }) });
    const last = found.length < PORTION ? undefined : found.at(-1);
    place = last && { at: last.at, number: last.number };
    yield { entries: found.filter(isWanted(filter)), end: place ?? null };
    if (!place) return;
    await rest();
  }
}

/** A page. `next`: where the one behind it begins; there may be one even if this one is not full. */
export async function listAudit(
  needs: ListNeeds,
  filter: AuditFilter,
  { before, limit }: { readonly before?: AuditCursor; readonly limit: number },
): Promise<{ readonly entries: readonly AuditEntry[]; readonly next: AuditCursor | null }> {
  const page: AuditEntry[] = [];
  let count = 0;
  for await (const { entries, end } of batches(needs, filter, before)) {
    page.push(...entries);
    count += 1;
    const last = page[limit - 1];
    if (page.length > limit && last) return { entries: page.slice(0, limit), next: { at: last.at, number: last.number } };
    if (end === null) break;
    if (page.length === limit || count === PORTIONS_MAX) return { entries: page, next: end };
  }
  return { entries: page, next: null };
}

/** All of it, batch by batch. */
export async function* streamAudit(needs: ListNeeds, filter: AuditFilter): AsyncGenerator<readonly AuditEntry[]> {
  for await (const { entries } of batches(needs, filter, undefined)) if (entries.length > 0) yield entries;
}
