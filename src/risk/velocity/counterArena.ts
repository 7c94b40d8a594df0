import type { Key } from '../ports.ts';
import { createHashIndex, type HashIndex, hashOf } from './hashIndex.ts';
import { OUTCOMES } from './tiers.ts';

/**
 * Counters of many keys in a few typed arrays, so that the garbage collector has no object to walk. A key has a row: a serial number and
 * the heads of its linked lists. A cell of a list holds a link to the next older cell, its time bucket and its counters.
 */
type CounterArena = {
  readonly rowOf: HashIndex;
  rows: Int32Array;
  rowsUsed: number;
  cells: Int32Array;
  cellsUsed: number;
  /** One sum for each counter; null when only counts are kept. */
  amounts: BigInt64Array | null;
  /** Head of the list of freed cells; 0 when it is empty. */
  free: number;
};

/** Lists of a row: five tiers, and four dimensions whose distinct values are counted. */
const LISTS = 9;
const ROW = LISTS + 1;
/** Attempts, and the outcomes of each of two variants: a back-test runs two rule sets on the same attempts. */
const COUNTERS = 1 + 2 * OUTCOMES;
const CELL = 2 + COUNTERS;

/** Cell 0 is never used, so that 0 means none. An arena that replaces another starts with the capacity that one had reached. */
const createCounterArena = (hasAmounts: boolean, after: CounterArena | null = null): CounterArena => ({
  rowOf: createHashIndex(after?.rowOf.capacity()),
  rows: new Int32Array(after?.rows.length ?? ROW * 16),
  rowsUsed: 0,
  cells: new Int32Array(after?.cells.length ?? CELL * 64),
  cellsUsed: 1,
  amounts: hasAmounts ? new BigInt64Array(after?.amounts?.length ?? COUNTERS * 64) : null,
  free: 0,
});

function addRow(arena: CounterArena, hash: number, serial: number): number {
  const row = arena.rowsUsed;
  if ((row + 1) * ROW > arena.rows.length) arena.rows = copyInto(arena.rows, new Int32Array(arena.rows.length * 2));
  arena.rowsUsed += 1;
  arena.rows[row * ROW] = serial;
  arena.rowOf.put(hash, row);
  return row;
}

function copyInto<Numbers extends Int32Array | BigInt64Array>(old: Numbers, larger: Numbers): Numbers {
  larger.set(old as never);
  return larger;
}

export const serialOf = (arena: CounterArena, row: number): number => arena.rows[row * ROW] as number;

/** Returns an empty cell. A cell that was never used needs no clearing. */
function takeCell(arena: CounterArena): number {
  const free = arena.free;
  if (free !== 0) {
    arena.free = arena.cells[free * CELL] as number;
    clearCell(arena, free);
    return free;
  }
  const cell = arena.cellsUsed;
  if ((cell + 1) * CELL > arena.cells.length) {
    arena.cells = copyInto(arena.cells, new Int32Array(arena.cells.length * 2));
    if (arena.amounts) arena.amounts = copyInto(arena.amounts, new BigInt64Array(arena.amounts.length * 2));
  }
  arena.cellsUsed += 1;
  return cell;
}

function clearCell({ cells, amounts }: CounterArena, cell: number): void {
  for (let at = cell * CELL; at < (cell + 1) * CELL; at += 1) cells[at] = 0;
  if (amounts) for (let at = cell * COUNTERS; at < (cell + 1) * COUNTERS; at += 1) amounts[at] = 0n;
}

/** The address of the link to the first cell of a list. Addresses in `rows` are negative, addresses in `cells` positive. */
const headOf = (row: number, list: number): number => -(row * ROW + 1 + list);
const linked = (arena: CounterArena, link: number): number => (link <= 0 ? arena.rows[-link] : arena.cells[link]) as number;

function relink(arena: CounterArena, link: number, cell: number): void {
  if (link <= 0) arena.rows[-link] = cell;
  else arena.cells[link] = cell;
}

