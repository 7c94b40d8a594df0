import { auditLogReads, auditLogWrites } from './auditLog.ts';
import { callReads, callWrites } from './calls.ts';
import { attemptsOf, callsDue, checkoutReads, checkoutWrites } from './checkouts.ts';
import { clockReads, clockWrites } from './clocks.ts';
import { directoryWrites } from './directory.ts';
import { documentReads, documentWrites } from './documents.ts';
import { ledgerReads, ledgerWrites } from './ledger.ts';
import { listable } from './listedPayments.ts';
import { type CommitCell, readable } from './payments.ts';
import { reconciliationReads, reconciliationWrites } from './reconciliation.ts';
import { awaitingToken, outlived, registrationReads, registrationWrites } from './registrations.ts';
import { releasesDue, releaseWrites } from './releases.ts';
import { riskReads, riskWrites } from './riskLists.ts';
import { daysDue, scheduledSettlementsDue, scheduledSettlementWrites } from './scheduledSettlement.ts';
import { misdatedSchedules, scheduleReads, scheduleWrites } from './schedules.ts';
import { settlementReads, settlementWrites } from './settlement.ts';
import { statisticsReads, statisticsWrites } from './statistics.ts';
import { webhookReads, webhookWrites } from './webhooks.ts';
import { trialWrites } from './writeTrial.ts';

const tokenColumns = 'token_hash, entity_id, user_id, created_at, name, created_by, ends_at, used_on, allowed_addresses';

/** Along the index payment_history. */
const history = (merchants: string): string => `
    SELECT ${listable} FROM payment
    WHERE (created_at, merchant_id, id) > (?1, ?2, ?3) AND created_at < ?4 ${merchants}
    ORDER BY created_at, merchant_id, id LIMIT ?5`;

export const historyReads = {
  ofAll: history(''),
  // With `=`, SQLite would read and sort all payments of the merchant for every page.
  ofOne: history('AND merchant_id BETWEEN ?6 AND ?6'),
} as const;

/** Few payments are open at any time, so that those of one merchant need no index of their own. */
const due = (merchants: string): string => `
    SELECT ${listable} FROM payment WHERE state = 'open' AND due_at <= ?1 AND ${merchants} ORDER BY due_at, id LIMIT ?2`;

/** Along the same index. The instant of the last move is inside `data`, which each database reads in its own way. */
const misdated = (movedAt: string, merchants: string): string => `
    SELECT ${listable} FROM payment
    WHERE state = 'open' AND due_at > ?1 AND ${movedAt} > ?1 AND ${merchants} ORDER BY due_at, id LIMIT ?2`;

const ofOne = 'merchant_id = ?3';

/** What is due of all merchants except those in a list. `list` is how the database expands a JSON list. */
export function dueReads(list: string, movedAt: string) {
  const merchants = `merchant_id NOT IN (${list})`;
  return {
    due: due(merchants),
    misdated: misdated(movedAt, merchants),
    misdatedOf: misdated(movedAt, "merchant_id || '' = ?3"),
    misdatedSchedules: misdatedSchedules(merchants),
    misdatedSchedulesOf: misdatedSchedules("merchant_id || '' = ?3"),
    callsDue: callsDue(merchants),
    outlived: outlived(merchants),
    awaitingToken: awaitingToken(merchants),
    scheduledSettlementsDue: scheduledSettlementsDue(merchants),
    daysDue: daysDue(merchants),
    releasesDue: releasesDue(merchants),
  } as const;
}

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
  familyVersion: 'SELECT version FROM payment WHERE merchant_id = ?1 AND id = ?2 AND family_id = id',
  sealed: 'SELECT sealed FROM payment WHERE merchant_id = ?1 AND id = ?2',
  idempotencyKey: 'SELECT payment_id, body_hash FROM idempotency WHERE merchant_id = ?1 AND entity_id = ?2 AND key = ?3',
  entities: 'SELECT id, kind, parent_id, name, settings, revision FROM entity ORDER BY id',
  tokens: `SELECT ${tokenColumns} FROM access_token ORDER BY token_hash, entity_id`,
  ping: 'SELECT 1 AS one',
  attempts: attemptsOf(listable),
  ...registrationReads,
  ...riskReads,
  ...checkoutReads,
  ...scheduleReads,
  ...webhookReads,
  ...clockReads,
  ...documentReads,
  ...auditLogReads,
  ...callReads,
  ...ledgerReads,
  ...settlementReads,
  ...reconciliationReads,
  ...statisticsReads,
  dueOf: due("merchant_id || '' = ?3"),
  callsDueOf: callsDue(ofOne),
  outlivedOf: outlived(ofOne),
  awaitingTokenOf: awaitingToken(ofOne),
  scheduledSettlementsDueOf: scheduledSettlementsDue(ofOne),
  daysDueOf: daysDue(ofOne),
  releasesDueOf: releasesDue(ofOne),
} as const;

