/**
 * Patterns with `*` for any characters and `?` for one. Each piece between two stars is searched with the bitap algorithm, so that a string
 * is read once from left to right for every glob.
 */

const PIECE_MAX = 30;

/** The fault of a glob; null when it is valid. */
export function globFault(pattern: string): string | null {
  const isLong = pattern.split('*').some((piece) => piece.length > PIECE_MAX);
  return isLong ? `a pattern has at most ${PIECE_MAX} characters between two stars` : null;
}

/** Returns the end of the first occurrence at or after `from`; -1 when there is none. */
type Search = (text: string, from: number) => number;

/** Compiles a glob into a test. */
export function globOf(pattern: string): (text: string) => boolean {
  const pieces = pattern.split('*');
  const first = pieces[0] as string;
  if (pieces.length === 1) return (text) => text.length === first.length && isAt(text, 0, first);
  const last = pieces[pieces.length - 1] as string;
  const between = pieces
    .slice(1, -1)
    .filter((piece) => piece !== '')
    .map(searchOf);
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !isAt(text, 0, first) || !isAt(text, end, last)) return false;
    let from = first.length;
    for (const search of between) {
      from = search(text, from);
      if (from === -1 || from > end) return false;
    }
    return true;
  };
}

function isAt(text: string, from: number, piece: string): boolean {
  for (let at = 0; at < piece.length; at += 1) {
    if (piece[at] !== '?' && piece[at] !== text[from + at]) return false;
  }
  return true;
}

function searchOf(piece: string): Search {
  const found = 1 << (piece.length - 1);
  let wherever = 0;
  for (let at = 0; at < piece.length; at += 1) if (piece[at] === '?') wherever |= 1 << at;
  const places = new Map<string, number>();
  for (let at = 0; at < piece.length; at += 1) {
    const character = piece[at] as string;
    places.set(character, (places.get(character) ?? wherever) | (1 << at));
  }
  return (text, from) => {
    let state = 0;
    for (let at = from; at < text.length; at += 1) {
      state = ((state << 1) | 1) & (places.get(text[at] as string) ?? wherever);
      if (state & found) return at + 1;
    }
    return -1;
  };
}
