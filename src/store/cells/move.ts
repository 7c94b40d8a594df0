import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { copiedTables, emptiedTables, portionOf } from '../postgres/cells/movedTables.ts';
import type { Cell, Placement, Placements } from './cell.ts';
import { inLanes } from './lanes.ts';
import { finishSwitch } from './merchantMap.ts';
import type { MoveChange, MovingCell, Walk } from './moving.ts';

/**
 * Moves a merchant to another cell while it takes payments (decisions/0071). Every step can be repeated: a run that was interrupted is
 * continued by the next one, or taken back.
 */

export type MoveStep = 'copying' | 'comparing' | 'stopping' | 'waiting' | 'removing';

export type MoveNeeds = {
  readonly control: Placements & Pick<Cell, 'moving'>;
  readonly cells: readonly Cell[];
  readonly pause: (ms: number) => Promise<void>;
  /** Milliseconds, for measuring. */
  readonly now: () => number;
  readonly onStep: (step: MoveStep, rows: number) => void;
  readonly isStopped?: () => boolean;
  /** How long nodes have to learn of a change of the map. */
  readonly followMs?: number;
};

/** `stoppedMs`: from the first refused write to the changed map; null: an earlier run has done it. */
export type MoveResult = {
  readonly stoppedMs: number | null;
  readonly stops: number;
  readonly copied: number;
  readonly removed: number;
};

/** A move that cannot go on now. The merchant lives where the map says, and another run continues. */
export class MoveHeldUp extends StoreOutOfOrder {}

/** Portions that are compared by one digest. */
const COMPARED = 4;
const KEYS = 1_000;
const REMOVED = 1_000;
/** The write stop ends by itself. Waiting for the writers before it takes up to 300 ms more. */
const STOP_MS = 1_500;
const STOPS_MAX = 20;
/** The merchant is stopped when so few keys are left, or when the rest takes no longer than this at the speed of the last round. */
const KEYS_LEFT = 50;
const REST_MS = 300;
const ROUNDS_MAX = 10_000;
/** Rows that differ because they change all the time. They are compared within the stop. */
const SUSPECTS = 100;
const SUSPECTS_MAX = 1_000;
const COMPARISONS_MAX = 10;
const FOLLOW_MS = 5_000;
const BETWEEN_STOPS_MS = 1_000;

type Suspect = { readonly table: string; readonly key: string };

type Move = {
  readonly needs: MoveNeeds;
  readonly merchantId: string;
  readonly run: string;
  readonly from: MovingCell;
  readonly to: MovingCell;
  readonly target: Cell;
  copied: number;
};

const cellNamed = ({ cells }: Pick<MoveNeeds, 'cells'>, name: string): Cell => {
  const cell = cells.find((one) => one.name === name);
  if (!cell) throw new MoveHeldUp(`the cell ${name} is not configured`);
  return cell;
};

async function placementOf({ control }: MoveNeeds, merchantId: string): Promise<Placement> {
  const [placement] = await control.placementsOf([merchantId]);
  if (!placement) throw new MoveHeldUp('the merchant has no cell yet: place it');
  return placement;
}

/** Moves a merchant, or continues a move to this cell, until nothing is left of it in the cell before. */
export async function moveMerchant(needs: MoveNeeds, merchantId: string, to: string): Promise<MoveResult> {
  const target = cellNamed(needs, to);
  const before = await placementOf(needs, merchantId);
  if (before.movingTo !== null && before.movingTo !== to)
    throw new MoveHeldUp(`the merchant is on the way to the cell ${before.movingTo}; finish that move, or take it back`);
  if (before.movingFrom !== null && before.cell !== to) await removeRest(needs, before);
  if (before.cell === to) return { stoppedMs: null, stops: 0, copied: 0, removed: await removeRest(needs, before) };
  if (before.movingTo === null && !(await needs.control.beginMove(merchantId, to)))
    throw new MoveHeldUp('another mover has begun with the merchant');
  const began = needs.now();
  const [from, into] = [await cellNamed(needs, before.cell).moving(), await target.moving()];
  const move: Move = { needs, merchantId, run: await needs.control.newRun(), from, to: into, target, copied: 0 };
  let switched: { stoppedMs: number | null; stops: number } = { stoppedMs: null, stops: 0 };
  if ((await from.owned(merchantId)) === 'gone') await finishSwitch(needs.control, target, merchantId);
  else {
    await begin(move);
    await copyTables(move);
    await catchUp(move);
    const suspects = await compareTables(move);
    await needs.pause(followMs(needs) - (needs.now() - began));
    switched = await stopAndSwitch(move, suspects);
  }
  return { ...switched, copied: move.copied, removed: await removeRest(needs, await placementOf(needs, merchantId)) };
}

