import { waitMsMax } from '../../merchants/merchantFilter.ts';
import { digesting } from '../../settlement/in/digest.ts';
import type { SettlementStore } from '../../settlement/ports.ts';
import type { SettlementRecord } from '../../settlement/record.ts';
import type { OpenTarget, TargetFolder, TargetSecret } from '../../settlement/remoteFolder.ts';
import { DAY_MS, MINUTE_MS } from '../../spec/time.ts';
import { csvPieces } from './csv.ts';
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
  readonly secret: (merchantId: string) => Promise<TargetSecret>;
  readonly now: (merchantId: string) => number;
  /** Reports an abandoned file. */
  readonly alarm: (message: string, about: Readonly<Record<string, string>>) => void;
};

/** The time limit of one attempt; its claim ends a little later. */
const TRY_MS = 25 * MINUTE_MS;
const CLAIM_MS = waitMsMax.reconciliationClaim;
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
  const claimed = onward(due, { claimedUntil: now() + CLAIM_MS, tries: due.tries + 1, movedAt: now() });
  if (!(await needs.store.saveReconciliation(claimed))) return null;
  const own = createKeeper(needs, claimed, now);
  try {
    await needs.timers.within(TRY_MS, send(needs, own));
  } catch (error) {
    if (error instanceof Lost) return null;
    await own.keep(afterFailure(own.run(), now(), reasonOf(error))).catch(() => {});
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

const onward = (run: ReconciliationRun, changes: Partial<ReconciliationRun>): ReconciliationRun => ({
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

type Keeper = {
  run(): ReconciliationRun;
  /** Saves a change; throws when another node has the run. */
  keep(changes: Partial<ReconciliationRun>): Promise<void>;
};

function createKeeper({ store }: Pick<DeliverNeeds, 'store'>, claimed: ReconciliationRun, now: () => number): Keeper {
  let run = claimed;
  return {
    run: () => run,
    async keep(changes) {
      const next = onward(run, { ...changes, movedAt: now() });
      if (!(await store.saveReconciliation(next))) throw new Lost();
      run = next;
    },
  };
}

/**
 * All of the file goes over under another name; that is written down; then it gets its name. So a kill at any point costs a try and not
 * a file: before the note it is sent anew, after it only its name is looked after.
 */
async function send(needs: DeliverNeeds, own: Keeper): Promise<void> {
  const { merchantId } = own.run();
  const delivery = needs.delivery(merchantId);
  if (delivery === null) throw new Error('the merchant has no server any more');
  const folder = await needs.open(delivery.target, await needs.secret(merchantId));
  try {
    if (own.run().state === 'due') await upload(needs, own, { folder, delivery });
    await named(own, folder);
  } finally {
    folder.close();
  }
}

type Sending = { readonly folder: TargetFolder; readonly delivery: DeliverySettings };

async function upload(needs: DeliverNeeds, own: Keeper, { folder, delivery }: Sending): Promise<void> {
  const { merchantId, day } = own.run();
  const name = fileNameOf(delivery, own.run());
  await forget(folder, own.run().temporaryName);
  // Each attempt has its own name: an earlier one that still writes must not write into this file.
  const temporaryName = `.${name}.${own.run().revision}.part`;
  await own.keep({ name, temporaryName });
  const asked = { merchantId, from: day, to: day };
  const covers = await needs.store.countRecords(asked);
  const tally = createTally(await earlierParts(needs, own.run()));
  let bytes = 0;
  const pieces = digesting(csvPieces(delivery.columns, reportRows(needs, asked, tally.isWanted)));
  await folder.put(
    temporaryName,
    measured(pieces.bytes, (length) => {
      bytes += length;
    }),
  );
  if (tally.seen() !== covers || (await needs.store.countRecords(asked)) !== covers)
    throw new Error('records came in while the file was made');
  const there = await folder.size(temporaryName);
  if (there !== bytes) throw new Error(`the server has ${there ?? 'none'} of ${bytes} bytes`);
  await own.keep({ state: 'renaming', digest: pieces.hex(), bytes, covers, ...tally.told() });
}

async function* measured(pieces: AsyncIterable<Uint8Array>, see: (length: number) => void): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    see(piece.length);
    yield piece;
  }
}

/** Removes the file of an earlier attempt. */
async function forget(folder: TargetFolder, name: string | null): Promise<void> {
  if (name !== null && (await folder.size(name)) !== null) await folder.remove(name);
}

/** Only this program knows the temporary name: when it is gone, the file was renamed before. */
async function named(own: Keeper, folder: TargetFolder): Promise<void> {
  const { name, temporaryName } = own.run();
  if (name === null || temporaryName === null) throw new Error('a file without a name cannot be renamed');
  if ((await folder.size(temporaryName)) !== null) await folder.rename(temporaryName, name);
  await own.keep({ state: 'done', claimedUntil: 0, why: null });
}

const earlierParts = async ({ store }: DeliverNeeds, { merchantId, day, part }: ReconciliationRun) =>
  (await store.reconciliations(merchantId, day)).filter((run) => run.day === day && run.part < part && run.state === 'done');

/** Selects the records of a part: those of files that no earlier part contains, and those changed since. */
function createTally(earlier: readonly ReconciliationRun[]) {
  const sentFiles = new Set(earlier.flatMap(({ files }) => files));
  const sentChanges = new Map(earlier.flatMap(({ changed }) => Object.entries(changed)));
  const [files, changed] = [new Set<string>(), new Map<string, number>()];
  let [seen, records] = [0, 0];
  return {
    isWanted(record: SettlementRecord): boolean {
      seen += 1;
      files.add(record.fileId);
      if (record.revision > 1) changed.set(record.id, record.revision);
      const isNew = !sentFiles.has(record.fileId) || (record.revision > 1 && sentChanges.get(record.id) !== record.revision);
      if (isNew) records += 1;
      return isNew;
    },
    seen: () => seen,
    told: () => ({ records, files: [...files], changed: Object.fromEntries(changed) }),
  };
}
