import type { Exchange, ExchangeResult } from './ports.ts';

/** The state of one account's way to its acquirer. */
export type BreakerState = 'closed' | 'open' | 'trying';

export type BreakerNeeds = {
  /** The gateway's clock. It may be put back: the pause then ends. */
  readonly now: () => number;
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
  /** Then none is sent for so long; after it one request tries. */
  readonly openMs: number;
};

const LIMITS: BreakerLimits = { atOnceMax: 64, waitingMax: 512, failuresMax: 10, openMs: 5_000 };

const notSent = (reason: string): ExchangeResult => ({ is: 'notSent', reason });

/**
 * Bounds what one account holds of this process, and stops asking an acquirer that does not answer: requests to it are then refused
 * before a byte leaves, so that nothing can have happened at the acquirer. Other accounts do not notice.
 */
export function createBreaker(exchange: Exchange, { now, onChange, onFirstFailure, limits = {} }: BreakerNeeds): Exchange {
  const { atOnceMax, waitingMax, failuresMax, openMs } = { ...LIMITS, ...limits };
  const waiting: (() => void)[] = [];
  let [active, failures, openedAt]: [number, number, number] = [0, 0, 0];
  let state: BreakerState = 'closed';

  function become(next: BreakerState): void {
    if (state === next) return;
    state = next;
    onChange(next, failures);
  }

  /** Whether a request may be sent now. After the pause one request tries, and the others wait for its result. */
  function isBlocked(): boolean {
    if (state === 'closed') return false;
    if (state === 'trying' || Math.abs(now() - openedAt) < openMs) return true;
    become('trying');
    return false;
  }

  function note(result: ExchangeResult): void {
    // An error status is an answer of a server that works, but for those of a proxy before a dead one.
    const isAnswered = result.is === 'replied' && ![502, 503, 504].includes(result.status);
    failures = isAnswered ? 0 : failures + 1;
    if (failures === 1) onFirstFailure?.(result.is === 'replied' ? `status ${result.status}` : result.reason);
    if (isAnswered) become('closed');
    else if (state === 'trying' || failures >= failuresMax) {
      openedAt = now();
      become('open');
    }
  }

  async function enter(): Promise<boolean> {
    if (active < atOnceMax) {
      active += 1;
      return true;
    }
    if (waiting.length >= waitingMax) return false;
    // The place is handed over, so that `active` stays.
    await new Promise<void>((go) => waiting.push(go));
    return true;
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else active -= 1;
  }

  return async (request) => {
    if (isBlocked()) return notSent('the acquirer does not answer');
    if (!(await enter())) return notSent('too many requests wait for the acquirer');
    try {
      // While it waited the way may have been closed off.
      if (state === 'open') return notSent('the acquirer does not answer');
      const result = await exchange(request);
      note(result);
      return result;
    } finally {
      leave();
    }
  };
}
