import type { Fault } from '../form/checked.ts';
import { type Authentication, beginAuthentication, versionFor } from './authentication.ts';
import type { AuthenticationParameters } from './authenticationNeed.ts';
import { type AuthenticationRequest, STANDALONE } from './authenticationRequest.ts';
import { deviceOf } from './device.ts';
import type { Enrolment } from './directory.ts';
import { requestFaults } from './missingParameters.ts';
import { type Outcome, outcomeWithoutMessage } from './outcome.ts';

/**
 * The next step for a card that needs authentication. `exempt`: none. `faults`: refused with 200.300.404. `wrong`: an invalid directive of
 * the test environment. `ended`: no authentication is possible; the merchant's policy decides. `begun`: the authentication, to be stored
 * with the payment.
 */
export type Prepared =
  | { readonly is: 'exempt' }
  | { readonly is: 'faults'; readonly faults: readonly Fault[] }
  | { readonly is: 'wrong'; readonly parameter: string }
  | { readonly is: 'ended'; readonly outcome: Outcome }
  | { readonly is: 'begun'; readonly authentication: Authentication };

export type PreparationInput = {
  readonly parameters: AuthenticationParameters;
  readonly enrolment: Enrolment;
  readonly threeDSServerTransID: string;
  readonly decoupledMinutes: number;
  /** A request without browser data continues without authentication. */
  readonly skipsWithoutBrowser?: boolean;
  readonly now: number;
};

/** Derives the first state from the request and the enrolment of the card. */
export function prepare(
  request: AuthenticationRequest,
  { parameters, enrolment, threeDSServerTransID, decoupledMinutes, skipsWithoutBrowser = false, now }: PreparationInput,
): Prepared {
  if (enrolment.is === 'exempt') return { is: 'exempt' };
  if (enrolment.is === 'wrong') return enrolment;
  if (enrolment.is === 'unreachable') return { is: 'ended', outcome: outcomeWithoutMessage('unreachable') };
  if (enrolment.is === 'outside') return { is: 'ended', outcome: outcomeWithoutMessage('notParticipating') };
  if (enrolment.isOptional && isOfOlderClient(request)) return { is: 'exempt' };
  const { range } = enrolment;
  const version = versionFor(range, parameters);
  if (version === null) return { is: 'ended', outcome: outcomeWithoutMessage('oldVersion') };
  const { faults, isBrowserMissing } = requestFaults(request, parameters);
  if (isBrowserMissing && skipsWithoutBrowser && !request.isDemanded && request.paymentType !== STANDALONE)
    return { is: 'exempt' };
  if (faults.length > 0) return { is: 'faults', faults };
  const device = parameters.deviceChannel === '01' ? deviceOf(request.read('threeDSecure.deviceInfo') ?? '') : null;
  const sdkTransID = device?.sdkTransID ?? null;
  const { methodUrl } = range;
  return {
    is: 'begun',
    authentication: beginAuthentication(
      { threeDSServerTransID, version, parameters, methodUrl, sdkTransID, decoupledMinutes },
      now,
      isBrowserMissing,
    ),
  };
}

/** On a lenient channel, a request that gives the shopper no way back is of a client that has never heard of an authentication. */
const isOfOlderClient = ({ channel, isDemanded, paymentType, read }: AuthenticationRequest): boolean =>
  channel.isLenient && !isDemanded && paymentType !== STANDALONE && read('shopperResultUrl') === undefined;

/** An id of ours in the form of the protocol, and back: 32 hexadecimal digits. */
export const transIdOf = (id: string): string =>
  [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-');

export const idOf = (transId: string): string => transId.replaceAll('-', '').toLowerCase();
