import type { BreakerNeeds, BreakerState } from '../../connectors/breaker.ts';
import type { World } from '../../payments/ports.ts';
import type { AppOptions } from '../options.ts';

export type AccountRef = { readonly ownerId: string; readonly name: string };

/** An account whose acquirer does not answer. */
export type UnreachableAccount = AccountRef & { readonly since: number };

export interface Reachability {
  /** The callbacks of the breaker of an account. */
  watch(account: AccountRef): Pick<BreakerNeeds, 'onChange' | 'onFirstFailure'>;
  /** Whether requests to the account are sent, as far as this node has seen. */
  stateOf(account: AccountRef): BreakerState;
  unreachable(): readonly UnreachableAccount[];
}

/** Whether this node reaches each acquirer, for the log, the alarm, the metric, readiness and the back office. */
export function createReachability(
  { log, metrics, clock }: Pick<AppOptions, 'log' | 'metrics' | 'clock'>,
  alarm: World['alarm'],
): Reachability {
  const broken = new Map<string, UnreachableAccount & { readonly state: BreakerState }>();
  const keyOf = ({ ownerId, name }: AccountRef): string => `${ownerId}.${name}`;
  const watchBreaker = (account: AccountRef): ReturnType<Reachability['watch']> => ({
    // The first request without an answer is logged immediately, because an account with few payments takes long to open its breaker.
    onFirstFailure: (reason) => log.warn({ ...named(account), reason }, 'a request to the acquirer of an account had no answer'),
    onChange(state, failures) {
      metrics.acquirerReachable(account, state === 'closed');
      const about = { ...named(account), failures: String(failures) };
      const key = keyOf(account);
      if (state === 'closed') {
        broken.delete(key);
        log.info(about, 'the acquirer of an account answers again');
        return;
      }
      const since = broken.get(key)?.since ?? clock.now();
      broken.set(key, { ...account, since, state });
      if (state === 'open') alarm('the acquirer of an account does not answer; nothing is sent to it', about);
    },
  });
  return {
    watch(account) {
      // An account is on the page from its first use on, not only after a failure.
      metrics.acquirerReachable(account, !broken.has(keyOf(account)));
      return watchBreaker(account);
    },
    stateOf: (account) => broken.get(keyOf(account))?.state ?? 'closed',
    unreachable: () => [...broken.values()].map(({ ownerId, name, since }) => ({ ownerId, name, since })),
  };
}

const named = ({ ownerId, name }: AccountRef) => ({ entityId: ownerId, account: name });
