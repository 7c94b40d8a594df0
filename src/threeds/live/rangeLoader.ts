import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../runtime/json.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../../spec/time.ts';
import { cardRanges, protocolVersion, text } from '../messages/formats.ts';
import type { Erro, PReq, PRes, RangeData } from '../messages/message.ts';
import { readMessage } from '../messages/validate.ts';
import type { NetworkName } from '../networks.ts';
import { transIdOf } from '../prepare.ts';
import type { Connection } from './connection.ts';

/** The card ranges of one network. */
export type RangeList = {
  /** The version of the list, to request only changes next time; null: the whole list is requested again. */
  readonly serialNum: string | null;
  /** The versions that the directory server supports. */
  readonly from: string | null;
  readonly to: string | null;
  readonly ranges: readonly RangeData[];
};

const keyOf = ({ startRange, endRange }: RangeData): string => `${startRange}-${endRange}`;

/** Applies a preparation response: a whole list, or changes of the previous one. Changes are idempotent. */
function listAfter(before: RangeList | null, pres: PRes): RangeList {
  const byKey = new Map((before?.ranges ?? []).map((range) => [keyOf(range), range]));
  for (const { actionInd, ...range } of pres.cardRangeData ?? []) {
    if (actionInd === 'D') byKey.delete(keyOf(range));
    else byKey.set(keyOf(range), usedElements(range));
  }
  return {
    serialNum: pres.serialNum ?? null,
    from: pres.dsStartProtocolVersion ?? before?.from ?? null,
    to: pres.dsEndProtocolVersion ?? before?.to ?? null,
    ranges: [...byKey.values()],
  };
}

/** Only the elements that are used: lists can be long. */
const usedElements = ({
  startRange,
  endRange,
  acsStartProtocolVersion,
  acsEndProtocolVersion,
  threeDSMethodURL,
}: RangeData): RangeData => ({
  startRange,
  endRange,
  acsStartProtocolVersion,
  acsEndProtocolVersion,
  ...(threeDSMethodURL !== undefined && { threeDSMethodURL }),
});

/** Ranges of one number length, sorted by start. `reach`: the highest end up to each, which bounds the backward search. */
type RangeTable = { readonly ranges: readonly RangeData[]; readonly reach: readonly string[] };

/**
 * Finds the range of a number; of several that contain it, the one that starts last. Digits of equal length compare as strings, too.
 */
export function createRangeSearch(list: readonly RangeData[]): (number: string) => RangeData | null {
  const rows = new Map<number, RangeTable>();
  for (const [length, ranges] of Map.groupBy(list, ({ startRange }) => startRange.length)) rows.set(length, tableOf(ranges));
  return (number) => {
    const row = rows.get(number.length);
    if (!row) return null;
    const { ranges, reach } = row;
    for (let at = lastStart(ranges, number); at >= 0 && (reach[at] ?? '') >= number; at -= 1) {
      const range = ranges[at];
      if (range && range.endRange >= number) return range;
    }
    return null;
  };
}

function tableOf(list: readonly RangeData[]): RangeTable {
  const ranges = list.toSorted((one, other) => order(one.startRange, other.startRange) || order(other.endRange, one.endRange));
  const reach: string[] = [];
  let highest = '';
  for (const { endRange } of ranges) {
    if (endRange > highest) highest = endRange;
    reach.push(highest);
  }
  return { ranges, reach };
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The index of the last range that starts at or before the number; -1 when there is none. */
function lastStart(ranges: readonly RangeData[], number: string): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.startRange ?? '') <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Posts JSON over TLS with the certificate of one network. Rejects when no JSON comes back in time. */
export type Post = (
  url: string,
  json: object,
  bounds: { readonly answerBytesMax: number; readonly withinMs: number },
) => Promise<{ readonly status: number; readonly json: unknown }>;

type StoredRangeList = { readonly list: RangeList; readonly goodAt: number };

/** Stores range lists across restarts: a directory server that is down, or limits how often it is asked, must not stop payments. */
export interface RangeStore {
  read(network: NetworkName): Promise<StoredRangeList | null>;
  write(network: NetworkName, kept: StoredRangeList): Promise<void>;
}

