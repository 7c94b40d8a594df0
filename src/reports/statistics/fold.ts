import type { PaymentStore } from '../../payments/needs.ts';
import { type Added, paymentLine, readLine } from './line.ts';
import type { Change, Counted, Fold, StatisticsStore, Subject } from './needs.ts';
import { add, addSheet, keyText, type Sums, spans, writeSums } from './sheet.ts';

export type FoldNeeds = {
  readonly store: StatisticsStore & Pick<PaymentStore, 'payment'>;
  /** The ids of an entity and of everything above it; null when nobody knows it any more. */
  readonly pathOf: (entityId: string) => readonly string[] | null;
  /** Reads again who stands above whom: another node may have taken payments for a channel that is new. */
  readonly refresh: () => Promise<void>;
};

const subjectText = ({ merchantId, subjectId }: Subject): string => `${merchantId} ${subjectId}`;

/** What is added and taken away, sheet by sheet. */
type Sheets = Map<string, { readonly nodeId: string; readonly span: number; readonly begins: number; readonly sums: Sums }>;

function put(sheets: Sheets, path: readonly string[], { at, keys }: Added, sign: 1 | -1): void {
  for (const nodeId of path) {
    for (const span of spans) {
      const key = { nodeId, span, begins: at - (((at % span) + span) % span) };
      const text = keyText(key);
      const sheet = sheets.get(text) ?? { ...key, sums: new Map() };
      sheets.set(text, sheet);
      for (const [name, amount] of keys) {
        add(sheet.sums, name, { count: sign, amount: amount === null ? null : BigInt(sign) * amount });
      }
    }
  }
}

/** A payment from before there was a queue is read; it may have moved on since it was queued. */
async function lineOf({ store }: FoldNeeds, change: Change): Promise<Pick<Counted, 'revision' | 'line'> | null> {
  if (change.line !== null) return { revision: change.revision, line: change.line };
  const payment = await store.payment(change.merchantId, change.subjectId);
  const line = payment && paymentLine(payment);
  return line === null ? null : { revision: payment?.revision ?? 0, line };
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
  const sheets: Sheets = new Map();
  const lines = await Promise.all(changes.map((change) => lineOf(needs, change)));
  if (lines.some((found) => found && needs.pathOf(readLine(found.line).entityId) === null)) await needs.refresh();
  for (const [index, change] of changes.entries()) {
    const [found, text] = [lines[index], subjectText(change)];
    if (!found) continue;
    const path = (line: Added) => needs.pathOf(line.entityId) ?? [line.entityId, change.merchantId];
    let known = after.get(text);
    // An old payment may have been read when it had already moved on: its later lines are in the sheets.
    if (known === undefined || change.revision === 0 || found.revision > known.revision) {
      if (known) put(sheets, path(readLine(known.line)), readLine(known.line), -1);
      put(sheets, path(readLine(found.line)), readLine(found.line), 1);
      known = { merchantId: change.merchantId, subjectId: change.subjectId, ...found };
      after.set(text, known);
    }
    if (readLine(known.line).isFinal && change.revision >= known.revision) after.delete(text);
  }
  return {
    revision,
    sheets: await summed(needs, sheets),
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
/** Payments of the past are read one by one: nobody waits longer than a few milliseconds behind them. */
const PAST_PORTION = 200;
const PAST_PORTIONS_MAX = 10;

/** Everything fresh, and then some of the past. To be called every second. */
export async function foldAll(needs: FoldNeeds, rest: () => Promise<void>): Promise<void> {
  for (let portions = 0; portions < PORTIONS_MAX; portions += 1) {
    if ((await foldOnce(needs, 'fresh', PORTION)) < PORTION) break;
    await rest();
  }
  for (let portions = 0; portions < PAST_PORTIONS_MAX; portions += 1) {
    if ((await foldOnce(needs, 'past', PAST_PORTION)) < PAST_PORTION) return;
    await rest();
  }
}
