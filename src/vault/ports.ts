/** Where a sealed text belongs. All of it is bound in, so a ciphertext moved to another row, field or merchant does not open. */
export type SealedRecord = {
  /** Whose key seals it. */
  readonly merchantId: string;
  readonly entityId: string;
  readonly recordId: string;
  readonly field: string;
};

/** Seals what must not be read and recognises it again. Only the vault knows a key. */
export interface Vault {
  /** Null when the merchant's keys are at hand, as they are after his first request; otherwise resolves when they are. */
  ready(merchantId: string): Promise<void> | null;
  /** Only after `ready`. */
  seal(record: SealedRecord, clear: string): Uint8Array;
  /** Rejects when a single bit differs, the record is not the one it was sealed for, or its key was retired. */
  open(record: SealedRecord, sealed: Uint8Array): Promise<string>;
  /** Only after `ready`. Keyed hash: the same number of the same merchant gives the same text, and nobody can search for a number. */
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
  /** How many uses were handed out to the nodes. */
  readonly reserved: number;
};

export type KeyName = Pick<KeyRow, 'owner' | 'purpose' | 'version'>;

/** What is sealed in each table, so that a text of one does not open in the place of another; a secret is sealed under its own name. */
export const sealedFields = { payment: 'instrument', registration: 'registration' } as const;

/** A sealed text where it is stored. `table` and `field` say what it is. */
export type SealedRow = SealedRecord & { readonly table: 'payment' | 'registration' | 'secret'; readonly sealed: Uint8Array };

export type SealedLocation = Pick<SealedRow, 'table' | 'merchantId' | 'recordId' | 'field'>;

export interface KeyStore {
  /** All keys of one owner, or of all. */
  keys(owner: string | null): Promise<readonly KeyRow[]>;
  /**
   * Keeps a new current key; the one that was current is retiring from the same commit on. False, and nothing is written, when that
   * version is there already: another node was quicker.
   */
  addKey(row: KeyRow): Promise<boolean>;
  /** Wraps a key anew. False when it is not wrapped by `masterId` any more, or retired. */
  rewrapKey(name: KeyName, from: string, to: { readonly masterId: string; readonly wrapped: Uint8Array }): Promise<boolean>;
  /** Hands out so many uses of a key; answers how many were handed out in all, null when there is no such key. */
  reserveKey(name: KeyName, uses: number): Promise<number | null>;
  /** Destroys a retiring key. False when it is not retiring. */
  retireKey(name: KeyName): Promise<boolean>;
  /** Sealed texts in the order payment, registration, secret, then owner and record; those behind `after`, at most `limit`. */
  sealedAfter(after: SealedLocation | null, limit: number): Promise<readonly SealedRow[]>;
  /** How many sealed texts there are, roughly: for a progress bar. */
  countSealed(): Promise<number>;
  /** Replaces each text where it still is what it was; answers how many were replaced. One commit. */
  reseal(rows: readonly (SealedRow & { readonly anew: Uint8Array })[]): Promise<number>;
}

/** Secrets of an entity that are no payment details: the private key of a wallet, later a password of a connector. */
export interface SecretStore {
  secret(entityId: string, name: string): Promise<Uint8Array | null>;
  /** Null removes it. */
  keepSecret(entityId: string, name: string, sealed: Uint8Array | null): Promise<void>;
}
