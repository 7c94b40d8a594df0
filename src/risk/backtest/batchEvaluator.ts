import { evaluateRules } from '../assess.ts';
import type { ConditionContext, Value } from '../conditions/compile.ts';
import type { AnswerSlots, Dimension } from '../ports.ts';
import type { RuleSet } from '../rules.ts';
import type { KeyHashes } from '../velocity/keys.ts';
import { createWindows, type Variant, type WindowHandle, type WindowLimits } from '../velocity/windows.ts';
import { countersFor, type RuleSelector, windowsOf } from './backtest.ts';
import { createTracer, type Trace } from './joinTraces.ts';
import {
  type BatchColumns,
  batchColumns,
  keyDimensions,
  listingName,
  outcomes,
  type PaymentBatch,
  type Sides,
} from './paymentBatch.ts';

export type BatchEvaluator = {
  /** Evaluates the next payments by both sides, the oldest first. */
  take(batch: PaymentBatch): void;
  traces(): readonly [before: Trace, after: Trace];
};

type CountersByBlocker = Readonly<Record<'neither' | 'before' | 'after' | 'both', readonly number[]>>;

/** The counters that each outcome increments, by the sides that block the payment. */
const countersByOutcome: readonly CountersByBlocker[] = outcomes.map((is) => ({
  neither: countersFor({ is }, [false, false]),
  before: countersFor({ is }, [true, false]),
  after: countersFor({ is }, [false, true]),
  both: countersFor({ is }, [true, true]),
}));

const blockedBy = (then: boolean, now: boolean): keyof CountersByBlocker =>
  then ? (now ? 'both' : 'before') : now ? 'after' : 'neither';

/** The same as backtest(), batch by batch and without explanations. */
export function createBatchEvaluator(sides: Sides, limits?: Partial<WindowLimits>): BatchEvaluator {
  const windows = createWindows(limits);
  const asked = [...windowsOf(sides.before), ...windowsOf(sides.after)];
  const shape = batchColumns(sides);
  const [before, after] = [createSideEvaluator(sides.before, shape, 0), createSideEvaluator(sides.after, shape, 1)];
  const evaluateRow = (batch: PaymentBatch, row: number): void => {
    const [at, amount] = [batch.at[row] as number, batch.amounts[row] as bigint];
    const currency = batch.currencies[row] as string;
    const handle = windows.open({ keys: hashesAt(batch, row), windows: asked, at, amount, currency });
    const may = countersByOutcome[batch.is[row] as number] as CountersByBlocker;
    if (batch.sets[row * 2] === -1) {
      handle.increment(may.neither);
      return;
    }
    const [then, now] = [before.isBlocked(row, handle, amount), after.isBlocked(row, handle, amount)];
    handle.increment(may[blockedBy(then, now)]);
  };
  return {
    take(batch) {
      before.open(batch);
      after.open(batch);
      for (let row = 0; row < batch.at.length; row += 1) evaluateRow(batch, row);
    },
    traces: () => [before.trace(), after.trace()],
  };
}

const placeOf = Object.fromEntries(keyDimensions.map((dimension, at) => [dimension, at])) as Readonly<Record<Dimension, number>>;

const keyAt = ({ keys }: PaymentBatch, row: number, dimension: Dimension): number | null => {
  const hash = keys[row * keyDimensions.length + placeOf[dimension]] as number;
  return Number.isNaN(hash) ? null : hash;
};

const hashesAt = (batch: PaymentBatch, row: number): KeyHashes => ({
  card: keyAt(batch, row, 'card'),
  email: keyAt(batch, row, 'email'),
  ip: keyAt(batch, row, 'ip'),
  bin: keyAt(batch, row, 'bin'),
  customer: keyAt(batch, row, 'customer'),
  checkout: keyAt(batch, row, 'checkout'),
  entity: keyAt(batch, row, 'entity'),
  mobile: keyAt(batch, row, 'mobile'),
  'card+ip': keyAt(batch, row, 'card+ip'),
  order: keyAt(batch, row, 'order'),
  transaction: keyAt(batch, row, 'transaction'),
});

/** Evaluates the payments of a batch for one side. */
function createSideEvaluator({ sets }: RuleSelector, shape: BatchColumns, variant: Variant) {
  const cursors = sets.map((set) => cursorOf(set, shape));
  const tracer = createTracer();
  let setIndexes = new Int16Array();
  return {
    open(batch: PaymentBatch): void {
      setIndexes = batch.sets as typeof setIndexes;
      for (const cursor of cursors) cursor.open(batch);
    },
    isBlocked(row: number, handle: WindowHandle, amount: bigint): boolean {
      const cursor = cursors[setIndexes[row * 2 + variant] as number] as Cursor;
      const context = cursor.at(row, { amount, windows: handle.read(cursor.set.windows, variant) });
      const weighed = evaluateRules(context, cursor.set);
      tracer.add(weighed);
      return weighed.verdict.is === 'decline';
    },
    trace: tracer.trace,
  };
}

type Cursor = {
  readonly set: RuleSet;
  open(batch: PaymentBatch): void;
  at(row: number, rest: Pick<ConditionContext, 'amount' | 'windows'>): ConditionContext;
};

/** A view of one payment of a batch for one rule set. */
function cursorOf(set: RuleSet, shape: BatchColumns): Cursor {
  const factAt = set.facts.map(({ name }) => shape.facts.findIndex((fact) => fact.name === name));
  const listAt = set.listings.map((own) => shape.listings.findIndex((one) => listingName(one) === listingName(own)));
  let row = 0;
  let [facts, listed]: [readonly (readonly Value[])[], readonly (readonly (boolean | null)[])[]] = [[], []];
  const factsHere: AnswerSlots<Value> = { at: (slot) => facts[slot]?.[row] };
  const listedHere: AnswerSlots<boolean | null> = { at: (slot) => listed[slot]?.[row] };
  return {
    set,
    open(batch) {
      facts = factAt.map((place) => batch.facts[place] ?? []);
      listed = listAt.map((place) => batch.listed[place] ?? []);
    },
    at(here, { amount, windows }) {
      row = here;
      return { facts: factsHere, amount, windows, listed: listedHere };
    },
  };
}
