import { type Added, readLine } from './line.ts';
import type { Change, Counted, Fold, SheetKey, StatisticsStore, Subject } from './ports.ts';
import { add, addSheet, keyText, QUARTER_MS, type Sums, spans, writeSums } from './sheet.ts';

export type FoldNeeds = {
  readonly store: StatisticsStore;
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

/** The lines to subtract: those counted before that could still change. The first line of a payment has none. */
async function countedBefore({ store }: FoldNeeds, changes: readonly Change[]): Promise<Map<string, Counted>> {
  const known = await store.counted(changes.filter(({ revision }) => revision !== 1));
  return new Map(known.map((one) => [subjectText(one), one]));
}

/** Computes the fold of some changes, without writing anything. */
async function computeFold(needs: FoldNeeds, changes: readonly Change[], revision: number): Promise<Fold> {
  const before = await countedBefore(needs, changes);
  const after = new Map<string, Counted>(before);
  const quarters: Quarters = new Map();
  const lines = changes.map(({ line }) => readLine(line));
  if (lines.some(({ entityId }) => needs.pathOf(entityId) === null)) await needs.refresh();
  const pathOf = ({ entityId }: Added, { merchantId }: Subject) => needs.pathOf(entityId) ?? [entityId, merchantId];
  for (const [index, change] of changes.entries()) {
    const [added, text] = [lines[index] as Added, subjectText(change)];
    const known = after.get(text);
    const old = known && readLine(known.line);
    if (old) put(quarters, pathOf(old, change), old, -1);
    put(quarters, pathOf(added, change), added, 1);
    if (added.isFinal) after.delete(text);
    else
      after.set(text, {
        merchantId: change.merchantId,
        subjectId: change.subjectId,
        revision: change.revision,
        line: change.line,
      });
  }
  return {
    revision,
    sheets: await addStored(needs, rollUp(quarters), revision),
    counted: [...after].filter(([text, one]) => before.get(text) !== one).map(([, one]) => one),
    ended: [...before].filter(([text]) => !after.has(text)).map(([, one]) => one),
    done: changes.map(({ n }) => n),
  };
}

async function addStored({ store }: FoldNeeds, sheets: Sheets, revision: number): Promise<Fold['sheets']> {
  const stored = new Map((await store.sheets([...sheets.values()], revision)).map((sheet) => [keyText(sheet), sheet]));
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
export async function foldOnce(needs: FoldNeeds, limit: number): Promise<number> {
  const revision = await needs.store.foldRevision();
  const changes = await needs.store.changes(limit, revision);
  if (changes.length === 0) return 0;
  return (await needs.store.fold(await computeFold(needs, changes, revision))) ? changes.length : 0;
}

const BATCH = 1_000;
const BATCHES_MAX = 20;

/** Folds the whole queue. To be called every second. */
export async function foldAll(needs: FoldNeeds, rest: () => Promise<void>): Promise<void> {
  for (let batches = 0; batches < BATCHES_MAX; batches += 1) {
    if ((await foldOnce(needs, BATCH)) < BATCH) return;
    await rest();
  }
}