export type Alarm = (message: string, about: Readonly<Record<string, string>>) => void;

/** Lists of large networks have several hundred thousand ranges. */
const RANGES_BOUNDS = { answerBytesMax: 64 * 1024 * 1024, withinMs: 2 * MINUTE_MS } as const;
/** A directory server answers more than one request per hour with error 103. */
const ASKED_TOO_OFTEN: Erro['errorCode'] = '103';
const WHOLE_AFTER_FAILURES = 3;
const SERIAL_UNKNOWN: Erro['errorCode'] = '307';

type RangeLoaderOptions = {
  readonly network: NetworkName;
  readonly connection: Pick<Connection, 'rangesUrl' | 'serverReference' | 'operatorId' | 'version'>;
  readonly post: Post;
  readonly clock: Clock;
  readonly ids: { random(): string };
  readonly rangeStore: RangeStore | null;
  readonly alarm: Alarm;
};

export interface RangeLoader {
  /** The list as last loaded; null when it never was. */
  list(): RangeList | null;
  find(number: string): RangeData | null;
  /** Loads the list when it is due, so calling it often is cheap. Never rejects. */
  refresh(): Promise<void>;
}

/** The delay after a number of consecutive failures. */
const retryMs = (failures: number): number => Math.min(MINUTE_MS * 2 ** (failures - 1), HOUR_MS);

/** The directory server answered with an error message. */
class ProtocolError extends Error {
  readonly code: Erro['errorCode'];
  constructor(code: Erro['errorCode']) {
    super(`the directory server answered with error ${code}`);
    this.code = code;
  }
}

type State = {
  list: RangeList | null;
  find: (number: string) => RangeData | null;
  isRestored: boolean;
  nextAt: number;
  failures: number;
  failingSince: number | null;
  alarmedAt: number | null;
};

/** Loads the list of one network at the start and once a day. The last good list stays in use until a new one is loaded. */
export function createRangeLoader(parts: RangeLoaderOptions): RangeLoader {
  const state: State = {
    list: null,
    find: () => null,
    isRestored: false,
    nextAt: 0,
    failures: 0,
    failingSince: null,
    alarmedAt: null,
  };
  let running: Promise<void> | null = null;
  return {
    list: () => state.list,
    find: (number) => state.find(number),
    refresh() {
      running ??= run(parts, state).finally(() => {
        running = null;
      });
      return running;
    },
  };
}

async function run(parts: RangeLoaderOptions, state: State): Promise<void> {
  try {
    if (!state.isRestored) await restore(parts, state);
    if (parts.clock.now() >= state.nextAt) await load(parts, state);
  } catch (error) {
    recordFailure(parts, state, error);
  }
}

function setList(state: State, list: RangeList): void {
  state.list = list;
  state.find = createRangeSearch(list.ranges);
}

/** Restores the list of an earlier process, and does not request it again within an hour. */
async function restore({ rangeStore, network, clock }: RangeLoaderOptions, state: State): Promise<void> {
  state.isRestored = true;
  const kept = await rangeStore?.read(network);
  if (!kept) return;
  setList(state, kept.list);
  const age = clock.now() - kept.goodAt;
  if (age >= 0 && age < HOUR_MS) state.nextAt = kept.goodAt + HOUR_MS;
}

async function load(parts: RangeLoaderOptions, state: State): Promise<void> {
  const { clock, rangeStore, network } = parts;
  // After repeated failures the whole list is loaded instead of its changes.
  const list = await loadChanges(parts, state.failures < WHOLE_AFTER_FAILURES ? state.list : null);
  setList(state, list);
  const goodAt = clock.now();
  state.nextAt = goodAt + DAY_MS;
  state.failures = 0;
  state.failingSince = null;
  // Without the file the next start only has to load the list again.
  await rangeStore?.write(network, { list, goodAt }).catch((error) => raiseAlarm(parts, 'cannot be kept', error));
}

