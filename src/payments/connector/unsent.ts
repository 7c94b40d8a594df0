import { UNSENT_CODE } from '../../spec/routing.ts';
import type { AcquirerAnswer, Attempt, Connector, World } from '../ports.ts';
import { fallbackAfter } from './fallback.ts';

/** Nothing that can book the payment was sent. */
export const UNSENT: AcquirerAnswer = { is: 'declined', code: UNSENT_CODE, details: {} };

/** The account's acquirer does not answer, and another account can take the payment instead. */
export const isPassedOver = (world: World, attempt: Attempt, connector: Connector): boolean =>
  attempt.others !== undefined && fallbackAfter(world, attempt, UNSENT) !== null && (connector.isAway?.() ?? false);

/** The time that is left of `world.unsentMs` over the accounts of one payment. Each of them gets an equal part of it. */
export function createUnsentTime({ clock, unsentMs }: Pick<World, 'clock' | 'unsentMs'>) {
  let leftMs = unsentMs;
  let sentAt = clock.now();
  return {
    /** The attempt, with its part of the time. */
    begin(attempt: Attempt): Attempt {
      sentAt = clock.now();
      const wait = { unsentMs: leftMs / (1 + (attempt.others?.accounts.length ?? 0)), allMs: leftMs };
      return { ...attempt, wait };
    },
    /** The attempt has ended, and the next account is asked. */
    end(): void {
      leftMs -= Math.min(Math.max(clock.now() - sentAt, 0), leftMs);
    },
  };
}
