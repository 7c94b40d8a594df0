import type { Payment } from '../../payments/payment.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import {
  type KeyName,
  type KeyRow,
  type KeyStore,
  type RetentionStore,
  type SealedLocation,
  type SealedRow,
  type SealedTable,
  type SecretStore,
  sealedFields,
  sealedTables,
} from '../../vault/ports.ts';
import { type Cell, type Database, type Dialects, first, type Step, step } from '../database.ts';
import { bytesOf } from './payments.ts';

/** Data keys, secrets, and all sealed texts: of payments, proofs, registrations and secrets. */

const keyColumns = 'owner, purpose, version, master_id, wrapped, state, created_at, reserved';
const thisKey = 'owner = ?1 AND purpose = ?2 AND version = ?3';

const sealedIn = (table: 'payment' | 'registration'): string => `
  SELECT merchant_id AS owner_id, entity_id, id AS record_id, '${sealedFields[table]}' AS field, sealed FROM ${table}
  WHERE (merchant_id, id) > (?1, ?2) AND sealed IS NOT NULL ORDER BY merchant_id, id LIMIT ?3`;

/** The data of a payment is JSON without blanks, and quotation marks inside of strings are escaped: nothing else in it reads like this. */
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

/** The rows of a table that are examined to tell how many of them hold a sealed text. */
const SAMPLE_MAX = 10_000;

/** Counts in a sample; `rows` is the database's estimate of all rows, without counting. */
function sealedCount(table: SealedTable): Dialects {
  const stored = table === 'proof' ? 'payment' : table;
  const sealed = table === 'proof' ? `CASE WHEN ${HAS_PROOF} THEN 1 END AS sealed` : 'sealed';
  const count = (rows: string): string => `
    SELECT count(*) AS seen, count(sealed) AS sealed, ${rows} AS rows
    FROM (SELECT ${sealed} FROM ${stored} LIMIT ${SAMPLE_MAX}) AS sample`;
  return {
    // Rows of these tables are hardly ever removed, so that the highest row number is nearly their count.
    sqlite: count(`(SELECT COALESCE(MAX(rowid), 0) FROM ${stored})`),
    // The estimate of the last ANALYZE or VACUUM counts only where the sample was not the whole table.
    postgres: count(`GREATEST((SELECT reltuples FROM pg_class WHERE oid = '${stored}'::regclass)::bigint, count(*))`),
  };
}

const sealedCounts = sealedTables.map(sealedCount);

/** PostgreSQL has one statement for all tables. */
const resealOne = (table: Exclude<SealedTable, 'proof'>, [owner, record]: readonly [string, string]): Dialects => ({
  sqlite: `UPDATE ${table} SET sealed = ?4 WHERE ${owner} = ?1 AND ${record} = ?2 AND sealed = ?3`,
  postgres: null,
});

const resealedRows = (table: 'registration' | 'secret', owner: string, record: string): string => `
${table}_resealed AS (
  UPDATE ${table} t SET sealed = decode(r.anew, 'base64')
  FROM (SELECT * FROM r WHERE place = '${table}' ORDER BY record, owner) r
  WHERE t.${owner} = r.owner AND t.${record} = r.record AND t.sealed = decode(r.old, 'base64')
  RETURNING 1
)`;

/** A payment may have an instrument and a proof: one statement changes a row once only. */
const resealedPayments = `
payment_resealed AS (
  UPDATE payment t SET
    sealed = CASE WHEN t.sealed = decode(r.old, 'base64') THEN decode(r.anew, 'base64') ELSE t.sealed END,
    data = CASE WHEN r.old_proof IS NULL THEN t.data ELSE replace(t.data, r.old_proof, r.new_proof) END
  FROM (
    SELECT owner, record,
      max(old) FILTER (WHERE place = 'payment') AS old, max(anew) FILTER (WHERE place = 'payment') AS anew,
      max(old) FILTER (WHERE place = 'proof') AS old_proof, max(anew) FILTER (WHERE place = 'proof') AS new_proof
    FROM r WHERE place IN ('payment', 'proof') GROUP BY owner, record ORDER BY record, owner
  ) r
  WHERE t.merchant_id = r.owner AND t.id = r.record
    AND (t.sealed = decode(r.old, 'base64') OR strpos(t.data, r.old_proof) > 0)
  RETURNING COALESCE((t.sealed = decode(r.anew, 'base64'))::int, 0) + COALESCE((strpos(t.data, r.new_proof) > 0)::int, 0) AS texts
)`;

