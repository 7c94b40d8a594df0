import type { Fault } from '../form/checked.ts';
import type { AuthenticationRequest } from './asked.ts';
import { type Authentication, begin, versionFor } from './authentication.ts';
import { deviceOf } from './device.ts';
import type { Enrolment } from './directory.ts';
import { missing } from './missing.ts';
import type { Plan } from './needed.ts';
import { endedBy, type Outcome } from './outcome.ts';

/**
 * What is to be done with a card that should be authenticated. `exempt`: nothing. `faults`: refused with 200.300.404. `wrong`: a
 * lever of the test environment that nobody can follow. `ended`: nobody can be asked; the merchant's policy decides. `begun`: the
 * authentication, to be kept with the payment.
 */
export type Prepared =
  | { readonly is: 'exempt' }
  | { readonly is: 'faults'; readonly faults: readonly Fault[] }
  | { readonly is: 'wrong'; readonly parameter: string }
  | { readonly is: 'ended'; readonly outcome: Outcome }
  | { readonly is: 'begun'; readonly authentication: Authentication };

export type Beginning = {
  readonly plan: Plan;
  readonly enrolment: Enrolment;
  readonly threeDSServerTransID: string;
  readonly decoupledMinutes: number;
  readonly now: number;
};

/** From the wish to authenticate and what the directory server knows of the card to the first state. */
export function prepare(
  asked: AuthenticationRequest,
  { plan, enrolment, threeDSServerTransID, decoupledMinutes, now }: Beginning,
): Prepared {
  if (enrolment.is === 'exempt') return { is: 'exempt' };
  if (enrolment.is === 'wrong') return enrolment;
  if (enrolment.is === 'unreachable') return { is: 'ended', outcome: endedBy('unreachable') };
  if (enrolment.is === 'outside') return { is: 'ended', outcome: endedBy('notParticipating') };
  const { range } = enrolment;
  const version = versionFor(range, plan);
  if (version === null) return { is: 'ended', outcome: endedBy('oldVersion') };
  const faults = missing(asked, plan);
  if (faults.length > 0) return { is: 'faults', faults };
  const device = plan.deviceChannel === '01' ? deviceOf(asked.read('threeDSecure.deviceInfo') ?? '') : null;
  const sdkTransID = device?.sdkTransID ?? null;
  const { methodUrl } = range;
  return {
    is: 'begun',
    authentication: begin({ threeDSServerTransID, version, plan, methodUrl, sdkTransID, decoupledMinutes }, now),
  };
}

/** An id of ours in the form of the protocol, and back: 32 hexadecimal digits. */
export const transIdOf = (id: string): string =>
  [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-');

export const idOf = (transId: string): string => transId.replaceAll('-', '').toLowerCase();
