import { OperatorError } from '../app/operatorError.ts';
import type { Cell, Placements } from '../store/cells/cell.ts';
import { openDatabases } from '../store/cells/openDatabases.ts';
import { describeStoreError } from '../store/errors.ts';
import { type Command, type Context, UsageError } from './command.ts';
import { formatTable } from './table.ts';

/** Which merchants live in which database. */
export const cellsCommand: Command = {
  name: 'cells',
  summary: 'list the databases that merchants are spread over, or place a new merchant in one of them',
  usage: [
    'cells [list | where MERCHANT | place MERCHANT CELL] [--json]',
    '  list                  every cell with its merchants and payments',
    '  where MERCHANT        the cell that a merchant lives in',
    '  place MERCHANT CELL   for a merchant without a payment: otherwise the first call chooses the cell with the fewest merchants',
    '  --json                as JSON',
  ].join('\n'),
  run: (words, context) => cells(words, context),
};

export type CellsNeeds = Pick<Context, 'config' | 'print'>;
type Opened = { readonly control: Placements; readonly cells: readonly Cell[]; readonly names: (id: string) => Promise<boolean> };

export async function cells(words: readonly string[], { config, print }: CellsNeeds): Promise<number> {
  const isJson = words.includes('--json');
  const [verb = 'list', merchantId, cell, ...rest] = words.filter((word) => word !== '--json');
  const isKnown = { list: !merchantId, where: !!merchantId && !cell, place: !!merchantId && !!cell && rest.length === 0 }[verb];
  if (!isKnown) throw new UsageError('cells: list, where MERCHANT or place MERCHANT CELL');
  const { databaseUrl, cells: named } = config();
  if (databaseUrl === null || named.length === 0) throw new OperatorError('CELLS: is not set; all merchants are in one database');
  const { store, control, cells: opened } = await openDatabases({ databaseUrl, cells: named, poolMax: 2 });
  try {
    const names = async (id: string) => (await store.lineages([id])).some((one) => one.id === id && one.kind === 'merchant');
    const of: Opened = { control, cells: opened, names };
    const say = (lines: readonly string[], value: unknown) =>
      isJson ? print(JSON.stringify(value, null, 2)) : lines.forEach(print);
    if (verb === 'list') {
      const found = await listed(of);
      const rows = found.map(({ name, state, merchants, payments }) => [
        name,
        state,
        String(merchants),
        payments === null ? '?' : String(payments),
      ]);
      say(formatTable([['CELL', 'STATE', 'MERCHANTS', 'PAYMENTS'], ...rows], [2, 3]), found);
      return found.every(({ payments }) => payments !== null) ? 0 : 1;
    }
    const at = verb === 'place' ? await place(of, merchantId ?? '', cell ?? '') : await placeOf(of, merchantId ?? '');
    say([at === null ? 'The merchant has no cell yet.' : `The merchant lives in the cell ${at}.`], { merchantId, cell: at });
    return 0;
  } finally {
    await store.close();
  }
}

async function listed({ control, cells: all }: Opened) {
  const merchants = await control.countPlacements();
  return Promise.all(
    all.map(async (cell) => {
      const about = { name: cell.name, merchants: merchants.get(cell.name) ?? 0 };
      try {
        return { ...about, state: 'in order', payments: await cell.countPayments() };
      } catch (error) {
        return { ...about, state: describeStoreError(error), payments: null };
      }
    }),
  );
}

async function placeOf({ control, names }: Opened, merchantId: string): Promise<string | null> {
  if (!(await names(merchantId))) throw new OperatorError(`cells: there is no merchant ${JSON.stringify(merchantId)}`);
  return (await control.placementsOf([merchantId]))[0]?.cell ?? null;
}

/** A gateway may place the merchant at the same time: the first decides. */
async function place(of: Opened, merchantId: string, name: string): Promise<string> {
  const cell = of.cells.find((one) => one.name === name);
  if (!cell) throw new OperatorError(`cells: CELLS names no cell ${JSON.stringify(name)}`);
  const before = await placeOf(of, merchantId);
  if (before === null) await of.control.place(merchantId, name);
  const [now] = await of.control.placementsOf([merchantId]);
  if (now?.cell !== name) throw new OperatorError(`cells: the merchant lives in the cell ${now?.cell ?? before} already`);
  // A node does the same at its first call.
  await cell.own(merchantId, now.epoch);
  return name;
}