export const vaultStatements = {
  keysOf: `SELECT ${keyColumns} FROM data_key WHERE owner = ?1 ORDER BY purpose, version`,
  keys: `SELECT ${keyColumns} FROM data_key ORDER BY owner, purpose, version`,
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
  secret: 'SELECT sealed FROM secret WHERE entity_id = ?1 AND name = ?2',
  // Where a batch of payments ends, along the index payment_history.
  cardDataBatch:
    'SELECT created_at AS until FROM payment WHERE created_at >= ?1 AND created_at < ?2 ORDER BY created_at LIMIT 1 OFFSET ?3',
  // Along the index payment_history. Data that is already erased is not written again.
  eraseCardData: 'UPDATE payment SET sealed = NULL WHERE created_at >= ?1 AND created_at < ?2 AND sealed IS NOT NULL',
  resealPayment: resealOne('payment', ['merchant_id', 'id']),
  // The proof is in the data as base64, which neither repeats nor is escaped.
  resealProof: {
    sqlite: `
    UPDATE payment SET data = replace(data, ?3, ?4) WHERE merchant_id = ?1 AND id = ?2 AND data <> replace(data, ?3, ?4)`,
    postgres: null,
  },
  resealRegistration: resealOne('registration', ['merchant_id', 'id']),
  resealSecret: resealOne('secret', ['entity_id', 'name']),
  // A batch of texts in one statement, each replaced only if it is still the old one. Rows are locked in the order of commits.
  reseal: {
    sqlite: null,
    postgres: `
WITH r AS MATERIALIZED (
  SELECT * FROM json_to_recordset(?1::text::json) AS r (place text, owner text, record text, old text, anew text)
),${resealedPayments},${resealedRows('registration', 'merchant_id', 'id')},${resealedRows('secret', 'entity_id', 'name')}
SELECT (SELECT COALESCE(sum(texts), 0) FROM payment_resealed) + (SELECT count(*) FROM registration_resealed)
  + (SELECT count(*) FROM secret_resealed) AS count`,
  },
} as const;

/** The payments whose numbers are erased in one statement. */
const ERASE_BATCH = 1_000;

