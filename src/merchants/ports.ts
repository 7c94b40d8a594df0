/** The stores of the merchants module. All entities and tokens fit in memory and are read at the start. */

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

/** An access token as it is stored: never the token itself. */
export type TokenRow = {
  readonly userId: string;
  /** Lowercase hex SHA-256 of the whole token text. */
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
};

/** One token for one entity. */
export type TokenLocation = Pick<TokenRow, 'tokenHash' | 'entityId'>;

export interface MerchantStore {
  entities(): Promise<readonly VersionedEntity[]>;
  tokens(): Promise<readonly TokenRow[]>;
  /** Inserts missing rows in one commit; returns how many were new. Existing rows stay unchanged. */
  insertAccounts(rows: { readonly entities: readonly EntityRow[]; readonly tokens: readonly TokenRow[] }): Promise<number>;
  /** Puts other settings in the place of an entity's; false when there is no such entity. */
  setSettings(entityId: string, settings: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** Replaces name and settings of an entity that follows the stored revision; false: another change came first. */
  saveEntity(entity: Pick<VersionedEntity, 'id' | 'name' | 'settings' | 'revision'>): Promise<boolean>;
  /** Sets the end of a token, null: none; false when the token is unknown or has ended by `now`. An ended token stays ended. */
  endToken(token: TokenLocation, endsAt: number | null, now: number): Promise<boolean>;
  /** Saves the day of each token's last use, where it is later than the stored one. */
  saveTokenUses(used: readonly (TokenLocation & { readonly usedOn: number })[]): Promise<void>;
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
