import { latestFor } from '../../merchants/merchantFilter.ts';
import type { Payment } from '../../payments/payment.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { StoredRegistration } from '../../registrations/ports.ts';
import type { Registration, RegistrationState } from '../../registrations/registration.ts';
import {
  type KeyName,
  type KeyRow,
  type SealedLocation,
  type SealedRow,
  type SealedTable,
  sealedFields,
  sealedTables,
} from '../../vault/ports.ts';
import { gatherStatement } from '../postgres/gather.ts';
import { listedColumns } from './listedRows.ts';
import { isSliced, readInSlices } from './longFields.ts';
import type { Cell, CommitCell } from './payments.ts';
import type { FurtherCell } from './registrationRules.ts';

/** Every statement about registrations, wallet tokens, keys and secrets, in the form of statements.ts. */

/** Where the columns of a registration come from. */
export const registrationSource = {
  merchant_id: 'merchant_id',
  id: 'registration_id',
  entity_id: 'registration_entity_id',
  payment_id: 'registration_payment_id',
  state: 'registration_state',
  fingerprint: 'registration_fingerprint',
  customer_id: 'registration_customer_id',
  created_at: 'registration_created_at',
  used_at: 'registration_used_at',
  expires_at: 'registration_expires_at',
  token_due_at: 'registration_token_due_at',
  revision: 'registration_revision',
  data: 'registration_data',
  sealed: 'registration_sealed',
} as const satisfies Record<string, CommitCell>;

/** What an update writes. It writes the origin too, so that the guards refuse another origin. */
export const registrationUpdated = Object.entries(registrationSource).filter(
  ([column]) => !['merchant_id', 'id', 'sealed'].includes(column),
) as readonly (readonly [column: string, cell: FurtherCell])[];

export const registrationEventSource = {
  merchant_id: 'merchant_id',
  id: 'registration_event_id',
  entity_id: 'registration_entity_id',
  subject_id: 'registration_id',
  revision: 'registration_revision',
  type: 'registration_event_type',
  code: 'registration_event_code',
  action: 'registration_event_action',
  created_at: 'registration_moved_at',
  transaction_id: 'id',
} as const satisfies Record<string, CommitCell>;

export const tokenUseSource = {
  merchant_id: 'merchant_id',
  wallet: 'token_use_wallet',
  token_id: 'token_use_token_id',
  until: 'token_use_until',
  payment_id: 'id',
} as const satisfies Record<string, CommitCell>;

const readable = Object.keys(registrationSource)
  .filter((column) => column !== 'sealed')
  .join(', ');
/** In a list. */
export const listedRegistration = listedColumns(readable);
const keyColumns = 'owner, purpose, version, master_id, wrapped, state, created_at, reserved';
const thisKey = 'owner = ?1 AND purpose = ?2 AND version = ?3';

/** `merchants` is the condition on the merchant. */
export const outlived = (merchants: string): string => `
    SELECT ${listedRegistration} FROM registration
    WHERE state = 'active' AND expires_at <= ?1 AND ${merchants} ORDER BY expires_at, id LIMIT ?2`;

export const awaitingToken = (merchants: string): string => `
    SELECT ${listedRegistration}, sealed FROM registration
    WHERE state = 'active' AND token_due_at IS NOT NULL AND ${merchants}
      AND (token_due_at <= ?1 OR token_due_at > ?1 + ${latestFor('networkToken', 0)})
    ORDER BY token_due_at, id LIMIT ?2`;

export const registrationReads = {
  // Where a portion of payments ends, along the index payment_history.
  cardDataPortion:
    'SELECT created_at AS until FROM payment WHERE created_at >= ?1 AND created_at < ?2 ORDER BY created_at LIMIT 1 OFFSET ?3',
  registration: `SELECT ${readable}, sealed FROM registration WHERE merchant_id = ?1 AND id = ?2`,
  keysOf: `SELECT ${keyColumns} FROM data_key WHERE owner = ?1 ORDER BY purpose, version`,
  keys: `SELECT ${keyColumns} FROM data_key ORDER BY owner, purpose, version`,
  secret: 'SELECT sealed FROM secret WHERE entity_id = ?1 AND name = ?2',
} as const;

/** PostgreSQL asks for several at once. */
export const registrationsAtOnce = gatherStatement(`${readable}, sealed`, 'registration');

