import { createKeyIndex, doubled } from './keyIndex.ts';
import type { EntityCells, EntityKind, VersionedEntity } from './ports.ts';

/** The rows of the hierarchy, by id and by what they stand below, as columns of numbers. Entities are resolved on demand. */
export interface EntityIndex {
  /** The row of an entity, or −1. */
  rowOf(id: string): number;
  idOf(row: number): string;
  kindAt(row: number): EntityKind | undefined;
  /** The row that this one stands below, or −1. */
  parentOf(row: number): number;
  /** The entity as it is stored. */
  read(row: number): VersionedEntity;
  /** 0: there is no such entity. */
  revisionOf(id: string): number;
  /** The parent may follow later. False: the id, the parent or the kind is none. */
  put(cells: EntityCells): boolean;
  /** Removes an entity and everything below it. */
  remove(id: string): void;
  /** The rows right below one. */
  childrenOf(row: number): readonly number[];
  /** The ids of an entity and of everything below it, of one kind or of all. */
  idsBelow(id: string, kind?: EntityKind): readonly string[];
  /** The ids of one kind, at most `limit`. */
  idsOfKind(kind: EntityKind, limit: number): readonly string[];
  /** The ids of the entities that have a setting of their own. */
  ownersOf(setting: string): readonly string[];
  /** How many rows there ever were: rows of entities that are gone have no kind. */
  size(): number;
}

/** Column of numbers: 0 where there is no entity. */
const kinds: readonly (EntityKind | undefined)[] = [undefined, 'psp', 'division', 'merchant', 'channel'];
const NONE = -1;
const FIRST_ROWS = 64;

/** Strings of settings, each kept once: most merchants have one of few. */
function createTexts() {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const uses: number[] = [];
  const unused: number[] = [];
  return {
    text: (at: number): string => texts[at] as string,
    add(text: string): number {
      const known = numbers.get(text);
      if (known !== undefined) {
        (uses[known] as number) += 1;
        return known;
      }
      const at = unused.pop() ?? texts.length;
      texts[at] = text;
      uses[at] = 1;
      numbers.set(text, at);
      return at;
    },
    drop(at: number): void {
      const left = (uses[at] as number) - 1;
      uses[at] = left;
      if (left > 0) return;
      numbers.delete(texts[at] as string);
      texts[at] = '';
      unused.push(at);
    },
    /** Whether each string, by its number, has a member of this name. */
    having: (member: string): readonly boolean[] =>
      texts.map((text) => text.includes(`"${member}"`) && Object.hasOwn(JSON.parse(text), member)),
  };
}

const noSettings: VersionedEntity['settings'] = Object.freeze({});

/** By row: the kind of each entity, and its place in the hierarchy. */
type Columns = {
  kinds: Uint8Array;
  parents: Int32Array;
  firstChildren: Int32Array;
  nextSiblings: Int32Array;
  revisions: Int32Array;
  /** Numbers of strings. */
  settings: Int32Array;
  readonly names: string[];
  /** How many rows have their columns. */
  size: number;
};

const numbers = (): Int32Array => new Int32Array(FIRST_ROWS);
const createColumns = (): Columns => ({
  kinds: new Uint8Array(FIRST_ROWS),
  parents: numbers(),
  firstChildren: numbers(),
  nextSiblings: numbers(),
  revisions: numbers(),
  settings: numbers(),
  names: [],
  size: 0,
});

/** Adds the columns of a new row. */
function prepare(columns: Columns, row: number): void {
  if (row < columns.size) return;
  if (row >= columns.kinds.length) {
    columns.kinds = doubled(columns.kinds);
    columns.parents = doubled(columns.parents);
    columns.firstChildren = doubled(columns.firstChildren);
    columns.nextSiblings = doubled(columns.nextSiblings);
    columns.revisions = doubled(columns.revisions);
    columns.settings = doubled(columns.settings);
  }
  columns.size = row + 1;
  columns.parents[row] = NONE;
  columns.firstChildren[row] = NONE;
  columns.nextSiblings[row] = NONE;
  columns.names[row] = '';
}

const isThere = ({ kinds: column }: Columns, row: number): boolean => row >= 0 && column[row] !== 0;

function childrenIn({ firstChildren, nextSiblings }: Columns, row: number): readonly number[] {
  const found: number[] = [];
  for (let child = firstChildren[row] as number; child !== NONE; child = nextSiblings[child] as number) found.push(child);
  return found;
}

