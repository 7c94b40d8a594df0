import { commitCells, PAYMENT_CELLS } from './rows.ts';

/** Every statement once, with numbered places as SQLite writes them (`?1`); forPostgres turns them into `$1`. */

const columns = commitCells.slice(0, PAYMENT_CELLS);
const places = (count: number): string => Array.from({ length: count }, (_, index) => `?${index + 1}`).join(', ');

const readable = columns
  .filter((name) => name !== 'sealed' && name !== 'state' && name !== 'due_at')
  .map((name) => (name === 'amount' ? 'CAST(amount AS TEXT) AS amount' : name))
  .join(', ');

export const reads = {
  payment: `SELECT ${readable} FROM payment WHERE merchant_id = ?1 AND id = ?2`,
  // One statement, because version and members must come from one view of the database.
  family: `
    SELECT ${readable} FROM payment
    WHERE merchant_id = ?1 AND id = (SELECT family_id FROM payment WHERE merchant_id = ?1 AND id = ?2)
    UNION ALL
    SELECT ${readable} FROM payment
    WHERE merchant_id = ?1 AND family_id = (SELECT family_id FROM payment WHERE merchant_id = ?1 AND id = ?2)
      AND referenced_id IS NOT NULL AND id <> family_id`,
  sealed: 'SELECT sealed FROM payment WHERE merchant_id = ?1 AND id = ?2',
  due: `SELECT ${readable} FROM payment WHERE state = 'open' AND due_at <= ?1 ORDER BY due_at, id LIMIT ?2`,
  claim: 'SELECT payment_id, body_hash FROM idempotency WHERE entity_id = ?1 AND key = ?2',
  entities: 'SELECT id, kind, parent_id, name, settings FROM entity ORDER BY id',
  tokens: 'SELECT token_hash, entity_id, user_id, created_at FROM access_token ORDER BY token_hash, entity_id',
  ping: 'SELECT 1 AS one',
} as const;

export const writes = {
  insertPayment: `INSERT INTO payment (${columns.join(', ')}) VALUES (${places(PAYMENT_CELLS)})`,
  raiseVersion: 'UPDATE payment SET version = version + 1 WHERE merchant_id = ?1 AND id = ?2 AND version = ?3',
  familyVersion: 'SELECT version FROM payment WHERE merchant_id = ?1 AND id = ?2',
  // What may not change is asked for, so that a commit which changes it finds nothing to write.
  movePayment: `
    UPDATE payment SET state = ?1, due_at = ?2, data = ?3, revision = ?4, version = version + ?5
    WHERE merchant_id = ?6 AND id = ?7 AND revision = ?4 - 1 AND (?5 = 0 OR version = ?8) AND family_id = ?9 AND entity_id = ?10
      AND referenced_id IS NOT DISTINCT FROM ?11 AND payment_type = ?12 AND industry_practice IS NOT DISTINCT FROM ?13
      AND amount = ?14 AND currency = ?15 AND created_at = ?16`,
  insertClaim: `
    INSERT INTO idempotency (entity_id, key, body_hash, merchant_id, payment_id, created_at) VALUES (${places(6)})`,
  insertMessage: `
    INSERT INTO outbox (merchant_id, id, entity_id, payment_id, revision, type, code, created_at) VALUES (${places(8)})`,
  // In portions, so that no commit waits long behind it.
  forgetClaims: `
    DELETE FROM idempotency WHERE (entity_id, key) IN
      (SELECT entity_id, key FROM idempotency WHERE created_at < ?1 ORDER BY created_at LIMIT ?2)`,
  insertEntity: `INSERT INTO entity (id, kind, parent_id, name, settings) VALUES (${places(5)}) ON CONFLICT DO NOTHING`,
  insertToken: `
    INSERT INTO access_token (token_hash, entity_id, user_id, created_at) VALUES (${places(4)}) ON CONFLICT DO NOTHING`,
} as const;

export const forPostgres = (statement: string): string => statement.replace(/\?(\d+)/g, '$$$1');
