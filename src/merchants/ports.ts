/** What the merchants room asks of a store. Everything it knows fits in memory and is read once at the start. */

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
  /** For people; left out where nobody has named it. */
  readonly name?: string;
  /** The user of the back office who issued it; left out where nobody of them did. */
  readonly createdBy?: string;
  /** From this instant on it opens nothing; left out: nobody has said. */
  readonly endsAt?: number;
  /** The beginning of the day, in UTC, on which it was last used; left out: it never was. */
  readonly usedOn?: number;
};

/** One token for one entity. */
export type TokenLocation = Pick<TokenRow, 'tokenHash' | 'entityId'>;

export interface MerchantStore {
  entities(): Promise<readonly VersionedEntity[]>;
  tokens(): Promise<readonly TokenRow[]>;
  /** Writes what is not there yet, in one commit; answers how many rows were new. Existing rows stay as they are. */
  insertAccounts(rows: { readonly entities: readonly EntityRow[]; readonly tokens: readonly TokenRow[] }): Promise<number>;
  /** Puts other settings in the place of an entity's; false when there is no such entity. */
  setSettings(entityId: string, settings: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** Puts another name and other settings in the place of an entity's, on the revision before it; false: somebody was faster. */
  saveEntity(entity: Pick<VersionedEntity, 'id' | 'name' | 'settings' | 'revision'>): Promise<boolean>;
  /** Says when a token ends, null: not yet; false when there is none, or it has ended by `now`: what has ended stays so. */
  endToken(token: TokenLocation, endsAt: number | null, now: number): Promise<boolean>;
  /** Writes down on which day tokens were used, where that is later than what is known. */
  saveTokenUses(used: readonly (TokenLocation & { readonly usedOn: number })[]): Promise<void>;
}

/** A merchant's own time in the test environment. Whoever has none lives in real time. */
export type MerchantClock = {
  readonly merchantId: string;
  /** How far it is from real time while it runs. */
  readonly offsetMs: number;
  /** Where it stands still; null: it runs. */
  readonly frozenAt: number | null;
  /** Where it is being moved to, from one due instant to the next; null: nobody moves it. */
  readonly target: number | null;
  /** In real time: when whoever moves it last said so. */
  readonly steppedAt: number;
  readonly revision: number;
};

/** Of the test environment: in live nobody has a clock of his own. */
export interface ClockStore {
  clocks(): Promise<readonly MerchantClock[]>;
  /** Kept only on the revision before it, the first one when there is none yet; false: somebody was faster. */
  saveClock(clock: MerchantClock): Promise<boolean>;
  /** The earliest instant behind `after` at which anything of a merchant is due; null when nothing ever is. */
  nextDueAt(merchantId: string, after: number): Promise<number | null>;
  /** Ends every claim to a merchant's plans and deliveries: the clock by which they would end has been moved. */
  releaseClaims(merchantId: string): Promise<void>;
  /** What waits for an instant behind `now` to be delivered is due now: the clock has been put back. */
  makeDeliveriesDue(merchantId: string, now: number): Promise<void>;
}
