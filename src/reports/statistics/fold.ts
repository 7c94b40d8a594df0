import { type LineKind, readKind, splitLine } from './line.ts';
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

/** The lines of one kind in a quarter of an hour: their number and the sum of their amounts. */
type Tally = { count: number; amount: bigint };
type Kind = LineKind & { readonly merchantId: string; readonly tallies: Map<number, Tally> };

/** The lines of a batch by their kinds: each kind is read once. */
function createKinds() {
  const kinds = new Map<string, Kind>();
  return {
    all: (): Iterable<Kind> => kinds.values(),
    of(text: string, merchantId: string): Kind {
      const known = kinds.get(text);
      if (known) return known;
      const made = { ...readKind(text), merchantId, tallies: new Map() };
      kinds.set(text, made);
      return made;
    },
  };
}

function count({ tallies }: Kind, at: number, amount: bigint, sign: 1 | -1): void {
  const begins = beginOf(at, QUARTER_MS);
  const tally = tallies.get(begins);
  const signed = sign === 1 ? amount : -amount;
  if (tally === undefined) {
    tallies.set(begins, { count: sign, amount: signed });
    return;
  }
  tally.count += sign;
  tally.amount += signed;
}

function quartersOf(kinds: Iterable<Kind>, pathOf: FoldNeeds['pathOf']): Quarters {
  const quarters: Quarters = new Map();
  for (const { entityId, merchantId, keys, tallies } of kinds) {
    const path = pathOf(entityId) ?? [entityId, merchantId];
    for (const [begins, { count, amount }] of tallies) {
      const text = `${path.join(' ')} ${begins}`;
      const quarter = quarters.get(text) ?? { path, begins, sums: new Map() };
      quarters.set(text, quarter);
      for (const [name, isMoney] of keys) add(quarter.sums, name, { count, amount: isMoney ? amount : null });
    }
  }
  return quarters;
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
  const kinds = createKinds();
  for (const change of changes) {
    const { at, amount, kind: text } = splitLine(change.line);
    const kind = kinds.of(text, change.merchantId);
    count(kind, at, amount, 1);
    // Most changes are the first and the last of their subject.
    if (change.revision === 1 && kind.isFinal) continue;
    const subject = subjectText(change);
    const known = after.get(subject);
    if (known) {
      const old = splitLine(known.line);
      count(kinds.of(old.kind, change.merchantId), old.at, old.amount, -1);
    }
    if (kind.isFinal) after.delete(subject);
    else after.set(subject, countedOf(change));
  }
  if ([...kinds.all()].some(({ entityId }) => needs.pathOf(entityId) === null)) await needs.refresh();
  return {
    revision,
    sheets: await addStored(needs, rollUp(quartersOf(kinds.all(), needs.pathOf)), revision),
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
