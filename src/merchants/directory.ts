import type { Clock } from '../spec/time.ts';
import type { Channel } from './channel.ts';
import { createEntityIndex, type EntityIndex } from './entityIndex.ts';
import { type ModuleFaults, noModuleFaults } from './moduleSettings.ts';
import {
  type CellPage,
  type DirectoryChange,
  type EntityCells,
  type EntityKind,
  type EntityRow,
  entityCellsOf,
  type GrantCells,
  grantCellsOf,
  type MerchantStore,
  type PageCursor,
  type TokenRow,
  type VersionedEntity,
} from './ports.ts';
import { defaultSettings, inherit, type Settings, settingFaults } from './settings.ts';
import { createTokenIndex, type TokenIndex } from './tokenIndex.ts';

/** A node of the hierarchy PSP > division > merchant > channel, settings resolved. */
export type Entity = {
  readonly id: string;
  readonly kind: EntityKind;
  readonly name: string;
  /** Its own id and those above it. A token of any of them opens this entity. */
  readonly path: readonly string[];
  readonly settings: Settings;
  /** The merchant it belongs to; null above merchants. */
  readonly merchantId: string | null;
  /** The entity itself when it is a channel. */
  readonly channel: Channel | null;
  /** For a merchant: its channels in the order of dispatching. */
  readonly channels: readonly Channel[];
};

/**
 * The hierarchy and its tokens. The rows are packed in memory and follow the changes of the store, so no request waits for them;
 * settings are resolved on demand, and a bounded number of merchants stays resolved.
 */
export interface Directory {
  entity(id: string): Entity | null;
  /** An entity as it is stored, without what it inherits. */
  stored(id: string): VersionedEntity | null;
  /** An entity and everything below it. Above merchants there may be hundreds of thousands: see `idsBelow`. */
  below(id: string): readonly Entity[];
  /** The ids of an entity and of everything below it, of one kind or of all. */
  idsBelow(id: string, kind?: EntityKind): readonly string[];
  /** The ids of all merchants, or of some. */
  merchantIds(limit?: number): readonly string[];
  /** The ids of the entities that have a setting of their own, not an inherited one. */
  ownersOf(setting: string): readonly string[];
  /** The ids of the entities that the token opens from this address; empty for an unknown token. */
  granted(token: string, address: string): readonly string[];
  /** Whether a token opens anything from any address. For the log: the reply never says it. */
  isKnownToken(token: string): boolean;
  /** Takes over what changed since the last time; returns whether anything did. Rejects when the store fails or new rows are invalid. */
  follow(): Promise<boolean>;
  /** The same after a change: when it resolves, the change is known here and in all other threads. */
  reload(): Promise<void>;
  /** Writes down which tokens were used. A token costs one write a day, and no request waits for it. */
  saveUses(): Promise<void>;
  /** How old the knowledge is. */
  ageMs(): number;
  /** How many entities are resolved at present. */
  resolved(): number;
}

/** The stored rows are invalid. The message is for the operator, with a sentence for every fault. */
export class BrokenDirectory extends Error {
  override readonly name = 'BrokenDirectory';
}

const ENTITY_ID = /^[0-9a-f]{32}$/;
const above: Readonly<Record<EntityKind, EntityKind | null>> = {
  psp: null,
  division: 'psp',
  merchant: 'division',
  channel: 'merchant',
};
/** From the top down. */
export const entityKinds: readonly EntityKind[] = ['psp', 'division', 'merchant', 'channel'];

type KindOf = (id: string) => EntityKind | undefined;
const nowhere: KindOf = () => undefined;

/** The faults of a row's place in the hierarchy. `kindOf`: the kind of an entity that is there. */
function placeFaults(row: Pick<EntityRow, 'id' | 'kind' | 'parentId'>, kindOf: KindOf): readonly string[] {
  if (!ENTITY_ID.test(row.id)) return ['the id must be 32 characters of a-f and 0-9'];
  if (above[row.kind] === undefined) return [`"${row.kind}" is no kind of entity`];
  const parent = row.parentId === null ? null : kindOf(row.parentId);
  return (parent ?? null) === above[row.kind]
    ? []
    : [`it must stand below ${above[row.kind] ? `a ${above[row.kind]}` : 'nothing'}`];
}

/** The faults of a row by itself. */
function contentFaults(row: EntityRow, services: ModuleFaults): readonly string[] {
  if (row.settings.dispatch !== undefined && row.kind !== 'merchant') return ['only a merchant can dispatch'];
  return settingFaults(row.settings, services);
}

/** The faults of one row, each as the end of a sentence. Faults of its place come first and alone. */
function rowFaults(row: EntityRow, kindOf: KindOf, services: ModuleFaults): readonly string[] {
  const found = placeFaults(row, kindOf);
  return found.length > 0 ? found : contentFaults(row, services);
}

