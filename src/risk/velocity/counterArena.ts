import { createHashIndex, type HashIndex } from './hashIndex.ts';

/**
 * Rows of linked lists of cells, all in a few typed arrays: millions of counters without a single object for the collector to walk.
 * A row has a serial number and the heads of its lists; a cell has the next older cell, its number in time and its counters.
 */
export type CounterArena = {
  readonly rowOf: HashIndex;
  rows: Int32Array;
  rowsUsed: number;
  cells: Int32Array;
  cellsUsed: number;
  /** One for each counter; null where only counts are kept. */
  amounts: BigInt64Array | null;
  /** The first of the cells that are free again, linked like the others; 0: none. */
  free: number;
};

/** A serial number, and lists for five tiers and for four kinds of other values. */
export const LISTS = 9;
const ROW = LISTS + 1;
/** Attempts, and three outcomes in each of two worlds: a back-test lets both of its rule sets live on the same attempts. */
const COUNTERS = 7;
const CELL = 2 + COUNTERS;

/** Cell 0 is nobody's, so that 0 can mean none. A slab that follows another begins as large as that one became. */
export const createCounterArena = (hasAmounts: boolean, after: CounterArena | null = null): CounterArena => ({
  rowOf: createHashIndex(after?.rowOf.capacity()),
  rows: new Int32Array(after?.rows.length ?? ROW * 16),
  rowsUsed: 0,
  cells: new Int32Array(after?.cells.length ?? CELL * 64),
  cellsUsed: 1,
  amounts: hasAmounts ? new BigInt64Array(after?.amounts?.length ?? COUNTERS * 64) : null,
  free: 0,
});

export function addRow(arena: CounterArena, hash: number, serial: number): number {
  const row = arena.rowsUsed;
  if ((row + 1) * ROW > arena.rows.length) arena.rows = grown(arena.rows, new Int32Array(arena.rows.length * 2));
  arena.rowsUsed += 1;
  arena.rows[row * ROW] = serial;
  arena.rowOf.put(hash, row);
  return row;
}

function grown<Numbers extends Int32Array | BigInt64Array>(old: Numbers, larger: Numbers): Numbers {
  larger.set(old as never);
  return larger;
}

export const serialOf = (arena: CounterArena, row: number): number => arena.rows[row * ROW] as number;

/** A cell with nothing in it: one that nobody had yet is empty anyway. */
function takeCell(arena: CounterArena): number {
  const free = arena.free;
  if (free !== 0) {
    arena.free = arena.cells[free * CELL] as number;
    clearCell(arena, free);
    return free;
  }
  const cell = arena.cellsUsed;
  if ((cell + 1) * CELL > arena.cells.length) {
    arena.cells = grown(arena.cells, new Int32Array(arena.cells.length * 2));
    if (arena.amounts) arena.amounts = grown(arena.amounts, new BigInt64Array(arena.amounts.length * 2));
  }
  arena.cellsUsed += 1;
  return cell;
}

function clearCell({ cells, amounts }: CounterArena, cell: number): void {
  for (let at = cell * CELL; at < (cell + 1) * CELL; at += 1) cells[at] = 0;
  if (amounts) for (let at = cell * COUNTERS; at < (cell + 1) * COUNTERS; at += 1) amounts[at] = 0n;
}

/** Where the link to a list's first cell stands: links into rows are negative, links into cells positive. */
const headOf = (row: number, list: number): number => -(row * ROW + 1 + list);
const linked = (arena: CounterArena, link: number): number => (link <= 0 ? arena.rows[-link] : arena.cells[link]) as number;

function relink(arena: CounterArena, link: number, cell: number): void {
  if (link <= 0) arena.rows[-link] = cell;
  else arena.cells[link] = cell;
}

/** Puts a fresh cell where a link points to; what it pointed to comes after. */
function insert(arena: CounterArena, link: number, number: number): number {
  const cell = takeCell(arena);
  arena.cells[cell * CELL] = linked(arena, link);
  arena.cells[cell * CELL + 1] = number;
  relink(arena, link, cell);
  return cell;
}

/** Gives back the cells from a link on. */
function cut(arena: CounterArena, link: number): void {
  let cell = linked(arena, link);
  relink(arena, link, 0);
  while (cell !== 0) {
    const next = arena.cells[cell * CELL] as number;
    arena.cells[cell * CELL] = arena.free;
    arena.free = cell;
    cell = next;
  }
}

export type CounterCell = { readonly arena: CounterArena; readonly row: number };
type Raised = {
  readonly list: number;
  readonly number: number;
  readonly kept: number;
  readonly columns: readonly number[];
  readonly amount: bigint;
};

/** Raises counters of the bucket of this number. Buckets more than `kept` before the newest one are dropped, and not made. */
export function raise({ arena, row }: CounterCell, { list, number, kept, columns, amount }: Raised): void {
  let link = headOf(row, list);
  const first = linked(arena, link);
  const newest = first === 0 ? number : (arena.cells[first * CELL + 1] as number);
  if (number < newest - kept) return;
  let cell = first;
  while (cell !== 0 && (arena.cells[cell * CELL + 1] as number) > number) {
    link = cell * CELL;
    cell = arena.cells[link] as number;
  }
  if (cell === 0 || arena.cells[cell * CELL + 1] !== number) {
    cell = insert(arena, link, number);
    if (number > newest) cutBefore(arena, cell * CELL, number - kept);
  }
  for (let which = 0; which < columns.length; which += 1) {
    const column = columns[which] as number;
    const at = cell * CELL + 2 + column;
    arena.cells[at] = (arena.cells[at] as number) + 1;
    if (arena.amounts) arena.amounts[cell * COUNTERS + column] = (arena.amounts[cell * COUNTERS + column] as bigint) + amount;
  }
}

