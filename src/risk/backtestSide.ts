import { weigh } from './assess.ts';
import { type Judges, judgesOf, type Past, raisedBy } from './backtest.ts';
import { createKeyHasher } from './backtestKeys.ts';
import type { PastLists } from './backtestLists.ts';
import type { Answered, View } from './conditions/compile.ts';
import { hashOf } from './hashIndex.ts';
import type { ReadyRule, RuleSet } from './rules.ts';
import { createWindows, type WindowLimits } from './windows.ts';

/**
 * What one rule set did with a row of payments, in numbers that can be handed from thread to thread: two of these that saw the same
 * payments make a report.
 */
export type Trace = {
  /** The place in `verdicts` of what was done with each payment that counts, in order. */
  readonly verdicts: Uint8Array;
  /** Pairs: the payment by its number, and the rule that fired by its place in `rules`. */
  readonly fired: Int32Array;
  readonly rules: readonly { readonly id: string; readonly isShadow: boolean }[];
  /** Of the ids of all payments in order, those included that do not count: two sides with the same saw the same. */
  readonly seen: number;
};

export const verdicts = ['accept', 'review', 'challenge', 'decline'] as const;

export type SideNeeds = {
  readonly rules: RuleSet | Judges;
  readonly lists?: PastLists;
  readonly limits?: Partial<WindowLimits>;
};

export type SideRunner = {
  /** Judges the next payments, the oldest first; answers which of them count. */
  take(page: readonly Named[]): Promise<readonly boolean[]>;
  trace(): Trace;
};

/** A past payment with its id. */
export type Named = Past & { readonly id: string };

const SEED = 0x51f15e;
const raised = {
  blocked: raisedBy({ is: 'blocked' }, [true]),
  approved: raisedBy({ is: 'approved' }, [false]),
  declined: raisedBy({ is: 'declined' }, [false]),
  open: raisedBy({ is: 'open' }, [false]),
} as const;
const unlisted: Answered<null> = { at: () => null };

/** One side of a back-test: what backtest() does for one of its rule sets, page by page and without explanations. */
export function createSide({ rules: given, lists, limits }: SideNeeds): SideRunner {
  const judges = judgesOf(given);
  const windows = createWindows(limits);
  const keysOf = createKeyHasher(limits?.seed ?? SEED);
  const [found, fired] = [growing(Uint8Array), growing(Int32Array)];
  const names = ruleNames();
  let seen = 0;
  const judge = ({ facts, is, id }: Named, ruleSet: RuleSet | null, listed: Answered<boolean | null>): void => {
    const { now: at, amount, currency } = facts;
    seen = Math.imul(seen ^ (hashOf(id, SEED) | 0), 0x01000193);
    const visit = windows.visit({ keys: keysOf(facts), windows: judges.windows, at, amount, currency });
    if (!ruleSet) {
      visit.note(raised[is]);
      return;
    }
    const view: View = { facts, windows: visit.read(ruleSet.windows, 0), listed };
    const weighed = weigh(view, ruleSet);
    const number = found.count();
    for (const ready of weighed.fired) fired.push(number, names.placeOf(ready, false));
    for (const ready of weighed.shadow) fired.push(number, names.placeOf(ready, true));
    found.push(verdicts.indexOf(weighed.verdict.is));
    visit.note(weighed.verdict.is === 'decline' ? raised.blocked : raised[is]);
  };
  return {
    async take(page) {
      const sets = page.map(({ facts }) => judges.select(facts));
      const listed = await lists?.ask(page.map(({ facts }, at) => [sets[at]?.listings ?? [], facts]));
      for (let at = 0; at < page.length; at += 1) judge(page[at] as Named, sets[at] ?? null, listed?.[at] ?? unlisted);
      return sets.map((set) => set !== null);
    },
    trace: () => ({ verdicts: found.values(), fired: fired.values(), rules: names.all, seen }),
  };
}

function ruleNames() {
  const all: { readonly id: string; readonly isShadow: boolean }[] = [];
  const places = new Map<string, number>();
  return {
    all,
    placeOf({ rule: { id } }: ReadyRule, isShadow: boolean): number {
      const name = `${isShadow ? '?' : ''}${id}`;
      const place = places.get(name) ?? all.push({ id, isShadow }) - 1;
      places.set(name, place);
      return place;
    },
  };
}

type Numbers = Uint8Array | Int32Array | Float64Array;

/** A typed array that grows. */
export function growing<Kind extends Numbers>(kind: new (length: number) => Kind) {
  let held = new kind(1_024);
  let used = 0;
  return {
    push(...numbers: readonly number[]): void {
      if (used + numbers.length > held.length) {
        const larger = new kind(held.length * 2);
        larger.set(held as never);
        held = larger;
      }
      for (const number of numbers) {
        held[used] = number;
        used += 1;
      }
    },
    count: () => used,
    values: (): Kind => held.slice(0, used) as Kind,
  };
}
