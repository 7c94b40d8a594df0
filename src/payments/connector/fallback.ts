import type { Secrets } from '../../registrations/instrument.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import { UNSENT_CODE } from '../../spec/routing.ts';
import { patienceMs } from '../draft.ts';
import type { PaymentEvent } from '../lifecycle.ts';
import type { EarlierAttempt } from '../payment.ts';
import type { AcquirerAnswer, Attempt, Connector, World } from '../ports.ts';
import { validityFor } from '../validity.ts';

type Declined = Extract<PaymentEvent, { readonly is: 'declined' }>;

/** The move to another account, and the attempt to send once that move is committed. */
type Fallback = {
  readonly event: Extract<PaymentEvent, { readonly is: 'rerouted' }>;
  readonly attempt: Attempt;
};

/**
 * The next account after a decline that allows it; null: the decline stands. Silence is no decline: the first account may have booked the
 * payment. The secrets live as long as the request, so nothing is ever sent to a second account after a crash.
 */
export function fallbackAfter(world: World, attempt: Attempt, answer: PaymentEvent): Fallback | null {
  if (!attempt.others || answer.is !== 'declined' || !mayFallBack(attempt, answer)) return null;
  const { payment } = attempt;
  const [name, ...accounts] = attempt.others.accounts;
  if (name === undefined) return null;
  const others = { ...attempt.others, accounts };
  const connector = world.connector(name, payment.entityId);
  if (!connector || connector.isOff || isSameThere(world, attempt, connector))
    return fallbackAfter(world, { ...attempt, others }, answer);
  const now = world.clock.now();
  const capability = connector.supports[payment.method] ?? null;
  const validity = validityFor(payment, capability, world.channel(payment.entityId));
  return {
    event: {
      is: 'rerouted',
      connector: name,
      ...(validity && { validity }),
      declined: earlierAttempt(attempt, answer, now),
      dueAt: now + patienceMs(connector),
      hasOthers: accounts.length > 0,
    },
    attempt: { ...attempt, secrets: secretsAt(attempt, name), others },
  };
}

/**
 * Whether the account that declined is the same at the acquirer. It would decide the same; and the acquirer reports both attempts under one
 * reference, so that an account here could not tell its own from that of the other.
 */
function isSameThere(world: World, { payment }: Attempt, { acquirerAccount }: Connector): boolean {
  const { connector, earlier = [], entityId } = payment;
  const asked = [connector, ...earlier.map((attempt) => attempt.connector)];
  return (
    acquirerAccount !== undefined && asked.some((name) => world.connector(name, entityId)?.acquirerAccount === acquirerAccount)
  );
}

export function mayFallBack({ secrets, registration }: Attempt, { code }: Pick<Declined, 'code'>): boolean {
  const { otherAccount } = resultCodes[code].retry;
  if (otherAccount !== 'declined') return otherAccount === 'unsent';
  // A cryptogram of a wallet counts once; a network token has the number of its card behind it.
  return registration !== null || secrets.cryptogram === undefined;
}

function earlierAttempt(
  { payment: { connector } }: Attempt,
  { code, reference, details }: Declined,
  now: number,
): EarlierAttempt {
  const { resultDetails } = details;
  return {
    connector,
    code,
    declinedAt: now,
    ...(reference !== undefined && { reference }),
    ...(resultDetails && { resultDetails }),
  };
}

/**
 * The secrets of the request for another account. A network token is good for the account that provided it; elsewhere the number is sent.
 * The proof of an authentication is for the payment, whichever account takes it.
 */
function secretsAt({ secrets, others, registration }: Attempt, account: string): Secrets {
  const { networkToken, deviceInfo: _, ...request } = others?.secrets ?? {};
  const { verificationId, deviceInfo } = secrets;
  const isProvider = networkToken !== undefined && registration?.connector === account;
  const { number: __, ...withoutNumber } = request;
  return {
    ...(isProvider ? { ...withoutNumber, networkToken } : request),
    ...(verificationId !== undefined && { verificationId }),
    ...(deviceInfo !== undefined && { deviceInfo }),
  };
}

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
