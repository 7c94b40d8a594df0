/** The lifetime of an object on the page: its listeners, timers and requests end with it. */
export interface Lifetime {
  readonly isOver: boolean;
  /** Aborts when it is over; for requests. */
  readonly signal: AbortSignal;
  listen(target: EventTarget, type: string, listener: (event: Event) => void, isCapture?: boolean): void;
  /** Calls `act` after a time, unless the lifetime has ended. Returns a function that cancels the call. */
  after(ms: number, act: () => void): () => void;
  onEnd(undo: () => void): void;
  end(): void;
}

/** Undo functions run in reverse order; a failing one does not stop the others. */
export function createLifetime(): Lifetime {
  const over = new AbortController();
  const undoing: (() => void)[] = [];
  return {
    get isOver() {
      return over.signal.aborted;
    },
    signal: over.signal,
    listen(target, type, listener, isCapture = false) {
      target.addEventListener(type, listener, { signal: over.signal, capture: isCapture });
    },
    after(ms, act) {
      const timer = setTimeout(() => {
        if (!over.signal.aborted) act();
      }, ms);
      return () => clearTimeout(timer);
    },
    onEnd(undo) {
      undoing.push(undo);
    },
    end() {
      if (over.signal.aborted) return;
      over.abort();
      for (const undo of undoing.splice(0).reverse()) {
        try {
          undo();
        } catch (error) {
          reportError(error);
        }
      }
    },
  };
}

/** A pause that ends early, without an error, when the lifetime ends. */
export const pause = (lifetime: Lifetime, ms: number): Promise<void> =>
  new Promise((resolve) => {
    lifetime.after(ms, resolve);
    lifetime.onEnd(resolve);
  });

/** The wall clock, because a laptop that slept must notice that a checkout has expired. */
export const now = (): number => Date.now();