const followMs = ({ followMs: ms = FOLLOW_MS }: MoveNeeds): number => ms;

/** Takes a move back that is not decided yet: the merchant stays, and the copy is removed. */
export async function takeBackMove(needs: MoveNeeds, merchantId: string): Promise<{ readonly removed: number }> {
  const { cell, movingTo } = await placementOf(needs, merchantId);
  if (movingTo !== null) {
    const [from, to] = [await cellNamed(needs, cell).moving(), await cellNamed(needs, movingTo).moving()];
    const run = await needs.control.newRun();
    // From here on the run before cannot decide any more.
    await from.takeOver(merchantId, run);
    if ((await from.owned(merchantId)) === 'gone')
      throw new MoveHeldUp(`the move is decided: run \`cells move ${merchantId} ${movingTo}\` to finish it`);
    await to.takeOver(merchantId, run);
    await to.change(merchantId, 'arriving', 'gone', run);
    await from.change(merchantId, 'leaving', 'here', run);
    await needs.control.takeBackMove(merchantId, movingTo);
  }
  return { removed: await removeRest(needs, await placementOf(needs, merchantId)) };
}

function checkStopped({ isStopped }: MoveNeeds): void {
  if (isStopped?.()) throw new MoveHeldUp('stopped; run the command again to continue, or take the move back');
}

/** Both cells know of the move and of this run; what an older run still sends is refused. */
async function begin({ needs, merchantId, run, from, to }: Move): Promise<void> {
  await from.takeOver(merchantId, run);
  await to.takeOver(merchantId, run);
  if ((await to.owned(merchantId)) === 'gone') await empty(needs, { merchantId, run, cell: to, other: from });
  const arrived = (await to.arrive(merchantId, run)) || (await to.owned(merchantId)) === 'arriving';
  const leaves = (await repeated(needs, () => from.leave(merchantId, run))) || (await from.owned(merchantId)) === 'leaving';
  if (!arrived || !leaves) throw new MoveHeldUp('the cells do not agree with the map about the merchant');
  // A cell that is older than a webhook has its copy; one that is newer may not.
  await to.addWebhooks(await (await needs.control.moving()).webhooks());
}

const LOCK_TIMEOUT = '55P03';

/** Takes the lock of a merchant whose writers are slow to end, with pauses in which they go on. */
async function repeated(needs: MoveNeeds, step: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof StoreOutOfOrder) || error.code !== LOCK_TIMEOUT || tries === STOPS_MAX) throw error;
      checkStopped(needs);
      await needs.pause(BETWEEN_STOPS_MS);
    }
  }
}

/** Each portion is of its own moment: what changes afterwards has its key noted, and what was skipped because of it too. */
async function copyTables(move: Move): Promise<void> {
  const { needs, merchantId, run, from, to } = move;
  const progress = await to.progress(merchantId);
  const open = copiedTables.filter((table) => progress.get(table) !== null);
  await inLanes(
    open,
    () => checkStopped(needs),
    async (table, check) => {
      const limit = portionOf(table);
      const read = (after: string | null) => from.portion(table, { merchantId, after, limit });
      let next = read(progress.get(table) ?? null);
      for (let isLast = false; !isLast; ) {
        const found = await next;
        check();
        isLast = found.length < limit;
        const at = isLast ? null : (found.at(-1)?.at ?? null);
        // The portion behind is read while this one is written.
        if (!isLast) next = read(at);
        next.catch(() => {});
        await to.addPortion(merchantId, run, { table, rows: found.map(({ row }) => row), at });
        move.copied += found.length;
        needs.onStep('copying', move.copied);
      }
    },
  );
}

/** Brings the rows of noted keys as they are now; answers the keys. */
async function bringKeys({ merchantId, run, from, to }: Move): Promise<readonly Suspect[]> {
  const noted = await from.keys(merchantId, KEYS);
  if (noted.length === 0) return [];
  const changes = [...Map.groupBy(noted, (one) => one.table)].map(async ([table, some]): Promise<readonly MoveChange[]> => {
    const keys = [...new Set(some.map(({ key }) => key))];
    const found = await from.rows(table, merchantId, keys);
    const rows = found.filter((row) => row !== null);
    const change = { table, rows, removed: keys.filter((_, at) => found[at] === null) };
    return table === 'payment' ? [change, await balancesWith(from, merchantId, rows)] : [change];
  });
  await to.apply(merchantId, run, (await Promise.all(changes)).flat());
  await from.dropKeys(
    merchantId,
    noted.map(({ n }) => n),
  );
  return noted.map(({ table, key }) => ({ table, key }));
}

