/** What one frame of a form gives to the one that seals: both are of our own origin, and the page around them is not. */
export type Part = { readonly isValid: boolean; readonly values: Readonly<Record<string, string>> };

type FindSibling = (group: string, asker: Window) => Part | null;

/** The same symbol in every frame of our origin. A page of another origin gets an error for looking. */
const mark = Symbol.for('turnpike.field');
const FRAMES_MAX = 200;

type Marked = { [mark]?: unknown };

/** Throws where the other window is of another origin, whatever is asked of it. */
const isKin = (own: Window, other: Window): boolean =>
  other !== own && other.parent === own.parent && other.location.origin === own.location.origin;

/** Lets only the other frames of the same form read this one's value. */
export function answerSiblings(own: Window, group: string, part: () => Part): void {
  const answer: FindSibling = (asked, asker) => {
    try {
      return asked === group && isKin(own, asker) ? part() : null;
    } catch {
      return null;
    }
  };
  Object.defineProperty(own, mark, { value: answer });
}

/** The values of the other frames of this form. */
export function askSiblings(own: Window, group: string): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < Math.min(own.parent.length, FRAMES_MAX); at += 1) {
    try {
      const other = own.parent.frames[at];
      if (!other || !isKin(own, other)) continue;
      const ask = (other as Marked)[mark];
      const part = typeof ask === 'function' ? (ask as FindSibling)(group, own) : null;
      if (part) parts.push(part);
    } catch {
      // The page's own frames, and those of others: not to be asked.
    }
  }
  return parts;
}
