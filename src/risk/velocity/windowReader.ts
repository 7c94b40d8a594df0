import type { AnswerSlots, Outcome, Window, WindowAnswer } from '../ports.ts';
import { type CounterRow, type CounterWeights, countOf, distinctIn, sumOf } from './counterArena.ts';
import { bucketAt, type Tier, tierOf, tiers, weights } from './tiers.ts';
import { distinctLists, groupNameOf, type WindowLayout } from './windowLayout.ts';

/** Distinct values are stored with the second in which they were last seen. */
export const DISTINCT_BUCKET_MS = 1_000;

/** How a window is read from a row. */
type Lookup = {
  readonly measure: Window['measure'];
  readonly ms: number;
  readonly list: number;
  readonly widthMs: number;
  /** By variant: the weights of the outcome, and the weights of all attempts. */
  readonly own: readonly [CounterWeights, CounterWeights];
  readonly all: readonly [CounterWeights, CounterWeights];
};

const weightsFor = (outcome: Outcome): readonly [CounterWeights, CounterWeights] => [
  { weights: weights[outcome], variant: 0 },
  { weights: weights[outcome], variant: 1 },
];

type SlotLookup = { readonly group: number; readonly lookup: Lookup };

export function lookupOf({ measure, ms, outcome, what }: Window): Lookup {
  const list = what === null ? tierOf(ms) : (distinctLists[what] ?? 0);
  const widthMs = what === null ? (tiers[list] as Tier).widthMs : DISTINCT_BUCKET_MS;
  return { measure, ms, list, widthMs, own: weightsFor(outcome), all: weightsFor('any') };
}

/**
 * Reads windows lazily: most conditions are decided by their first operands, so most windows are never computed. One reader serves all
 * requests with the same list of windows, one after the other, each from the rows that stand in `rows` by then.
 */
export type WindowReader = { begin(now: number, variant: ReadTime['variant']): AnswerSlots<WindowAnswer> };

export function createWindowReader(
  windows: readonly Window[],
  layout: WindowLayout,
  rows: readonly (CounterRow | null)[],
): WindowReader {
  const asks = windows.map(
    (window): SlotLookup => ({ group: layout.at.get(groupNameOf(window)) ?? -1, lookup: lookupOf(window) }),
  );
  const answers: WindowAnswer[] = asks.map(() => null);
  const answeredIn = new Float64Array(asks.length);
  const when: { now: number; variant: ReadTime['variant'] } = { now: 0, variant: 0 };
  let turn = 0;
  const reading = {
    at(slot: number): WindowAnswer {
      const ask = asks[slot];
      if (answeredIn[slot] !== turn && ask) {
        answers[slot] = answerOf(rows[ask.group] ?? null, ask.lookup, when);
        answeredIn[slot] = turn;
      }
      return answers[slot] ?? null;
    },
  };
  return {
    begin(now, variant) {
      turn += 1;
      when.now = now;
      when.variant = variant;
      return reading;
    },
  };
}

export type ReadTime = { readonly now: number; readonly variant: 0 | 1 };

export function answerOf(row: CounterRow | null, lookup: Lookup, { now, variant }: ReadTime): WindowAnswer {
  if (row === null) return null;
  const { measure, list, widthMs, ms } = lookup;
  const range = { list, first: bucketAt(now - ms, widthMs), last: bucketAt(now, widthMs) };
  if (measure === 'distinct') return distinctIn(row, range);
  if (measure === 'sum') return sumOf(row, range, lookup.own[variant]);
  const count = countOf(row, range, lookup.own[variant]);
  if (measure === 'count') return count;
  const all = countOf(row, range, lookup.all[variant]);
  return all === 0 ? null : Math.min(100, Math.floor((100 * count) / all));
}
