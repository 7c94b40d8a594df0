/**
 * Ticks of the event loop for work that takes several. A tick resumes one piece of work, so many long requests together make a tick no
 * longer than one of them does.
 */
interface Ticks {
  /** Waits for a tick: other requests are handled first. */
  next(): Promise<void>;
  /**
   * The ticks of one long form. The oldest form goes on first: it is answered, and its memory free, before the next one is read. Other
   * work has every second tick.
   */
  ofForm(): () => Promise<void>;
}

function createTicks(): Ticks {
  const waiting: (() => void)[] = [];
  /** By the order in which the forms came. */
  const forms = new Map<number, () => void>();
  let isScheduled = false;
  let isFormNext = true;
  let lastForm = 0;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(resumeOne);
  }

  function resumeOne(): void {
    isScheduled = false;
    const takesForm = waiting.length === 0 || (isFormNext && forms.size > 0);
    isFormNext = !takesForm;
    const resume = takesForm ? oldestForm() : waiting.shift();
    if (waiting.length > 0 || forms.size > 0) schedule();
    resume?.();
  }

  function oldestForm(): (() => void) | undefined {
    const order = Math.min(...forms.keys());
    const resume = forms.get(order);
    forms.delete(order);
    return resume;
  }

  return {
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        schedule();
      }),
    ofForm() {
      lastForm += 1;
      const order = lastForm;
      return () =>
        new Promise((resolve) => {
          forms.set(order, resolve);
          schedule();
        });
    },
  };
}

/** The ticks of this thread's event loop. */
export const ticks: Ticks = createTicks();

/** Maps a list slice by slice, each in a tick of its own. */
export async function mapInTicks<One, Result>(
  list: readonly One[],
  size: number,
  map: (slice: readonly One[]) => readonly Result[] | Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < list.length; at += size) {
    if (at > 0) await ticks.next();
    results.push(...(await map(list.slice(at, at + size))));
  }
  return results;
}

/**
 * Work on something that may be long, such as a form with tens of thousands of fields. It yields wherever a tick of the event loop may end,
 * so one implementation serves the short and the long.
 */
export type Work<Result> = Generator<void, Result, void>;

/** Lets other requests in between two parts of the work; see ticks.ts. */
export type Rest = () => Promise<void>;

/** Does the work in one go. */
export function inOneGo<Result>(work: Work<Result>): Result {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Does the work part by part, and rests after each. */
export async function inParts<Result>(work: Work<Result>, rest: Rest): Promise<Result> {
  let step = work.next();
  while (!step.done) {
    await rest();
    step = work.next();
  }
  return step.value;
}
