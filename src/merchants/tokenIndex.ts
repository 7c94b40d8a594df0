import { addressBlock, createAddressList } from '../spec/addressBlocks.ts';
import { DAY_MS } from '../spec/time.ts';
import { createKeyIndex, doubled } from './keyIndex.ts';
import type { GrantCells, MerchantStore } from './ports.ts';
import { grantsOpenedBy, type TokenGrant, userOf } from './tokens.ts';

/** `row` is its place in the index, where the day is kept on which this node last wrote down, or will, that the token was used. */
type KnownGrant = TokenGrant & { readonly row: number; readonly allows: AddressCheck };

/** Whether a token is accepted from an address. */
type AddressCheck = (address: string) => boolean;
const ANYWHERE: AddressCheck = () => true;

/** Tokens that opened something, and what they opened: most requests repeat one, and need no hash then. */
const OPENED_MAX = 1_000;

type Use = Parameters<MerchantStore['saveTokenUses']>[0][number];

/** The access tokens of all users, by the user that a token names, as columns of numbers. */
export interface TokenIndex {
  /** The ids of the entities that the token opens from this address; empty for an unknown token. */
  granted(token: string, now: number, address: string): readonly string[];
  /** Whether it opens anything from any address. */
  isKnown(token: string, now: number): boolean;
  /** False: the user's id, the hash or a listed address is none. */
  put(cells: GrantCells): boolean;
  /** Replaces all tokens of some users; returns the invalid ones. */
  replace(userIds: readonly string[], rows: readonly GrantCells[]): readonly GrantCells[];
  /** Takes over the uses of the index that this one replaces. */
  takeUses(former: TokenIndex): void;
  /** Uses that are not written down yet. */
  waiting(): ReadonlyMap<string, Use>;
  /** These are written down. */
  written(uses: readonly (readonly [name: string, use: Use])[]): void;
}

const NONE = -1;
const UNKNOWN = 0;
const FIRST_ROWS = 64;
const HASH_BYTES = 32;

/** Null: the list is none. An empty one allows no address. */
function addressCheck(list: string | null): AddressCheck | null {
  if (list === null) return ANYWHERE;
  const blocks = readList(list);
  return blocks?.every((block) => addressBlock(block) !== null) ? createAddressList(blocks) : null;
}

function readList(text: string): readonly string[] | null {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : null;
  } catch {
    return null;
  }
}

/** Users, each with the row of the first of its grants. */
function createUsers() {
  const keys = createKeyIndex();
  let first = new Int32Array(FIRST_ROWS);
  let count = 0;
  return {
    find: keys.find,
    add(userId: string): number {
      const user = keys.add(userId);
      if (user < count) return user;
      if (user >= first.length) first = doubled(first);
      count = user + 1;
      first[user] = NONE;
      return user;
    },
    first: (user: number): number => (user === NONE ? NONE : (first[user] as number)),
    setFirst(user: number, grant: number): void {
      first[user] = grant;
    },
  };
}

/** Columns of numbers, in which each grant has a row. */
function createRows() {
  const columns = {
    next: new Int32Array(FIRST_ROWS).fill(NONE),
    hashes: new Uint8Array(FIRST_ROWS * HASH_BYTES),
    ends: new Float64Array(FIRST_ROWS),
    usedDays: new Int32Array(FIRST_ROWS),
  };
  /** The first row that is free again. */
  let unused = NONE;
  // The row of unknown users: a hash that no token has.
  let size = 1;
  return {
    columns,
    take(): number {
      if (unused !== NONE) {
        const row = unused;
        unused = columns.next[row] as number;
        return row;
      }
      if (size >= columns.next.length) {
        columns.next = doubled(columns.next);
        columns.hashes = doubled(columns.hashes);
        columns.ends = doubled(columns.ends);
        columns.usedDays = doubled(columns.usedDays);
      }
      size += 1;
      return size - 1;
    },
    free(row: number): void {
      columns.next[row] = unused;
      unused = row;
    },
  };
}

