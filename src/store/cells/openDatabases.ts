import type { PostgresOptions } from '../postgres/pool.ts';
import { openPostgresCell, type PostgresCell } from '../postgres/postgresStore.ts';
import type { Store } from '../store.ts';
import { type Cell, type Placements, WrongCell } from './cell.ts';
import { openCellsStore } from './cellsStore.ts';
import { lateCell } from './lateCell.ts';

/** A cell as CELLS names it. `url` null: control is this cell too. */
export type CellSetting = { readonly name: string; readonly url: string | null };

export type Databases = Omit<PostgresOptions, 'url'> & {
  /** Of the control database, or of the only one. */
  readonly databaseUrl: string;
  /** None: the database is everything. */
  readonly cells: readonly CellSetting[];
};

/** The store of all databases, its map of merchants, and each of its cells. None: there is one database. */
export type OpenedDatabases = {
  readonly store: Store;
  readonly control: Placements & Pick<Cell, 'moving'>;
  readonly cells: readonly Cell[];
};

/** Opens the databases of the configuration. A cell that does not answer is opened later: only its merchants wait. */
export async function openDatabases({ databaseUrl, cells, ...options }: Databases): Promise<OpenedDatabases> {
  const control = await openPostgresCell('', { ...options, url: databaseUrl });
  const opened: Cell[] = [];
  try {
    if (cells.length === 0) return { store: await onlyDatabase(control), control, cells: [] };
    const controlId = await control.becomeControl(cells.find(({ url }) => url === null)?.name ?? null);
    for (const { name, url } of cells) {
      const open = async (at: string) =>
        withWebhooks(control, await asCell(await openPostgresCell(name, { ...options, url: at }), controlId));
      opened.push(await (url === null ? asCell({ ...control, name }, controlId) : lateCell(name, () => open(url))));
    }
    await refuseMissing(control, cells);
    return { store: await openCellsStore({ control, cells: opened }), control, cells: opened };
  } catch (error) {
    await Promise.allSettled([control.store, ...opened.map(({ store }) => store)].map((store) => store.close()));
    throw error;
  }
}

async function asCell(cell: PostgresCell, controlId: string): Promise<PostgresCell> {
  try {
    await cell.becomeCell(cell.name, controlId);
    await cell.fence();
    return cell;
  } catch (error) {
    await cell.store.close();
    throw error;
  }
}

/** A new cell gets the copies of all webhooks: without its row a webhook has no deliveries there. */
async function withWebhooks(control: Pick<Cell, 'moving'>, cell: PostgresCell): Promise<PostgresCell> {
  await (await cell.moving()).addWebhooks(await (await control.moving()).webhooks());
  return cell;
}

/** A control database or a cell alone would refuse or miss most merchants. */
async function onlyDatabase(database: PostgresCell): Promise<Store> {
  const [identity] = await database.identity();
  if (identity?.part === 'cell')
    throw new WrongCell(`DATABASE_URL: is the cell ${identity.name} of a gateway; name its control database, and CELLS`);
  if (identity) throw new WrongCell('CELLS: is missing; DATABASE_URL is the control database of a gateway with cells');
  return database.store;
}

async function refuseMissing(control: PostgresCell, cells: readonly CellSetting[]): Promise<void> {
  const missing = [...(await control.countPlacements())].filter(([name]) => !cells.some((cell) => cell.name === name));
  const [first] = missing.toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (first) throw new WrongCell(`CELLS: ${first[1]} merchants live in the cell ${first[0]}, which it does not name`);
}

/** Where a reader beside the gateway finds all payments: the cells, or the only database. */
export const databasesOf = ({
  databaseUrl,
  cells,
}: Pick<Databases, 'databaseUrl' | 'cells'>): readonly { readonly name: string; readonly url: string }[] =>
  cells.length === 0 ? [{ name: '', url: databaseUrl }] : cells.map(({ name, url }) => ({ name, url: url ?? databaseUrl }));
