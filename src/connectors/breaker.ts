import type { Exchange, ExchangeRequest, ExchangeResult } from './ports.ts';

/** The state of one account's way to its acquirer. */
export type BreakerState = 'closed' | 'open' | 'trying';

export type BreakerNeeds = {
  /** The gateway's clock. It may be put back: the pause then ends. */
  readonly now: () => number;
  readonly within: <T>(ms: number, promise: Promise<T>) => Promise<T>;
  /** A request that changes nothing, to see whether the acquirer answers again; absent: only payments can try. Null: not now. */
  readonly probe?: (() => Promise<ExchangeRequest | null>) | null;
  /** Called at every change of the state; `failures`: how many requests in a row had no answer. */
  readonly onChange: (state: BreakerState, failures: number) => void;
  /** Called for the first request without an answer after one with it. The reason holds nothing of the request. */
  readonly onFirstFailure?: (reason: string) => void;
  readonly limits?: Partial<BreakerLimits>;
};

export type BreakerLimits = {
  /** Requests of one account at the same time; more of them wait. */
  readonly atOnceMax: number;
  /** Waiting requests; more of them are not sent. */
  readonly waitingMax: number;
  /** Requests without an answer, one after the other, before the way is closed off. */
  readonly failuresMax: number;
  /** Then none is sent for so long; after it one request tries: the probe, or a payment that no other account can take. */
  readonly openMs: number;
};

const LIMITS: BreakerLimits = { atOnceMax: 64, waitingMax: 512, failuresMax: 10, openMs: 5_000 };

export type Breaker = {
  readonly exchange: Exchange;
  /** Whether the acquirer does not answer now. After the pause this begins a probe in the background. */
  isAway(): boolean;
};

const notSent = (reason: string): ExchangeResult => ({ is: 'notSent', reason });

/**
 * Bounds what one account holds of this process, and stops asking an acquirer that does not answer: requests to it are then refused
 * before a byte leaves, so that nothing can have happened at the acquirer. Other accounts do not notice.
 */
export function createBreaker(
  exchange: Exchange,
  { now, within, probe, onChange, onFirstFailure, limits = {} }: BreakerNeeds,
): Breaker {
  const { atOnceMax, waitingMax, failuresMax, openMs } = { ...LIMITS, ...limits };
  const queue = createQueue({ atOnceMax, waitingMax, within });
  let [failures, openedAt]: [number, number] = [0, 0];
  let state: BreakerState = 'closed';

  function become(next: BreakerState): void {
    if (state === next) return;
    state = next;
    onChange(next, failures);
  }

  const isInPause = (): boolean => Math.abs(now() - openedAt) < openMs;

  /** Whether no request may be sent now. After the pause one request tries, and the others are refused until its result. */
  function isBlocked(): boolean {
    if (state === 'closed') return false;
    if (state === 'trying' || isInPause()) return true;
    become('trying');
    return false;
  }

  async function look(requestOf: NonNullable<typeof probe>): Promise<void> {
    const request = await requestOf().catch(() => null);
    note(request === null ? notSent('there is no request to try with') : await exchange(request));
  }

  function note(result: ExchangeResult): void {
    // An error status is the answer of a working server, except for the statuses of a proxy before a dead one.
    const isAnswered = result.is === 'replied' && ![502, 503, 504].includes(result.status);
    failures = isAnswered ? 0 : failures + 1;
    if (failures === 1) onFirstFailure?.(result.is === 'replied' ? `status ${result.status}` : result.reason);
    if (isAnswered) become('closed');
    else if (state === 'trying' || failures >= failuresMax) {
      openedAt = now();
      become('open');
    }
  }

  const guarded: Exchange = async (request) => {
    const { unsentMs } = request;
    const begunAt = now();
    if (isBlocked()) return notSent('the acquirer does not answer');
    if (!(await queue.enter(unsentMs))) return notSent('too many requests wait for the acquirer');
    try {
      // While it waited the way may have been closed off.
      if (state === 'open') return notSent('the acquirer does not answer');
      const result = await exchange(unsentMs === undefined ? request : laterBy(request, unsentMs, now() - begunAt));
      note(result);
      return result;
    } finally {
      queue.leave();
    }
  };

  return {
    exchange: guarded,
    isAway() {
      if (state === 'closed') return false;
      if (!probe) return state === 'trying' || isInPause();
      if (!isBlocked()) void look(probe);
      return true;
    },
  };
}

/** The request with the rest of its time, after it has waited. The answer of a request that books has all of its own. */
function laterBy(request: ExchangeRequest, unsentMs: number, waitedMs: number): ExchangeRequest {
  const leftMs = Math.max(1, unsentMs - Math.max(0, waitedMs));
  return { ...request, unsentMs: leftMs, withinMs: request.books ? request.withinMs : Math.min(request.withinMs, leftMs) };
}

/** Bounds how many requests are under way, and how many wait for their turn. */
function createQueue({
  atOnceMax,
  waitingMax,
  within,
}: Pick<BreakerLimits, 'atOnceMax' | 'waitingMax'> & Pick<BreakerNeeds, 'within'>) {
  const waiting: (() => void)[] = [];
  let active = 0;
  return {
    /** Resolves when it is the request's turn; false: there is none within the time. */
    async enter(withinMs: number | undefined): Promise<boolean> {
      if (active < atOnceMax) {
        active += 1;
        return true;
      }
      if (waiting.length >= waitingMax) return false;
      // The place is handed over, so that `active` stays.
      let begin = (): void => {};
      const turn = new Promise<void>((go) => {
        begin = go;
      });
      waiting.push(begin);
      if (withinMs === undefined) await turn;
      else await within(withinMs, turn).catch(() => {});
      const at = waiting.indexOf(begin);
      if (at === -1) return true;
      waiting.splice(at, 1);
      return false;
    },
    leave(): void {
      const next = waiting.shift();
      if (next) next();
      else active -= 1;
    },
  };
}
