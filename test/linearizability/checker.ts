/** One call of a client. Times are of one clock. */
export type Operation<Input, Output> = {
  readonly input: Input;
  /** Null: the client never learnt it. The operation took effect at some time after its call, or never. */
  readonly output: Output | null;
  readonly calledAt: number;
  /** Infinity when there was no answer. */
  readonly returnedAt: number;
};

export type Model<State, Input, Output> = {
  readonly initial: State;
  /** The state afterwards; null when the operation cannot have this output in this state. */
  apply(state: State, input: Input, output: Output | null): State | null;
  /** Two states with the same text are the same. */
  keyOf(state: State): string;
};

/**
 * Whether the operations could have happened one after the other, each at one instant between its call and its return (Wing and Gong, with
 * the memory of Lowe: a set of operations that led to a state before is not tried again).
 */
export function isLinearizable<State, Input, Output>(
  operations: readonly Operation<Input, Output>[],
  model: Model<State, Input, Output>,
): boolean {
  const ordered = [...operations].sort((one, other) => one.calledAt - other.calledAt);
  const needed = ordered.reduce((mask, { output }, at) => (output === null ? mask : mask | (1n << BigInt(at))), 0n);
  const seen = new Set<string>();
  const open: { readonly done: bigint; readonly state: State }[] = [{ done: 0n, state: model.initial }];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    if ((from.done & needed) === needed) return true;
    for (const at of candidates(ordered, from.done)) {
      const { input, output } = ordered[at] as Operation<Input, Output>;
      const state = model.apply(from.state, input, output);
      if (state === null) continue;
      const done = from.done | (1n << BigInt(at));
      const key = `${done.toString(36)} ${model.keyOf(state)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      open.push({ done, state });
    }
  }
  return false;
}

/** The operations that may be next: those that were called before any other that is left returned. */
function candidates(ordered: readonly Operation<unknown, unknown>[], done: bigint): readonly number[] {
  const left = ordered.flatMap((operation, at) => ((done >> BigInt(at)) & 1n ? [] : [{ at, operation }]));
  const firstReturn = left.reduce((least, { operation }) => Math.min(least, operation.returnedAt), Number.POSITIVE_INFINITY);
  return left.flatMap(({ at, operation }) => (operation.calledAt <= firstReturn ? [at] : []));
}