function rowsBelow(columns: Columns, row: number): readonly number[] {
  const found: number[] = [];
  const waiting = isThere(columns, row) ? [row] : [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    for (const child of childrenIn(columns, next)) waiting.push(child);
  }
  return found;
}

/** Takes a row from below its parent. */
function leave({ parents, firstChildren, nextSiblings }: Columns, row: number): void {
  const parent = parents[row] as number;
  if (parent === NONE) return;
  if (firstChildren[parent] === row) firstChildren[parent] = nextSiblings[row] as number;
  else {
    let before = firstChildren[parent] as number;
    while (nextSiblings[before] !== row) before = nextSiblings[before] as number;
    nextSiblings[before] = nextSiblings[row] as number;
  }
  parents[row] = NONE;
  nextSiblings[row] = NONE;
}

function place(columns: Columns, row: number, parent: number): void {
  const { parents, firstChildren, nextSiblings } = columns;
  if (parents[row] === parent) return;
  leave(columns, row);
  parents[row] = parent;
  if (parent === NONE) return;
  nextSiblings[row] = firstChildren[parent] as number;
  firstChildren[parent] = row;
}

/** The rows that are there and pass, at most `limit`. */
function rowsWhere(columns: Columns, passes: (row: number) => boolean, limit = Number.POSITIVE_INFINITY): readonly number[] {
  const found: number[] = [];
  for (let row = 0; row < columns.size && found.length < limit; row += 1)
    if (columns.kinds[row] !== 0 && passes(row)) found.push(row);
  return found;
}

export function createEntityIndex(): EntityIndex {
  const keys = createKeyIndex();
  const texts = createTexts();
  const columns = createColumns();
  const rowFor = (id: string): number => {
    const row = keys.add(id);
    if (row !== NONE) prepare(columns, row);
    return row;
  };
  const rowOf = (id: string): number => {
    const row = keys.find(id);
    return isThere(columns, row) ? row : NONE;
  };
  const isOfKind = (kind: EntityKind) => (row: number) => columns.kinds[row] === kinds.indexOf(kind);
  return {
    rowOf,
    idOf: keys.keyOf,
    kindAt: (row) => kinds[columns.kinds[row] ?? 0],
    parentOf: (row) => columns.parents[row] as number,
    read(row) {
      const parent = columns.parents[row] as number;
      const text = texts.text(columns.settings[row] as number);
      return {
        id: keys.keyOf(row),
        kind: kinds[columns.kinds[row] as number] as EntityKind,
        parentId: parent === NONE ? null : keys.keyOf(parent),
        name: columns.names[row] as string,
        settings: text === '{}' ? noSettings : (JSON.parse(text) as VersionedEntity['settings']),
        revision: columns.revisions[row] as number,
      };
    },
    revisionOf(id) {
      const row = rowOf(id);
      return row === NONE ? 0 : (columns.revisions[row] as number);
    },
    put([id, kind, parentId, name, text, revision]) {
      const kindNumber = kinds.indexOf(kind);
      const row = kindNumber > 0 ? rowFor(id) : NONE;
      const parent = parentId === null ? NONE : rowFor(parentId);
      if (row === NONE || (parent === NONE && parentId !== null)) return false;
      const before = isThere(columns, row) ? (columns.settings[row] as number) : NONE;
      columns.settings[row] = texts.add(text);
      if (before !== NONE) texts.drop(before);
      columns.kinds[row] = kindNumber;
      columns.revisions[row] = revision;
      columns.names[row] = name;
      place(columns, row, parent);
      return true;
    },
    remove(id) {
      for (const row of rowsBelow(columns, rowOf(id)).toReversed()) {
        leave(columns, row);
        texts.drop(columns.settings[row] as number);
        columns.kinds[row] = 0;
        columns.names[row] = '';
      }
    },
    childrenOf: (row) => childrenIn(columns, row),
    idsBelow(id, kind) {
      const found = rowsBelow(columns, rowOf(id));
      return (kind === undefined ? found : found.filter(isOfKind(kind))).map(keys.keyOf);
    },
    idsOfKind: (kind, limit) => rowsWhere(columns, isOfKind(kind), limit).map(keys.keyOf),
    ownersOf(setting) {
      const having = texts.having(setting);
      return rowsWhere(columns, (row) => having[columns.settings[row] as number] === true).map(keys.keyOf);
    },
    size: () => columns.size,
  };
}
