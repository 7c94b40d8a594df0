import type { EndpointName } from '../spec/endpoints.ts';
import type { Limit } from './settings.ts';

/** The stores of the merchants module. Entities and tokens are read by id or in pages: there may be hundreds of thousands. */

export type EntityKind = 'psp' | 'division' | 'merchant' | 'channel';

/** One node of the hierarchy PSP > division > merchant > channel. */
export type EntityRow = {
  readonly id: string;
  readonly kind: EntityKind;
  readonly parentId: string | null;
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
};

/** A node as it is stored: 1 when it is new, and one more with every change. */
export type VersionedEntity = EntityRow & { readonly revision: number };

/** An entity as a list: id, kind, parent, name, settings as JSON, revision. A node reads some hundred thousand of them at its start. */
export type EntityCells = readonly [
  id: string,
  kind: EntityKind,
  parentId: string | null,
  name: string,
  settings: string,
  revision: number,
];

/** An access token as a list: hash, entity, user, end, day of last use, allowed addresses as JSON. */
export type GrantCells = readonly [
  tokenHash: string,
  entityId: string,
  userId: string,
  endsAt: number | null,
  usedOn: number | null,
  allowedAddresses: string | null,
];

export const entityCellsOf = ({ id, kind, parentId, name, settings, revision }: VersionedEntity): EntityCells => [
  id,
  kind,
  parentId,
  name,
  JSON.stringify(settings),
  revision,
];

export const grantCellsOf = ({ tokenHash, entityId, userId, endsAt, usedOn, allowedAddresses }: TokenRow): GrantCells => [
  tokenHash,
  entityId,
  userId,
  endsAt ?? null,
  usedOn ?? null,
  allowedAddresses ? JSON.stringify(allowedAddresses) : null,
];

/** Where a page ends, in the words of its store. */
export type PageCursor = string | number;
/** `next`: where the next page begins; null: there is none. */
export type CellPage<Cells> = { readonly rows: readonly Cells[]; readonly next: PageCursor | null };

/** An access token as it is stored: never the token itself. */
export type TokenRow = {
  readonly userId: string;
  /** Lowercase hex SHA-256 of the whole token string. */
  readonly tokenHash: string;
  readonly entityId: string;
  readonly createdAt: number;
  /** A display name. */
  readonly name?: string;
  /** The back-office user who issued it, if any. */
  readonly createdBy?: string;
  /** Its expiry, if any. */
  readonly endsAt?: number;
  /** The beginning of the day, in UTC, on which it was last used; left out: it never was. */
  readonly usedOn?: number;
  /** The addresses and CIDR blocks from which it is accepted; left out: from anywhere. Never empty. */
  readonly allowedAddresses?: readonly string[];
};

/** One token for one entity. */
export type TokenLocation = Pick<TokenRow, 'tokenHash' | 'entityId'>;

/** One change of the hierarchy or its tokens. `key`: the entity, the merchant of a channel, or the user of a token. */
export type DirectoryChange = { readonly seq: number; readonly kind: 'entity' | 'token'; readonly key: string };

/** An entity in a list, with the number of those right below it. */
export type ListedEntity = { readonly row: VersionedEntity; readonly below: number };

/** Reads of the hierarchy and its tokens that stay small however many merchants there are. */
export interface DirectoryReads {
  /** The entities with these ids, all above them, and all channels of the merchants among those, in any order. */
  lineages(ids: readonly string[]): Promise<readonly VersionedEntity[]>;
  /** Entities right below one, or at the top for null, by name and id, after the cursor. */
  entitiesBelow(
    parentId: string | null,
    after: Pick<EntityRow, 'name' | 'id'> | null,
    limit: number,
  ): Promise<readonly ListedEntity[]>;
  /** How many entities stand right below one. */
  countBelow(parentId: string): Promise<number>;
  /** All entities in the order in which they are read fastest, page after page; null: from the first on. */
  entityPage(after: PageCursor | null, limit: number): Promise<CellPage<EntityCells>>;
  /** All tokens, likewise. */
  grantPage(after: PageCursor | null, limit: number): Promise<CellPage<GrantCells>>;
  /** All tokens in the order of their hashes, page after page. */
  tokenPage(after: TokenLocation | null, limit: number): Promise<readonly TokenRow[]>;
  tokensOfUsers(userIds: readonly string[]): Promise<readonly TokenRow[]>;
  tokensOfEntity(entityId: string): Promise<readonly TokenRow[]>;
  /** Changes from `from` on, `from` included, in the order of their commits: when `from` is missing, changes before it may be, too. */
  directoryChanges(from: number, limit: number): Promise<readonly DirectoryChange[]>;
  /** The number of the newest change. */
  lastDirectoryChange(): Promise<number>;
}

