import type { Secrets } from '../../registrations/instrument.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import { patienceMs } from '../draft.ts';
import type { PaymentEvent } from '../lifecycle.ts';
import type { EarlierAttempt } from '../payment.ts';
import type { Attempt, Connector, World } from '../ports.ts';
import { validityFor } from '../validity.ts';

type Declined = Extract<PaymentEvent, { readonly is: 'declined' }>;

/** The move to another account, and the attempt to send once that move is committed. */
export type Fallback = {
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