/** The sums of the families of payments. */
async function balancesWith(from: MovingCell, merchantId: string, payments: readonly string[]): Promise<MoveChange> {
  const familyIds = [...new Set(payments.map((row) => (JSON.parse(row) as { readonly family_id: string }).family_id))];
  return { table: 'balance', rows: await from.balancesOf(merchantId, familyIds), removed: [] };
}

/** Rounds that get shorter, until what is left fits into `restMs`. */
async function catchUp(move: Move, restMs = REST_MS): Promise<void> {
  const { needs, merchantId, from } = move;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    checkStopped(needs);
    const began = needs.now();
    const brought = await bringKeys(move);
    const msEach = (needs.now() - began) / Math.max(1, brought.length);
    const left = brought.length === 0 ? 0 : await from.countKeys(merchantId);
    if (left <= KEYS_LEFT || (left < KEYS && left * msEach <= restMs)) return;
    needs.onStep('copying', move.copied);
  }
}

/** Compares every row of both sides. Those that differ even after their keys were brought are compared once more within the stop. */
async function compareTables(move: Move): Promise<readonly Suspect[]> {
  const { needs, merchantId, from, to } = move;
  let suspects: Suspect[] = [];
  let compared = 0;
  await inLanes(
    copiedTables,
    () => checkStopped(needs),
    async (table, check) => {
      const limit = COMPARED * portionOf(table);
      for (let [after, isLast]: [string | null, boolean] = [null, false]; !isLast; ) {
        check();
        const ours = await from.rangeDigest(table, { merchantId, after, limit });
        isLast = ours.count < limit;
        const range = { merchantId, after, to: isLast ? null : ours.at, limit };
        const theirs = await to.rangeDigest(table, range);
        if (theirs.digest !== ours.digest) suspects.push(...(await differingIn(move, table, range)));
        compared += ours.count;
        needs.onStep('comparing', compared);
        after = ours.at;
      }
    },
  );
  for (let round = 0; suspects.length > SUSPECTS && round < COMPARISONS_MAX; round += 1) {
    await catchUp(move);
    suspects = await differingOf(move, suspects);
  }
  const [first] = suspects;
  if (suspects.length > SUSPECTS_MAX)
    throw new MoveHeldUp(`more than ${SUSPECTS_MAX} rows differ, such as one of ${first?.table}`);
  return suspects;
}

/** The rows of a range that differ, or that the new cell does not have. What is deleted by age may be left there, and is deleted again. */
async function differingIn({ merchantId, from, to }: Move, table: string, range: Walk): Promise<readonly Suspect[]> {
  const ours = await from.digests(table, range);
  const keys = ours.map(({ key }) => key);
  const theirs = await to.digestsOf(table, merchantId, keys);
  return ours.filter(({ digest }, at) => digest !== theirs[at]).map(({ key }) => ({ table, key }));
}

/** Those of these rows that differ. */
async function differingOf({ merchantId, from, to }: Move, keys: readonly Suspect[]): Promise<Suspect[]> {
  const differing = [...Map.groupBy(keys, (one) => one.table)].map(async ([table, some]) => {
    const names = [...new Set(some.map(({ key }) => key))];
    const [ours, theirs] = await Promise.all([from.digestsOf(table, merchantId, names), to.digestsOf(table, merchantId, names)]);
    return names.filter((_, at) => ours[at] !== theirs[at]).map((key) => ({ table, key }));
  });
  return (await Promise.all(differing)).flat();
}

/** Stops the merchant, brings the rest, compares, decides, and changes the map; again when the stop was too short for it. */
async function stopAndSwitch(move: Move, suspects: readonly Suspect[]): Promise<{ stoppedMs: number; stops: number }> {
  const { needs, merchantId, run, from, to, target } = move;
  for (let stops = 1; stops <= STOPS_MAX; stops += 1) {
    // After a stop that was too short, less may be left.
    await catchUp(move, REST_MS / stops);
    await waitForFiles(move);
    const fileIds = await from.fileIds(merchantId);
    needs.onStep('stopping', stops);
    const began = needs.now();
    if (!(await repeated(needs, () => from.stop(merchantId, run, STOP_MS)))) throw new MoveHeldUp('another run has taken over');
    const isDeparted = await bringRest(move, { suspects, fileIds }).catch(async (error: unknown) => {
      await from.change(merchantId, 'leaving', 'leaving', run).catch(() => {});
      throw error;
    });
    if (isDeparted) {
      await finishSwitch(needs.control, target, merchantId);
      if ((await to.owned(merchantId)) !== 'here') throw new MoveHeldUp('the new cell does not own the merchant');
      return { stoppedMs: needs.now() - began, stops };
    }
    await from.change(merchantId, 'leaving', 'leaving', run);
    await needs.pause(BETWEEN_STOPS_MS);
  }
  throw new MoveHeldUp('the rest of the merchant did not fit into a stop; run the command again when there is less load');
}