const sentences = (row: Pick<EntityRow, 'id' | 'name'>, faults: readonly string[]): readonly string[] =>
  faults.map((fault) => `entity ${row.id} (${row.name}): ${fault}`);

function entityOf(row: EntityRow, parent: Entity | null): Entity {
  const settings = inherit(parent?.settings ?? defaultSettings, row.settings as Partial<Settings>);
  const merchantId = row.kind === 'merchant' ? row.id : (parent?.merchantId ?? null);
  const { dispatch: _, ...ofChannel } = settings;
  const channel =
    row.kind === 'channel' && merchantId !== null ? { entityId: row.id, merchantId, name: row.name, ...ofChannel } : null;
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    path: [row.id, ...(parent?.path ?? [])],
    settings,
    merchantId,
    channel,
    channels: [],
  };
}

const inOrder = (a: Channel, b: Channel): number => a.priority - b.priority || (a.entityId < b.entityId ? -1 : 1);

/** The rows, each behind the one it stands below. */
function fromTheTop<Row extends EntityRow>(rows: readonly Row[]): readonly Row[] {
  const unknown = rows.filter((row) => !entityKinds.includes(row.kind));
  return [...entityKinds.flatMap((kind) => rows.filter((other) => other.kind === kind)), ...unknown];
}

/** The rows as a tree, each node under one that is there. Throws one sentence for every fault. */
export function hierarchy(rows: readonly EntityRow[], services: ModuleFaults = noModuleFaults): ReadonlyMap<string, Entity> {
  const entities = new Map<string, Entity>();
  const faults: string[] = [];
  for (const row of fromTheTop(rows)) {
    const found = rowFaults(row, (id) => entities.get(id)?.kind, services);
    faults.push(...sentences(row, found));
    if (found.length === 0)
      entities.set(row.id, entityOf(row, row.parentId === null ? null : (entities.get(row.parentId) ?? null)));
  }
  if (faults.length > 0) throw new BrokenDirectory(faults.join('\n'));
  const byMerchant = Map.groupBy(
    [...entities.values()].flatMap((entity) => entity.channel ?? []),
    (channel) => channel.merchantId,
  );
  for (const [merchantId, channels] of byMerchant) {
    entities.set(merchantId, { ...(entities.get(merchantId) as Entity), channels: channels.toSorted(inOrder) });
  }
  return entities;
}

/** The directory's store. The recording of token use is optional. */
export type DirectoryStore = Pick<
  MerchantStore,
  'entityPage' | 'grantPage' | 'lineages' | 'tokensOfUsers' | 'directoryChanges' | 'lastDirectoryChange'
> &
  Partial<Pick<MerchantStore, 'saveTokenUses'>>;

/** A merchant and its channels, or an entity above merchants alone, resolved together. */
type Resolved = ReadonlyMap<string, Entity>;

/** How many merchants stay resolved: each takes some kilobytes. */
const RESOLVED_MAX = 4_000;

/**
 * Resolves entities on demand. At least the last half of `max` entries that were asked for stay resolved: two generations, of which
 * the older one is dropped when the younger one is full.
 */
function createResolver(index: EntityIndex, max: number) {
  /** By the row of a merchant or of an entity above merchants. */
  let young = new Map<number, Resolved>();
  let old = new Map<number, Resolved>();
  function keep(row: number): Resolved {
    const made = old.get(row) ?? resolve(row);
    if (young.size >= max / 2) {
      old = young;
      young = new Map();
    }
    young.set(row, made);
    return made;
  }
  const parentEntity = (row: number): Entity | null => (row < 0 ? null : entityAt(row));
  const resolve = (row: number): Resolved => {
    const alone = entityOf(index.read(row), parentEntity(index.parentOf(row)));
    if (alone.kind !== 'merchant') return new Map([[alone.id, alone]]);
    const channels = index.childrenOf(row).map((channel) => entityOf(index.read(channel), alone));
    const inTurn = channels.flatMap(({ channel }) => channel ?? []).sort(inOrder);
    return new Map([{ ...alone, channels: inTurn }, ...channels].map((one) => [one.id, one]));
  };
  const entityAt = (row: number): Entity | null => entity(index.idOf(row));
  function entity(id: string): Entity | null {
    const row = index.rowOf(id);
    if (row < 0) return null;
    const owner = index.kindAt(row) === 'channel' ? index.parentOf(row) : row;
    return (young.get(owner) ?? keep(owner)).get(id) ?? null;
  }
  return {
    entity,
    /** A change above merchants concerns everything below it. */
    forget(id: string): void {
      const row = index.rowOf(id);
      if (index.kindAt(row) === 'merchant') {
        young.delete(row);
        old.delete(row);
      } else {
        young.clear();
        old.clear();
      }
    },
    size: () => new Set([...young.keys(), ...old.keys()]).size,
  };
}

