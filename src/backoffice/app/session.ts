import type { Me } from '../../spec/answers/users.ts';

/** The session of the user: its CSRF token, when it ends, and subscribers to its end. */

/** A step-up that ends while a request is under way counts as ended. */
const STEP_UP_MARGIN_MS = 5_000;

type Ends = { readonly idleAt: number; readonly endsAt: number };

function createSessionWatch() {
  let me: Me | null = null;
  let seenAt = 0;
  const listeners = new Set<() => void>();
  const idleMs = () => (me ? Date.parse(me.idleUntil) - Date.parse(me.now) : 0);
  const lifeMs = () => (me ? Date.parse(me.endsAt) - Date.parse(me.now) : 0);
  let beganAt = 0;
  /** By the clock of this browser. */
  let steppedUpUntil = 0;
  const stepUpMs = () => (me?.steppedUpUntil ? Date.parse(me.steppedUpUntil) - Date.parse(me.now) : 0);
  return {
    /** The user has signed in, or the session was loaded again. */
    begin(signedIn: Me): void {
      me = signedIn;
      beganAt = Date.now();
      seenAt = beganAt;
      steppedUpUntil = beganAt + stepUpMs();
    },
    /** The user has confirmed the identity; it counts for `ms` milliseconds. */
    steppedUp(ms: number): void {
      steppedUpUntil = Date.now() + ms;
    },
    /** Whether a sensitive request would be refused without a new step-up. */
    needsStepUp: (): boolean => me !== null && Date.now() + STEP_UP_MARGIN_MS >= steppedUpUntil,
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

/** Requests for a step-up: a dialog asks the user to confirm the identity, and API calls wait for it. */

type StepUpRequest = { readonly answer: (isConfirmed: boolean) => void };

function createStepUpRequests() {
  let request: StepUpRequest | null = null;
  let asked: Promise<boolean> | null = null;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  return {
    /** One dialog answers several concurrent requests. */
    ask(): Promise<boolean> {
      asked ??= new Promise<boolean>((resolve) => {
        request = {
          answer: (isConfirmed) => {
            request = null;
            asked = null;
            notify();
            resolve(isConfirmed);
          },
        };
        notify();
      });
      return asked;
    },
    current: (): StepUpRequest | null => request,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const stepUpRequests = createStepUpRequests();
export const askForStepUp = (): Promise<boolean> => stepUpRequests.ask();
