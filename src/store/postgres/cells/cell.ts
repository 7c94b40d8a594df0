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
import { countFences, fenceStatements } from './movedTables.ts';
import { postgresMoving } from './mover.ts';

/** Any number that no other program on the same database uses for its own locks. */
const LOCK = 7_837_002;

const placementColumns = 'merchant_id, cell, epoch, moving_to, moving_from';

const statements = {
  // Days are counted by triggers: the sum of them is read much sooner than the table of payments.
  countPayments:
    'SELECT COALESCE(SUM(count), 0)::bigint AS count FROM payment_count WHERE span = 86400000 AND merchant_id NOT IN (SELECT merchant_id FROM absent_merchant)',
  placements: `SELECT ${placementColumns} FROM merchant_cell`,
  countPlacements: 'SELECT cell, count(*)::int AS count FROM merchant_cell GROUP BY cell',
  placementsOf: `
    SELECT ${placementColumns} FROM merchant_cell
    WHERE merchant_id IN (SELECT json_array_elements_text(?1::text::json))`,
  place: 'INSERT INTO merchant_cell (merchant_id, cell) VALUES (?1, ?2) ON CONFLICT DO NOTHING',
  own: `INSERT INTO owned_merchant (merchant_id, epoch, state) VALUES (?1, ?2, 'here') ON CONFLICT DO NOTHING`,
  addFile: `INSERT INTO settlement_file (${fileList}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING`,
  addRecord: `
    INSERT INTO settlement_record (${recordColumns.join(', ')}, file_entity_id)
    VALUES (${recordColumns.map((_, at) => `?${at + 1}`).join(', ')}, ?${recordColumns.length + 1}) ON CONFLICT DO NOTHING`,
  // A copy of a merchant who is arriving is the mover's.
  dropRecord: `
    DELETE FROM settlement_record r WHERE id = ?1 AND revision = ?2
      AND NOT EXISTS (SELECT 1 FROM owned_merchant o WHERE o.merchant_id = r.merchant_id AND o.state = 'arriving')`,
  newId: 'SELECT gen_random_uuid()::text AS id',
  beginMove: `
    UPDATE merchant_cell SET moving_to = ?2, epoch = epoch + 1
    WHERE merchant_id = ?1 AND cell <> ?2 AND moving_to IS NULL AND moving_from IS NULL`,
  switchCell: `
    UPDATE merchant_cell SET cell = moving_to, moving_from = cell, moving_to = NULL, epoch = epoch + 1
    WHERE merchant_id = ?1 AND moving_to = ?2`,
  takeBackMove: `
    UPDATE merchant_cell SET moving_from = moving_to, moving_to = NULL, epoch = epoch + 1 WHERE merchant_id = ?1 AND moving_to = ?2`,
  endMove: 'UPDATE merchant_cell SET moving_from = NULL, epoch = epoch + 1 WHERE merchant_id = ?1 AND moving_from = ?2',
} as const;

type PlacementRow = {
  readonly merchant_id: string;
  readonly cell: string;
  readonly epoch: string | number;
  readonly moving_to: string | null;
  readonly moving_from: string | null;
};

const placementOf = (row: PlacementRow): Placement => ({
  merchantId: row.merchant_id,
  cell: row.cell,
  epoch: Number(row.epoch),
  movingTo: row.moving_to,
  movingFrom: row.moving_from,
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
  newRun: async () => (await pool.read<{ readonly id: string }>(statements.newId))[0]?.id ?? '',
  ...movesIn(pool),
});

function movesIn(pool: Pool): Pick<Placements, 'beginMove' | 'switchCell' | 'takeBackMove' | 'endMove'> {
  const one =
    (statement: string) =>
    async (merchantId: string, cell: string): Promise<boolean> =>
      (await write(pool, statement, [merchantId, cell])) > 0;
  return {
    beginMove: one(statements.beginMove),
    switchCell: one(statements.switchCell),
    takeBackMove: one(statements.takeBackMove),
    endMove: one(statements.endMove),
  };
}

/** A database as a cell. */
export const postgresCell = (pool: Pool, store: Store): Omit<Cell, 'name'> => ({
  store,
  moving: async () => postgresMoving(pool),
  fence: async () => {
    const [row] = await pool.read<{ readonly count: number }>(countFences);
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
