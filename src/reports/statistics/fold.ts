import type { PaymentStore } from '../../payments/ports.ts';
import { type Added, paymentLine, readLine } from './line.ts';
import type { Change, Counted, Fold, SheetKey, StatisticsStore, Subject } from './ports.ts';
import { add, addSheet, keyText, QUARTER_MS, type Sums, spans, writeSums } from './sheet.ts';

export type FoldNeeds = {
  readonly store: StatisticsStore & Pick<PaymentStore, 'payment'>;
  /** The ids of an entity and of everything above it; null when it is unknown. */
  readonly pathOf: (entityId: string) => readonly string[] | null;
  /** Reads again who stands above whom: another node may have taken payments for a channel that is new. */
  readonly refresh: () => Promise<void>;
};

const subjectText = ({ merchantId, subjectId }: Subject): string => `${merchantId} ${subjectId}`;

/** What is added to a quarter of an hour of one channel, and taken away from it. */
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

/** The same for every node of the paths and for hours and days too. Together first: a portion has far fewer quarters than changes. */
function spread(quarters: Quarters): Sheets {
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

type Found = Pick<Counted, 'revision' | 'line'> & { readonly added: Added };

/** A payment from before there was a queue is read; it may have moved on since it was queued. */
async function lineOf({ store }: FoldNeeds, change: Change): Promise<Found | null> {
  if (change.line !== null) return { revision: change.revision, line: change.line, added: readLine(change.line) };
  const payment = await store.payment(change.merchantId, change.subjectId);
  const line = payment && paymentLine(payment);
  return payment && line ? { revision: payment.revision, line, added: readLine(line) } : null;
}

/** Payments have the other connections of the store to themselves. */
const READ_AT_ONCE = 2;

async function linesOf(needs: FoldNeeds, changes: readonly Change[]): Promise<readonly (Found | null)[]> {
  const lines: (Found | null)[] = [];
  for (let at = 0; at < changes.length; at += READ_AT_ONCE) {
    lines.push(...(await Promise.all(changes.slice(at, at + READ_AT_ONCE).map((change) => lineOf(needs, change)))));
  }
  return lines;
}

/** Only what was counted before, and could still change, has to be taken back. A payment's first line has nothing before it. */
async function countedBefore({ store }: FoldNeeds, changes: readonly Change[]): Promise<Map<string, Counted>> {
  const known = await store.counted(changes.filter(({ n, revision }) => n >= 0 && revision !== 1));
  return new Map(known.map((one) => [subjectText(one), one]));
}

/** What the changes make of the sheets, without writing anything. */
async function worked(needs: FoldNeeds, changes: readonly Change[], revision: number): Promise<Fold> {
  const before = await countedBefore(needs, changes);
  const after = new Map<string, Counted>(before);
  const quarters: Quarters = new Map();
  const lines = await linesOf(needs, changes);
  if (lines.some((found) => found && needs.pathOf(found.added.entityId) === null)) await needs.refresh();
  const pathOf = ({ entityId }: Added, { merchantId }: Subject) => needs.pathOf(entityId) ?? [entityId, merchantId];
  for (const [index, change] of changes.entries()) {
    const [found, text] = [lines[index], subjectText(change)];
    if (!found) continue;
    let known = after.get(text);
    // An old payment may have been read when it had already moved on: its later lines are in the sheets.
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
    sheets: await summed(needs, spread(quarters)),
    counted: [...after].filter(([text, one]) => before.get(text) !== one).map(([, one]) => one),
    ended: [...before].filter(([text]) => !after.has(text)).map(([, one]) => one),
    done: changes.map(({ n }) => n),
  };
}

async function summed({ store }: FoldNeeds, sheets: Sheets): Promise<Fold['sheets']> {
  const stored = new Map((await store.sheets([...sheets.values()])).map((sheet) => [keyText(sheet), sheet]));
  return [...sheets].map(([text, { sums, ...key }]) => {
    const sheet = stored.get(text);
    if (sheet) addSheet(sums, sheet);
    return { ...key, body: writeSums(sums) };
  });
}

/**
 * Takes a portion of changes into the sheets; answers how many, 0 also when another node was faster. The revision is read first: whatever
 * another node folds from then on makes this fold one that is not kept.
 */
export async function foldOnce(needs: FoldNeeds, which: 'fresh' | 'past', limit: number): Promise<number> {
  const { revision } = await needs.store.foldState();
  const changes = await needs.store.changes(which, limit);
  if (changes.length === 0) return 0;
  return (await needs.store.fold(await worked(needs, changes, revision))) ? changes.length : 0;
}

const PORTION = 1_000;
const PORTIONS_MAX = 20;
/** Payments of the past are read one by one: requests wait no longer than a few milliseconds. */
const PAST_PORTION = 200;
const PAST_PORTIONS_MAX = 10;
/** So many payments in a second leave less time for the past, which can wait. */
const BUSY = 200;

/** Everything fresh, and then some of the past. To be called every second. */
export async function foldAll(needs: FoldNeeds, rest: () => Promise<void>): Promise<void> {
  let fresh = 0;
  for (let portions = 0; portions < PORTIONS_MAX; portions += 1) {
    const count = await foldOnce(needs, 'fresh', PORTION);
    fresh += count;
    if (count < PORTION) break;
    await rest();
  }
  for (let portions = 0; portions < (fresh > BUSY ? 1 : PAST_PORTIONS_MAX); portions += 1) {
    if ((await foldOnce(needs, 'past', PAST_PORTION)) < PAST_PORTION) return;
    await rest();
  }
}