export interface MerchantStore extends DirectoryReads {
  /** All of them, for commands of the operator. */
  entities(): Promise<readonly VersionedEntity[]>;
  /** All of them, for commands of the operator. */
  tokens(): Promise<readonly TokenRow[]>;
  /** Deletes all changes but the newest `kept`; returns how many. */
  deleteDirectoryChanges(kept: number): Promise<number>;
  /** Inserts missing rows in one commit; returns how many were new. Existing rows stay unchanged. */
  insertAccounts(rows: { readonly entities: readonly EntityRow[]; readonly tokens: readonly TokenRow[] }): Promise<number>;
  /** Puts other settings in the place of an entity's; false when there is no such entity. */
  setSettings(entityId: string, settings: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** Replaces name and settings of an entity that follows the stored revision; false: another change came first. */
  saveEntity(entity: Pick<VersionedEntity, 'id' | 'name' | 'settings' | 'revision'>): Promise<boolean>;
  /** Sets the end of a token, null: none; false when the token is unknown or has ended by `now`. An ended token stays ended. */
  endToken(token: TokenLocation, endsAt: number | null, now: number): Promise<boolean>;
  /** Sets the addresses from which a token is accepted, null: from anywhere; false when the token is unknown or has ended by `now`. */
  setTokenAddresses(token: TokenLocation, allowed: readonly string[] | null, now: number): Promise<boolean>;
  /** Saves the day of each token's last use, where it is later than the stored one. */
  saveTokenUses(used: readonly (TokenLocation & { readonly usedOn: number })[]): Promise<void>;
}

/** A draw from a bucket that fills with time. Less than 0 gives back. */
export type RateDraw = {
  readonly key: string;
  readonly requests: number;
  readonly msPerRequest: number;
  readonly wanted: number;
  readonly now: number;
};

/** Rate limits of requests. Limits in memory answer immediately. */
export interface Throttler {
  /** 0: go ahead. Otherwise the milliseconds after which the caller may try again. */
  waitMs(entityId: string, operation: EndpointName, limit: Limit | undefined): number | Promise<number>;
}

/** Rate limits that hold for all nodes together. */
export interface RateStore {
  /** Records that a node is at work, with its address for others, and deletes nodes last seen before `since`; returns their number. */
  noteNode(id: string, now: number, since: number, address?: string | null): Promise<number>;
  /** The addresses of the other nodes that were seen since the instant, the last one first. */
  peers(id: string, since: number): Promise<readonly string[]>;
  /** Draws at most the wanted number of requests; returns how many, and the remainder. */
  drawRequests(draw: RateDraw): Promise<{ readonly granted: number; readonly level: number }>;
  /** Deletes buckets that were last drawn from before the instant; returns how many. */
  deleteRates(before: number): Promise<number>;
}

/** Which node runs a job for all of them. Leases end by the clock of the store. */
export interface LeaseStore {
  /** Takes or renews the leases that no other node has; returns the names of the leases that are held now. */
  holdLeases(asked: {
    readonly names: readonly string[];
    readonly holder: string;
    readonly forMs: number;
  }): Promise<readonly string[]>;
  /** Ends all leases of a node. */
  releaseLeases(holder: string): Promise<void>;
}

/** A merchant's test clock. A merchant without one is in real time. */
export type MerchantClock = {
  readonly merchantId: string;
  /** How far it is from real time while it runs. */
  readonly offsetMs: number;
  /** The instant at which it is frozen; null: it runs. */
  readonly frozenAt: number | null;
  /** The target of the present advance; null: none. */
  readonly target: number | null;
  /** The real time of the last step of the advance. */
  readonly steppedAt: number;
  readonly revision: number;
};

/** The store of test clocks. Live has none. */
export interface ClockStore {
  clocks(): Promise<readonly MerchantClock[]>;
  /** Saves a clock that follows the stored revision, or the first one; false: another change came first. */
  saveClock(clock: MerchantClock): Promise<boolean>;
  /** The earliest instant behind `after` at which anything of a merchant is due; null when nothing ever is. */
  nextDueAt(merchantId: string, after: number): Promise<number | null>;
  /** Ends every claim on a merchant's schedules and deliveries: the clock by which they expire has been moved. */
  releaseClaims(merchantId: string): Promise<void>;
  /** Makes deliveries that are due after `now` due now: the clock has been put back. */
  makeDeliveriesDue(merchantId: string, now: number): Promise<void>;
}
