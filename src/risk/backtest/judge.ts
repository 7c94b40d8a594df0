import { weigh } from '../assess.ts';
import type { Value, View } from '../conditions/compile.ts';
import type { Answered, Dimension } from '../ports.ts';
import type { RuleSet } from '../rules.ts';
import type { KeyHashes } from '../velocity/keyHashes.ts';
import { createWindows, type Visit, type WindowLimits, type World } from '../velocity/windows.ts';
import { type Judges, raisedBy, windowsOf } from './backtest.ts';
import { keyed, listingName, outcomes, type Shape, type Sheet, type Sides, shapeOf } from './sheet.ts';
import { createTracer, type Trace } from './trace.ts';

export type SheetJudge = {
  /** Judges the next payments by both sides, the oldest first. */
  take(sheet: Sheet): void;
  traces(): readonly [before: Trace, after: Trace];
};

type Raised = Readonly<Record<'neither' | 'before' | 'after' | 'both', readonly number[]>>;

/** What each outcome raises, by the sides that would have blocked the payment. */
const raised: readonly Raised[] = outcomes.map((is) => ({
  neither: raisedBy({ is }, [false, false]),
  before: raisedBy({ is }, [true, false]),
  after: raisedBy({ is }, [false, true]),
  both: raisedBy({ is }, [true, true]),
}));

const blockedBy = (then: boolean, now: boolean): keyof Raised => (then ? (now ? 'both' : 'before') : now ? 'after' : 'neither');

/** What backtest() does, sheet by sheet and without explanations: both sides live on the same attempts, each in a world of its own. */
export function createSheetJudge(sides: Sides, limits?: Partial<WindowLimits>): SheetJudge {
  const windows = createWindows(limits);
  const asked = [...windowsOf(sides.before), ...windowsOf(sides.after)];
  const shape = shapeOf(sides);
  const [before, after] = [createBench(sides.before, shape, 0), createBench(sides.after, shape, 1)];
  const judge = (sheet: Sheet, row: number): void => {
    const [at, amount] = [sheet.at[row] as number, sheet.amounts[row] as bigint];
    const currency = sheet.currencies[row] as string;
    const visit = windows.visit({ keys: hashesAt(sheet, row), windows: asked, at, amount, currency });
    const may = raised[sheet.is[row] as number] as Raised;
    if (sheet.sets[row * 2] === -1) {
      visit.note(may.neither);
      return;
    }
    const [then, now] = [before.isBlocked(row, visit, amount), after.isBlocked(row, visit, amount)];
    visit.note(may[blockedBy(then, now)]);
  };
  return {
    take(sheet) {
      before.open(sheet);
      after.open(sheet);
      for (let row = 0; row < sheet.at.length; row += 1) judge(sheet, row);
    },
    traces: () => [before.trace(), after.trace()],
  };
}

const placeOf = Object.fromEntries(keyed.map((dimension, at) => [dimension, at])) as Readonly<Record<Dimension, number>>;

const keyAt = ({ keys }: Sheet, row: number, dimension: Dimension): number | null => {
  const hash = keys[row * keyed.length + placeOf[dimension]] as number;
  return Number.isNaN(hash) ? null : hash;
};

const hashesAt = (sheet: Sheet, row: number): KeyHashes => ({
  card: keyAt(sheet, row, 'card'),
  email: keyAt(sheet, row, 'email'),
  ip: keyAt(sheet, row, 'ip'),
  bin: keyAt(sheet, row, 'bin'),
  customer: keyAt(sheet, row, 'customer'),
  checkout: keyAt(sheet, row, 'checkout'),
  entity: keyAt(sheet, row, 'entity'),
  mobile: keyAt(sheet, row, 'mobile'),
  'card+ip': keyAt(sheet, row, 'card+ip'),
  order: keyAt(sheet, row, 'order'),
  transaction: keyAt(sheet, row, 'transaction'),
});

/** Where one side sits. It looks at one sheet, and at one payment of it after the other. */
function createBench({ sets }: Judges, shape: Shape, world: World) {
  const cursors = sets.map((set) => cursorOf(set, shape));
  const tracer = createTracer();
  let places = new Int16Array();
  return {
    open(sheet: Sheet): void {
      places = sheet.sets as typeof places;
      for (const cursor of cursors) cursor.open(sheet);
    },
    isBlocked(row: number, visit: Visit, amount: bigint): boolean {
      const cursor = cursors[places[row * 2 + world] as number] as Cursor;
      const view = cursor.at(row, { amount, windows: visit.read(cursor.set.windows, world) });
      const weighed = weigh(view, cursor.set);
      tracer.add(weighed);
      return weighed.verdict.is === 'decline';
    },
    trace: tracer.trace,
  };
}

type Cursor = {
  readonly set: RuleSet;
  open(sheet: Sheet): void;
  at(row: number, rest: Pick<View, 'amount' | 'windows'>): View;
};

/** The payments of a sheet as one rule set sees them. */
function cursorOf(set: RuleSet, shape: Shape): Cursor {
  const factAt = set.facts.map(({ name }) => shape.facts.findIndex((fact) => fact.name === name));
  const listAt = set.listings.map((own) => shape.listings.findIndex((one) => listingName(one) === listingName(own)));
  let row = 0;
  let [facts, listed]: [readonly (readonly Value[])[], readonly (readonly (boolean | null)[])[]] = [[], []];
  const factsHere: Answered<Value> = { at: (slot) => facts[slot]?.[row] };
  const listedHere: Answered<boolean | null> = { at: (slot) => listed[slot]?.[row] };
  return {
    set,
    open(sheet) {
      facts = factAt.map((place) => sheet.facts[place] ?? []);
      listed = listAt.map((place) => sheet.listed[place] ?? []);
    },
    at(here, { amount, windows }) {
      row = here;
      return { facts: factsHere, amount, windows, listed: listedHere };
    },
  };
}
