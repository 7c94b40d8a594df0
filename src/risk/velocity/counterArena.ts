import { createHashIndex, type HashIndex } from './hashIndex.ts';

/**
 * Rows of linked lists of cells, all in a few typed arrays: millions of counters without a single object for the collector to walk.
 * A row has a serial number and the heads of its lists; a cell has the next older cell, its number in time and its counters.
 */
export type Slab = {
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
export const createSlab = (hasAmounts: boolean, after: Slab | null = null): Slab => ({
  rowOf: createHashIndex(after?.rowOf.capacity()),
  rows: new Int32Array(after?.rows.length ?? ROW * 16),
  rowsUsed: 0,
  cells: new Int32Array(after?.cells.length ?? CELL * 64),
  cellsUsed: 1,
  amounts: hasAmounts ? new BigInt64Array(after?.amounts?.length ?? COUNTERS * 64) : null,
  free: 0,
});

export function addRow(slab: Slab, hash: number, serial: number): number {
  const row = slab.rowsUsed;
  if ((row + 1) * ROW > slab.rows.length) slab.rows = grown(slab.rows, new Int32Array(slab.rows.length * 2));
  slab.rowsUsed += 1;
  slab.rows[row * ROW] = serial;
  slab.rowOf.put(hash, row);
  return row;
}

function grown<Numbers extends Int32Array | BigInt64Array>(old: Numbers, larger: Numbers): Numbers {
  larger.set(old as never);
  return larger;
}

export const serialOf = (slab: Slab, row: number): number => slab.rows[row * ROW] as number;

/** A cell with nothing in it: one that nobody had yet is empty anyway. */
function takeCell(slab: Slab): number {
  const free = slab.free;
  if (free !== 0) {
    slab.free = slab.cells[free * CELL] as number;
    clearCell(slab, free);
    return free;
  }
  const cell = slab.cellsUsed;
  if ((cell + 1) * CELL > slab.cells.length) {
    slab.cells = grown(slab.cells, new Int32Array(slab.cells.length * 2));
    if (slab.amounts) slab.amounts = grown(slab.amounts, new BigInt64Array(slab.amounts.length * 2));
  }
  slab.cellsUsed += 1;
  return cell;
}

function clearCell({ cells, amounts }: Slab, cell: number): void {
  for (let at = cell * CELL; at < (cell + 1) * CELL; at += 1) cells[at] = 0;
  if (amounts) for (let at = cell * COUNTERS; at < (cell + 1) * COUNTERS; at += 1) amounts[at] = 0n;
}

/** Where the link to a list's first cell stands: links into rows are negative, links into cells positive. */
const headOf = (row: number, list: number): number => -(row * ROW + 1 + list);
const linked = (slab: Slab, link: number): number => (link <= 0 ? slab.rows[-link] : slab.cells[link]) as number;

function relink(slab: Slab, link: number, cell: number): void {
  if (link <= 0) slab.rows[-link] = cell;
  else slab.cells[link] = cell;
}

/** Puts a fresh cell where a link points to; what it pointed to comes after. */
function insert(slab: Slab, link: number, number: number): number {
  const cell = takeCell(slab);
  slab.cells[cell * CELL] = linked(slab, link);
  slab.cells[cell * CELL + 1] = number;
  relink(slab, link, cell);
  return cell;
}

/** Gives back the cells from a link on. */
function cut(slab: Slab, link: number): void {
  let cell = linked(slab, link);
  relink(slab, link, 0);
  while (cell !== 0) {
    const next = slab.cells[cell * CELL] as number;
    slab.cells[cell * CELL] = slab.free;
    slab.free = cell;
    cell = next;
  }
}

export type Place = { readonly slab: Slab; readonly row: number };
type Raised = {
  readonly list: number;
  readonly number: number;
  readonly kept: number;
  readonly columns: readonly number[];
  readonly amount: bigint;
};

/** Raises counters of the bucket of this number. Buckets more than `kept` before the newest one are dropped, and not made. */
export function raise({ slab, row }: Place, { list, number, kept, columns, amount }: Raised): void {
  let link = headOf(row, list);
  const first = linked(slab, link);
  const newest = first === 0 ? number : (slab.cells[first * CELL + 1] as number);
  if (number < newest - kept) return;
  let cell = first;
  while (cell !== 0 && (slab.cells[cell * CELL + 1] as number) > number) {
    link = cell * CELL;
    cell = slab.cells[link] as number;
  }
  if (cell === 0 || slab.cells[cell * CELL + 1] !== number) {
    cell = insert(slab, link, number);
    if (number > newest) cutBefore(slab, cell * CELL, number - kept);
  }
  for (let which = 0; which < columns.length; which += 1) {
    const column = columns[which] as number;
    const at = cell * CELL + 2 + column;
    slab.cells[at] = (slab.cells[at] as number) + 1;
    if (slab.amounts) slab.amounts[cell * COUNTERS + column] = (slab.amounts[cell * COUNTERS + column] as bigint) + amount;
  }
}

function cutBefore(slab: Slab, from: number, number: number): void {
  let link = from;
  for (let cell = linked(slab, link); cell !== 0; cell = linked(slab, link)) {
    if ((slab.cells[cell * CELL + 1] as number) < number) {
      cut(slab, link);
      return;
    }
    link = cell * CELL;
  }
}

export type Range = { readonly list: number; readonly first: number; readonly last: number };

/** The first cell of a list that is not newer than the range; 0 when there is none. */
function begin({ slab, row }: Place, { list, last }: Range): number {
  const { cells } = slab;
  let cell = linked(slab, headOf(row, list));
  while (cell !== 0 && (cells[cell * CELL + 1] as number) > last) cell = cells[cell * CELL] as number;
  return cell;
}

/** How the counters of a bucket add up, and in which of the two worlds. */
export type Weighing = { readonly weights: readonly [number, number, number, number]; readonly world: 0 | 1 };

export function countOf(place: Place, range: Range, { weights, world }: Weighing): number {
  const { cells } = place.slab;
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

export function sumOf(place: Place, range: Range, { weights, world }: Weighing): bigint {
  const { cells, amounts } = place.slab;
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
export function see({ slab, row }: Place, { list, serial, number, max }: Seen): void {
  let link = headOf(row, list);
  let seen = number;
  let count = 0;
  for (let cell = linked(slab, link); cell !== 0; cell = linked(slab, link)) {
    if (slab.cells[cell * CELL + 2] === serial) {
      seen = Math.max(seen, slab.cells[cell * CELL + 1] as number);
      relink(slab, link, slab.cells[cell * CELL] as number);
      slab.cells[cell * CELL] = slab.free;
      slab.free = cell;
      break;
    }
    link = cell * CELL;
    count += 1;
  }
  let place = headOf(row, list);
  while (linked(slab, place) !== 0 && (slab.cells[linked(slab, place) * CELL + 1] as number) > seen)
    place = linked(slab, place) * CELL;
  slab.cells[insert(slab, place, seen) * CELL + 2] = serial;
  if (count >= max) cutAfter(slab, headOf(row, list), max);
}

function cutAfter(slab: Slab, from: number, count: number): void {
  let link = from;
  for (let at = 0; at < count && linked(slab, link) !== 0; at += 1) link = linked(slab, link) * CELL;
  cut(slab, link);
}

/** How many other values were seen with this row in the range. */
export function seenIn(place: Place, range: Range): number {
  const { cells } = place.slab;
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
export function moveRow({ slab: from, row: old }: Place, hash: number, slab: Slab): number {
  const row = addRow(slab, hash, serialOf(from, old));
  for (let list = 0; list < LISTS; list += 1) {
    let link = headOf(row, list);
    for (let cell = linked(from, headOf(old, list)); cell !== 0; cell = from.cells[cell * CELL] as number) {
      const copy = insert(slab, link, 0);
      slab.cells.set(from.cells.subarray(cell * CELL + 1, (cell + 1) * CELL), copy * CELL + 1);
      if (from.amounts) slab.amounts?.set(from.amounts.subarray(cell * COUNTERS, (cell + 1) * COUNTERS), copy * COUNTERS);
      link = copy * CELL;
    }
  }
  return row;
}
