import type { Me } from '../../spec/answers/users.ts';

/** The session of the user: its CSRF token, when it ends, and subscribers to its end. */

type Ends = { readonly idleAt: number; readonly endsAt: number };

function createSessionWatch() {
  let me: Me | null = null;
  let seenAt = 0;
  const listeners = new Set<() => void>();
  const idleMs = () => (me ? Date.parse(me.idleUntil) - Date.parse(me.now) : 0);
  const lifeMs = () => (me ? Date.parse(me.endsAt) - Date.parse(me.now) : 0);
  let beganAt = 0;
  return {
    /** The user has signed in, or the session was loaded again. */
    begin(signedIn: Me): void {
      me = signedIn;
      beganAt = Date.now();
      seenAt = beganAt;
    },
    csrf: (): string => me?.csrf ?? '',
    /** A request succeeded, which extends the session. */
    seen(): void {
      seenAt = Date.now();
    },
    /** The end of the session by the clock of this browser. */
    ends: (): Ends | null => (me ? { idleAt: seenAt + idleMs(), endsAt: beganAt + lifeMs() } : null),
    /** The session has ended. */
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

export const sessionWatch = createSessionWatch();
