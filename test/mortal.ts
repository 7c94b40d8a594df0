import type { Store } from '../src/store/store.ts';

/** The store of a node that a test can kill: from then on no call reaches the store and no call returns. */
export type Mortal = {
  readonly store: Store;
  /** Kills the node at one of its next calls: before the call, or when its result arrives. */
  dieAfter(calls: number, isDone: boolean): void;
  die(): void;
  isDead(): boolean;
  /** Resolves when the node is dead. */
  readonly death: Promise<void>;
};

const never = new Promise<never>(() => {});

/** The underlying store stays open for the next node. */
export function mortal(store: Store): Mortal {
  let [left, diesWithAnswer, isDead] = [Number.POSITIVE_INFINITY, false, false];
  const { promise: death, resolve } = Promise.withResolvers<void>();
  const die = (): void => {
    isDead = true;
    resolve();
  };
  const call = (method: (...given: unknown[]) => Promise<unknown>, given: unknown[]): Promise<unknown> => {
    if (isDead) return never;
    left -= 1;
    const isLast = left === 0;
    if (isLast && !diesWithAnswer) {
      die();
      return never;
    }
    const answer = method.apply(store, given);
    return answer.then((value) => {
      if (isLast) die();
      return isDead ? never : value;
    });
  };
  const get = (target: Store, name: string | symbol): unknown => {
    if (name === 'close') return async () => {};
    const member: unknown = Reflect.get(target, name);
    return typeof member === 'function' ? (...given: unknown[]) => call(member as never, given) : member;
  };
  return {
    store: new Proxy(store, { get }),
    dieAfter(calls, isDone) {
      [left, diesWithAnswer] = [calls, isDone];
    },
    die,
    isDead: () => isDead,
    death,
  };
}