function cutBefore(arena: CounterArena, from: number, number: number): void {
  let link = from;
  for (let cell = linked(arena, link); cell !== 0; cell = linked(arena, link)) {
    if ((arena.cells[cell * CELL + 1] as number) < number) {
      cut(arena, link);
      return;
    }
    link = cell * CELL;
  }
}

export type Range = { readonly list: number; readonly first: number; readonly last: number };

/** The first cell of a list that is not newer than the range; 0 when there is none. */
function begin({ arena, row }: CounterCell, { list, last }: Range): number {
  const { cells } = arena;
  let cell = linked(arena, headOf(row, list));
  while (cell !== 0 && (cells[cell * CELL + 1] as number) > last) cell = cells[cell * CELL] as number;
  return cell;
}

/** How the counters of a bucket add up, and in which of the two worlds. */
export type Weighing = { readonly weights: readonly [number, number, number, number]; readonly world: 0 | 1 };

export function countOf(place: CounterCell, range: Range, { weights, world }: Weighing): number {
  const { cells } = place.arena;
  const attempts = weights[0];
  const approved = weights[1];
  const declined = weights[2];
  const blocked = weights[3];
  let total = 0;
  for (
    let cell = begin(place, range);
    cell !== 0 && (cells[cell * CELL + 1] as number) >= range.first;
    cell = cells[cell * CELL] as number
  ) {
    const at = cell * CELL + 2;
    const outcome = at + 3 * world;
    total += attempts * (cells[at] as number) + approved * (cells[outcome + 1] as number);
    total += declined * (cells[outcome + 2] as number) + blocked * (cells[outcome + 3] as number);
  }
  // The attempt may have been forgotten before its outcome was told.
  return Math.max(0, total);
}

export function sumOf(place: CounterCell, range: Range, { weights, world }: Weighing): bigint {
  const { cells, amounts } = place.arena;
  if (!amounts) return 0n;
  let total = 0n;
  for (
    let cell = begin(place, range);
    cell !== 0 && (cells[cell * CELL + 1] as number) >= range.first;
    cell = cells[cell * CELL] as number
  ) {
    for (let column = 0; column < weights.length; column += 1) {
      const weight = weights[column] as number;
      const at = cell * COUNTERS + column + (column === 0 ? 0 : 3 * world);
      if (weight !== 0) total += BigInt(weight) * (amounts[at] as bigint);
    }
  }
  return total > 0n ? total : 0n;
}

type Seen = { readonly list: number; readonly serial: number; readonly number: number; readonly max: number };

/** Notes when another value was last seen with this row. The one that was not seen for longest goes when there are too many. */
export function see({ arena, row }: CounterCell, { list, serial, number, max }: Seen): void {
  let link = headOf(row, list);
  let seen = number;
  let count = 0;
  for (let cell = linked(arena, link); cell !== 0; cell = linked(arena, link)) {
    if (arena.cells[cell * CELL + 2] === serial) {
      seen = Math.max(seen, arena.cells[cell * CELL + 1] as number);
      relink(arena, link, arena.cells[cell * CELL] as number);
      arena.cells[cell * CELL] = arena.free;
      arena.free = cell;
      break;
    }
    link = cell * CELL;
    count += 1;
  }
  let place = headOf(row, list);
  while (linked(arena, place) !== 0 && (arena.cells[linked(arena, place) * CELL + 1] as number) > seen)
    place = linked(arena, place) * CELL;
  arena.cells[insert(arena, place, seen) * CELL + 2] = serial;
  if (count >= max) cutAfter(arena, headOf(row, list), max);
}

function cutAfter(arena: CounterArena, from: number, count: number): void {
  let link = from;
  for (let at = 0; at < count && linked(arena, link) !== 0; at += 1) link = linked(arena, link) * CELL;
  cut(arena, link);
}

/** How many other values were seen with this row in the range. */
export function seenIn(place: CounterCell, range: Range): number {
  const { cells } = place.arena;
  let found = 0;
  for (
    let cell = begin(place, range);
    cell !== 0 && (cells[cell * CELL + 1] as number) >= range.first;
    cell = cells[cell * CELL] as number
  ) {
    found += 1;
  }
  return found;
}

/** Takes a row over into another slab, with all that hangs on it. */
export function moveRow({ arena: from, row: old }: CounterCell, hash: number, arena: CounterArena): number {
  const row = addRow(arena, hash, serialOf(from, old));
  for (let list = 0; list < LISTS; list += 1) {
    let link = headOf(row, list);
    for (let cell = linked(from, headOf(old, list)); cell !== 0; cell = from.cells[cell * CELL] as number) {
      const copy = insert(arena, link, 0);
      arena.cells.set(from.cells.subarray(cell * CELL + 1, (cell + 1) * CELL), copy * CELL + 1);
      if (from.amounts) arena.amounts?.set(from.amounts.subarray(cell * COUNTERS, (cell + 1) * COUNTERS), copy * COUNTERS);
      link = copy * CELL;
    }
  }
  return row;
}
