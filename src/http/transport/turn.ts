/**
 * Work that waits for a turn of the event loop of its own. Each turn resumes one of them: many long requests at once make a turn no longer
 * than one of them does.
 */
const waiting: (() => void)[] = [];
/** The same for long forms, by the order in which they came. */
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

/** Waits for the next turn of the event loop: other requests are handled first. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });

/**
 * The turns of one long form. The oldest form goes on first: it is answered, and its memory free, before the next one is read. Other work
 * has every second turn.
 */
export function turnsOfForm(): () => Promise<void> {
  lastForm += 1;
  const order = lastForm;
  return () =>
    new Promise((resolve) => {
      forms.set(order, resolve);
      schedule();
    });
}

/** Maps a list slice by slice, each in a turn of its own. */
export async function mapInTurns<One, Result>(
  list: readonly One[],
  size: number,
  map: (slice: readonly One[]) => readonly Result[] | Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < list.length; at += size) {
    if (at > 0) await nextTurn();
    results.push(...(await map(list.slice(at, at + size))));
  }
  return results;
}
