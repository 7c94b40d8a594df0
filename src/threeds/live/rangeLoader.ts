import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../../spec/time.ts';
import type { Erro, PReq, RangeData } from '../messages/message.ts';
import { readMessage } from '../messages/validate.ts';
import type { NetworkName } from '../networks.ts';
import { transIdOf } from '../prepare.ts';
import type { Connection } from './connection.ts';
import type { Alarm, Post, RangeKeeper } from './ports.ts';
import { createRangeSearch, listAfter, type RangeList } from './ranges.ts';

/** Lists of large networks have some hundred thousand ranges. */
const RANGES_BOUNDS = { answerBytesMax: 64 * 1024 * 1024, withinMs: 2 * MINUTE_MS } as const;
/** A directory server answers with 103 whoever asks more often than once in an hour. */
const ASKED_TOO_OFTEN: Erro['errorCode'] = '103';
const WHOLE_AFTER_FAILURES = 3;
const SERIAL_UNKNOWN: Erro['errorCode'] = '307';

export type LoaderParts = {
  readonly network: NetworkName;
  readonly connection: Pick<Connection, 'rangesUrl' | 'serverReference' | 'operatorId' | 'version'>;
  readonly post: Post;
  readonly clock: Clock;
  readonly ids: { random(): string };
  readonly keeper: RangeKeeper | null;
  readonly alarm: Alarm;
};

export interface RangeLoader {
  /** The list as it was last loaded; null: never. */
  list(): RangeList | null;
  find(number: string): RangeData | null;
  /** Loads when it is time to. Never rejects. */
  refresh(): Promise<void>;
}

/** How long to wait after so many failures in a row. */
export const retryMs = (failures: number): number => Math.min(MINUTE_MS * 2 ** (failures - 1), HOUR_MS);

/** An error of the protocol in place of a list. */
class Refused extends Error {
  readonly code: Erro['errorCode'];
  constructor(code: Erro['errorCode']) {
    super(`the directory server answered with error ${code}`);
    this.code = code;
  }
}

/** What is known about the list of one network. */
type State = {
  list: RangeList | null;
  find: (number: string) => RangeData | null;
  isRestored: boolean;
  nextAt: number;
  failures: number;
  failingSince: number | null;
  alarmedAt: number | null;
};

/** The list of one network: asked for at the start and once a day; the last good one stands for as long as no better one comes. */
export function createRangeLoader(parts: LoaderParts): RangeLoader {
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

async function run(parts: LoaderParts, state: State): Promise<void> {
  try {
    if (!state.isRestored) await restore(parts, state);
    if (parts.clock.now() >= state.nextAt) await load(parts, state);
  } catch (error) {
    failed(parts, state, error);
  }
}

function take(state: State, list: RangeList): void {
  state.list = list;
  state.find = createRangeSearch(list.ranges);
}

/** What an earlier process has loaded. Who has asked a moment ago does not ask again. */
async function restore({ keeper, network, clock }: LoaderParts, state: State): Promise<void> {
  state.isRestored = true;
  const kept = await keeper?.read(network);
  if (!kept) return;
  take(state, kept.list);
  const age = clock.now() - kept.goodAt;
  if (age >= 0 && age < HOUR_MS) state.nextAt = kept.goodAt + HOUR_MS;
}

async function load(parts: LoaderParts, state: State): Promise<void> {
  const { clock, keeper, network } = parts;
  // Changes that cannot be read again and again are left alone.
  const list = await loadedAfter(parts, state.failures < WHOLE_AFTER_FAILURES ? state.list : null);
  take(state, list);
  const goodAt = clock.now();
  state.nextAt = goodAt + DAY_MS;
  state.failures = 0;
  state.failingSince = null;
  // Without the file the next start has to ask again, and nothing else.
  await keeper?.write(network, { list, goodAt }).catch((error) => tell(parts, 'cannot be kept', error));
}

function failed(parts: LoaderParts, state: State, error: unknown): void {
  const now = parts.clock.now();
  state.failures += 1;
  state.failingSince ??= now;
  state.nextAt = now + (error instanceof Refused && error.code === ASKED_TOO_OFTEN ? HOUR_MS : retryMs(state.failures));
  const isGrave = state.list === null || now - state.failingSince >= DAY_MS;
  if (!isGrave || now - (state.alarmedAt ?? Number.NEGATIVE_INFINITY) < DAY_MS) return;
  state.alarmedAt = now;
  tell(parts, state.list === null ? 'cannot be loaded' : 'could not be loaded for a day', error);
}

function tell({ network, alarm }: LoaderParts, what: string, error: unknown): void {
  alarm(`the card ranges of a network ${what}`, { network, why: error instanceof Error ? error.message : 'unknown' });
}

/** The list as the directory server has it now: by its changes where it knows our state, otherwise the whole of it. */
async function loadedAfter(parts: LoaderParts, list: RangeList | null): Promise<RangeList> {
  if (list === null || list.serialNum === null) return whole(parts);
  try {
    return listAfter(list, await prepared(parts, list.serialNum));
  } catch (error) {
    if (error instanceof Refused && error.code === SERIAL_UNKNOWN) return whole(parts);
    throw error;
  }
}

async function whole(parts: LoaderParts): Promise<RangeList> {
  const list = listAfter(null, await prepared(parts, null));
  // With no range at all nobody would be authenticated any more: that is a mistake rather than the truth.
  if (list.ranges.length === 0) throw new Error('the directory server knows no range');
  return list;
}

async function prepared({ connection, post, ids }: LoaderParts, serialNum: string | null) {
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
  if (erro) throw new Refused(erro.errorCode);
  if (status !== 200) throw new Error(`the directory server answered with status ${status}`);
  const { message: pres, faults } = readMessage('PRes', json);
  if (faults) throw new Error(`${faults[0].name} ${faults[0].says}`);
  if (pres.threeDSServerTransID.toLowerCase() !== preq.threeDSServerTransID) throw new Error('the answer is to another question');
  return pres;
}
