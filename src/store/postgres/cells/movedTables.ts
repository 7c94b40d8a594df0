import { REVIEW_COLLECTION } from '../../../payments/search/listing.ts';

/** Every table with rows of merchants, as the fence and the mover see it. */

export type FencedEvent = 'INSERT' | 'UPDATE' | 'DELETE';
/** What a trigger of the fence does: only checks, or notes the keys of a merchant who is leaving too. */
type Fence = 'checked' | 'noted';

export type MovedTable = {
  readonly name: string;
  /** The columns that tell the rows of a merchant apart. */
  readonly key: readonly string[];
  /** The primary key, where it is not the merchant and the key. */
  readonly primary?: readonly string[];
  /** The columns behind the merchant in the index that portions are read along, where they are not the key. */
  readonly walk?: readonly string[];
  /** The column of the merchant. */
  readonly owner?: string;
  /** Which of the rows are copied in portions. */
  readonly only?: string;
  /** Rows of a portion, where they are large. */
  readonly portion?: number;
  readonly fence: { readonly [E in FencedEvent]?: Fence };
};

const written = { INSERT: 'noted', UPDATE: 'noted' } as const;

/**
 * What is deleted when its work is done would be done again where the merchant lives now: it is checked. What is deleted by age is not,
 * it is deleted again elsewhere.
 */
export const movedTables: readonly MovedTable[] = [
  // The largest come first: several tables are copied at once.
  { name: 'payment', key: ['id'], fence: written },
  // A posting gets its place in the key when it is sealed. What is not sealed is copied within the stop.
  { name: 'posting', key: ['block', 'subject_id', 'revision'], only: 'block > 0', fence: written },
  { name: 'outbox', key: ['id'], fence: written },
  // It changes with a payment of the same family, and is copied with that.
  { name: 'balance', key: ['payment_id'], fence: {} },
  { name: 'idempotency', key: ['entity_id', 'key'], fence: { INSERT: 'noted' } },
  { name: 'registration', key: ['id'], fence: written },
  { name: 'token_use', key: ['wallet', 'token_id'], fence: { INSERT: 'noted' } },
  { name: 'checkout', key: ['id'], primary: ['id'], walk: ['created_at', 'id'], fence: written },
  { name: 'schedule', key: ['id'], fence: written },
  { name: 'schedule_run', key: ['schedule_id', 'due_at'], fence: { INSERT: 'noted' } },
  { name: 'delivery', key: ['id'], primary: ['id'], walk: ['event_id', 'webhook_id'], fence: written },
  { name: 'ledger_block', key: ['number'], fence: written },
  { name: 'call_batch', key: ['id'], primary: ['id'], portion: 50, fence: written },
  { name: 'scheduled_settlement', key: ['payment_id', 'act'], fence: { ...written, DELETE: 'noted' } },
  { name: 'settlement_day', key: ['merchant_id'], primary: ['merchant_id'], walk: ['since'], fence: written },
  { name: 'reconciliation_run', key: ['day', 'part'], fence: written },
  { name: 'settlement_record', key: ['id'], primary: ['id'], walk: ['settled_on', 'id'], fence: written },
  { name: 'statistic_open', key: ['subject_id'], fence: { ...written, DELETE: 'noted' } },
  {
    name: 'document',
    key: ['collection', 'id'],
    primary: ['collection', 'id'],
    walk: ['at', 'id'],
    owner: 'owner_id',
    only: `collection = '${REVIEW_COLLECTION}'`,
    fence: {},
  },
];

/** Tables that are copied as a whole within the stop. Their rows are few. */
export const restTables = [
  { name: 'posting', only: 'block = 0' },
  { name: 'statistic_change', only: 'true' },
  { name: 'earlier_event', only: 'true' },
] as const;

/** Tables that are not copied, and are emptied when a merchant has left: sums that triggers maintain, claims and notes. */
const forgottenTables = ['payment_count', 'sweep_claim', 'statistic_change', 'earlier_event', 'moving_key', 'moving_progress'];

/** The tables that are copied in portions. */
export const copiedTables: readonly string[] = movedTables.map(({ name }) => name);

/** The tables that are emptied where a merchant was. Lines of settlement files may be on their way to it: they go by their keys. */
export const emptiedTables: readonly string[] = [
  ...copiedTables.filter((name) => name !== 'settlement_record'),
  ...forgottenTables,
];

const PORTION = 500;
/** How many rows of a table are copied at once. */
export const portionOf = (name: string): number => movedTables.find((table) => table.name === name)?.portion ?? PORTION;

export const ownerOf = ({ owner = 'merchant_id' }: Pick<MovedTable, 'owner'>): string => owner;
export const walkOf = ({ walk, key }: MovedTable): readonly string[] => walk ?? key;
export const primaryOf = ({ primary, key }: MovedTable): readonly string[] => primary ?? ['merchant_id', ...key];

/** One trigger of the fence. */
type Trigger = { readonly name: string; readonly table: string; readonly event: FencedEvent; readonly rows: 'OLD' | 'NEW' };

const made = ({ name, table, event, rows }: Trigger, call: string): string =>
  `CREATE OR REPLACE TRIGGER ${name} AFTER ${event} ON ${table}
   REFERENCING ${rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${call}`;

/** A settlement record that is matched with a payment of another cell gets its merchant before it goes there: the one before counts. */
const rowsOf = (table: string, event: FencedEvent): 'OLD' | 'NEW' =>
  event === 'DELETE' || (event === 'UPDATE' && table === 'settlement_record') ? 'OLD' : 'NEW';

const ofTables = [...movedTables, { name: 'statistic_change', key: [], fence: { DELETE: 'checked' } } as const].flatMap(
  ({ name: table, key, fence }) =>
    (Object.entries(fence) as [FencedEvent, Fence][]).map(([event, does]) =>
      made(
        { name: `${table}_fence_${event.toLowerCase()}`, table, event, rows: rowsOf(table, event) },
        `check_merchant_fence(${does === 'noted' ? `'${key.join(',')}'` : ''})`,
      ),
    ),
);

const special = [
  ...(['UPDATE', 'DELETE'] as const).map((event) =>
    made(
      {
        name: `settlement_record_owner_${event.toLowerCase()}`,
        table: 'settlement_record',
        event,
        rows: event === 'UPDATE' ? 'NEW' : 'OLD',
      },
      'check_record_fence()',
    ),
  ),
  ...(['INSERT', 'UPDATE'] as const).map((event) =>
    made(
      { name: `document_fence_${event.toLowerCase()}`, table: 'document', event, rows: 'NEW' },
      `check_review_fence('${REVIEW_COLLECTION}')`,
    ),
  ),
];

/** The triggers exist only in databases that are cells: one database alone pays nothing. */
export const fenceStatements: readonly string[] = [...ofTables, ...special];

/** How many of them there are, and that the keys are noted. */
export const countFences = `
  SELECT count(*)::int AS count FROM pg_trigger
  WHERE tgfoid IN ('check_merchant_fence'::regproc, 'check_record_fence'::regproc, 'check_review_fence'::regproc) AND tgenabled <> 'D'`;
