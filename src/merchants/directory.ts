import { type Clock, DAY_MS } from '../spec/time.ts';
import type { Channel } from './channel.ts';
import { type ModuleFaults, noModuleFaults } from './moduleSettings.ts';
import type { EntityKind, EntityRow, MerchantStore, TokenRow } from './ports.ts';
import { defaultSettings, inherit, type Settings, settingFaults } from './settings.ts';
import { grantsOpenedBy, type TokenGrant, userOf } from './token.ts';

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

/** The hierarchy and its tokens, in memory. It is read at the start and every few seconds, so no request waits for it. */
export interface Directory {
  entity(id: string): Entity | null;
  /** An entity and everything below it. */
  below(id: string): readonly Entity[];
  merchantIds(): readonly string[];
  /** The ids of the entities of the token; empty for an unknown token. */
  granted(token: string): readonly string[];
  /** Reads everything again. Rejects, and keeps the present state, when the store fails or its rows are invalid. */
  reload(): Promise<void>;
  /** How old the knowledge is. */
  ageMs(): number;
}

/** `usedOn` is the day on which this node last wrote down, or will, that the token was used. */
type KnownGrant = TokenGrant & Pick<TokenRow, 'tokenHash'> & { usedOn: number };
type Users = ReadonlyMap<string, readonly KnownGrant[]>;
type DirectorySnapshot = {
  readonly entities: ReadonlyMap<string, Entity>;
  readonly users: Users;
  /** Tokens that opened something since the load, and what they opened: most requests repeat one, and need no hash then. */
  readonly opened: Map<string, readonly KnownGrant[]>;
  readonly loadedAt: number;
};

const OPENED_MAX = 1_000;

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
const topDown: readonly EntityKind[] = ['psp', 'division', 'merchant', 'channel'];

/** The faults of one row, each as the end of a sentence. */
function rowFaults(row: EntityRow, entities: ReadonlyMap<string, Entity>, services: ModuleFaults): readonly string[] {
  if (!ENTITY_ID.test(row.id)) return ['the id must be 32 characters of a-f and 0-9'];
  if (above[row.kind] === undefined) return [`"${row.kind}" is no kind of entity`];
  const parent = row.parentId === null ? null : entities.get(row.parentId);
  if ((parent?.kind ?? null) !== above[row.kind])
    return [`it must stand below ${above[row.kind] ? `a ${above[row.kind]}` : 'nothing'}`];
  if (row.settings.dispatch !== undefined && row.kind !== 'merchant') return ['only a merchant can dispatch'];
  return settingFaults(row.settings, services);
}

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

/** The rows as a tree, each node under one that is there. Throws one sentence for every fault. */
export function hierarchy(rows: readonly EntityRow[], services: ModuleFaults = noModuleFaults): ReadonlyMap<string, Entity> {
  const entities = new Map<string, Entity>();
  const faults: string[] = [];
  const unknown = rows.filter((row) => !topDown.includes(row.kind));
  for (const row of [...topDown.flatMap((kind) => rows.filter((other) => other.kind === kind)), ...unknown]) {
    const found = rowFaults(row, entities, services);
    faults.push(...found.map((fault) => `entity ${row.id} (${row.name}): ${fault}`));
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

function usersOf(rows: readonly TokenRow[]): Users {
  const broken = rows.find((row) => !ENTITY_ID.test(row.userId) || !/^[0-9a-f]{64}$/.test(row.tokenHash));
  if (broken)
    throw new BrokenDirectory(
      `user ${broken.userId}: the token's hash must be SHA-256 in hex and the id 32 characters of a-f and 0-9`,
    );
  const grant = ({ tokenHash, entityId, endsAt = Number.POSITIVE_INFINITY, usedOn = -1 }: TokenRow): KnownGrant => ({
    hash: Buffer.from(tokenHash, 'hex'),
    tokenHash,
    entityId,
    endsAt,
    usedOn,
  });
  return new Map([...Map.groupBy(rows, (row) => row.userId)].map(([userId, own]) => [userId, own.map(grant)]));
}

/** What the directory needs from a store. The recording of token use is optional. */
type DirectoryStore = Pick<MerchantStore, 'tokens'> &
  Partial<Pick<MerchantStore, 'saveTokenUses'>> & { entities(): Promise<readonly EntityRow[]> };

type Use = Parameters<MerchantStore['saveTokenUses']>[0][number];

/** Which tokens were used today and are not yet written down as such: a token costs one write a day, and no request waits for it. */
function createUses(store: DirectoryStore) {
  const waiting = new Map<string, Use>();
  return {
    note(grant: KnownGrant, now: number): void {
      const usedOn = now - (now % DAY_MS);
      if (grant.usedOn >= usedOn) return;
      grant.usedOn = usedOn;
      const { tokenHash, entityId } = grant;
      waiting.set(`${tokenHash} ${entityId}`, { tokenHash, entityId, usedOn });
    },
    async write(): Promise<void> {
      const uses = [...waiting];
      if (uses.length === 0) return;
      await store.saveTokenUses?.(uses.map(([, use]) => use));
      for (const [name, use] of uses) if (waiting.get(name) === use) waiting.delete(name);
    },
  };
}

function entityIdsOf(grants: readonly KnownGrant[], now: number, uses: ReturnType<typeof createUses>): readonly string[] {
  for (const grant of grants) uses.note(grant, now);
  return grants.map(({ entityId }) => entityId);
}

/** Reads the hierarchy and the tokens; rejects with `BrokenDirectory` when the rows are invalid. */
export async function createDirectory(
  store: DirectoryStore,
  clock: Clock,
  services: ModuleFaults = noModuleFaults,
): Promise<Directory> {
  const uses = createUses(store);
  const load = async (): Promise<DirectorySnapshot> => {
    const [entities, tokens] = await Promise.all([store.entities(), store.tokens()]);
    return { entities: hierarchy(entities, services), users: usersOf(tokens), opened: new Map(), loadedAt: clock.now() };
  };
  let known = await load();
  let [asked, taken] = [0, 0];
  return {
    entity: (id) => known.entities.get(id) ?? null,
    below: (id) => [...known.entities.values()].filter(({ path }) => path.includes(id)),
    merchantIds: () => [...known.entities.values()].flatMap(({ kind, id }) => (kind === 'merchant' ? [id] : [])),
    granted: (token) => {
      const now = clock.now();
      const before = known.opened.get(token);
      if (before?.every(({ endsAt }) => now < endsAt)) return entityIdsOf(before, now, uses);
      const found = grantsOpenedBy(token, known.users.get(userOf(token) ?? ''), now);
      if (found.length > 0 && known.opened.size < OPENED_MAX) known.opened.set(token, found);
      return entityIdsOf(found, now, uses);
    },
    reload: async () => {
      // Without a writable store they wait for the next reload; tokens are read in any case.
      await uses.write().catch(() => {});
      asked += 1;
      const turn = asked;
      const loaded = await load();
      // Of two that read at the same time, the one that began later knows more.
      if (turn < taken) return;
      taken = turn;
      known = loaded;
    },
    ageMs: () => clock.now() - known.loadedAt,
  };
}
