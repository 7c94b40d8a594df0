import type { AcquirerAnswer, Attempt } from '../payments/ports.ts';
import { UNSENT_CODE } from '../spec/routing.ts';
import type { AccountNeeds, Exchange, ExchangeResult } from './ports.ts';

type Limited = Pick<AccountNeeds, 'exchange' | 'sleep'>;

/**
 * Sends an attempt within the time that somebody waits for it. The answer of a request that books has all the time that the connector gives
 * it. Everything else shares `attempt.wait`: connections, the queue before the acquirer, pauses, steps that book nothing, and repetitions
 * of a request whose answer was lost. An attempt that ends before a request that books has left was not sent, whatever was lost on the way.
 */
export async function sendWithin<Needs extends Limited & Pick<AccountNeeds, 'clockOf'>>(
  needs: Needs,
  attempt: Attempt,
  send: (needs: Needs) => Promise<AcquirerAnswer>,
): Promise<AcquirerAnswer> {
  const clock = needs.clockOf(attempt.payment.merchantId);
  const limited = limit(needs, attempt, () => clock.now());
  try {
    return await send({ ...needs, exchange: limited.exchange, sleep: limited.sleep });
  } catch (error) {
    if (limited.mayBeBooked()) throw error;
    return { is: 'declined', code: UNSENT_CODE, details: {} };
  }
}

function limit({ exchange, sleep }: Limited, { wait }: Attempt, now: () => number): Limited & { mayBeBooked(): boolean } {
  let leftMs = wait?.unsentMs ?? Number.POSITIVE_INFINITY;
  let mayBeBooked = false;
  let isDoubtful = false;

  /** A clock that is put back or ahead takes nothing, or all of it. */
  const spend = (ms: number): void => {
    leftMs -= Math.min(Math.max(ms, 0), leftMs);
  };

  const note = (result: ExchangeResult): void => {
    if (result.is === 'notSent') return;
    mayBeBooked = true;
    if (isDoubtful || !isLost(result)) return;
    isDoubtful = true;
    // No other account may follow now: the time of all is this one's.
    leftMs += Math.max(0, (wait?.allMs ?? 0) - (wait?.unsentMs ?? 0));
  };

  const limited: Exchange = async (request) => {
    if (leftMs <= 0) return { is: 'notSent', reason: 'no time is left' };
    const isLimited = !request.books || isDoubtful;
    const limitMs = Math.min(request.withinMs, leftMs);
    const begunAt = now();
    const result = await exchange({ ...request, withinMs: isLimited ? limitMs : request.withinMs, unsentMs: limitMs });
    if (isLimited || result.is === 'notSent') spend(now() - begunAt);
    if (request.books) note(result);
    return result;
  };

  return {
    exchange: limited,
    async sleep(ms) {
      const begunAt = now();
      await sleep(Math.min(ms, leftMs));
      spend(now() - begunAt);
    },
    mayBeBooked: () => mayBeBooked,
  };
}

/** The request may have been executed, and there is no answer to it. */
const isLost = (result: ExchangeResult): boolean =>
  result.is === 'unanswered' || (result.is === 'replied' && result.status >= 500);
