import {
  type CommitCell,
  changeSource,
  commitCells,
  eventSource,
  fixedColumns,
  furtherCells,
  idempotencyKeySource,
  isSum,
  paymentColumns,
  postingCells,
  postingSource,
  registrationEventSource,
  registrationSource,
  registrationUpdated,
  runSource,
  scheduleCells,
  scheduleEventSource,
  scheduleSource,
  scheduleUpdated,
  tokenUseSource,
} from '../commit/columns.ts';

const numbers: ReadonlySet<CommitCell> = new Set([
  'amount',
  'created_at',
  'due_at',
  'release_at',
  'version',
  'revision',
  'moved_at',
  'registration_created_at',
  'registration_used_at',
  'registration_expires_at',
  'registration_token_due_at',
  'registration_revision',
  'registration_is_sealed_kept',
  'registration_moved_at',
  'token_use_until',
  'schedule_next_at',
  'schedule_created_at',
  'schedule_charge_moved_at',
  'schedule_revision',
  'schedule_due_at',
  ...postingCells,
]);
const typed = (names: readonly CommitCell[]): string =>
  names.map((name) => `${name} ${numbers.has(name) ? 'bigint' : 'text'}`).join(', ');

const from = (name: CommitCell): string => {
  if (isSum(name)) return `COALESCE(c.${name}, 0)`;
  return name === 'sealed' || name === 'registration_sealed' ? `decode(c.${name}, 'base64')` : `c.${name}`;
};
const insertInto = (table: string, source: Readonly<Record<string, CommitCell>>, fixed: Readonly<Record<string, number>> = {}) =>
  `INSERT INTO ${table} (${[...Object.keys(source), ...Object.keys(fixed)].join(', ')})
  SELECT ${[...Object.values(source).map(from), ...Object.values(fixed)].join(', ')}`;
const insertPayment = (version: 0 | 1): string => {
  const source = (name: CommitCell) => (name === 'version' ? String(version) : from(name));
  return `INSERT INTO payment (${paymentColumns.join(', ')}) SELECT ${paymentColumns.map(source).join(', ')}`;
};
const own = (name: string): string => `${name} = CASE WHEN p.id = c.id THEN c.${name} ELSE p.${name} END`;
const sameAs = (row: string): string => `(${fixedColumns.map((name) => `${row}.${name}`).join(', ')})`;
const agrees = `${sameAs('p')} IS NOT DISTINCT FROM ${sameAs('c')}`;

/** The parts of the statement for a batch in which a commit writes more than its payment. */
type Further = {
  readonly cells: readonly CommitCell[];
  readonly found: string;
  readonly joins: string;
  readonly isFit: string;
  readonly order: string;
  readonly steps: string;
  readonly outcomes: string;
};

const nothingFurther: Further = { cells: [], found: '', joins: '', isFit: '', order: '', steps: '', outcomes: '' };

type ScheduleParts = Pick<Further, 'cells' | 'found' | 'joins' | 'steps' | 'outcomes'>;

/** The parts for a batch in which a commit changes a schedule. */
const scheduleParts: ScheduleParts = {
  cells: scheduleCells,
  found: `
    WHEN c.schedule_revision <> COALESCE(pl.revision, 0) + 1 THEN 'moved'
    WHEN taken.due_at IS NOT NULL THEN 'moved'`,
  joins: `
  LEFT JOIN LATERAL (
    SELECT pl.revision FROM schedule pl WHERE pl.merchant_id = c.merchant_id AND pl.id = c.schedule_id
  ) pl ON true
  LEFT JOIN LATERAL (
    SELECT pr.due_at FROM schedule_run pr
    WHERE pr.merchant_id = c.merchant_id AND pr.schedule_id = c.schedule_id AND pr.due_at = c.schedule_due_at
  ) taken ON true`,
  steps: `,
new_schedule AS (
  ${insertInto('schedule', scheduleSource)} FROM kept c WHERE c.schedule_revision = 1
  ORDER BY c.merchant_id, c.schedule_id
  ON CONFLICT DO NOTHING
  RETURNING merchant_id, id
),
changed_schedule AS (
  UPDATE schedule pl SET ${scheduleUpdated.map(([column, cell]) => `${column} = c.${cell}`).join(', ')}, claimed_until = 0
  FROM (SELECT * FROM kept WHERE schedule_revision > 1 ORDER BY merchant_id, schedule_id) c
  WHERE pl.merchant_id = c.merchant_id AND pl.id = c.schedule_id AND pl.revision = c.schedule_revision - 1
  RETURNING c.n
),
run AS (
  ${insertInto('schedule_run', runSource)} FROM kept c WHERE c.schedule_due_at IS NOT NULL
  ORDER BY c.merchant_id, c.schedule_id, c.schedule_due_at
),
schedule_event AS (
  ${insertInto('outbox', scheduleEventSource)} FROM kept c WHERE c.schedule_event_id IS NOT NULL
)`,
  outcomes: `
    WHEN c.schedule_id IS NOT NULL AND c.n IN (SELECT n FROM kept) AND c.n NOT IN (SELECT n FROM changed_schedule)
      AND (c.merchant_id, c.schedule_id) NOT IN (SELECT merchant_id, id FROM new_schedule)
      THEN schedule_moved(c.schedule_id)`,
};

