import type { PaymentStore } from '../../payments/ports.ts';
import { type Added, paymentLine, readLine } from './line.ts';
import type { Change, Counted, Fold, SheetKey, StatisticsStore, Subject } from './ports.ts';
import { add, addSheet, keyText, QUARTER_MS, type Sums, spans, writeSums } from './sheet.ts';

export type FoldNeeds = {
  readonly store: StatisticsStore & Pick<PaymentStore, 'payment'>;
  /** The ids of an entity and of everything above it; null when it is unknown. */
  readonly pathOf: (entityId: string) => readonly string[] | null;
  /** Reloads the hierarchy: another node may have taken payments for a new channel. */
  readonly refresh: () => Promise<void>;
};

const subjectText = ({ merchantId, subjectId }: Subject): string => `${merchantId} ${subjectId}`;

/** The changes of a quarter of an hour of one channel. */
type Quarters = Map<string, { readonly path: readonly string[]; readonly begins: number; readonly sums: Sums }>;

const beginOf = (at: number, span: number): number => at - (((at % span) + span) % span);

function put(quarters: Quarters, path: readonly string[], { at, keys }: Added, sign: 1 | -1): void {
  const begins = beginOf(at, QUARTER_MS);
  const text = `${path.join(' ')} ${begins}`;
  const quarter = quarters.get(text) ?? { path, begins, sums: new Map() };
  quarters.set(text, quarter);
  for (const [name, amount] of keys) {
    add(quarter.sums, name, { count: sign, amount: amount === null || sign === 1 ? amount : -amount });
  }
}

type Sheets = Map<string, SheetKey & { readonly sums: Sums }>;

/** Applies the quarters to the hours and days of every entity in the path. A batch has far fewer quarters than changes. */
function rollUp(quarters: Quarters): Sheets {
  const sheets: Sheets = new Map();
  for (const { path, begins, sums } of quarters.values()) {
    for (const nodeId of path) {
      for (const span of spans) {
        const key = { nodeId, span, begins: beginOf(begins, span) };
        const sheet = sheets.get(keyText(key)) ?? { ...key, sums: new Map() };
        sheets.set(keyText(key), sheet);
        for (const [name, sum] of sums) add(sheet.sums, name, sum);
      }
    }
  }
  return sheets;
}

type CountedLine = Pick<Counted, 'revision' | 'line'> & { readonly added: Added };

/** Reads a payment that is older than the queue; it may have changed since it was queued. */
async function loadLine({ store }: FoldNeeds, change: Change): Promise<CountedLine | null> {
  if (change.line !== null) return { revision: change.revision, line: change.line, added: readLine(change.line) };
  const payment = await store.payment(change.merchantId, change.subjectId);
  const line = payment && paymentLine(payment);
  return payment && line ? { revision: payment.revision, line, added: readLine(line) } : null;
}

/** Leaves the other connections of the store to payments. */
const READ_AT_ONCE = 2;

async function loadLines(needs: FoldNeeds, changes: readonly Change[]): Promise<readonly (CountedLine | null)[]> {
  const lines: (CountedLine | null)[] = [];
  for (let at = 0; at < changes.length; at += READ_AT_ONCE) {
    lines.push(...(await Promise.all(changes.slice(at, at + READ_AT_ONCE).map((change) => loadLine(needs, change)))));
  }
  return lines;
}

/** The lines to subtract: those counted before that could still change. The first line of a payment has none. */
async function countedBefore({ store }: FoldNeeds, changes: readonly Change[]): Promise<Map<string, Counted>> {
  const known = await store.counted(changes.filter(({ n, revision }) => n >= 0 && revision !== 1));
  return new Map(known.map((one) => [subjectText(one), one]));
}

/** Computes the fold of some changes, without writing anything. */
async function computeFold(needs: FoldNeeds, changes: readonly Change[], revision: number): Promise<Fold> {
  const before = await countedBefore(needs, changes);
  const after = new Map<string, Counted>(before);
  const quarters: Quarters = new Map();
  const lines = await loadLines(needs, changes);
  if (lines.some((found) => found && needs.pathOf(found.added.entityId) === null)) await needs.refresh();
  const pathOf = ({ entityId }: Added, { merchantId }: Subject) => needs.pathOf(entityId) ?? [entityId, merchantId];
  for (const [index, change] of changes.entries()) {
    const [found, text] = [lines[index], subjectText(change)];
    if (!found) continue;
    let known = after.get(text);
    // A payment older than the queue may have been read in a later state: its later lines are in the sheets already.
    if (known === undefined || change.revision === 0 || found.revision > known.revision) {
      const old = known && readLine(known.line);
      if (old) put(quarters, pathOf(old, change), old, -1);
      put(quarters, pathOf(found.added, change), found.added, 1);
      known = { merchantId: change.merchantId, subjectId: change.subjectId, revision: found.revision, line: found.line };
      after.set(text, known);
    }
    const isFinal = known.line === found.line ? found.added.isFinal : readLine(known.line).isFinal;
    if (isFinal && change.revision >= known.revision) after.delete(text);
  }
  return {
    revision,
    sheets: await addStored(needs, rollUp(quarters)),
    counted: [...after].filter(([text, one]) => before.get(text) !== one).map(([, one]) => one),
    ended: [...before].filter(([text]) => !after.has(text)).map(([, one]) => one),
    done: changes.map(({ n }) => n),
  };
}

async function addStored({ store }: FoldNeeds, sheets: Sheets): Promise<Fold['sheets']> {
  const stored = new Map((await store.sheets([...sheets.values()])).map((sheet) => [keyText(sheet), sheet]));
  return [...sheets].map(([text, { sums, ...key }]) => {
    const sheet = stored.get(text);
    if (sheet) addSheet(sums, sheet);
    return { ...key, body: writeSums(sums) };
  });
}

/**
 * Folds a batch of changes into the sheets; returns their number, 0 also when another node came first. The revision is read first: a fold
 * of another node after that makes the store refuse this one.
 */
export async function foldOnce(needs: FoldNeeds, which: 'fresh' | 'past', limit: number): Promise<number> {
  const { revision } = await needs.store.foldState();
  const changes = await needs.store.changes(which, limit);
  if (changes.length === 0) return 0;
  return (await needs.store.fold(await computeFold(needs, changes, revision))) ? changes.length : 0;
}

const BATCH = 1_000;
const BATCHES_MAX = 20;
/** Old payments are read one by one in small batches, so that requests wait for a few milliseconds only. */
const PAST_BATCH = 200;
const PAST_BATCHES_MAX = 10;
/** With more changes than this in a second, old payments can wait. */
const BUSY = 200;

/** Folds the whole queue, then some of the old payments. To be called every second. */
export async function foldAll(needs: FoldNeeds, rest: () => Promise<void>): Promise<void> {
  let fresh = 0;
  for (let batches = 0; batches < BATCHES_MAX; batches += 1) {
    const count = await foldOnce(needs, 'fresh', BATCH);
    fresh += count;
    if (count < BATCH) break;
    await rest();
  }
  for (let batches = 0; batches < (fresh > BUSY ? 1 : PAST_BATCHES_MAX); batches += 1) {
    if ((await foldOnce(needs, 'past', PAST_BATCH)) < PAST_BATCH) return;
    await rest();
  }
}
