/**
 * Ranges of numbers with a value each, found by binary search in typed arrays. A number is one or more words of 32 bits, the highest
 * first: a BIN or a v4 address has one, a v6 address four.
 */
export type Ranges = {
  readonly is: 'ranges';
  /** The index of the piece that contains a number; -1 when it is before all of them. */
  pieceOf(number: ArrayLike<number>): number;
  /** The value of a piece; NOTHING between the ranges and for an index out of bounds. */
  valueOf(piece: number): number;
  /** The first number of a piece, of ranges with one word. */
  startOf(piece: number): number;
};

export const NOTHING = -1;

/** Two ranges that conflict, by their position in the order of add(). */
export type RangeConflict = { readonly at: number; readonly with: number; readonly is: 'same' | 'across' };

export type RangesBuilder = {
  add(from: ArrayLike<number>, to: ArrayLike<number>, value: number): void;
  /** Of nested ranges the innermost applies. */
  build(): Ranges | RangeConflict;
};

const WORD_MAX = 0xffffffff;

type Bounds = { readonly words: number; readonly from: Uint32Array; readonly to: Uint32Array; readonly values: Int32Array };

function compareAt(words: number, one: Uint32Array, at: number, [other, otherAt]: readonly [ArrayLike<number>, number]): number {
  for (let word = 0; word < words; word += 1) {
    const apart = (one[at * words + word] as number) - (other[otherAt * words + word] as number);
    if (apart !== 0) return apart;
  }
  return 0;
}

/** `rangesMax`: an upper bound for the number of add() calls. */
export function createRangesBuilder(words: number, rangesMax: number): RangesBuilder {
  const from = new Uint32Array(rangesMax * words);
  const to = new Uint32Array(rangesMax * words);
  const values = new Int32Array(rangesMax);
  let count = 0;
  return {
    add(first, last, value) {
      for (let word = 0; word < words; word += 1) {
        from[count * words + word] = first[word] as number;
        to[count * words + word] = last[word] as number;
      }
      values[count] = value;
      count += 1;
    },
    build: () => flattened({ words, from, to, values }, count),
  };
}

/** Sorted by start, outer ranges before inner ones. */
function ordered({ words, from, to }: Bounds, count: number): Uint32Array {
  const order = new Uint32Array(count);
  for (let at = 0; at < count; at += 1) order[at] = at;
  return order.sort(
    (one, other) => compareAt(words, from, one, [from, other]) || compareAt(words, to, other, [to, one]) || one - other,
  );
}

/** Turns nested ranges into adjacent pieces in one pass, with a stack of the ranges that are open at each point. */
function flattened(bounds: Bounds, count: number): Ranges | RangeConflict {
  const { words, from, to, values } = bounds;
  const pieces = createPieces(words, 2 * count + 1);
  const open: number[] = [];
  const close = (): void => {
    const closed = open.pop() as number;
    const outer = open.at(-1);
    pieces.beginAfter(to, closed, outer === undefined ? NOTHING : (values[outer] as number));
  };
  for (const at of ordered(bounds, count)) {
    for (let top = open.at(-1); top !== undefined && compareAt(words, to, top, [from, at]) < 0; top = open.at(-1)) close();
    const outer = open.at(-1);
    if (outer !== undefined) {
      const reach = compareAt(words, to, at, [to, outer]);
      if (reach > 0) return { at, with: outer, is: 'across' };
      const isSame = reach === 0 && compareAt(words, from, at, [from, outer]) === 0;
      if (isSame && values[at] !== values[outer]) return { at, with: outer, is: 'same' };
    }
    pieces.begin(from, at, values[at] as number);
    open.push(at);
  }
  while (open.length > 0) close();
  return pieces.done();
}

function createPieces(words: number, piecesMax: number) {
  const starts = new Uint32Array(piecesMax * words);
  const values = new Int32Array(piecesMax);
  const start = new Uint32Array(words);
  let count = 0;
  const begin = (numbers: Uint32Array, at: number, value: number): void => {
    // When several ranges begin or end at the same number, the last one determines the piece.
    const isAgain = count > 0 && compareAt(words, starts, count - 1, [numbers, at]) === 0;
    if (isAgain) count -= 1;
    if (count > 0 && values[count - 1] === value) return;
    for (let word = 0; word < words; word += 1) starts[count * words + word] = numbers[at * words + word] as number;
    values[count] = value;
    count += 1;
  };
  return {
    begin,
    /** Nothing comes after the highest number of all. */
    beginAfter(numbers: Uint32Array, at: number, value: number): void {
      for (let word = 0; word < words; word += 1) start[word] = numbers[at * words + word] as number;
      let word = words - 1;
      while (word >= 0 && start[word] === WORD_MAX) {
        start[word] = 0;
        word -= 1;
      }
      if (word < 0) return;
      start[word] = (start[word] as number) + 1;
      begin(start, 0, value);
    },
    done: (): Ranges => searched({ words, starts: starts.slice(0, count * words), values: values.slice(0, count) }),
  };
}

type Pieces = { readonly words: number; readonly starts: Uint32Array; readonly values: Int32Array };

const searched = ({ words, starts, values }: Pieces): Ranges => ({
  is: 'ranges',
  pieceOf(number) {
    let [low, high] = [0, values.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareAt(words, starts, middle, [number, 0]) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  },
  valueOf: (piece) => values[piece] ?? NOTHING,
  startOf: (piece) => starts[piece] ?? Number.POSITIVE_INFINITY,
});
