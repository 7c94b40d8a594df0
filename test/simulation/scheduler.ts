import type { Chance } from './chance.ts';

type Entry = {
  readonly time: number;
  readonly tie: number;
  readonly run: () => void;
  readonly isDaemon: boolean;
  isOff: boolean;
};

/** Virtual time. Nothing in a run waits for a real clock; what is due at the same instant comes in an order drawn by chance. */
export type Scheduler = {
  now(): number;
  /** Runs it after so many milliseconds; the answer calls it off. */
  after(ms: number, run: () => void): () => void;
  /** The same for a thing that repeats for ever, such as a sweeper: it does not keep the run going. */
  daemon(ms: number, run: () => void): () => void;
  sleep(ms: number): Promise<void>;
  /** Runs one thing after the other until all is done or the instant is reached; answers whether all was done. */
  run(until: number, isDone: () => boolean): Promise<boolean>;
};

const comesBefore = (a: Entry, b: Entry) => a.time < b.time || (a.time === b.time && a.tie < b.tie);
/** Every continuation that can go on has gone on: a tick runs when no microtask is left. A round of the event loop costs more. */
const drain = () => new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)));

export function createScheduler(chance: Chance, start: number): Scheduler {
  const heap: Entry[] = [];
  let now = start;
  let living = 0;

  const add = (ms: number, run: () => void, isDaemon: boolean) => {
    const entry: Entry = { time: now + Math.max(0, Math.round(ms)), tie: chance.below(2 ** 32), run, isDaemon, isOff: false };
    push(heap, entry);
    if (!isDaemon) living += 1;
    return () => {
      if (!entry.isOff && !isDaemon) living -= 1;
      entry.isOff = true;
    };
  };

  return {
    now: () => now,
    after: (ms, run) => add(ms, run, false),
    daemon: (ms, run) => add(ms, run, true),
    sleep: (ms) => new Promise((resolve) => add(ms, resolve, false)),
    async run(until, isDone) {
      for (;;) {
        if (living === 0 && isDone()) return true;
        const entry = heap[0];
        if (!entry || entry.time > until) {
          now = Math.max(now, until);
          return false;
        }
        pop(heap);
        if (entry.isOff) continue;
        entry.isOff = true;
        if (!entry.isDaemon) living -= 1;
        now = entry.time;
        entry.run();
        await drain();
      }
    },
  };
}

function push(heap: Entry[], entry: Entry): void {
  let at = heap.length;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above] as Entry;
    if (!comesBefore(entry, parent)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let below = at * 2 + 1;
    if (below >= heap.length) break;
    const right = heap[below + 1];
    if (right && comesBefore(right, heap[below] as Entry)) below += 1;
    const child = heap[below] as Entry;
    if (!comesBefore(child, last)) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = last;
}