export const writes = {
  // In portions, so that no commit waits long behind it.
  deleteIdempotencyKeys: `
    DELETE FROM idempotency WHERE (merchant_id, entity_id, key) IN
      (SELECT merchant_id, entity_id, key FROM idempotency WHERE created_at < ?1 ORDER BY created_at LIMIT ?2)`,
  insertEntity: 'INSERT INTO entity (id, kind, parent_id, name, settings) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING',
  insertToken: `INSERT INTO access_token (${tokenColumns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING`,
  saveEntity: 'UPDATE entity SET name = ?2, settings = ?3, revision = ?4 WHERE id = ?1 AND revision + 1 = ?4',
  endToken: `
    UPDATE access_token SET ends_at = ?3 WHERE token_hash = ?1 AND entity_id = ?2 AND (ends_at IS NULL OR ends_at > ?4)`,
  setTokenAddresses: `
    UPDATE access_token SET allowed_addresses = ?3 WHERE token_hash = ?1 AND entity_id = ?2 AND (ends_at IS NULL OR ends_at > ?4)`,
  saveTokenUses: `
    UPDATE access_token SET used_on = ?3 WHERE token_hash = ?1 AND entity_id = ?2 AND (used_on IS NULL OR used_on < ?3)`,
  ...directoryWrites,
  ...registrationWrites,
  ...riskWrites,
  ...checkoutWrites,
  ...scheduleWrites,
  ...webhookWrites,
  ...clockWrites,
  ...documentWrites,
  ...auditLogWrites,
  ...callWrites,
  ...ledgerWrites,
  ...settlementWrites,
  ...scheduledSettlementWrites,
  ...releaseWrites,
  ...reconciliationWrites,
  ...statisticsWrites,
  ...trialWrites,
} as const;

export const DELETE_PORTION = 2_000;

const translated = new Map<string, string>();

/** Replaces ?1 by $1. Cached, because the same statements are sent all the time. */
export function forPostgres(statement: string): string {
  const known = translated.get(statement) ?? statement.replace(/\?(\d+)/g, '$$$1');
  translated.set(statement, known);
  return known;
}

/** Columns that a commit may not change. They are part of its condition, so that a commit that would change one updates no row. */
export const fixedColumns = [
  'family_id',
  'entity_id',
  'referenced_id',
  'payment_type',
  'industry_practice',
  'amount',
  'currency',
  'created_at',
  'checkout_id',
] as const satisfies readonly CommitCell[];

/** Where the columns of the smaller tables come from. */
export const idempotencyKeySource = {
  merchant_id: 'merchant_id',
  entity_id: 'idempotency_entity_id',
  key: 'idempotency_key',
  body_hash: 'idempotency_body_hash',
  payment_id: 'id',
  created_at: 'moved_at',
} as const satisfies Record<string, CommitCell>;

export const eventSource = {
  merchant_id: 'merchant_id',
  id: 'event_id',
  entity_id: 'entity_id',
  subject_id: 'id',
  revision: 'revision',
  type: 'event_type',
  code: 'event_code',
  action: 'event_action',
  created_at: 'moved_at',
} as const satisfies Record<string, CommitCell>;
