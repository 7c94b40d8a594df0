import type { SettlementFile, SettlementRecord } from '../../../settlement/record.ts';
import type { Cell, Placement, Placements } from '../../cells/cell.ts';
import type { Store } from '../../store.ts';
import {
  fileCells,
  fileList,
  incomingBooking,
  postgresHolds,
  recordCells,
  recordColumns,
  settlementWrites,
} from '../../tables/settlement.ts';
import type { Pool } from '../pool.ts';
import { transact, Unmoved } from '../transact.ts';
import { write } from '../write.ts';

/**
 * The tables whose writers the fence checks. Every transaction that writes about a merchant writes to one of them; the rest of what a
 * commit writes stands behind its payment. Claims are left out: they decide nothing.
 */
export const fencedTables = [
  'payment',
  'registration',
  'checkout',
  'schedule',
  'outbox',
  'delivery',
  'posting',
  'ledger_block',
  'call_batch',
  'scheduled_settlement',
  'settlement_day',
  'reconciliation_run',
  'settlement_record',
  'statistic_open',
  'statistic_change',
] as const;

type Event = 'INSERT' | 'UPDATE' | 'DELETE';
type FencedTable = (typeof fencedTables)[number];

/**
 * Where not insertions and changes alone. An event is inserted with its payment, registration or schedule. What is deleted when its work
 * is done would be done again where the merchant lives now; what is deleted by age is not.
 */
const events: Readonly<Partial<Record<FencedTable, readonly Event[]>>> = {
  outbox: ['UPDATE'],
  scheduled_settlement: ['INSERT', 'UPDATE', 'DELETE'],
  statistic_open: ['INSERT', 'UPDATE', 'DELETE'],
  statistic_change: ['DELETE'],
};

/** A settlement record that is matched with a payment of another cell gets its merchant before it goes there: the one before counts. */
const rowsOf = (table: FencedTable, event: Event): 'OLD' | 'NEW' =>
  event === 'DELETE' || (event === 'UPDATE' && table === 'settlement_record') ? 'OLD' : 'NEW';

/** Any number that no other program on the same database uses for its own locks. */
const LOCK = 7_837_002;

const fenceStatements = fencedTables.flatMap((table) =>
  (events[table] ?? (['INSERT', 'UPDATE'] as const)).map(
    (event) =>
      `CREATE OR REPLACE TRIGGER ${table}_fence_${event.toLowerCase()} AFTER ${event} ON ${table}
       REFERENCING ${rowsOf(table, event)} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_merchant_fence()`,
  ),
);

const statements = {
  fences: `SELECT count(*)::int AS count FROM pg_trigger WHERE tgfoid = 'check_merchant_fence'::regproc AND tgenabled <> 'D'`,
  // Days are counted by triggers: the sum of them is read much sooner than the table of payments.
  countPayments: 'SELECT COALESCE(SUM(count), 0)::bigint AS count FROM payment_count WHERE span = 86400000',
  placements: 'SELECT merchant_id, cell, epoch FROM merchant_cell',
  countPlacements: 'SELECT cell, count(*)::int AS count FROM merchant_cell GROUP BY cell',
  placementsOf: `
    SELECT merchant_id, cell, epoch FROM merchant_cell
    WHERE merchant_id IN (SELECT json_array_elements_text(?1::text::json))`,
  place: 'INSERT INTO merchant_cell (merchant_id, cell) VALUES (?1, ?2) ON CONFLICT DO NOTHING',
  own: `INSERT INTO owned_merchant (merchant_id, epoch, state) VALUES (?1, ?2, 'here') ON CONFLICT DO NOTHING`,
  addFile: `INSERT INTO settlement_file (${fileList}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING`,
  addRecord: `
    INSERT INTO settlement_record (${recordColumns.join(', ')}, file_entity_id)
    VALUES (${recordColumns.map((_, at) => `?${at + 1}`).join(', ')}, ?${recordColumns.length + 1}) ON CONFLICT DO NOTHING`,
  dropRecord: 'DELETE FROM settlement_record WHERE id = ?1 AND revision = ?2',
} as const;

type PlacementRow = { readonly merchant_id: string; readonly cell: string; readonly epoch: string | number };

const placementOf = ({ merchant_id, cell, epoch }: PlacementRow): Placement => ({
  merchantId: merchant_id,
  cell,
  epoch: Number(epoch),
});

/** The map of merchants in the control database. */
export const postgresPlacements = (pool: Pool): Placements => ({
  placements: async () => (await pool.read<PlacementRow>(statements.placements)).map(placementOf),
  placementsOf: async (merchantIds) =>
    (await pool.read<PlacementRow>(statements.placementsOf, [JSON.stringify(merchantIds)])).map(placementOf),
  countPlacements: async () => {
    const rows = await pool.read<{ readonly cell: string; readonly count: number }>(statements.countPlacements);
    return new Map(rows.map(({ cell, count }) => [cell, count]));
  },
  place: async (merchantId, cell) => {
    await write(pool, statements.place, [merchantId, cell]);
  },
});

/** A database as a cell. */
export const postgresCell = (pool: Pool, store: Store): Omit<Cell, 'name'> => ({
  store,
  fence: async () => {
    const [row] = await pool.read<{ readonly count: number }>(statements.fences);
    if (row?.count === fenceStatements.length) return;
    await transact(
      pool,
      async (step) => {
        await step(`SELECT pg_advisory_xact_lock(${LOCK})`, []);
        for (const statement of fenceStatements) await step(statement, []);
      },
      'migration',
    );
  },
  own: async (merchantId, epoch) => {
    await write(pool, statements.own, [merchantId, epoch]);
  },
  countPayments: async () => Number((await pool.read<{ readonly count: string }>(statements.countPayments))[0]?.count),
  tryKeepFile: (fileId) => tryKeepFile(pool, fileId),
  adoptRecord: (file, record, at) => adoptRecord(pool, file, record, at),
  dropRecord: async ({ id, revision }) => {
    await write(pool, statements.dropRecord, [id, revision]);
  },
});

/** Posts the lines of a file and takes it back. */
async function tryKeepFile(pool: Pool, fileId: string): Promise<void> {
  const trial = transact(
    pool,
    async (step) => {
      if ((await step(postgresHolds.file, [fileId])) === 0) return;
      await step(settlementWrites.bookFile, [fileId]);
      throw new Unmoved();
    },
    'settlement',
  );
  await trial.catch((error: unknown) => {
    if (!(error instanceof Unmoved)) throw error;
  });
}

/** Writes a record of a kept file with its posting, once. */
const adoptRecord = (pool: Pool, file: SettlementFile, record: SettlementRecord, at: number): Promise<void> =>
  transact(pool, async (step) => {
    await step(statements.addFile, fileCells(file));
    if ((await step(statements.addRecord, [...recordCells(record), file.entityId])) === 0) return;
    await step(incomingBooking, [record.id, at]);
  });
