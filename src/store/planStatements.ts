import type { PlanCell } from './planRows.ts';
import type { CommitCell } from './rows.ts';

/** Every statement about plans, in the form of statements.ts. How they are claimed stands in sqliteClaims.ts and postgresClaims.ts. */

/** Where the columns of a plan come from. */
export const planSource = {
  merchant_id: 'merchant_id',
  id: 'plan_id',
  entity_id: 'plan_entity_id',
  registration_id: 'plan_registration_id',
  state: 'plan_state',
  next_at: 'plan_next_at',
  created_at: 'plan_created_at',
  revision: 'plan_revision',
  data: 'plan_data',
} as const satisfies Record<string, CommitCell>;

/** What an update writes. The origin too, so that the guards can see that somebody means another one. */
export const planUpdated = Object.entries(planSource).filter(
  ([column]) => column !== 'merchant_id' && column !== 'id',
) as readonly (readonly [column: string, cell: PlanCell])[];

/** The run for which the payment of a commit is taken. */
export const runSource = {
  merchant_id: 'merchant_id',
  plan_id: 'plan_id',
  due_at: 'plan_due_at',
  done_at: 'moved_at',
  payment_id: 'id',
} as const satisfies Record<string, CommitCell>;

export const planColumns = Object.keys(planSource);
const columns = planColumns.join(', ');

export const planReads = {
  plan: `SELECT ${columns} FROM plan WHERE merchant_id = ?1 AND id = ?2`,
  plansOf: `
    SELECT ${columns} FROM plan WHERE merchant_id = ?1 AND registration_id = ?2 ORDER BY created_at DESC, id DESC LIMIT ?3`,
  runs: `
    SELECT plan_id, due_at, done_at, payment_id, skipped FROM plan_run
    WHERE merchant_id = ?1 AND plan_id = ?2 ORDER BY due_at DESC LIMIT ?3`,
  plansFrom: `
    SELECT ${columns} FROM plan WHERE next_at IS NOT NULL AND (next_at, id) > (?1, ?2) ORDER BY next_at, id LIMIT ?3`,
  nextRunAt: 'SELECT next_at AS number FROM plan WHERE merchant_id = ?1 AND next_at IS NOT NULL ORDER BY next_at LIMIT 1',
} as const;

/** The cells of a plan come in the order of its columns: the merchant, then those of planRows.ts. */
export const planWrites = {
  // Asked for the same revision as the plan itself, and therefore before it.
  skipRun: `
    INSERT INTO plan_run (merchant_id, plan_id, due_at, done_at, skipped)
    SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM plan WHERE merchant_id = ?1 AND id = ?2 AND revision + 1 = ?6)`,
  savePlan: `
    UPDATE plan
    SET entity_id = ?3, registration_id = ?4, state = ?5, next_at = ?6, created_at = ?7, revision = ?8, data = ?9, claimed_until = 0
    WHERE merchant_id = ?1 AND id = ?2 AND revision + 1 = ?8`,
} as const;