const PAGE = 2_000;
/** More changes than this are not followed one by one: everything is read anew. */
const CHANGES_MAX = 5_000;

type DirectoryState = {
  readonly index: EntityIndex;
  readonly tokens: TokenIndex;
  readonly resolver: ReturnType<typeof createResolver>;
};

const brokenToken = ([, , userId]: GrantCells): string =>
  `user ${userId}: the token's hash must be SHA-256 in hex, the id 32 characters of a-f and 0-9, and its addresses a JSON list of IP addresses and CIDR blocks`;

/** All pages, each with the next one already on its way. */
async function* pagesOf<Cells>(read: (after: PageCursor | null) => Promise<CellPage<Cells>>): AsyncGenerator<readonly Cells[]> {
  for (let coming: Promise<CellPage<Cells>> | null = read(null); coming !== null; ) {
    const page: CellPage<Cells> = await coming;
    coming = page.next === null ? null : read(page.next);
    // It is awaited after this page, and not at all when this one cannot be used.
    coming?.catch(() => {});
    yield page.rows;
  }
}

/** Reads all entities into the index; returns a sentence for every fault. Requests are answered between two pages. */
async function readEntities(store: DirectoryStore, index: EntityIndex, services: ModuleFaults): Promise<readonly string[]> {
  const faults: string[] = [];
  const contentFaultsOf = createStoredCheck((row) => contentFaults(row, services));
  for await (const rows of pagesOf<EntityCells>((after) => store.entityPage(after, PAGE))) {
    for (const cells of rows) {
      const [id, kind, parentId, name] = cells;
      if (!index.put(cells)) faults.push(...sentences({ id, name }, placeFaults({ id, kind, parentId }, nowhere)));
      faults.push(...sentences({ id, name }, contentFaultsOf(cells)));
    }
  }
  for (let row = 0; row < index.size(); row += 1) {
    const kind = index.kindAt(row);
    if (kind === undefined || (index.kindAt(index.parentOf(row)) ?? null) === above[kind]) continue;
    const misplaced = index.read(row);
    faults.push(
      ...sentences(
        misplaced,
        placeFaults(misplaced, (id) => index.kindAt(index.rowOf(id))),
      ),
    );
  }
  return faults;
}

async function readTokens(store: DirectoryStore, tokens: TokenIndex): Promise<readonly string[]> {
  const faults: string[] = [];
  for await (const rows of pagesOf<GrantCells>((after) => store.grantPage(after, PAGE))) {
    for (const cells of rows) if (!tokens.put(cells)) faults.push(brokenToken(cells));
  }
  return faults;
}

/** Reads everything, page after page. */
async function load(store: DirectoryStore, services: ModuleFaults, resolvedMax: number): Promise<DirectoryState> {
  const index = createEntityIndex();
  const tokens = createTokenIndex();
  const faults = (await Promise.all([readEntities(store, index, services), readTokens(store, tokens)])).flat();
  if (faults.length > 0) throw new BrokenDirectory(faults.join('\n'));
  return { index, tokens, resolver: createResolver(index, resolvedMax) };
}

/** Takes over the rows of changed entities; returns a sentence for every invalid one, which stays as it was. */
function applyEntities(
  { index, resolver }: DirectoryState,
  keys: readonly string[],
  rows: readonly VersionedEntity[],
  services: ModuleFaults,
): readonly string[] {
  const there = new Set(rows.map(({ id }) => id));
  for (const key of keys) {
    resolver.forget(key);
    const row = index.rowOf(key);
    const channels = index.kindAt(row) === 'merchant' ? index.childrenOf(row).map(index.idOf) : [];
    for (const id of [key, ...channels]) if (!there.has(id)) index.remove(id);
  }
  const faults: string[] = [];
  for (const row of fromTheTop(rows)) {
    if (index.revisionOf(row.id) === row.revision) continue;
    const found = rowFaults(row, (id) => index.kindAt(index.rowOf(id)), services);
    faults.push(...sentences(row, found));
    if (found.length > 0) continue;
    index.put(entityCellsOf(row));
    resolver.forget(row.kind === 'channel' ? (row.parentId ?? '') : row.id);
  }
  return faults;
}