/** Inserts an empty cell at a link; the cell that was linked follows it. */
function insert(arena: CounterArena, link: number, bucket: number): number {
  const cell = takeCell(arena);
  arena.cells[cell * CELL] = linked(arena, link);
  arena.cells[cell * CELL + 1] = bucket;
  relink(arena, link, cell);
  return cell;
}

/** Frees all cells from a link on. */
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

export type CounterRow = { readonly arena: CounterArena; readonly row: number };
type Increment = {
  readonly list: number;
  readonly bucket: number;
  readonly kept: number;
  readonly columns: readonly number[];
  readonly amount: bigint;
};

/** Increments counters of a bucket. Buckets more than `kept` before the newest one are dropped and not created. */
export function increment({ arena, row }: CounterRow, { list, bucket, kept, columns, amount }: Increment): void {
  let link = headOf(row, list);
  const first = linked(arena, link);
  const newest = first === 0 ? bucket : (arena.cells[first * CELL + 1] as number);
  if (bucket < newest - kept) return;
  let cell = first;
  while (cell !== 0 && (arena.cells[cell * CELL + 1] as number) > bucket) {
    link = cell * CELL;
    cell = arena.cells[link] as number;
  }
  if (cell === 0 || arena.cells[cell * CELL + 1] !== bucket) {
    cell = insert(arena, link, bucket);
    if (bucket > newest) cutBefore(arena, cell * CELL, bucket - kept);
  }
  for (let which = 0; which < columns.length; which += 1) {
    const column = columns[which] as number;
    const at = cell * CELL + 2 + column;
    arena.cells[at] = (arena.cells[at] as number) + 1;
    if (arena.amounts) arena.amounts[cell * COUNTERS + column] = (arena.amounts[cell * COUNTERS + column] as bigint) + amount;
  }
}

function cutBefore(arena: CounterArena, from: number, bucket: number): void {
  let link = from;
  for (let cell = linked(arena, link); cell !== 0; cell = linked(arena, link)) {
    if ((arena.cells[cell * CELL + 1] as number) < bucket) {
      cut(arena, link);
      return;
    }
    link = cell * CELL;
  }
}

type BucketRange = { readonly list: number; readonly first: number; readonly last: number };

/** The newest cell of a list that is not after the range; 0 when there is none. */
function begin({ arena, row }: CounterRow, { list, last }: BucketRange): number {
  const { cells } = arena;
  let cell = linked(arena, headOf(row, list));
  while (cell !== 0 && (cells[cell * CELL + 1] as number) > last) cell = cells[cell * CELL] as number;
  return cell;
}

/** How the counters of a bucket add up, and for which variant. */
export type CounterWeights = { readonly weights: readonly [number, number, number, number, number]; readonly variant: 0 | 1 };

export function countOf(counted: CounterRow, range: BucketRange, { weights, variant }: CounterWeights): number {
  const { cells } = counted.arena;
  const attempts = weights[0];
  const approved = weights[1];
  const declined = weights[2];
  const blocked = weights[3];
  const unbooked = weights[4];
  let total = 0;
  for (
    let cell = begin(counted, range);
    cell !== 0 && (cells[cell * CELL + 1] as number) >= range.first;
    cell = cells[cell * CELL] as number
  ) {
    const at = cell * CELL + 2;
    const outcome = at + OUTCOMES * variant;
    total += attempts * (cells[at] as number) + approved * (cells[outcome + 1] as number);
    total += declined * (cells[outcome + 2] as number) + blocked * (cells[outcome + 3] as number);
    total += unbooked * (cells[outcome + 4] as number);
  }
  // The attempt may have been evicted before its outcome was recorded.
  return Math.max(0, total);
}

