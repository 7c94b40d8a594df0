import type { Weighed } from '../assess.ts';
import type { ReadyRule } from '../rules.ts';

/** What one rule set did with a row of payments, in numbers: two of these and the ledger of the payments make a report. */
export type Trace = {
  /** The place in `verdicts` of what was done with each payment that counts, in order. */
  readonly verdicts: Uint8Array;
  /** Pairs: the payment by its number, and the rule that fired by its place in `rules`. */
  readonly fired: Int32Array;
  readonly rules: readonly { readonly id: string; readonly isShadow: boolean }[];
};

export const verdicts = ['accept', 'review', 'challenge', 'decline'] as const;

export type Tracer = { add(weighed: Weighed): void; trace(): Trace };

/** Writes down what the rules of one side did. */
export function createTracer(): Tracer {
  const [found, fired] = [growing(Uint8Array), growing(Int32Array)];
  const names = ruleNames();
  const put = (ready: ReadyRule, isShadow: boolean): void => {
    fired.push(found.count());
    fired.push(names.placeOf(ready, isShadow));
  };
  return {
    add(weighed) {
      for (const ready of weighed.fired) put(ready, false);
      for (const ready of weighed.shadow) put(ready, true);
      found.push(verdicts.indexOf(weighed.verdict.is));
    },
    trace: () => ({ verdicts: found.values(), fired: fired.values(), rules: names.all }),
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
    push(number: number): void {
      if (used === held.length) {
        const larger = new kind(held.length * 2);
        larger.set(held as never);
        held = larger;
      }
      held[used] = number;
      used += 1;
    },
    count: () => used,
    values: (): Kind => held.slice(0, used) as Kind,
  };
}
