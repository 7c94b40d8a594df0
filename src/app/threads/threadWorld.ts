import type { World } from '../../payments/ports.ts';
import type { Assessment } from '../../risk/assess.ts';
import { plainFacts, type RiskFacts } from '../../risk/facts.ts';
import { sentCall } from '../../telemetry/tracer.ts';
import type { MainCalls } from './calls.ts';
import type { Link } from './link.ts';

/**
 * The World of a request thread that has a main thread. It decides and commits by itself; what must be known once in the process is asked
 * of the main thread: velocity counters and lists, secrets of open authentications, card ranges, and everything that leads to an acquirer.
 */
export const adaptThreadWorld =
  (main: Link<MainCalls>, environment: 'test' | 'live') =>
  (own: World): World => ({
    ...own,
    ...countersOf(main, own),
    pendingSecrets: {
      put: (paymentId, attempt, until) => main.post('putSecrets', { paymentId, attempt, until }),
      drop: (paymentId) => main.post('dropSecrets', paymentId),
      // Only `drive` reads them, and that runs in the main thread.
      get: () => null,
      ids: () => [],
      askOnce: (_, ask) => ask(),
    },
    threeDS: environment === 'live' ? directoryOf(main, own.threeDS) : own.threeDS,
    driveOnMain: ({ payment, version }, attempt) => main.ask('drive', { payment, version, attempt, call: sentCall() }),
  });

/** The directory servers of the schemes: their card ranges are in the main thread. */
const directoryOf = (main: Link<MainCalls>, threeDS: World['threeDS']): World['threeDS'] =>
  threeDS && {
    ...threeDS,
    directory: () => ({
      versions: ({ number, network }) => main.ask('enrolment', { number, network }),
      authenticate: () => Promise.reject(new Error('only the main thread asks directory servers')),
    }),
  };

/** An evaluated payment whose commit failed is not counted again; beyond so many of them the main thread is told once more. */
const COUNTED_MAX = 10_000;

/** The risk engine of the main thread. Of two simultaneous payments one is counted before the other is evaluated, on any threads. */
function countersOf(main: Link<MainCalls>, { risk }: World): Pick<World, 'risk' | 'countedEvents'> {
  /** The id under which the main thread has counted the attempt. */
  const evaluatedAs = new WeakMap<RiskFacts, string>();
  const counted = new Set<string>();
  return {
    risk: {
      ...risk,
      async evaluate(facts, _settings, as, paymentId = '') {
        const text = await main.ask('evaluate', { facts: plainFacts(facts), as, paymentId });
        const assessment = JSON.parse(text) as Assessment | null;
        if (assessment === null || as === 'dryRun') return assessment;
        evaluatedAs.set(facts, paymentId);
        if (counted.size >= COUNTED_MAX) counted.clear();
        counted.add(paymentId);
        return assessment;
      },
      async record(facts, _settings, is, paymentId = '') {
        const evaluatedId = evaluatedAs.get(facts) ?? paymentId;
        main.postSoon('countOutcome', { merchantId: facts.merchantId, paymentId, evaluatedId, is });
      },
    },
    countedEvents: {
      attempt(paymentId) {
        if (!counted.delete(paymentId)) main.postSoon('countAttempt', paymentId);
        return true;
      },
      outcome: () => true,
    },
  };
}
