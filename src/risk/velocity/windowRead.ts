import type { Answered, Outcome, Window, WindowAnswer } from '../ports.ts';
import { type CounterCell, countOf, seenIn, sumOf, type Weighing } from './counterArena.ts';
import { numberAt, type Tier, tierOf, tiers, weights } from './tiers.ts';
import { feedOf, otherLists, type Plan } from './windowPlan.ts';

/** What was seen is remembered to the second. */
export const SEEN_MS = 1_000;

/** A window as it is looked up in a row. */
type Lookup = {
  readonly measure: Window['measure'];
  readonly ms: number;
  readonly list: number;
  readonly widthMs: number;
  /** By world: how the counters add up, and how all attempts do. */
  readonly own: readonly [Weighing, Weighing];
  readonly all: readonly [Weighing, Weighing];
};

const inWorlds = (outcome: Outcome): readonly [Weighing, Weighing] => [
  { weights: weights[outcome], world: 0 },
  { weights: weights[outcome], world: 1 },
];

type Ask = { readonly feed: number; readonly lookup: Lookup };

export function lookupOf({ measure, ms, outcome, what }: Window): Lookup {
  const list = what === null ? tierOf(ms) : (otherLists[what] ?? 0);
  const widthMs = what === null ? (tiers[list] as Tier).widthMs : SEEN_MS;
  return { measure, ms, list, widthMs, own: inWorlds(outcome), all: inWorlds('any') };
}

/**
 * Most rules are decided by their first words: what the others would have asked is never looked up. One reader serves all requests
 * that ask the same, one after the other.
 */
export type Reader = { begin(places: readonly (CounterCell | null)[], when: When): Answered<WindowAnswer> };

export function readerOf(asked: readonly Window[], plan: Plan): Reader {
  const asks = asked.map((window): Ask => ({ feed: plan.at.get(feedOf(window)) ?? -1, lookup: lookupOf(window) }));
  const answers: WindowAnswer[] = asks.map(() => null);
  const answeredIn = new Float64Array(asks.length);
  let [turn, from, when]: [number, readonly (CounterCell | null)[], When] = [0, [], { now: 0, world: 0 }];
  const reading = {
    at(slot: number): WindowAnswer {
      const ask = asks[slot];
      if (answeredIn[slot] !== turn && ask) {
        answers[slot] = answerOf(from[ask.feed] ?? null, ask.lookup, when);
        answeredIn[slot] = turn;
      }
      return answers[slot] ?? null;
    },
  };
  return {
    begin(places, at) {
      turn += 1;
      from = places;
      when = at;
      return reading;
    },
  };
}

export type When = { readonly now: number; readonly world: 0 | 1 };

export function answerOf(place: CounterCell | null, lookup: Lookup, { now, world }: When): WindowAnswer {
  if (place === null) return null;
  const { measure, list, widthMs, ms } = lookup;
  const range = { list, first: numberAt(now - ms, widthMs), last: numberAt(now, widthMs) };
  if (measure === 'distinct') return seenIn(place, range);
  if (measure === 'sum') return sumOf(place, range, lookup.own[world]);
  const count = countOf(place, range, lookup.own[world]);
  if (measure === 'count') return count;
  const all = countOf(place, range, lookup.all[world]);
  return all === 0 ? null : Math.min(100, Math.floor((100 * count) / all));
}