/** Reads the hierarchy and the tokens; rejects with `BrokenDirectory` when the rows are invalid. */
export async function createDirectory(
  store: DirectoryStore,
  clock: Clock,
  services: ModuleFaults = noModuleFaults,
  resolvedMax: number = RESOLVED_MAX,
): Promise<Directory> {
  let seq = await store.lastDirectoryChange();
  let known = await load(store, services, resolvedMax);
  let followedAt = clock.now();
  const loadAnew = async (): Promise<true> => {
    const last = await store.lastDirectoryChange();
    const loaded = await load(store, services, resolvedMax);
    loaded.tokens.takeUses(known.tokens);
    known = loaded;
    seq = last;
    return true;
  };
  const followOnce = async (): Promise<boolean> => {
    const [first, ...changes] = await store.directoryChanges(seq, CHANGES_MAX);
    const last = changes.at(-1);
    // The change up to which this node knows is gone: so may be others behind it.
    if (first?.seq !== seq || changes.length >= CHANGES_MAX - 1) return loadAnew();
    if (!last) return false;
    const keysOf = (kind: DirectoryChange['kind']) => [
      ...new Set(changes.flatMap((change) => (change.kind === kind ? change.key : []))),
    ];
    const [entityIds, userIds] = [keysOf('entity'), keysOf('token')];
    const rows = entityIds.length > 0 ? await store.lineages(entityIds) : [];
    const grants = userIds.length > 0 ? (await store.tokensOfUsers(userIds)).map(grantCellsOf) : [];
    const broken = known.tokens.replace(userIds, grants);
    const faults = [...applyEntities(known, entityIds, rows, services), ...broken.map(brokenToken)];
    seq = last.seq;
    if (faults.length > 0) throw new BrokenDirectory(faults.join('\n'));
    return true;
  };
  let last: Promise<unknown> = Promise.resolve();
  const follow = (): Promise<boolean> => {
    // One after the other: each begins after the change that its caller has made.
    const turn = last.then(followOnce).then((isChanged) => {
      followedAt = clock.now();
      return isChanged;
    });
    last = turn.catch(() => {});
    return turn;
  };
  return {
    entity: (id) => known.resolver.entity(id),
    stored(id) {
      const row = known.index.rowOf(id);
      return row < 0 ? null : known.index.read(row);
    },
    below: (id) => known.index.idsBelow(id).flatMap((one) => known.resolver.entity(one) ?? []),
    idsBelow: (id, kind) => known.index.idsBelow(id, kind),
    merchantIds: (limit = Number.POSITIVE_INFINITY) => known.index.idsOfKind('merchant', limit),
    ownersOf: (setting) => known.index.ownersOf(setting),
    granted: (token, address) => known.tokens.granted(token, clock.now(), address),
    isKnownToken: (token) => known.tokens.isKnown(token, clock.now()),
    follow,
    reload: async () => void (await follow()),
    async saveUses() {
      const uses = [...known.tokens.waiting()];
      if (uses.length === 0) return;
      await store.saveTokenUses?.(uses.map(([, use]) => use));
      known.tokens.written(uses);
    },
    ageMs: () => clock.now() - followedAt,
    resolved: () => known.resolver.size(),
  };
}

/** How many strings of settings are known to be right while rows are read: most merchants have one of few. */
const CHECKED_MAX = 10_000;

/** The faults in the settings of a row as it is stored: each string is checked once. */
function createStoredCheck(faultsOf: (row: VersionedEntity) => readonly string[]): (cells: EntityCells) => readonly string[] {
  const right = new Set<string>();
  return ([id, kind, parentId, name, text, revision]) => {
    const checked = `${kind} ${text}`;
    if (right.has(checked)) return [];
    const stored = { id, kind, parentId, name, settings: settingsIn(text), revision };
    if (stored.settings === undefined) return [damaged(kind, parentId)];
    const faults = faultsOf(stored as VersionedEntity);
    if (faults.length === 0 && right.size < CHECKED_MAX) right.add(checked);
    return faults;
  };
}

/** Undefined: they are no JSON. */
function settingsIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const damaged = (kind: string, parentId: string | null): string =>
  `the settings of this ${kind}${parentId === null ? '' : ` of ${parentId}`} (table entity) are damaged, they are no JSON: ` +
  'stop the gateway and restore the database from its last good backup with npx turnpike restore --overwrite (docs/backup.md)';

type Rows = { readonly entities: readonly EntityRow[]; readonly tokens: readonly TokenRow[] };

/** A directory's store with rows that are read elsewhere. It keeps no changes, so every poll reads all rows anew, in one page. */
export const fixedRows = (rows: () => Promise<Rows>): DirectoryStore => ({
  entityPage: async () => ({ rows: (await rows()).entities.map((row) => entityCellsOf({ ...row, revision: 1 })), next: null }),
  grantPage: async () => ({ rows: (await rows()).tokens.map(grantCellsOf), next: null }),
  lineages: async () => [],
  tokensOfUsers: async () => [],
  directoryChanges: async () => [],
  lastDirectoryChange: async () => 0,
});
