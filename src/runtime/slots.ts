/**
 * Things under way, each under a number that is used again when the thing is over.
 *
 * Not a Map or a Set: when the engine rebuilds the table of one, the old table keeps its entries and points to the new one. Once such a
 * table has outlived the young objects, every later one does, and with it whatever was under way: whole requests, which are then collected
 * with the old objects, at many times the cost (decisions/0083).
 */
export interface Slots<Thing> {
  size(): number;
  /** Returns its number. */
  add(thing: Thing): number;
  /** Takes out what has this number; undefined when nothing has it. */
  take(at: number): Thing | undefined;
  all(): readonly Thing[];
  takeAll(): readonly Thing[];
}

export function createSlots<Thing extends object>(): Slots<Thing> {
  const things: (Thing | null)[] = [];
  const free: number[] = [];
  const all = () => things.filter((thing) => thing !== null);
  return {
    size: () => things.length - free.length,
    add(thing) {
      const at = free.pop() ?? things.length;
      things[at] = thing;
      return at;
    },
    take(at) {
      const thing = things[at] ?? undefined;
      if (thing === undefined) return undefined;
      things[at] = null;
      free.push(at);
      return thing;
    },
    all,
    takeAll() {
      const taken = all();
      things.length = 0;
      free.length = 0;
      return taken;
    },
  };
}