export function sumOf(counted: CounterRow, range: BucketRange, { weights, variant }: CounterWeights): bigint {
  const { cells, amounts } = counted.arena;
  if (!amounts) return 0n;
  let total = 0n;
  for (
    let cell = begin(counted, range);
    cell !== 0 && (cells[cell * CELL + 1] as number) >= range.first;
    cell = cells[cell * CELL] as number
  ) {
    for (let column = 0; column < weights.length; column += 1) {
      const weight = weights[column] as number;
      const at = cell * COUNTERS + column + (column === 0 ? 0 : OUTCOMES * variant);
      if (weight !== 0) total += BigInt(weight) * (amounts[at] as bigint);
    }
  }
  return total > 0n ? total : 0n;
}

type Sighting = { readonly list: number; readonly serial: number; readonly bucket: number; readonly max: number };

/** Records when another value was last seen with this row. Over `max` values, the least recently seen one is dropped. */
export function recordSighting({ arena, row }: CounterRow, { list, serial, bucket, max }: Sighting): void {
  let link = headOf(row, list);
  let seen = bucket;
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
  let before = headOf(row, list);
  while (linked(arena, before) !== 0 && (arena.cells[linked(arena, before) * CELL + 1] as number) > seen)
    before = linked(arena, before) * CELL;
  arena.cells[insert(arena, before, seen) * CELL + 2] = serial;
  if (count >= max) cutAfter(arena, headOf(row, list), max);
}

function cutAfter(arena: CounterArena, from: number, count: number): void {
  let link = from;
  for (let at = 0; at < count && linked(arena, link) !== 0; at += 1) link = linked(arena, link) * CELL;
  cut(arena, link);
}

/** How many distinct other values were seen with this row in the range. */
export function distinctIn(counted: CounterRow, range: BucketRange): number {
  const { cells } = counted.arena;
  let found = 0;
  for (
    let cell = begin(counted, range);
    cell !== 0 && (cells[cell * CELL + 1] as number) >= range.first;
    cell = cells[cell * CELL] as number
  ) {
    found += 1;
  }
  return found;
}

/** Copies a row with all its cells into another arena. */
function moveRow({ arena: from, row: old }: CounterRow, hash: number, arena: CounterArena): number {
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

/**
 * The keys of one dimension with their counters, bounded in number: the least recently used ones are evicted. There are two generations.
 * New and touched keys are in the young one; when it holds half of the bound it becomes the old one, and the former old one is dropped
 * as a whole. This needs no clock, no list of ages and no work per evicted key.
 */
export type KeyCache = {
  find(key: Key): CounterRow | null;
  /** The row of a key, created when there is none; the same object each time. The key counts as used. */
  touch(key: Key): CounterRow;
  size(): number;
};

type KeyCacheOptions = { readonly keysMax: number; readonly hasAmounts: boolean; readonly seed: number };

export function createKeyCache({ keysMax, hasAmounts, seed }: KeyCacheOptions): KeyCache {
  const half = Math.max(1, Math.floor(keysMax / 2));
  let young = createCounterArena(hasAmounts);
  let old = createCounterArena(hasAmounts);
  let serial = 0;
  const touched = { arena: young, row: 0 };
  const rowOf = (hash: number): number => {
    const known = young.rowOf.find(hash);
    if (known !== -1) return known;
    const former = old;
    const before = former.rowOf.find(hash);
    if (young.rowOf.size() >= half) {
      old = young;
      young = createCounterArena(hasAmounts, old);
    }
    // The row in the old arena stays behind and is never found: the young arena is searched first.
    if (before !== -1) return moveRow({ arena: former, row: before }, hash, young);
    serial = (serial + 1) | 0;
    return addRow(young, hash, serial);
  };
  const hashed = (key: Key): number => (typeof key === 'number' ? key : hashOf(key, seed));
  return {
    find(key) {
      const hash = hashed(key);
      for (const arena of [young, old]) {
        const row = arena.rowOf.find(hash);
        if (row !== -1) return { arena, row };
      }
      return null;
    },
    touch(key) {
      touched.row = rowOf(hashed(key));
      touched.arena = young;
      return touched;
    },
    size: () => young.rowOf.size() + old.rowOf.size(),
  };
}
