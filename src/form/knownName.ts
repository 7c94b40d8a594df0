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

const slots: readonly (readonly string[] | null)[] = createSlots();

function createSlots(): (readonly string[] | null)[] {
  const made = Array<string[] | null>(SLOTS).fill(null);
  // A name with an index or a key stands for many.
  for (const name of Object.keys(parameters).filter((one) => !one.includes('['))) {
    const slot = slotOf(name, 0, name.length);
    made[slot] = [...(made[slot] ?? []), name];
  }
  return made;
}

/** The name that this part of a text is; null when the catalogue has no such name, or has it with an index or a key. */
export function knownName(text: string, start: number, end: number): string | null {
  if (end <= start) return null;
  const names = slots[slotOf(text, start, end)];
  if (!names) return null;
  for (const name of names) if (name.length === end - start && text.startsWith(name, start)) return name;
  return null;
}
