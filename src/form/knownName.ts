import { parameters } from '../spec/parameters.ts';

/**
 * The names of the catalogue, found by their length and a few of their characters. A name from here is the very string that other tables
 * have as their key; one that is cut out of a form is another string, which the engine has to look up before it can compare the two.
 */
const SLOTS = 2_048;

/** Factors for which few names share a slot. */
const slotOf = (text: string, start: number, end: number): number => {
  const length = end - start;
  const characters =
    text.charCodeAt(start) * 389 + text.charCodeAt(start + (length >> 2)) * 613 + text.charCodeAt(start + (length >> 1)) * 97;
  return (length * 1_543 + characters + text.charCodeAt(end - 1) * 31) & (SLOTS - 1);
};

/** Names in the order of their slots. Where a slot is taken, a name is in the next free one. */
const slots: readonly (string | null)[] = createSlots();

function createSlots(): (string | null)[] {
  const made = Array<string | null>(SLOTS).fill(null);
  // A name with an index or a key stands for many.
  for (const name of Object.keys(parameters).filter((one) => !one.includes('['))) {
    let slot = slotOf(name, 0, name.length);
    while (made[slot] !== null) slot = (slot + 1) % SLOTS;
    made[slot] = name;
  }
  return made;
}

/** The name that this part of a text is; null when the catalogue has no such name, or has it with an index or a key. */
export function knownName(text: string, start: number, end: number): string | null {
  if (end <= start) return null;
  for (let slot = slotOf(text, start, end); ; slot = (slot + 1) % SLOTS) {
    const name = slots[slot] as string | null;
    if (name === null) return null;
    // To compare with a part that was cut out is quicker than to compare inside the text.
    if (name.length === end - start && text.slice(start, end) === name) return name;
  }
}
