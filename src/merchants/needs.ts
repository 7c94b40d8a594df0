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
