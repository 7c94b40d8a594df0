import { StoreOutOfOrder } from '../../../payments/storeErrors.ts';
import { WrongCell } from '../../cells/cell.ts';
import { forPostgres } from '../../tables/statements.ts';
import { writeError } from '../errors.ts';
import type { Pool } from '../pool.ts';
import type { Transaction } from '../transaction.ts';

/** What a database is: the control database of a gateway, one of its cells, or both. Empty: a gateway of its own. */
export type CellIdentity = { readonly part: 'control' | 'cell'; readonly controlId: string; readonly name: string };

export type Identified = {
  identity(): Promise<readonly CellIdentity[]>;
  /**
   * Makes this the control database, once, and returns its id. `name`: it is a cell too, and the merchants who are in it live there from
   * now on.
   */
  becomeControl(name: string | null): Promise<string>;
  /** Makes this a cell of the gateway with that control database. Rejects when it is another one. */
  becomeCell(name: string, controlId: string): Promise<void>;
};

/** Any number that no other program on the same database uses for its own locks. */
const LOCK = 7_837_003;

type Row = { readonly part: 'control' | 'cell'; readonly control_id: string; readonly name: string };

const statements = {
  read: 'SELECT part, control_id, name FROM cell_identity',
  add: 'INSERT INTO cell_identity (part, control_id, name) VALUES (?1, ?2, ?3)',
  newId: 'SELECT gen_random_uuid()::text AS id',
  hasPayments: 'SELECT EXISTS (SELECT 1 FROM payment) AS has',
  // Calls of the API are kept for entities above merchants too. A channel is part of its merchant.
  adopt: `INSERT INTO merchant_cell (merchant_id, cell) SELECT id, ?1 FROM entity WHERE kind <> 'channel' ON CONFLICT DO NOTHING`,
  own: `
    INSERT INTO owned_merchant (merchant_id, epoch, state) SELECT merchant_id, epoch, 'here' FROM merchant_cell WHERE cell = ?1
    ON CONFLICT DO NOTHING`,
} as const;

const identityOf = ({ part, control_id, name }: Row): CellIdentity => ({ part, controlId: control_id, name });

export function postgresIdentity(pool: Pool): Identified {
  const identity = async () => (await pool.read<Row>(statements.read)).map(identityOf);
  /** Nodes that start at the same time take turns. */
  const alone = async <T>(steps: (tx: Transaction, known: readonly CellIdentity[]) => Promise<T>): Promise<T> => {
    try {
      return await pool.transaction(async (tx) => {
        await tx.run(`SELECT pg_advisory_xact_lock(${LOCK})`);
        return steps(tx, (await tx.run<Row>(statements.read)).map(identityOf));
      }, 'migration');
    } catch (error) {
      throw error instanceof StoreOutOfOrder ? error : writeError(error);
    }
  };
  return {
    identity,
    becomeControl: async (name) => {
      const known = idOfControl(await identity());
      return known ?? alone(async (tx, now) => idOfControl(now) ?? makeControl(tx, now, name));
    },
    becomeCell: async (name, controlId) => {
      const wanted = { name, controlId };
      if (isCell(await identity(), wanted)) return;
      await alone(async (tx, now) => {
        if (isCell(now, wanted)) return;
        if (now.length === 0) await refusePayments(tx, `the database of the cell ${name} has payments of a gateway of its own`);
        await tx.run(forPostgres(statements.add), ['cell', controlId, name]);
      });
    },
  };
}

const idOfControl = (known: readonly CellIdentity[]): string | null =>
  known.find(({ part }) => part === 'control')?.controlId ?? null;

async function makeControl(tx: Transaction, known: readonly CellIdentity[], name: string | null): Promise<string> {
  const [cell] = known;
  if (cell) throw new WrongCell(`DATABASE_URL: is the cell ${cell.name} of a gateway, and not its control database`);
  if (name === null) await refusePayments(tx, 'DATABASE_URL: has payments; name it in CELLS too, such as main=control');
  const [row] = await tx.run<{ readonly id: string }>(statements.newId);
  const id = row?.id ?? '';
  await tx.run(forPostgres(statements.add), ['control', id, '']);
  if (name === null) return id;
  await tx.run(forPostgres(statements.adopt), [name]);
  await tx.run(forPostgres(statements.own), [name]);
  return id;
}

async function refusePayments(tx: Transaction, says: string): Promise<void> {
  const [row] = await tx.run<{ readonly has: boolean }>(statements.hasPayments);
  if (row?.has) throw new WrongCell(says);
}

function isCell(
  known: readonly CellIdentity[],
  { name, controlId }: { readonly name: string; readonly controlId: string },
): boolean {
  const foreign = known.find((one) => one.controlId !== controlId);
  if (foreign) throw new WrongCell(`CELLS: the database of the cell ${name} belongs to another gateway`);
  const cell = known.find(({ part }) => part === 'cell');
  if (cell && cell.name !== name) throw new WrongCell(`CELLS: the database of the cell ${name} is the cell ${cell.name}`);
  return cell !== undefined;
}
