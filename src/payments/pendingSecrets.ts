import type { Clock } from '../spec/time.ts';
import type { AuthenticationEvent } from '../threeds/authentication.ts';
import type { Payment } from './payment.ts';
import type { Attempt, PendingSecrets } from './ports.ts';

const ENTRIES_MAX = 100_000;

/**
 * Secrets of open authentications, in memory only. An entry expires by the clock of its merchant. Beyond `ENTRIES_MAX` the oldest is dropped:
 * a flood must not fill the memory.
 */
export function createPendingSecrets(clock: Clock, clockOf: (merchantId: string) => Clock = () => clock): PendingSecrets {
  const entries = new Map<string, { readonly attempt: Attempt; readonly until: number }>();
  const isExpired = ({ attempt, until }: { readonly attempt: Attempt; readonly until: number }): boolean =>
    until <= clockOf(attempt.payment.merchantId).now();
  // By the intent, which every copy of the attempt shares.
  const answers = new WeakMap<Payment, Promise<AuthenticationEvent>>();
  return {
    put(paymentId, attempt, until) {
      entries.delete(paymentId);
      entries.set(paymentId, { attempt, until });
      const [oldest] = entries.size > ENTRIES_MAX ? entries.keys() : [];
      if (oldest !== undefined) entries.delete(oldest);
    },
    get(paymentId) {
      const entry = entries.get(paymentId);
      return entry && !isExpired(entry) ? entry.attempt : null;
    },
    drop: (paymentId) => {
      entries.delete(paymentId);
    },
    askOnce({ payment }, ask) {
      const answer = answers.get(payment) ?? ask();
      answers.set(payment, answer);
      return answer;
    },
    ids() {
      // A job calls this every second, so expired entries go here.
      for (const [id, entry] of entries) if (isExpired(entry)) entries.delete(id);
      return [...entries.values()].map(({ attempt: { payment }, until }) => ({
        merchantId: payment.merchantId,
        paymentId: payment.id,
        until,
      }));
    },
  };
}