const noSchedule: ScheduleParts = { cells: [], found: '', joins: '', steps: '', outcomes: '' };

/**
 * The statement reads what is stored first, so that it returns the first of several reasons. Another node may still write between that
 * read and our write: then the statement fails, and the next try reads what the other has written. Registrations, tokens, schedules and
 * payments of checkouts are written in a fixed order, so that two nodes do not deadlock.
 */
const furtherWith = (schedule: ScheduleParts): Further => ({
  cells: [...furtherCells, ...schedule.cells],
  found: `, CASE
    WHEN COALESCE(f.version, 0) <> c.version THEN 'moved'
    WHEN c.registration_revision <> COALESCE(r.revision, 0) + 1 THEN 'moved'${schedule.found}
    WHEN o.id IS NOT NULL THEN 'busy'
    WHEN s.token_id IS NOT NULL THEN 'tokenUsed'
  END AS refusal`,
  joins: `
  LEFT JOIN LATERAL (
    SELECT p.version FROM payment p WHERE p.merchant_id = c.merchant_id AND p.id = c.family_id
  ) f ON true
  LEFT JOIN LATERAL (
    SELECT r.revision FROM registration r WHERE r.merchant_id = c.merchant_id AND r.id = c.registration_id
  ) r ON true
  LEFT JOIN LATERAL (
    SELECT o.id FROM payment o
    WHERE o.merchant_id = c.merchant_id AND o.checkout_id = c.checkout_id AND o.state <> 'declined' AND o.id <> c.id
  ) o ON c.revision = 1 AND c.state <> 'declined'
  LEFT JOIN LATERAL (
    SELECT s.token_id FROM token_use s
    WHERE s.merchant_id = c.merchant_id AND s.wallet = c.token_use_wallet AND s.token_id = c.token_use_token_id
  ) s ON true${schedule.joins}`,
  isFit: 'AND c.refusal IS NULL',
  order: 'ORDER BY c.merchant_id, c.checkout_id, c.id',
  steps: `,
registered AS (
  ${insertInto('registration', registrationSource)} FROM kept c WHERE c.registration_revision = 1
  ORDER BY c.merchant_id, c.registration_id
  ON CONFLICT DO NOTHING
  RETURNING merchant_id, id
),
changed AS (
  UPDATE registration r SET ${registrationUpdated.map(([column, cell]) => `${column} = c.${cell}`).join(', ')},
    sealed = CASE WHEN c.registration_is_sealed_kept = 1 THEN r.sealed ELSE decode(c.registration_sealed, 'base64') END
  FROM (SELECT * FROM kept WHERE registration_revision > 1 ORDER BY merchant_id, registration_id) c
  WHERE r.merchant_id = c.merchant_id AND r.id = c.registration_id AND r.revision = c.registration_revision - 1
  RETURNING c.n
),
registration_event AS (
  ${insertInto('outbox', registrationEventSource, { of_registration: 1 })}
  FROM kept c WHERE c.registration_event_id IS NOT NULL
),
used_token AS (
  ${insertInto('token_use', tokenUseSource)} FROM kept c WHERE c.token_use_token_id IS NOT NULL
  ORDER BY c.merchant_id, c.token_use_wallet, c.token_use_token_id
)${schedule.steps}`,
  outcomes: `
    WHEN c.refusal IS NOT NULL THEN c.refusal
    WHEN c.registration_id IS NOT NULL AND c.n IN (SELECT n FROM kept) AND c.n NOT IN (SELECT n FROM changed)
      AND (c.merchant_id, c.registration_id) NOT IN (SELECT merchant_id, id FROM registered)
      THEN registration_moved(c.registration_id)${schedule.outcomes}`,
});

