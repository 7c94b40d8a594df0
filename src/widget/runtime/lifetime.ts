/** How long a thing of the page lives: whatever was begun for it ends with it. */
export interface Lifetime {
  readonly isOver: boolean;
  /** Aborts when it is over; for requests. */
  readonly signal: AbortSignal;
  listen(target: EventTarget, type: string, listener: (event: Event) => void, isCapture?: boolean): void;
  /** Not called any more after the end. Answers how to call it off. */
  after(ms: number, act: () => void): () => void;
  onEnd(undo: () => void): void;
  end(): void;
}

/** The undoing runs backwards, and a part of it that fails does not keep the rest from being undone. */
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

/** A pause that ends early, with nothing said, when the life does. */
export const pause = (lifetime: Lifetime, ms: number): Promise<void> =>
  new Promise((resolve) => {
    lifetime.after(ms, resolve);
    lifetime.onEnd(resolve);
  });

/** The wall clock: a laptop that slept must notice that a checkout is over. */
export const now = (): number => Date.now();
