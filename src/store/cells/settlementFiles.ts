import type { SettlementFile, SettlementRecord } from '../../settlement/record.ts';
import type { StoredDocument } from '../../users/documents.ts';
import type { Store } from '../store.ts';
import { checkRecord, isSameLine } from '../tables/settlement.ts';
import type { Cell } from './cell.ts';
import { by, merged, sumEach } from './merges.ts';
import { type Cells, control, everywhere, type Route, special, storesOf } from './route.ts';

/**
 * A file may settle payments of many merchants. Control has the file and the lines of unknown owners; each cell has a copy of the file
 * and the lines of its merchants. Control decides whether a file is kept: the copies follow, and `abandonedFiles` finishes what was
 * interrupted.
 */

const copiesOf = (cells: Cells): readonly Store[] => storesOf(cells).filter((store) => store !== cells.control);

/** Makes a copy of a file follow control: kept, or dropped. One that is still being read stays as it is. */
async function followControl({ control: main }: Cells, copy: Store, fileId: string): Promise<void> {
  const file = await main.file(fileId);
  if (file === null) await copy.dropFile(fileId);
  else if (file.state === 'kept') await copy.keepFile(fileId, file.lines);
}

const COPIES_TRIED_MAX = 3;

/** Begins the copy of a file. A copy of an earlier file that was left behind by a crash is finished first. */
async function beginCopy(cells: Cells, copy: Store, file: SettlementFile): Promise<void> {
  for (let tries = 0; tries < COPIES_TRIED_MAX; tries += 1) {
    const inTheWay = await copy.beginFile(file);
    if (inTheWay === null || inTheWay.id === file.id) return;
    await followControl(cells, copy, inTheWay.id);
  }
}

/** The database of a record: that of its merchant; control where the owner is unknown. */
const placeOf = async ({ control: main, map }: Cells, { merchantId }: SettlementRecord): Promise<Store> =>
  merchantId === null ? main : (await map.cellOf(merchantId)).store;

const addRecordsIn =
  (cells: Cells): Store['addRecords'] =>
  async (fileId, records, readUntil) => {
    const { control: main } = cells;
    const parts = new Map<Store, SettlementRecord[]>([[main, []]]);
    for (const record of records) {
      const place = await placeOf(cells, record);
      parts.set(place, [...(parts.get(place) ?? []), record]);
    }
    if (!(await main.addRecords(fileId, parts.get(main) ?? [], readUntil))) return false;
    parts.delete(main);
    const file = await main.file(fileId);
    if (file === null) return false;
    for (const [store, part] of parts) {
      await beginCopy(cells, store, file);
      if (!(await store.addRecords(fileId, part, readUntil))) return false;
    }
    return true;
  };

/** Every cell says first that it can keep its lines. What is then decided in control is what a crash leaves to be finished. */
const keepFileIn =
  (cells: Cells): Store['keepFile'] =>
  async (fileId, lines) => {
    await Promise.all(cells.cells.filter(({ store }) => store !== cells.control).map((cell) => cell.tryKeepFile(fileId)));
    if (!(await cells.control.keepFile(fileId, lines))) return false;
    await Promise.all(copiesOf(cells).map((copy) => copy.keepFile(fileId, lines)));
    return true;
  };

const dropFileIn =
  (cells: Cells): Store['dropFile'] =>
  async (fileId) => {
    await cells.control.dropFile(fileId);
    if ((await cells.control.file(fileId)) !== null) return;
    await Promise.all(copiesOf(cells).map((copy) => copy.dropFile(fileId)));
  };

const abandonedFilesIn =
  (cells: Cells): Store['abandonedFiles'] =>
  async (now, limit) => {
    // A cell that is out of order is finished when it is back.
    await Promise.allSettled(
      copiesOf(cells).map(async (copy) => {
        for (const { id } of await copy.abandonedFiles(now, limit)) await followControl(cells, copy, id);
      }),
    );
    await finishMoves(cells, limit);
    return cells.control.abandonedFiles(now, limit);
  };

/** Records on their way from one database to another, as documents of control. */
const MOVES = 'settlementRecordMove';
type Move = { readonly at: number };

type FoundRecord = { readonly store: Store; readonly record: SettlementRecord };

/** The newest first. Of a merchant who is moving there may be a copy: the line where the merchant lives comes before it. */
const findRecord = async (cells: Cells, id: string): Promise<readonly FoundRecord[]> => {
  const found = await Promise.all(storesOf(cells).map(async (store) => ({ store, record: await store.record(id) })));
  const there = found.filter((one): one is FoundRecord => one.record !== null);
  if (there.length < 2) return there;
  const owners = await Promise.all(there.map(({ record }) => placeOf(cells, record)));
  const isElsewhere = new Map(there.map((one, at) => [one, owners[at] === one.store ? 0 : 1]));
  return merged(
    [there],
    by(
      ({ record }) => -record.revision,
      (one) => isElsewhere.get(one) ?? 1,
    ),
  );
};

/**
 * A line that is matched with a payment of another cell goes there. Its database takes the change first, which decides between two
 * users and takes the posting back; the other cell then adopts the record with its posting, and the first deletes it.
 */
const saveRecordIn =
  (cells: Cells): Store['saveRecord'] =>
  async (record, at) => {
    checkRecord(record, null);
    const [current] = await findRecord(cells, record.id);
    const target = await placeOf(cells, record);
    if (!current || current.store === target) return target.saveRecord(record, at);
    if (current.record.revision + 1 !== record.revision || !isSameLine(current.record, record)) return false;
    const move: StoredDocument<Move> = { collection: MOVES, id: record.id, ownerId: '', at, revision: 1, body: { at } };
    await cells.control.saveDocuments([move]);
    if (!(await current.store.saveRecord(record, at))) return false;
    await finishMove(cells, move);
    return true;
  };

async function finishMove(cells: Cells, { id, revision, body }: StoredDocument<Move>): Promise<void> {
  const [current, ...older] = await findRecord(cells, id);
  if (current) {
    const target = await placeOf(cells, current.record);
    const file = await cells.control.file(current.record.fileId);
    if (file && target !== current.store) {
      await holderOf(cells, target).adoptRecord(file, current.record, body.at);
      await holderOf(cells, current.store).dropRecord(current.record);
    }
    for (const { store, record } of older) await holderOf(cells, store).dropRecord(record);
  }
  await cells.control.saveDocuments([{ collection: MOVES, id, revision, isDeleted: true }]);
}

const holderOf = ({ cells, controlCell }: Cells, store: Store): Pick<Cell, 'adoptRecord' | 'dropRecord'> =>
  cells.find((cell) => cell.store === store) ?? controlCell;

async function finishMoves(cells: Cells, limit: number): Promise<void> {
  const moves = await cells.control.documents({ collection: MOVES, ownerId: '', limit });
  for (const move of moves) await finishMove(cells, move as StoredDocument<Move>).catch(() => {});
}

type FileName = 'beginFile' | 'addRecords' | 'keepFile' | 'dropFile' | 'abandonedFiles' | 'file' | 'files' | 'countFile';

export const settlementRoutes: { readonly [M in FileName | 'record' | 'saveRecord']: Route<M> } = {
  beginFile: control(),
  addRecords: special(addRecordsIn),
  keepFile: special(keepFileIn),
  dropFile: special(dropFileIn),
  abandonedFiles: special(abandonedFilesIn),
  file: control(),
  files: control(),
  countFile: everywhere(sumEach),
  record: special((cells) => async (id) => (await findRecord(cells, id))[0]?.record ?? null),
  saveRecord: special(saveRecordIn),
};
