import type { Model, Operation } from './checker.ts';

/** A request about one family. Each transaction has a tag of its own, by which reads show it. */
export type FamilyInput =
  | { readonly kind: 'PA'; readonly tag: string; readonly amount: number }
  | { readonly kind: 'CP' | 'RV'; readonly tag: string; readonly amount: number }
  /** `of`: the tag of the capture. */
  | { readonly kind: 'RF'; readonly tag: string; readonly amount: number; readonly of: string }
  | { readonly kind: 'GET' };

export type FamilyOutput =
  | { readonly kind: 'approved' }
  | { readonly kind: 'refused' }
  /** The tags of all approved transactions of the family, in order. */
  | { readonly kind: 'read'; readonly tags: readonly string[] };

export type FamilyOperation = Operation<FamilyInput, FamilyOutput>;

type Capture = { readonly amount: number; readonly refunded: number };
type FamilyState = {
  readonly authorised: number;
  /** Captured or reversed. */
  readonly used: number;
  readonly captures: ReadonlyMap<string, Capture>;
  readonly tags: readonly string[];
};

/** The rules of a preauthorization, written down a second time: they do not come from the program. */
export const familyModel: Model<FamilyState, FamilyInput, FamilyOutput> = {
  initial: { authorised: 0, used: 0, captures: new Map(), tags: [] },
  keyOf: ({ tags }) => tags.join(),
  apply: (state, input, output) => {
    if (input.kind === 'GET') return output === null || showsAll(state, output) ? state : null;
    const next = after(state, input);
    if (output === null) return next ?? state;
    if (output.kind === 'approved') return next;
    return output.kind === 'refused' && next === null ? state : null;
  },
};

const showsAll = ({ tags }: FamilyState, output: FamilyOutput): boolean =>
  output.kind === 'read' && output.tags.length === tags.length && output.tags.every((tag, at) => tag === tags[at]);

/** The state after an approval; null when the rules forbid it. */
function after(state: FamilyState, input: Exclude<FamilyInput, { readonly kind: 'GET' }>): FamilyState | null {
  const tags = [...state.tags, input.tag].sort();
  const { amount } = input;
  switch (input.kind) {
    case 'PA':
      return state.authorised === 0 ? { ...state, authorised: amount, tags } : null;
    case 'CP': {
      if (state.used + amount > state.authorised) return null;
      const captures = new Map(state.captures).set(input.tag, { amount, refunded: 0 });
      return { ...state, used: state.used + amount, captures, tags };
    }
    case 'RV':
      return state.used + amount > state.authorised ? null : { ...state, used: state.used + amount, tags };
    case 'RF': {
      const capture = state.captures.get(input.of);
      if (capture === undefined || capture.refunded + amount > capture.amount) return null;
      const captures = new Map(state.captures).set(input.of, { ...capture, refunded: capture.refunded + amount });
      return { ...state, captures, tags };
    }
  }
}