const sealedIn = (table: 'payment' | 'registration'): string => `
  SELECT merchant_id AS owner_id, entity_id, id AS record_id, '${sealedFields[table]}' AS field, sealed FROM ${table}
  WHERE (merchant_id, id) > (?1, ?2) AND sealed IS NOT NULL ORDER BY merchant_id, id LIMIT ?3`;

/** The data of a payment is JSON without blanks, and quotation marks inside of texts are escaped: nothing else in it reads like this. */
const HAS_PROOF = `data LIKE '%"sealedProof":"%'`;

/** Each walks along a primary key from where it was left. */
export const sealedReads: Readonly<Record<SealedTable, string>> = {
  payment: sealedIn('payment'),
  proof: `
    SELECT merchant_id AS owner_id, entity_id, id AS record_id, '${sealedFields.proof}' AS field, data AS sealed FROM payment
    WHERE (merchant_id, id) > (?1, ?2) AND ${HAS_PROOF} ORDER BY merchant_id, id LIMIT ?3`,
  registration: sealedIn('registration'),
  secret: `
    SELECT entity_id AS owner_id, entity_id, entity_id AS record_id, name AS field, sealed FROM secret
    WHERE (entity_id, name) > (?1, ?2) ORDER BY entity_id, name LIMIT ?3`,
};

/** The table of the database that has the texts in it. */
const storedIn = (table: SealedTable): string => (table === 'proof' ? 'payment' : table);

/** `rowsOf` is the database's estimate of the rows of a table, without counting. */
export function sealedCount(table: SealedTable, rowsOf: (table: string) => string): string {
  const stored = storedIn(table);
  const sealed = table === 'proof' ? `CASE WHEN ${HAS_PROOF} THEN 1 END AS sealed` : 'sealed';
  return `
    SELECT count(*) AS seen, count(sealed) AS sealed, ${rowsOf(stored)} AS rows
    FROM (SELECT ${sealed} FROM ${stored} LIMIT ${SAMPLE_MAX}) AS sample`;
}

const reseal = (table: Exclude<SealedTable, 'proof'>, [owner, record]: readonly [string, string]): string =>
  `UPDATE ${table} SET sealed = ?4 WHERE ${owner} = ?1 AND ${record} = ?2 AND sealed = ?3`;

export const registrationWrites = {
  // A late note of a use does not undo an extension, and one that changes nothing writes nothing.
  touch: `
    UPDATE registration
    SET used_at = CASE WHEN used_at < ?3 THEN ?3 ELSE used_at END,
      expires_at = CASE WHEN expires_at < ?4 THEN ?4 ELSE expires_at END
    WHERE merchant_id = ?1 AND id = ?2 AND state = 'active' AND (used_at < ?3 OR expires_at < ?4)`,
  // In portions, so that no commit waits long behind it.
  // Along the index payment_history. What is erased already is not written again.
  eraseCardData: 'UPDATE payment SET sealed = NULL WHERE created_at >= ?1 AND created_at < ?2 AND sealed IS NOT NULL',
  deleteTokenUses: `
    DELETE FROM token_use WHERE (merchant_id, wallet, token_id) IN
      (SELECT merchant_id, wallet, token_id FROM token_use WHERE until <= ?1 ORDER BY until LIMIT ?2)`,
  // These two are one step: the second finds nothing to do exactly when the first did.
  demoteKey: `
    UPDATE data_key SET state = 'retiring'
    WHERE owner = ?1 AND purpose = ?2 AND state = 'current' AND NOT EXISTS (SELECT 1 FROM data_key WHERE ${thisKey})`,
  insertKey: `
    INSERT INTO data_key (owner, purpose, version, master_id, wrapped, state, created_at, reserved)
    SELECT ?1, ?2, ?3, ?4, ?5, 'current', ?6, ?7 WHERE NOT EXISTS (SELECT 1 FROM data_key WHERE ${thisKey})
    ON CONFLICT DO NOTHING`,
  rewrapKey: `UPDATE data_key SET master_id = ?5, wrapped = ?6 WHERE ${thisKey} AND master_id = ?4 AND state <> 'retired'`,
  reserveKey: `UPDATE data_key SET reserved = reserved + ?4 WHERE ${thisKey} RETURNING reserved AS number`,
  retireKey: `UPDATE data_key SET state = 'retired', wrapped = NULL WHERE ${thisKey} AND state = 'retiring'`,
  storeSecret: `
    INSERT INTO secret (entity_id, name, sealed) VALUES (?1, ?2, ?3) ON CONFLICT (entity_id, name) DO UPDATE SET sealed = ?3`,
  dropSecret: 'DELETE FROM secret WHERE entity_id = ?1 AND name = ?2',
  setSettings: 'UPDATE entity SET settings = ?2, revision = revision + 1 WHERE id = ?1',
  resealPayment: reseal('payment', ['merchant_id', 'id']),
  // The proof is in the data as base64, which neither repeats nor is escaped.
  resealProof: `
    UPDATE payment SET data = replace(data, ?3, ?4) WHERE merchant_id = ?1 AND id = ?2 AND data <> replace(data, ?3, ?4)`,
  resealRegistration: reseal('registration', ['merchant_id', 'id']),
  resealSecret: reseal('secret', ['entity_id', 'name']),
} as const;

