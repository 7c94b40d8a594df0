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

/** An access token as it is stored: never the token itself. */
export type TokenRow = {
  readonly userId: string;
  /** Lowercase hex SHA-256 of the whole token text. */
  readonly tokenHash: string;
  readonly entityId: string;
  readonly createdAt: number;
};

export interface MerchantStore {
  entities(): Promise<readonly EntityRow[]>;
  tokens(): Promise<readonly TokenRow[]>;
  /** Writes what is not there yet, in one commit; answers how many rows were new. Existing rows stay as they are. */
  seed(rows: { readonly entities: readonly EntityRow[]; readonly tokens: readonly TokenRow[] }): Promise<number>;
  /** Puts other settings in the place of an entity's; false when there is no such entity. */
  setSettings(entityId: string, settings: Readonly<Record<string, unknown>>): Promise<boolean>;
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
  endClaims(merchantId: string): Promise<void>;
  /** What waits for an instant behind `now` to be delivered is due now: the clock has been put back. */
  hurryDeliveries(merchantId: string, now: number): Promise<void>;
}
