import type { Me } from '../../spec/answers/users.ts';

/** What the pages know of the session: its proof for requests, and when it ends. Others listen to its end. */

type Ends = { readonly idleAt: number; readonly endsAt: number };

function createWatch() {
  let me: Me | null = null;
  let seenAt = 0;
  const listeners = new Set<() => void>();
  const idleMs = () => (me ? Date.parse(me.idleUntil) - Date.parse(me.now) : 0);
  const lifeMs = () => (me ? Date.parse(me.endsAt) - Date.parse(me.now) : 0);
  let beganAt = 0;
  return {
    /** Somebody has signed in, or the session was asked for anew. */
    begin(told: Me): void {
      me = told;
      beganAt = Date.now();
      seenAt = beganAt;
    },
    csrf: (): string => me?.csrf ?? '',
    /** A request was answered: the session lives on. */
    seen(): void {
      seenAt = Date.now();
    },
    /** When it ends by the clock of this browser. */
    ends: (): Ends | null => (me ? { idleAt: seenAt + idleMs(), endsAt: beganAt + lifeMs() } : null),
    /** There is no session any more. */
    lost(): void {
      me = null;
      for (const listener of listeners) listener();
    },
    onLost(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const watch = createWatch();
