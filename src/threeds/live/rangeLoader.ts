import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../runtime/json.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../../spec/time.ts';
import { cardRanges, protocolVersion, text } from '../messages/formats.ts';
import type { Erro, PReq, RangeData } from '../messages/message.ts';
import { readMessage } from '../messages/validate.ts';
import type { NetworkName } from '../networks.ts';
import { transIdOf } from '../prepare.ts';
import type { Connection } from './connection.ts';
import {
  type Alarm,
  createRangeSearch,
  listAfter,
  type Post,
  type RangeList,
  type RangeStore,
  type StoredRangeList,
} from './ranges.ts';

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