type Rest = { readonly suspects: readonly Suspect[]; readonly fileIds: readonly string[] };

/** Brings all keys that are noted; null: the stop was too short. */
async function bringAll(move: Move): Promise<readonly Suspect[] | null> {
  const endsAt = move.needs.now() + STOP_MS;
  const brought: Suspect[] = [];
  for (;;) {
    const some = await bringKeys(move);
    brought.push(...some);
    // Nothing is written any more.
    if (some.length < KEYS) return brought;
    if (move.needs.now() > endsAt) return null;
  }
}

/** Within the stop, with few round trips. False: it was too short, or a settlement file is in the way. */
async function bringRest(move: Move, { suspects, fileIds }: Rest): Promise<boolean> {
  const { merchantId, run, from, to } = move;
  const [unfinished, brought, read] = await Promise.all([
    from.unfinishedFiles(merchantId),
    bringAll(move),
    from.rest(merchantId, fileIds),
  ]);
  if (unfinished.length > 0 || brought === null) return false;
  const isRecord = ({ table }: Suspect): boolean => table === 'settlement_record';
  const rest = brought.some(isRecord) ? await from.rest(merchantId, await from.fileIds(merchantId)) : read;
  await to.putRest(merchantId, run, rest);
  const [[differing], ours, theirs] = await Promise.all([
    differingOf(move, [...suspects, ...brought]),
    from.totals(merchantId),
    to.totals(merchantId),
  ]);
  if (differing) throw new MoveHeldUp(`a row of ${differing.table} differs between the cells: ${differing.key}`);
  if (ours !== theirs) throw new MoveHeldUp(`the sums of the cells differ: ${ours} and ${theirs}`);
  return from.depart(merchantId, run);
}

const FILE_WAITS_MAX = 60;

/** A file that is being read or dropped changes lines of many merchants. */
async function waitForFiles({ needs, merchantId, from }: Move): Promise<void> {
  for (let waits = 0; (await from.unfinishedFiles(merchantId)).length > 0; waits += 1) {
    checkStopped(needs);
    if (waits === FILE_WAITS_MAX) throw new MoveHeldUp('a settlement file with lines of the merchant is still being read');
    needs.onStep('waiting', waits);
    await needs.pause(BETWEEN_STOPS_MS);
  }
}

/** Removes what the cell before, or a copy that was taken back, has of the merchant, once every node has the map. */
async function removeRest(needs: MoveNeeds, { merchantId, cell, movingFrom }: Placement): Promise<number> {
  if (movingFrom === null) return 0;
  const [old, other] = [await cellNamed(needs, movingFrom).moving(), await cellNamed(needs, cell).moving()];
  needs.onStep('waiting', 0);
  await needs.pause(followMs(needs));
  const run = await needs.control.newRun();
  await old.takeOver(merchantId, run);
  const removed = await empty(needs, { merchantId, run, cell: old, other });
  await needs.control.endMove(merchantId, movingFrom);
  return removed;
}

type Emptied = { readonly merchantId: string; readonly run: string; readonly cell: MovingCell; readonly other: MovingCell };

async function empty(needs: MoveNeeds, { merchantId, run, cell, other }: Emptied): Promise<number> {
  if ((await cell.owned(merchantId)) !== 'gone') return 0;
  let removed = await removeRecords(needs, { merchantId, run, cell, other });
  await inLanes(
    emptiedTables,
    () => checkStopped(needs),
    async (table, check) => {
      for (let count = REMOVED; count === REMOVED; ) {
        check();
        count = await cell.removePortion(merchantId, run, table, REMOVED);
        removed += count;
        needs.onStep('removing', removed);
      }
    },
  );
  await cell.change(merchantId, 'gone', 'left', run);
  return removed;
}

/** Lines of settlement files that the other cell has. One that it does not have is on its way there. */
async function removeRecords(needs: MoveNeeds, { merchantId, run, cell, other }: Emptied): Promise<number> {
  let removed = 0;
  const limit = portionOf('settlement_record');
  for (let after: string | null = null; ; ) {
    checkStopped(needs);
    const found = await cell.digests('settlement_record', { merchantId, after, limit });
    const keys = found.map(({ key }) => key);
    const theirs = await other.digestsOf('settlement_record', merchantId, keys);
    const doubled = keys.filter((_, at) => theirs[at] !== null);
    await cell.removeKeys(merchantId, run, 'settlement_record', doubled);
    removed += doubled.length;
    after = found.at(-1)?.at ?? after;
    if (found.length < limit) return removed;
  }
}