const commitStatement = (more: Further): string => `
WITH c AS MATERIALIZED (
  SELECT c.*, held.payment_id AS holder_id, held.body_hash AS holder_hash${more.found}
  FROM json_to_recordset($1::text::json) AS c (n bigint, ${typed([...commitCells, ...more.cells])})
  LEFT JOIN LATERAL (
    SELECT i.payment_id, i.body_hash FROM idempotency i
    WHERE i.merchant_id = c.merchant_id AND i.entity_id = c.idempotency_entity_id AND i.key = c.idempotency_key
  ) held ON held.payment_id <> c.id${more.joins}
),
first AS (
  ${insertPayment(1)} FROM c WHERE c.version = 0 AND c.holder_id IS NULL ${more.isFit} ${more.order}
  ON CONFLICT (merchant_id, id) DO NOTHING
  RETURNING merchant_id, id
),
raised AS (
  UPDATE payment p SET version = p.version + 1, ${['state', 'due_at', 'data', 'revision', 'code', 'release_at'].map(own).join(', ')}
  FROM c
  WHERE c.version > 0 AND c.holder_id IS NULL ${more.isFit}
    AND p.merchant_id = c.merchant_id AND p.id = c.family_id AND p.version = c.version
  RETURNING c.n, p.id <> c.id OR (${agrees}) AS agrees
),
further AS (
  ${insertPayment(0)} FROM c WHERE c.revision = 1 AND c.n IN (SELECT n FROM raised)
),
moved AS (
  UPDATE payment p SET state = c.state, due_at = c.due_at, data = c.data, revision = c.revision, code = c.code, release_at = c.release_at
  FROM c
  WHERE c.revision > 1 AND c.id <> c.family_id AND c.n IN (SELECT n FROM raised)
    AND p.merchant_id = c.merchant_id AND p.id = c.id AND p.revision = c.revision - 1 AND ${agrees}
  RETURNING c.n
),
kept AS (
  SELECT c.* FROM c WHERE c.n IN (SELECT n FROM raised) OR (c.merchant_id, c.id) IN (SELECT merchant_id, id FROM first)
),
claimed_key AS (
  ${insertInto('idempotency', idempotencyKeySource)} FROM kept c WHERE c.idempotency_key IS NOT NULL
),
event AS (
  ${insertInto('outbox', eventSource)} FROM kept c WHERE c.event_id IS NOT NULL
),
posting AS (
  ${insertInto('posting', postingSource)} FROM kept c WHERE c.posting_at IS NOT NULL
),
change AS (
  ${insertInto('statistic_change', changeSource)} FROM kept c WHERE c.counted IS NOT NULL
)${more.steps}
SELECT n, outcome, holder_id, holder_hash FROM (
  SELECT c.n, c.holder_id, c.holder_hash, CASE
    WHEN c.holder_id IS NOT NULL THEN 'keyUsed'${more.outcomes}
    WHEN c.n NOT IN (SELECT n FROM kept) THEN 'moved'
    WHEN c.n IN (SELECT n FROM raised WHERE NOT agrees) THEN broken_commit(c.id)
    WHEN c.revision > 1 AND c.id <> c.family_id AND c.n NOT IN (SELECT n FROM moved) THEN broken_commit(c.id)
    ELSE 'kept'
  END AS outcome
  FROM c
) result
WHERE outcome <> 'kept'`;

/**
 * Writes a batch of commits in one statement: takes JSON and returns the commits that were not kept. No two commits of a batch may have
 * the same family, idempotency key, checkout of a new payment, registration, schedule or wallet token. When one of them cannot be written
 * at all, the statement fails for all of them, and the caller sends them again one by one. `plain` is for a batch of payments alone, none
 * of which begins in a checkout; `withSchedule` for one in which a commit changes a schedule.
 */
export const commitStatements = {
  plain: commitStatement(nothingFurther),
  further: commitStatement(furtherWith(noSchedule)),
  withSchedule: commitStatement(furtherWith(scheduleParts)),
} as const;

export type NotKept = {
  readonly n: string;
  readonly outcome: 'keyUsed' | 'moved' | 'busy' | 'tokenUsed';
  readonly holder_id: string | null;
  readonly holder_hash: string | null;
};