export const vaultMethods = (db: Database): KeyStore & RetentionStore & SecretStore => ({
  keys: async (owner) =>
    (await (owner === null ? db.read<StoredKey>(vaultStatements.keys) : db.read<StoredKey>(vaultStatements.keysOf, owner))).map(
      keyOf,
    ),
  // Of two nodes, one finds the current key; the other waits for it, finds the key retiring and then the new one in its place. So the
  // first statement never has an effect without the second.
  addKey: async (row) => {
    checkKey(row);
    const { masterId, wrapped, createdAt, reserved } = row;
    const insert = step(vaultStatements.insertKey, ...nameCells(row), masterId, wrapped, createdAt, reserved);
    return (await db.write(step(vaultStatements.demoteKey, ...nameCells(row)), insert)) > 0;
  },
  rewrapKey: async (name, from, { masterId, wrapped }) =>
    (await db.write(step(vaultStatements.rewrapKey, ...nameCells(name), from, masterId, wrapped))) > 0,
  reserveKey: async (name, uses) => {
    const [row] = await db.returning<{ readonly number: number | string }>(vaultStatements.reserveKey, ...nameCells(name), uses);
    return row ? Number(row.number) : null;
  },
  retireKey: async (name) => (await db.write(step(vaultStatements.retireKey, ...nameCells(name)))) > 0,
  sealedAfter: (after, limit) => sealedAfter(db, after, limit),
  countSealed: async () => sealedEstimate((await Promise.all(sealedCounts.map((count) => db.read<SealedCount>(count)))).flat()),
  eraseCardData: async (from, before) => {
    const row = await first(
      db.read<{ readonly until: number | string }>(vaultStatements.cardDataBatch, from, before, ERASE_BATCH),
    );
    // More payments of one instant than a batch has are one batch.
    const until = row === undefined ? before : Math.max(Number(row.until), from + 1);
    return { erased: await db.write(step(vaultStatements.eraseCardData, from, until)), until };
  },
  reseal: (rows) => reseal(db, rows),
  secret: async (entityId, name) => {
    const row = await first(db.read<{ readonly sealed: Uint8Array }>(vaultStatements.secret, entityId, name));
    return row ? bytesOf(row.sealed) : null;
  },
  storeSecret: async (entityId, name, sealed) => {
    const { storeSecret, dropSecret } = vaultStatements;
    await db.write(sealed ? step(storeSecret, entityId, name, sealed) : step(dropSecret, entityId, name));
  },
});

/** Table after table, each from the cursor or from its beginning, until there are enough. */
async function sealedAfter(db: Database, after: SealedLocation | null, limit: number): Promise<SealedRow[]> {
  const found: SealedRow[] = [];
  for (const table of sealedTables.slice(after ? sealedTables.indexOf(after.table) : 0)) {
    if (found.length >= limit) break;
    const cursor = after?.table === table ? placeCells(after) : ['', ''];
    const rows = await db.read<StoredSealed>(sealedReads[table], ...cursor, limit - found.length);
    found.push(...rows.map(sealedRowOf(table)));
  }
  return found;
}

type Resealed = SealedRow & { readonly anew: Uint8Array };

/** The statement of SQLite that replaces a text of a table. */
const resealIn = {
  payment: vaultStatements.resealPayment,
  proof: vaultStatements.resealProof,
  registration: vaultStatements.resealRegistration,
  secret: vaultStatements.resealSecret,
} as const satisfies Record<SealedTable, Dialects>;

async function reseal(db: Database, rows: readonly Resealed[]): Promise<number> {
  if (rows.length === 0) return 0;
  if (db.dialect === 'postgres') {
    const texts = rows.map((row) => {
      const [owner, record] = placeCells(row);
      return { place: row.table, owner, record, old: base64(row.sealed), anew: base64(row.anew) };
    });
    const [count] = await db.returning<{ readonly count: string }>(vaultStatements.reseal, JSON.stringify(texts));
    return Number(count?.count ?? 0);
  }
  return db.write(
    ...rows.map((row): Step => {
      const texts: Cell[] = row.table === 'proof' ? [base64(row.sealed), base64(row.anew)] : [row.sealed, row.anew];
      return step(resealIn[row.table], ...placeCells(row), ...texts);
    }),
  );
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** PostgreSQL returns large integers as strings. */
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

const nameCells = ({ owner, purpose, version }: KeyName): [string, string, number] => [owner, purpose, version];

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

/** Rows in a sample from the front of a table, sealed ones among them, and an estimate of all rows. */
type SealedCount = { readonly seen: string | number; readonly sealed: string | number; readonly rows: string | number };

/** Exact while the tables are small; beyond that it is extrapolated from a sample. */
function sealedEstimate(counts: readonly SealedCount[]): number {
  return counts.reduce((sum, { seen, sealed, rows }) => {
    const [looked, found, all] = [Number(seen), Number(sealed), Number(rows)];
    return sum + (looked === SAMPLE_MAX && all > looked ? Math.round((found / looked) * all) : found);
  }, 0);
}
