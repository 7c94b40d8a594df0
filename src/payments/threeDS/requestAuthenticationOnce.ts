import { ANSWER_MS_MAX, type AuthenticationEvent } from '../../threeds/authentication.ts';
import { authenticationNeed, authenticationParameters } from '../../threeds/authenticationNeed.ts';
import { type AuthenticationRequest, type Card, createParameterReader } from '../../threeds/authenticationRequest.ts';
import { areqFor } from '../../threeds/buildAReq.ts';
import { requestAuthentication } from '../../threeds/directory.ts';
import { setupOf } from '../../threeds/settings.ts';
import type { Setup } from '../../threeds/setup.ts';
import type { Payment } from '../payment.ts';
import type { Attempt, ThreeDSServer, World } from '../ports.ts';
import { instructionIn } from '../series.ts';
import { addressesAt } from './addresses.ts';

/** The one question of an authentication to the directory server. */

/**
 * Answers, pending or received, by the intent in the held attempt: two tabs of one shopper, or a request that read the payment earlier,
 * must not ask twice.
 */
const answers = new WeakMap<Payment, Promise<AuthenticationEvent>>();

/** Asks the directory server, once for an attempt however often this is called. Never rejects. */
export function requestAuthenticationOnce(world: World, payment: Payment, attempt: Attempt): Promise<AuthenticationEvent> {
  const known = answers.get(attempt.payment);
  if (known) return known;
  const silence: AuthenticationEvent = { is: 'unreachable' };
  const answer = world.timers.within(ANSWER_MS_MAX, sendAReq(world, payment, attempt)).catch(() => silence);
  answers.set(attempt.payment, answer);
  return answer;
}

/** The attempt without the device data, which only the directory server needs. */
export function withoutDeviceInfo(attempt: Attempt): Attempt {
  const { deviceInfo, ...secrets } = attempt.secrets;
  return deviceInfo === undefined ? attempt : { ...attempt, secrets };
}

/** Whether the risk checks demand a challenge. */
export const isDemandedBy = ({ risk }: Pick<Payment, 'risk'>): boolean => risk?.verdict.is === 'challenge';

async function sendAReq(world: World, payment: Payment, attempt: Attempt): Promise<AuthenticationEvent> {
  const { threeDS: server } = world;
  const { threeDS, instrument, paymentBrand } = payment;
  const { number } = attempt.secrets;
  if (!server || !threeDS || number === undefined || instrument?.kind !== 'card') return { is: 'unreachable' };
  const { origin, state } = threeDS;
  const authenticationRequest = authenticationRequestOf(payment, attempt);
  const { read } = authenticationRequest;
  const need = authenticationNeed(authenticationRequest);
  if (need.is !== 'yes') return { is: 'unreachable' };
  const { expiryMonth, expiryYear, holder } = instrument;
  const card: Card = { number, expiryMonth, expiryYear, holder };
  const areq = areqFor(state, {
    parameters: authenticationParameters(authenticationRequest, need.network),
    card,
    paymentBrand: paymentBrand ?? '',
    read,
    registration: attempt.registration,
    setup: setupFor(world, payment, server.setup),
    addresses: addressesAt(origin, payment),
    extensions: server.extensions(read),
    now: world.clock.now(),
  });
  return requestAuthentication(server.directory(origin), { areq, network: need.network });
}

/** The setup of the channel, or the defaults when the channel is gone. */
function setupFor({ channel }: World, { entityId, descriptor, threeDS }: Payment, setup: ThreeDSServer['setup']): Setup {
  const found = channel(entityId);
  const otherwise = setup(found?.name ?? descriptor, threeDS?.origin ?? '');
  return found ? setupOf(found.threeDS, otherwise) : otherwise;
}

/** The request, rebuilt from the stored payment, with the collected browser data or, for an app, with the held device data. */
function authenticationRequestOf(payment: Payment, { secrets }: Attempt): AuthenticationRequest {
  const { paymentType, paymentBrand, amount, currency, threeDS } = payment;
  const { deviceInfo } = secrets;
  const fields = { ...payment.fields, ...threeDS?.state.browser };
  return {
    paymentType,
    paymentBrand,
    amount,
    currency,
    read: createParameterReader(deviceInfo === undefined ? fields : { ...fields, 'threeDSecure.deviceInfo': deviceInfo }),
    instruction: instructionIn(payment),
    isCard: true,
    hasCryptogram: false,
    isDemanded: isDemandedBy(payment),
    channel: { threeDSecure: true, isLenient: true },
  };
}