/** Which statement seals a text of a table anew. */
export const resealIn = {
  payment: 'resealPayment',
  proof: 'resealProof',
  registration: 'resealRegistration',
  secret: 'resealSecret',
} as const satisfies Record<SealedTable, keyof typeof registrationWrites>;

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

export function registrationFrom(row: RegistrationRow, data: Registration): Registration {
  return {
    ...data,
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

/** Payments whose numbers are erased in one statement. */
export const ERASE_PORTION = 1_000;

export type PortionRow = { readonly until: number | string };

/** The end of a portion; more payments of one instant than a portion has are one portion. */
export const portionEnd = (row: PortionRow | undefined, from: number, before: number): number =>
  row === undefined ? before : Math.max(Number(row.until), from + 1);

type SealedRegistrationRow = RegistrationRow & { readonly sealed: Uint8Array | null };

export const registeredFrom = (row: SealedRegistrationRow, data: Registration): StoredRegistration => ({
  registration: registrationFrom(row, data),
  sealed: row.sealed && bytesOf(row.sealed),
});

/** The same; a long one is read in slices, and other requests come in between. */
export async function readRegistered(row: SealedRegistrationRow): Promise<StoredRegistration> {
  const { data } = row;
  return registeredFrom(row, isSliced(data) ? await readInSlices<Registration>(data) : (JSON.parse(data) as Registration));
}

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
  /** The text; of a proof, the data of its payment. */
  readonly sealed: Uint8Array | string;
};

const proofIn = (data: string): Uint8Array =>
  new Uint8Array(Buffer.from((JSON.parse(data) as Payment).threeDS?.sealedProof ?? '', 'base64'));

export const sealedRowOf =
  (table: SealedTable) =>
  ({ owner_id, entity_id, record_id, field, sealed }: StoredSealed): SealedRow => ({
    table,
    merchantId: owner_id,
    entityId: entity_id,
    recordId: record_id,
    field,
    sealed: typeof sealed === 'string' ? proofIn(sealed) : bytesOf(sealed),
  });

/** The key of a sealed text within its table. */
export const placeCells = ({ table, merchantId, recordId, field }: SealedLocation): [string, string] => [
  merchantId,
  table === 'secret' ? field : recordId,
];

/** A text and its replacement as they are stored. */
export const textCells = ({ table, sealed, anew }: SealedRow & { readonly anew: Uint8Array }): [Cell, Cell] =>
  table === 'proof' ? [Buffer.from(sealed).toString('base64'), Buffer.from(anew).toString('base64')] : [sealed, anew];

type Portion = (table: SealedTable, behind: readonly [string, string], limit: number) => Promise<SealedRow[]>;

/** Table after table, each from the place that was reached or from its beginning, until there are enough. */
export async function sealedBehind(after: SealedLocation | null, limit: number, portion: Portion): Promise<SealedRow[]> {
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

/** Exact while the tables are small; beyond that it is extrapolated from a sample. */
export function sealedEstimate(counts: readonly SealedCount[]): number {
  return counts.reduce((sum, { seen, sealed, rows }) => {
    const [looked, found, all] = [Number(seen), Number(sealed), Number(rows)];
    return sum + (looked === SAMPLE_MAX && all > looked ? Math.round((found / looked) * all) : found);
  }, 0);
}
