import { type Line, readLine } from './line.ts';
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

/** The sums of the lines of one channel in one quarter of an hour. */
type Quarter = { readonly merchantId: string; readonly entityId: string; readonly begins: number; readonly sums: Sums };

const beginOf = (at: number, span: number): number => at - (((at % span) + span) % span);

/** The quarters that the lines of a batch belong to. A batch has far fewer of them than lines. */
function createQuarters() {
  const quarters = new Map<string, Quarter>();
  const quarterOf = (merchantId: string, entityId: string, begins: number): Quarter => {
    const key = `${merchantId} ${entityId} ${begins}`;
    const quarter = quarters.get(key) ?? { merchantId, entityId, begins, sums: new Map() };
    quarters.set(key, quarter);
    return quarter;
  };
  return {
    all: (): readonly Quarter[] => [...quarters.values()],
    /** A sign of -1 takes back what the line has added before. */
    add(merchantId: string, { at, entityId, amount, keys }: Line, sign: 1 | -1): void {
      const { sums } = quarterOf(merchantId, entityId, beginOf(at, QUARTER_MS));
      const signed = sign === 1 ? amount : -amount;
      for (const [name, isMoney] of keys) add(sums, name, { count: sign, amount: isMoney ? signed : null });
    },
  };
}

type Sheets = Map<string, SheetKey & { readonly sums: Sums }>;

/** Adds the quarters to the sheets of every entity above their channels: of the quarter, the hour and the day. */
function rollUp(quarters: readonly Quarter[], pathOf: FoldNeeds['pathOf']): Sheets {
  const sheets: Sheets = new Map();
  for (const { merchantId, entityId, begins, sums } of quarters) {
    for (const nodeId of pathOf(entityId) ?? [entityId, merchantId]) {
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

/** The lines to subtract: they were counted before, and could still change. The first line of a payment has none. */
async function countedBefore({ store }: FoldNeeds, changes: readonly Change[]): Promise<Map<string, Counted>> {
  const known = await store.counted(changes.filter(({ revision }) => revision !== 1));
  return new Map(known.map((one) => [subjectText(one), one]));
}

/** Computes the fold of some changes, without writing anything. */
async function computeFold(needs: FoldNeeds, changes: readonly Change[], revision: number): Promise<Fold> {
  const before = await countedBefore(needs, changes);
  const after = new Map<string, Counted>(before);
  const quarters = createQuarters();
  for (const change of changes) {
    const line = readLine(change.line);
    quarters.add(change.merchantId, line, 1);
    // Most changes are the first and the last of their subject.
    if (change.revision === 1 && line.isFinal) continue;
    const subject = subjectText(change);
    const known = after.get(subject);
    if (known) quarters.add(change.merchantId, readLine(known.line), -1);
    if (line.isFinal) after.delete(subject);
    else after.set(subject, countedOf(change));
  }
  if (quarters.all().some(({ entityId }) => needs.pathOf(entityId) === null)) await needs.refresh();
  return {
    revision,
    sheets: await addStored(needs, rollUp(quarters.all(), needs.pathOf), revision),
    counted: [...after].filter(([text, one]) => before.get(text) !== one).map(([, one]) => one),
    ended: [...before].filter(([text]) => !after.has(text)).map(([, one]) => one),
    done: changes.map(({ n }) => n),
  };
}

const countedOf = ({ merchantId, subjectId, revision, line }: Change): Counted => ({ merchantId, subjectId, revision, line });

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
