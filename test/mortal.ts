import type { Store } from '../src/store/store.ts';

/** A store as somebody has it who can die: from then on nothing comes back to him, and nothing of his gets there. */
export type Mortal = {
  readonly store: Store;
  /** He dies with one of his next calls: before it leaves, or when its answer comes. */
  dieAfter(calls: number, isDone: boolean): void;
  die(): void;
  isDead(): boolean;
  /** Resolves when he is dead. */
  readonly death: Promise<void>;
};

const never = new Promise<never>(() => {});

/** The store itself stays open: it belongs to whoever comes after him. */
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
