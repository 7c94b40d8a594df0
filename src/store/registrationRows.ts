import type { KeyName, KeyRow, Registered, SealedPlace, SealedRow } from '../registrations/needs.ts';
import type { Registration, RegistrationState } from '../registrations/registration.ts';
import { BrokenCommit } from './errors.ts';
import type { Cell } from './rows.ts';

/** Rows of the tables that stand beside the payments, as they are read. 64-bit columns come as text from PostgreSQL. */

export type RegistrationRow = {
  readonly merchant_id: string;
  readonly id: string;
  readonly entity_id: string;
  readonly payment_id: string;
  readonly state: RegistrationState;
  readonly fingerprint: string | null;
  readonly created_at: string | number;
  readonly used_at: string | number;
  readonly expires_at: string | number;
  readonly token_due_at: string | number | null;
  readonly revision: string | number;
  readonly data: string;
};

export function registrationOf(row: RegistrationRow): Registration {
  return {
    ...(JSON.parse(row.data) as Registration),
    merchantId: row.merchant_id,
    id: row.id,
    entityId: row.entity_id,
    paymentId: row.payment_id,
    state: row.state,
    fingerprint: row.fingerprint,
    createdAt: Number(row.created_at),
    usedAt: Number(row.used_at),
    expiresAt: Number(row.expires_at),
    tokenDueAt: row.token_due_at === null ? null : Number(row.token_due_at),
    revision: Number(row.revision),
  };
}

/** The driver of PostgreSQL gives a view of its own kind; the bytes are what was asked for. */
const bytesOf = (sealed: Uint8Array): Uint8Array => (Buffer.isBuffer(sealed) ? new Uint8Array(sealed) : sealed);

export const registeredOf = (row: RegistrationRow & { readonly sealed: Uint8Array | null }): Registered => ({
  registration: registrationOf(row),
  sealed: row.sealed && bytesOf(row.sealed),
});

export type StoredKey = {
  readonly owner: string;
  readonly purpose: KeyRow['purpose'];
  readonly version: string | number;
  readonly master_id: string;
  readonly wrapped: Uint8Array | null;
  readonly state: KeyRow['state'];
  readonly created_at: string | number;
  readonly reserved: string | number;
};

export const keyOf = (row: StoredKey): KeyRow => ({
  owner: row.owner,
  purpose: row.purpose,
  version: Number(row.version),
  masterId: row.master_id,
  wrapped: row.wrapped && bytesOf(row.wrapped),
  state: row.state,
  createdAt: Number(row.created_at),
  reserved: Number(row.reserved),
});

export const nameCells = ({ owner, purpose, version }: KeyName): [string, string, number] => [owner, purpose, version];

export const keyCells = (row: KeyRow): Cell[] => [...nameCells(row), row.masterId, row.wrapped, row.createdAt, row.reserved];

/** Only a current key is new, and one that cannot be used is none. */
export function checkKey({ owner, purpose, version, wrapped, state, reserved }: KeyRow): void {
  const isWhole = Number.isSafeInteger(version) && version >= 1 && Number.isSafeInteger(reserved) && reserved >= 0;
  if (!isWhole || state !== 'current' || wrapped === null) {
    throw new BrokenCommit(`key ${version} of ${owner} for ${purpose}: a new key is current and wrapped`);
  }
}

export type StoredSealed = {
  readonly owner_id: string;
  readonly entity_id: string;
  readonly record_id: string;
  readonly field: string;
  readonly sealed: Uint8Array;
};

export const sealedTables = ['payment', 'registration', 'secret'] as const;
export type SealedTable = (typeof sealedTables)[number];

export const sealedRowOf =
  (table: SealedTable) =>
  ({ owner_id, entity_id, record_id, field, sealed }: StoredSealed): SealedRow => ({
    table,
    merchantId: owner_id,
    entityId: entity_id,
    recordId: record_id,
    field,
    sealed: bytesOf(sealed),
  });

/** The key of a sealed text within its table. */
export const placeCells = ({ table, merchantId, recordId, field }: SealedPlace): [string, string] => [
  merchantId,
  table === 'secret' ? field : recordId,
];

type Portion = (table: SealedTable, behind: readonly [string, string], limit: number) => Promise<SealedRow[]>;

/** Table after table, each from the place that was reached or from its beginning, until there are enough. */
export async function sealedBehind(after: SealedPlace | null, limit: number, portion: Portion): Promise<SealedRow[]> {
  const found: SealedRow[] = [];
  for (const table of sealedTables.slice(after ? sealedTables.indexOf(after.table) : 0)) {
    if (found.length >= limit) break;
    const behind = after?.table === table ? placeCells(after) : (['', ''] as const);
    found.push(...(await portion(table, behind, limit - found.length)));
  }
  return found;
}

/** Of a table, in a sample from its front and in all, as far as the database knows. */
export type SealedCount = { readonly seen: string | number; readonly sealed: string | number; readonly rows: string | number };

/** How many rows of a table are looked at to tell how many of them hold a sealed text. */
export const SAMPLE_MAX = 10_000;

/** Exact while the tables are small; beyond that the sample tells for the rest. */
export function sealedEstimate(counts: readonly SealedCount[]): number {
  return counts.reduce((sum, { seen, sealed, rows }) => {
    const [looked, found, all] = [Number(seen), Number(sealed), Number(rows)];
    return sum + (looked === SAMPLE_MAX && all > looked ? Math.round((found / looked) * all) : found);
  }, 0);
}
