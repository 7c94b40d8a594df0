/** The location of a sealed value. It is authenticated, so that a ciphertext moved to another row, field or merchant does not open. */
export type SealedRecord = {
  /** The owner of the key. */
  readonly merchantId: string;
  readonly entityId: string;
  readonly recordId: string;
  readonly field: string;
};

/** Encrypts secrets and computes fingerprints. Keys never leave the vault. */
export interface Vault {
  /** Null when the merchant's keys are loaded, as after its first request; otherwise resolves when they are. */
  ready(merchantId: string): Promise<void> | null;
  /** Only after `ready`. */
  seal(record: SealedRecord, clear: string): Uint8Array;
  /** Rejects when a single bit differs, the record is not the one it was sealed for, or its key was retired. */
  open(record: SealedRecord, sealed: Uint8Array): Promise<string>;
  /** Only after `ready`. A keyed hash: equal for equal numbers of one merchant, and useless for finding a number without the key. */
  fingerprint(merchantId: string, number: string): string;
}

/** A key as it is stored: never in clear. */
export type KeyRow = {
  /** A merchant, an entity with secrets of its own, or `gateway` for what belongs to none. */
  readonly owner: string;
  readonly purpose: 'data' | 'fingerprint' | 'digest';
  readonly version: number;
  /** Which master key wrapped it. */
  readonly masterId: string;
  /** Null once it is retired. */
  readonly wrapped: Uint8Array | null;
  /** `current` seals and opens, `retiring` only opens, `retired` is destroyed. One key of an owner and purpose is current. */
  readonly state: 'current' | 'retiring' | 'retired';
  readonly createdAt: number;
  /** How many uses were reserved by all nodes. */
  readonly reserved: number;
};

export type KeyName = Pick<KeyRow, 'owner' | 'purpose' | 'version'>;

/** The field name bound to sealed values of each table, so that a value of one does not open in another; a secret uses its own name. */
export const sealedFields = { payment: 'instrument', proof: 'proof', registration: 'registration' } as const;

/** Where sealed values are stored, in the order of a walk: `proof` is that of an authentication, inside the data of its payment. */
export const sealedTables = ['payment', 'proof', 'registration', 'secret'] as const;
export type SealedTable = (typeof sealedTables)[number];

/** A stored sealed value. */
export type SealedRow = SealedRecord & { readonly table: SealedTable; readonly sealed: Uint8Array };

export type SealedLocation = Pick<SealedRow, 'table' | 'merchantId' | 'recordId' | 'field'>;

export interface KeyStore {
  /** All keys of one owner, or of all. */
  keys(owner: string | null): Promise<readonly KeyRow[]>;
  /**
   * Stores a new current key and marks the previous one as retiring, in one commit. Returns false and writes nothing when that version
   * exists: another node was faster.
   */
  addKey(row: KeyRow): Promise<boolean>;
  /** Replaces the wrapping of a key. False when it is no longer wrapped by `from`, or retired. */
  rewrapKey(name: KeyName, from: string, to: { readonly masterId: string; readonly wrapped: Uint8Array }): Promise<boolean>;
  /** Reserves uses of a key; returns the total reserved, or null when there is no such key. */
  reserveKey(name: KeyName, uses: number): Promise<number | null>;
  /** Destroys a retiring key. False when it is not retiring. */
  retireKey(name: KeyName): Promise<boolean>;
  /** Sealed values after `after`, at most `limit`, in the order of `sealedTables`, then by owner and record. */
  sealedAfter(after: SealedLocation | null, limit: number): Promise<readonly SealedRow[]>;
  /** The approximate number of sealed values, for a progress bar. */
  countSealed(): Promise<number>;
  /** Replaces each value that is unchanged since it was read; returns the number replaced. One commit. */
  reseal(rows: readonly (SealedRow & { readonly anew: Uint8Array })[]): Promise<number>;
}

export interface RetentionStore {
  /**
   * Erases the sealed instruments of a batch of the payments created from one instant on and before another. `until`: all created before
   * it are erased; it is `before` at the end.
   */
  eraseCardData(from: number, before: number): Promise<{ readonly erased: number; readonly until: number }>;
}

/** Secrets of an entity other than payment details, such as the private key of a wallet. */
export interface SecretStore {
  secret(entityId: string, name: string): Promise<Uint8Array | null>;
  /** Null removes it. */
  storeSecret(entityId: string, name: string, sealed: Uint8Array | null): Promise<void>;
}
