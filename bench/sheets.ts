import { examplePayment } from '../src/payments/examples.ts';
import type { Payment, Phase } from '../src/payments/payment.ts';
import { paymentLine, readLine } from '../src/reports/statistics/line.ts';
import type { Sheet } from '../src/reports/statistics/ports.ts';
import { add, keyText, type Sums, spans, writeSums } from '../src/reports/statistics/sheet.ts';
import { DAY_MS } from '../src/spec/time.ts';
import type { Store } from '../src/store/store.ts';

/** The sheets of statistics that the payments of a year would have left. */

const QUARTER_MS = 900_000;
const YEAR_MS = 365 * DAY_MS;
const CHANNELS = ['shop', 'app', 'phone', 'engine'] as const;

export type SheetsSize = {
  readonly rows: number;
  readonly now: number;
  /** The nodes that a payment of a channel is counted for. */
  readonly nodesAbove: (channel: string) => readonly string[];
};

const final = (code: string): Phase => ({ at: 'final', code }) as Phase;

/** The recurring kinds of payments, and how many of a hundred are of each. */
export function kinds(): readonly { readonly line: string; readonly weight: number }[] {
  const codes = ['000.100.110', '800.100.151', '800.100.153', '800.100.155', '800.100.162', '800.120.101', '100.396.103'];
  const made: { line: string; weight: number }[] = [];
  for (const [at, currency] of ['EUR', 'USD', 'GBP'].entries()) {
    for (const [place, paymentBrand] of ['VISA', 'MASTER', 'AMEX', 'PAYPAL'].entries()) {
      for (const [rank, code] of codes.entries()) {
        for (const paymentType of ['DB', 'PA'] as const) {
          for (const ms of [3, 40, 180, 900]) {
            const changes: Partial<Payment> = {
              currency,
              paymentBrand,
              paymentType,
              phase: final(code),
              createdAt: 0,
              movedAt: ms,
            };
            const line = paymentLine(examplePayment(changes)) ?? '';
            made.push({ line, weight: (rank === 0 ? 12 : 1) * (3 - at) * (5 - place) * (ms === 40 ? 4 : 1) });
          }
        }
      }
    }
  }
  return made;
}

const golden = 0.618033988749895;

/** How many payments of each kind each channel had in each quarter of an hour of the year. */
function* quarters({
  rows,
  now,
}: SheetsSize): Generator<{ readonly begins: number; readonly node: string; readonly counts: Map<string, number> }> {
  const all = kinds();
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  const ladder = all.flatMap(({ line, weight }) => Array.from({ length: weight }, () => line));
  const first = now - (now % DAY_MS) - YEAR_MS;
  const perQuarter = rows / (YEAR_MS / QUARTER_MS) / CHANNELS.length;
  let drawn = 0;
  let owed = 0;
  for (let begins = first; begins < first + YEAR_MS; begins += QUARTER_MS) {
    for (const node of CHANNELS) {
      const counts = new Map<string, number>();
      for (owed += perQuarter; owed >= 1; owed -= 1) {
        const line = ladder[Math.floor(((drawn * golden) % 1) * total)] ?? '';
        counts.set(line, (counts.get(line) ?? 0) + 1);
        drawn += 1;
      }
      yield { begins, node, counts };
    }
  }
}

/** The sheets of every node, as the fold would have written them. */
function* sheetsOf(size: SheetsSize): Generator<Sheet> {
  const open = new Map<string, Sheet & { readonly sums: Sums }>();
  let day = 0;
  const flush = function* (): Generator<Sheet> {
    for (const { sums, ...sheet } of open.values()) yield { ...sheet, body: writeSums(sums) };
    open.clear();
  };
  for (const { begins, node, counts } of quarters(size)) {
    if (begins - (begins % DAY_MS) !== day) {
      yield* flush();
      day = begins - (begins % DAY_MS);
    }
    for (const nodeId of size.nodesAbove(node)) {
      for (const span of spans) {
        const key = { nodeId, span, begins: begins - (begins % span) };
        const sheet = open.get(keyText(key)) ?? { ...key, body: '', sums: new Map() };
        open.set(keyText(key), sheet);
        for (const [line, count] of counts) {
          const { amount, keys } = readLine(line);
          for (const [name, isMoney] of keys) add(sheet.sums, name, { count, amount: isMoney ? amount * BigInt(count) : null });
        }
      }
    }
  }
  yield* flush();
}

const PORTION = 2_000;
const SHEETS_A_DAY = 96 + 24 + 1;

/** Uses the store method of the fold itself. */
export async function writeSheets(store: Store, size: SheetsSize, onProgress: (share: number) => void): Promise<void> {
  const nothing = { counted: [], ended: [], done: [] };
  const nodes = new Set(CHANNELS.flatMap(size.nodesAbove)).size;
  let [count, portion] = [0, [] as Sheet[]];
  const flush = async () => {
    const revision = await store.foldRevision();
    if (!(await store.fold({ ...nothing, revision, sheets: portion }))) throw new Error('another fold is running');
    count += portion.length;
    portion = [];
    onProgress(count / (nodes * 365 * SHEETS_A_DAY));
  };
  for (const sheet of sheetsOf(size)) if (portion.push(sheet) === PORTION) await flush();
  await flush();
}
