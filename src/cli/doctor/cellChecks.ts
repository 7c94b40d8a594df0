import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import type { CellSetting } from '../../store/cells/openDatabases.ts';
import { describeStoreError } from '../../store/errors.ts';
import { openReader, type Reader } from '../../store/openReader.ts';
import type { Check, Finding } from './check.ts';

type Identity = { readonly part: 'control' | 'cell'; readonly control_id: string; readonly name: string };

const IDENTITY = 'SELECT part, control_id, name FROM cell_identity';

/** What is wrong with one cell, as sentences. */
async function faultsOf({ name, url }: CellSetting, control: Reader, dataDir: string): Promise<readonly string[]> {
  const controlId = (await control.rows<Identity>(IDENTITY)).find(({ part }) => part === 'control')?.control_id;
  let reader: Reader | null = null;
  try {
    reader = url === null ? null : await openReader({ databaseUrl: url, dataDir });
    const its = (await (reader ?? control).rows<Identity>(IDENTITY)).find(({ part }) => part === 'cell');
    if (!its) return [`The database of the cell ${name} is no cell yet.`];
    if (its.name !== name) return [`The database of the cell ${name} is the cell ${its.name}.`];
    return its.control_id === controlId ? [] : [`The database of the cell ${name} belongs to another gateway.`];
  } catch (error) {
    const why = error instanceof StoreOutOfOrder ? error.message : describeStoreError(error);
    return [`The cell ${name} is out of order, and its merchants cannot pay: ${why}.`];
  } finally {
    await reader?.close();
  }
}

export const cellChecks: readonly Check[] = [
  {
    id: 'cells.open',
    looksAt: 'whether the database of every cell answers, and is the cell that CELLS takes it for',
    severity: 'error',
    remedy: 'start the database of the cell, or correct CELLS (docs/scale.md#cells); a new cell is prepared by the next start',
    needs: 'schema',
    withinMs: 15_000,
    find: async ({ config, database }) => {
      const found: Finding[] = [];
      for (const cell of config.cells) found.push(...(await faultsOf(cell, database, config.dataDir)).map((says) => ({ says })));
      return found;
    },
  },
];