function recordFailure(parts: RangeLoaderOptions, state: State, error: unknown): void {
  const now = parts.clock.now();
  state.failures += 1;
  state.failingSince ??= now;
  state.nextAt = now + (error instanceof ProtocolError && error.code === ASKED_TOO_OFTEN ? HOUR_MS : retryMs(state.failures));
  const isGrave = state.list === null || now - state.failingSince >= DAY_MS;
  if (!isGrave || now - (state.alarmedAt ?? Number.NEGATIVE_INFINITY) < DAY_MS) return;
  state.alarmedAt = now;
  raiseAlarm(parts, state.list === null ? 'cannot be loaded' : 'could not be loaded for a day', error);
}

function raiseAlarm({ network, alarm }: RangeLoaderOptions, what: string, error: unknown): void {
  alarm(`the card ranges of a network ${what}`, { network, why: error instanceof Error ? error.message : 'unknown' });
}

/** Loads the changes since our version of the list, or the whole list when the server does not know that version. */
async function loadChanges(parts: RangeLoaderOptions, list: RangeList | null): Promise<RangeList> {
  if (list === null || list.serialNum === null) return loadWhole(parts);
  try {
    return listAfter(list, await requestRanges(parts, list.serialNum));
  } catch (error) {
    if (error instanceof ProtocolError && error.code === SERIAL_UNKNOWN) return loadWhole(parts);
    throw error;
  }
}

async function loadWhole(parts: RangeLoaderOptions): Promise<RangeList> {
  const list = listAfter(null, await requestRanges(parts, null));
  // An empty list would turn off authentication for all cards: it is treated as an error.
  if (list.ranges.length === 0) throw new Error('the directory server knows no range');
  return list;
}

async function requestRanges({ connection, post, ids }: RangeLoaderOptions, serialNum: string | null) {
  const preq: PReq = {
    messageType: 'PReq',
    messageVersion: connection.version,
    threeDSServerTransID: transIdOf(ids.random()),
    threeDSServerRefNumber: connection.serverReference,
    ...(connection.operatorId !== null && { threeDSServerOperatorID: connection.operatorId }),
    ...(serialNum !== null && { serialNum }),
  };
  const { status, json } = await post(connection.rangesUrl, preq, RANGES_BOUNDS);
  const { message: erro } = readMessage('Erro', json);
  if (erro) throw new ProtocolError(erro.errorCode);
  if (status !== 200) throw new Error(`the directory server answered with status ${status}`);
  const { message: pres, faults } = readMessage('PRes', json);
  if (faults) throw new Error(`${faults[0].name} ${faults[0].says}`);
  if (pres.threeDSServerTransID.toLowerCase() !== preq.threeDSServerTransID) throw new Error('the answer is to another question');
  return pres;
}

/** Range lists as files, one per network. They contain no secret. A damaged file counts as missing. */
export function createRangeFiles(folder: string): RangeStore {
  const pathOf = (network: NetworkName): string => join(folder, `${network}.json`);
  return {
    async read(network) {
      try {
        return parseStoredList(JSON.parse(await readFile(pathOf(network), 'utf8')));
      } catch {
        return null;
      }
    },
    async write(network, kept) {
      const path = pathOf(network);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(`${path}.new`, JSON.stringify(kept), { mode: 0o600 });
      // A rename is atomic: a reader gets the old list or the new one.
      await rename(`${path}.new`, path);
    },
  };
}

const isOr = (isRight: boolean, value: unknown): boolean => value === null || isRight;

function parseStoredList(value: unknown): StoredRangeList | null {
  if (!isRecord(value) || !isRecord(value.list) || !Number.isSafeInteger(value.goodAt)) return null;
  const { serialNum, from, to, ranges } = value.list;
  const isRight =
    isOr(text(20).fits(serialNum, '2.2.0'), serialNum) &&
    isOr(protocolVersion.fits(from, '2.2.0'), from) &&
    isOr(protocolVersion.fits(to, '2.2.0'), to) &&
    cardRanges.fits(ranges, '2.2.0');
  if (!isRight) return null;
  const known = { serialNum, from, to } as { serialNum: string | null; from: string | null; to: string | null };
  return { list: { ...known, ranges: ranges as readonly RangeData[] }, goodAt: value.goodAt as number };
}
