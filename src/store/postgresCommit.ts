import { type CommitCell, commitCells } from './rows.ts';
import { claimSource, fixedColumns, messageSource, paymentColumns } from './statements.ts';

const numbers: readonly CommitCell[] = ['amount', 'created_at', 'due_at', 'version', 'revision', 'moved_at'];
const cells = commitCells.map((name) => `${name} ${numbers.includes(name) ? 'bigint' : 'text'}`).join(', ');

const insertPayment = (version: 0 | 1): string => {
  const source = (name: CommitCell) => {
    if (name === 'version') return String(version);
    return name === 'sealed' ? "decode(c.sealed, 'base64')" : `c.${name}`;
  };
  return `INSERT INTO payment (${paymentColumns.join(', ')}) SELECT ${paymentColumns.map(source).join(', ')}`;
};
const insertInto = (table: string, source: Readonly<Record<string, CommitCell>>): string =>
  `INSERT INTO ${table} (${Object.keys(source).join(', ')}) SELECT c.${Object.values(source).join(', c.')}`;
const own = (name: string): string => `${name} = CASE WHEN p.id = c.id THEN c.${name} ELSE p.${name} END`;
const sameAs = (row: string): string => `(${fixedColumns.map((name) => `${row}.${name}`).join(', ')})`;
const agrees = `${sameAs('p')} IS NOT DISTINCT FROM ${sameAs('c')}`;

/**
 * A whole batch of commits in one statement: JSON in, and out come the commits that were not kept. No two commits of a batch may be of
 * the same family or claim the same key. When one of them cannot be written at all the statement fails for all of them, and the caller
 * sends them again one by one.
 */
export const commitStatement = `
WITH c AS MATERIALIZED (
  SELECT c.*, held.payment_id AS holder_id, held.body_hash AS holder_hash
  FROM json_to_recordset($1::text::json) AS c (n bigint, ${cells})
  LEFT JOIN LATERAL (
    SELECT i.payment_id, i.body_hash FROM idempotency i WHERE i.entity_id = c.claim_entity_id AND i.key = c.claim_key
  ) held ON held.payment_id <> c.id
),
first AS (
  ${insertPayment(1)} FROM c WHERE c.version = 0 AND c.holder_id IS NULL
  ON CONFLICT DO NOTHING
  RETURNING merchant_id, id
),
raised AS (
  UPDATE payment p SET version = p.version + 1, ${['state', 'due_at', 'data', 'revision'].map(own).join(', ')}
  FROM c
  WHERE c.version > 0 AND c.holder_id IS NULL
    AND p.merchant_id = c.merchant_id AND p.id = c.family_id AND p.version = c.version
  RETURNING c.n, p.id <> c.id OR (${agrees}) AS agrees
),
further AS (
  ${insertPayment(0)} FROM c WHERE c.revision = 1 AND c.n IN (SELECT n FROM raised)
),
moved AS (
  UPDATE payment p SET state = c.state, due_at = c.due_at, data = c.data, revision = c.revision
  FROM c
  WHERE c.revision > 1 AND c.id <> c.family_id AND c.n IN (SELECT n FROM raised)
    AND p.merchant_id = c.merchant_id AND p.id = c.id AND p.revision = c.revision - 1 AND ${agrees}
  RETURNING c.n
),
kept AS (
  SELECT c.* FROM c WHERE c.n IN (SELECT n FROM raised) OR (c.merchant_id, c.id) IN (SELECT merchant_id, id FROM first)
),
claim AS (
  ${insertInto('idempotency', claimSource)} FROM kept c WHERE c.claim_key IS NOT NULL
),
message AS (
  ${insertInto('outbox', messageSource)} FROM kept c
)
SELECT n, outcome, holder_id, holder_hash FROM (
  SELECT c.n, c.holder_id, c.holder_hash, CASE
    WHEN c.holder_id IS NOT NULL THEN 'claimed'
    WHEN c.n NOT IN (SELECT n FROM kept) THEN 'moved'
    WHEN c.n IN (SELECT n FROM raised WHERE NOT agrees) THEN broken_commit(c.id)
    WHEN c.revision > 1 AND c.id <> c.family_id AND c.n NOT IN (SELECT n FROM moved) THEN broken_commit(c.id)
    ELSE 'kept'
  END AS outcome
  FROM c
) result
WHERE outcome <> 'kept'`;

export type NotKept = {
  readonly n: string;
  readonly outcome: 'claimed' | 'moved';
  readonly holder_id: string | null;
  readonly holder_hash: string | null;
};