/** The grants of users, as lists of rows. */
function createGrants() {
  const users = createUsers();
  const { columns, take, free } = createRows();
  const entityIds: string[] = [''];
  /** By row, where there is a list: most tokens have none. */
  const checks = new Map<number, AddressCheck>();
  const grantAt = (row: number): KnownGrant => ({
    row,
    tokenHash: Buffer.from(columns.hashes.buffer, row * HASH_BYTES, HASH_BYTES).toString('hex'),
    entityId: entityIds[row] as string,
    endsAt: columns.ends[row] as number,
    allows: checks.get(row) ?? ANYWHERE,
  });
  return {
    put([tokenHash, entityId, userId, endsAt, usedOn, allowedAddresses]: GrantCells): boolean {
      const hash = Buffer.from(tokenHash, 'hex');
      if (hash.length !== HASH_BYTES || tokenHash.length !== 2 * HASH_BYTES) return false;
      const check = addressCheck(allowedAddresses);
      const user = check === null ? NONE : users.add(userId);
      if (check === null || user === NONE) return false;
      const row = take();
      columns.hashes.set(hash, row * HASH_BYTES);
      columns.ends[row] = endsAt ?? Number.POSITIVE_INFINITY;
      columns.usedDays[row] = usedOn === null ? NONE : Math.floor(usedOn / DAY_MS);
      entityIds[row] = entityId;
      if (check !== ANYWHERE) checks.set(row, check);
      columns.next[row] = users.first(user);
      users.setFirst(user, row);
      return true;
    },
    /** The grants of a user in the order in which they came. An unknown user costs the same work, and has one that nothing opens. */
    of(userId: string): readonly KnownGrant[] {
      const found: KnownGrant[] = [];
      const first = users.first(users.find(userId));
      for (let row = first === NONE ? UNKNOWN : first; row !== NONE; row = columns.next[row] as number) found.push(grantAt(row));
      return found.reverse();
    },
    removeAll(userId: string): void {
      const user = users.find(userId);
      if (user === NONE) return;
      for (let row = users.first(user); row !== NONE; ) {
        const behind = columns.next[row] as number;
        entityIds[row] = '';
        checks.delete(row);
        free(row);
        row = behind;
      }
      users.setFirst(user, NONE);
    },
    /** Notes that a grant was used on a day; false: that is known. */
    use(row: number, day: number): boolean {
      if ((columns.usedDays[row] as number) >= day) return false;
      columns.usedDays[row] = day;
      return true;
    },
  };
}

export function createTokenIndex(): TokenIndex {
  const grants = createGrants();
  const opened = new Map<string, readonly KnownGrant[]>();
  const waiting = new Map<string, Use>();
  const openedBy = (token: string, now: number) => grantsOpenedBy(token, grants.of(userOf(token) ?? ''), now);
  const idsOf = (found: readonly KnownGrant[], now: number): readonly string[] => {
    const day = Math.floor(now / DAY_MS);
    for (const { row, tokenHash, entityId } of found)
      if (grants.use(row, day)) waiting.set(`${tokenHash} ${entityId}`, { tokenHash, entityId, usedOn: day * DAY_MS });
    return found.map(({ entityId }) => entityId);
  };
  return {
    granted(token, now, address) {
      const before = opened.get(token);
      // From another address it is compared anew: its refusal takes as long as that of an unknown token.
      if (before?.every(({ endsAt, allows }) => now < endsAt && allows(address))) return idsOf(before, now);
      const found = openedBy(token, now);
      if (found.length > 0 && opened.size < OPENED_MAX) opened.set(token, found);
      return idsOf(
        found.filter(({ allows }) => allows(address)),
        now,
      );
    },
    isKnown: (token, now) => openedBy(token, now).length > 0,
    put: grants.put,
    replace(userIds, rows) {
      for (const userId of userIds) grants.removeAll(userId);
      opened.clear();
      return rows.filter((row) => !grants.put(row));
    },
    takeUses(former) {
      for (const [name, use] of former.waiting()) waiting.set(name, use);
    },
    waiting: () => waiting,
    written(uses) {
      for (const [name, use] of uses) if (waiting.get(name) === use) waiting.delete(name);
    },
  };
}
