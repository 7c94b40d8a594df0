import { OperatorError } from '../app/operatorError.ts';
import { MoveHeldUp, type MoveNeeds, type MoveStep, moveMerchant, takeBackMove } from '../store/cells/move.ts';
import { type OpenedDatabases, openDatabases } from '../store/cells/openDatabases.ts';
import { describeStoreError } from '../store/errors.ts';
import { type Command, type Context, UsageError } from './command.ts';
import { formatTable } from './table.ts';

/** Which merchants live in which database. */
export const cellsCommand: Command = {
  name: 'cells',
  summary: 'list the databases that merchants are spread over, place a new merchant in one of them, or move one to another',
  usage: [
    'cells [list | where MERCHANT | place MERCHANT CELL | move MERCHANT CELL | stay MERCHANT] [--json]',
    '  list                  every cell with its merchants and payments',
    '  where MERCHANT        the cell that a merchant lives in',
    '  place MERCHANT CELL   for a merchant without a payment: otherwise the first call chooses the cell with the fewest merchants',
    '  move MERCHANT CELL    moves a merchant while it takes payments; run it again to continue a move that was interrupted',
    '  stay MERCHANT         takes back a move that is not finished',
    '  --json                as JSON',
  ].join('\n'),
  run: (words, context) => cells(words, context),
};

export type CellsNeeds = Pick<Context, 'config' | 'print'> & Partial<Pick<Context, 'clock' | 'progress' | 'signal' | 'sleep'>>;
type Opened = Pick<OpenedDatabases, 'control' | 'cells'> & { readonly names: (id: string) => Promise<boolean> };
type Say = (lines: readonly string[], value: unknown) => void;

const placesOf: Readonly<Record<string, number>> = { list: 0, where: 1, place: 2, move: 2, stay: 1 };

export async function cells(words: readonly string[], needs: CellsNeeds): Promise<number> {
  const { config, print } = needs;
  const isJson = words.includes('--json');
  const [verb = 'list', ...rest] = words.filter((word) => word !== '--json');
  if (rest.length !== placesOf[verb])
    throw new UsageError('cells: list, where MERCHANT, place MERCHANT CELL, move MERCHANT CELL or stay MERCHANT');
  const { databaseUrl, cells: named } = config();
  if (databaseUrl === null || named.length === 0) throw new OperatorError('CELLS: is not set; all merchants are in one database');
  const { store, control, cells: opened } = await openDatabases({ databaseUrl, cells: named, poolMax: 4 });
  try {
    const names = async (id: string) => (await store.lineages([id])).some((one) => one.id === id && one.kind === 'merchant');
    const of: Opened = { control, cells: opened, names };
    const say: Say = (lines, value) => (isJson ? print(JSON.stringify(value, null, 2)) : lines.forEach(print));
    if (verb === 'list') return await list(of, say);
    const [merchantId = '', cell = ''] = rest;
    if (verb === 'move' || verb === 'stay')
      return await move(of, { merchantId, cell: verb === 'move' ? cell : null }, { needs, say });
    const at = verb === 'place' ? await place(of, merchantId, cell) : await placeOf(of, merchantId);
    say([at === null ? 'The merchant has no cell yet.' : `The merchant lives in the cell ${at}.`], { merchantId, cell: at });
    return 0;
  } finally {
    await store.close();
  }
}

async function list(of: Opened, say: Say): Promise<number> {
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

const phases = {
  copying: 'copyingRows',
  comparing: 'comparingRows',
  stopping: 'stopping',
  waiting: 'following',
  removing: 'removing',
} as const satisfies Record<MoveStep, string>;

type Moved = { readonly merchantId: string /** Null: back to where it was. */; readonly cell: string | null };

async function move(
  of: Opened,
  { merchantId, cell }: Moved,
  { needs, say }: { readonly needs: CellsNeeds; readonly say: Say },
): Promise<number> {
  if ((await placeOf(of, merchantId)) === null) throw new OperatorError('cells: the merchant has no cell yet; use place');
  if (cell !== null && !of.cells.some(({ name }) => name === cell))
    throw new OperatorError(`cells: CELLS names no cell ${JSON.stringify(cell)}`);
  const signal = needs.signal?.();
  const moving: MoveNeeds = {
    ...of,
    pause: async (ms) => {
      if (ms > 0) await needs.sleep?.(ms);
    },
    now: () => needs.clock?.now() ?? 0,
    onStep: (step, done) => needs.progress?.({ phase: phases[step], done, total: null }),
    isStopped: () => signal?.aborted === true,
  };
  try {
    const done = cell === null ? await takeBackMove(moving, merchantId) : await moveMerchant(moving, merchantId, cell);
    const at = await placeOf(of, merchantId);
    const stop = 'stoppedMs' in done && done.stoppedMs !== null ? [`Its writes were stopped for ${done.stoppedMs} ms.`] : [];
    say([`The merchant lives in the cell ${at}.`, ...stop], { merchantId, cell: at, ...done });
    return 0;
  } catch (error) {
    if (!(error instanceof MoveHeldUp)) throw error;
    throw new OperatorError(`cells: ${error.message}`);
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
