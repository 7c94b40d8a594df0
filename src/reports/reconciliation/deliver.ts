import { waitMsMax } from '../../merchants/merchantFilter.ts';
import { withDigest } from '../../settlement/in/uploads.ts';
import type { SettlementStore } from '../../settlement/ports.ts';
import type { SettlementRecord } from '../../settlement/record.ts';
import type { OpenTarget, TargetFolder } from '../../settlement/remoteFolder.ts';
import type { FolderSecret } from '../../spec/remoteFolder.ts';
import { DAY_MS, MINUTE_MS } from '../../spec/time.ts';
import { csvChunks } from './csv.ts';
import type { ReconciliationRun, ReconciliationStore } from './ports.ts';
import { type ReportRowNeeds, reportRows } from './reportRows.ts';
import { type DeliverySettings, fileNameOf } from './settings.ts';

export type DeliverNeeds = {
  readonly store: Pick<SettlementStore, 'records' | 'paymentsNamed' | 'countRecords'> & ReconciliationStore;
  readonly entity: ReportRowNeeds['entity'];
  readonly open: OpenTarget;
  readonly timers: { within<T>(ms: number, promise: Promise<T>): Promise<T> };
  /** The delivery settings of a merchant; null: nothing is delivered. */
  readonly delivery: (merchantId: string) => DeliverySettings | null;
  readonly secret: (merchantId: string) => Promise<FolderSecret>;
  readonly now: (merchantId: string) => number;
  /** Reports an abandoned file. */
  readonly alarm: (message: string, about: Readonly<Record<string, string>>) => void;
};

/** The time limit of one attempt; its lease ends a little later. */
const TRY_MS = 25 * MINUTE_MS;
const LEASE_MS = waitMsMax.reconciliationClaim;
const WAITS_MIN = [1, 5, 15, 60];
const GIVEN_UP_MS = 2 * DAY_MS;

/** Minutes until the next attempt: 1, 5, 15, 60, and then every hour. */
export const retryDelayMs = (tries: number): number => (WAITS_MIN[tries - 1] ?? 60) * MINUTE_MS;

/** Another node has the run. */
class Lost extends Error {
  override readonly name = 'Lost';
}

/** Attempts all due files, one after the other; returns their number. */
export async function deliverDue(
  needs: DeliverNeeds,
  {
    now,
    merchantId,
    isTheirs,
  }: { readonly now: number; readonly merchantId: string | null; readonly isTheirs: (merchantId: string) => boolean },
): Promise<number> {
  const due = (await needs.store.dueReconciliations(now, merchantId, DUE_MAX)).filter((run) => isTheirs(run.merchantId));
  for (const run of due) await deliverRun(needs, run);
  return due.length;
}

const DUE_MAX = 100;

/** One attempt at one file. A failure is recorded in the run. */
export async function deliverRun(needs: DeliverNeeds, due: ReconciliationRun): Promise<ReconciliationRun | null> {
  const now = (): number => needs.now(due.merchantId);
  const claimed = nextRevision(due, { claimedUntil: now() + LEASE_MS, tries: due.tries + 1, movedAt: now() });
  if (!(await needs.store.saveReconciliation(claimed))) return null;
  const own = createRunState(needs, claimed, now);
  try {
    await needs.timers.within(TRY_MS, send(needs, own));
  } catch (error) {
    if (error instanceof Lost) return null;
    await own.save(afterFailure(own.run(), now(), reasonOf(error))).catch(() => {});
    if (own.run().state === 'failed') needs.alarm('a reconciliation file was given up', aboutOf(own.run()));
  }
  return own.run();
}

const aboutOf = ({ merchantId, day, part, why }: ReconciliationRun): Readonly<Record<string, string>> => ({
  merchantId,
  day,
  part: String(part),
  why: why ?? '',
});

const nextRevision = (run: ReconciliationRun, changes: Partial<ReconciliationRun>): ReconciliationRun => ({
  ...run,
  ...changes,
  revision: run.revision + 1,
});

/** A server's message may be long and have several lines. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 300);

function afterFailure(run: ReconciliationRun, now: number, why: string): Partial<ReconciliationRun> {
  const isOver = now - run.createdAt >= GIVEN_UP_MS;
  return { why, claimedUntil: 0, ...(isOver ? { state: 'failed' } : { dueAt: now + retryDelayMs(run.tries) }) };
}

type RunState = {
  run(): ReconciliationRun;
  /** Saves a change; throws when another node has the run. */
  save(changes: Partial<ReconciliationRun>): Promise<void>;
};

