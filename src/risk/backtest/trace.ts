import type { RuleEvaluation } from '../assess.ts';
import type { CompiledRule } from '../rules.ts';

/** The verdicts and fired rules of one side in typed arrays. Two traces and the payment labels make a report. */
export type Trace = {
  /** The index in `verdicts` for each evaluated payment, in order. */
  readonly verdicts: Uint8Array;
  /** Pairs: the index of the payment and the index in `rules` of the rule that fired. */
  readonly fired: Int32Array;
  readonly rules: readonly { readonly id: string; readonly isShadow: boolean }[];
};

export const verdicts = ['accept', 'review', 'challenge', 'decline'] as const;

type Tracer = { add(weighed: RuleEvaluation): void; trace(): Trace };

export function createTracer(): Tracer {
  const [found, fired] = [createGrowingArray(Uint8Array), createGrowingArray(Int32Array)];
  const names = ruleNames();
  const put = (ready: CompiledRule, isShadow: boolean): void => {
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
    placeOf({ rule: { id } }: CompiledRule, isShadow: boolean): number {
      const name = `${isShadow ? '?' : ''}${id}`;
      const place = places.get(name) ?? all.push({ id, isShadow }) - 1;
      places.set(name, place);
      return place;
    },
  };
}

type Numbers = Uint8Array | Int32Array | Float64Array;

/** A typed array that grows. */
export function createGrowingArray<Kind extends Numbers>(kind: new (length: number) => Kind) {
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