function createRunState({ store }: Pick<DeliverNeeds, 'store'>, claimed: ReconciliationRun, now: () => number): RunState {
  let run = claimed;
  return {
    run: () => run,
    async save(changes) {
      const next = nextRevision(run, { ...changes, movedAt: now() });
      if (!(await store.saveReconciliation(next))) throw new Lost();
      run = next;
    },
  };
}

/**
 * Uploads the whole file under a temporary name, records that, then renames it. A crash costs one attempt at most: before the record the
 * file is uploaded again, after it the file is only renamed.
 */
async function send(needs: DeliverNeeds, own: RunState): Promise<void> {
  const { merchantId } = own.run();
  const delivery = needs.delivery(merchantId);
  if (delivery === null) throw new Error('the merchant has no server any more');
  const folder = await needs.open(delivery.target, await needs.secret(merchantId));
  try {
    if (own.run().state === 'due') await upload(needs, own, { folder, delivery });
    await renameFile(own, folder);
  } finally {
    folder.close();
  }
}

type Sending = { readonly folder: TargetFolder; readonly delivery: DeliverySettings };

async function upload(needs: DeliverNeeds, own: RunState, { folder, delivery }: Sending): Promise<void> {
  const { merchantId, day } = own.run();
  const name = fileNameOf(delivery, own.run());
  await removeEarlier(folder, own.run().temporaryName);
  // Each attempt has its own name: an earlier one that still writes must not write into this file.
  const temporaryName = `.${name}.${own.run().revision}.part`;
  await own.save({ name, temporaryName });
  const query = { merchantId, from: day, to: day };
  const covers = await needs.store.countRecords(query);
  const tally = createTally(await earlierParts(needs, own.run()));
  let bytes = 0;
  const chunks = withDigest(csvChunks(delivery.columns, reportRows(needs, query, tally.isNew)));
  await folder.put(
    temporaryName,
    measured(chunks.bytes, (length) => {
      bytes += length;
    }),
  );
  if (tally.counted() !== covers || (await needs.store.countRecords(query)) !== covers)
    throw new Error('records came in while the file was made');
  const there = await folder.size(temporaryName);
  if (there !== bytes) throw new Error(`the server has ${there ?? 'none'} of ${bytes} bytes`);
  await own.save({ state: 'renaming', digest: chunks.hex(), bytes, covers, ...tally.result() });
}

async function* measured(chunks: AsyncIterable<Uint8Array>, onLength: (length: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onLength(chunk.length);
    yield chunk;
  }
}

/** Removes the file of an earlier attempt. */
async function removeEarlier(folder: TargetFolder, name: string | null): Promise<void> {
  if (name !== null && (await folder.size(name)) !== null) await folder.remove(name);
}

/** Only this program knows the temporary name: when it is gone, the file was renamed before. */
async function renameFile(own: RunState, folder: TargetFolder): Promise<void> {
  const { name, temporaryName } = own.run();
  if (name === null || temporaryName === null) throw new Error('a file without a name cannot be renamed');
  if ((await folder.size(temporaryName)) !== null) await folder.rename(temporaryName, name);
  await own.save({ state: 'done', claimedUntil: 0, why: null });
}

const earlierParts = async ({ store }: DeliverNeeds, { merchantId, day, part }: ReconciliationRun) =>
  (await store.reconciliations(merchantId, day)).filter((run) => run.day === day && run.part < part && run.state === 'done');

/** Selects the records of a part: records of files that no earlier part contains, and records that have changed since. */
function createTally(earlier: readonly ReconciliationRun[]) {
  const sentFiles = new Set(earlier.flatMap(({ files }) => files));
  const sentChanges = new Map(earlier.flatMap(({ changed }) => Object.entries(changed)));
  const files = new Set<string>();
  const changed = new Map<string, number>();
  let counted = 0;
  let records = 0;
  return {
    isNew(record: SettlementRecord): boolean {
      counted += 1;
      files.add(record.fileId);
      if (record.revision > 1) changed.set(record.id, record.revision);
      const isNew = !sentFiles.has(record.fileId) || (record.revision > 1 && sentChanges.get(record.id) !== record.revision);
      if (isNew) records += 1;
      return isNew;
    },
    counted: () => counted,
    result: () => ({ records, files: [...files], changed: Object.fromEntries(changed) }),
  };
}
