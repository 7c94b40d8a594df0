import type { CodeThat } from '../spec/resultCodes.ts';
import type { ErrorCode, TransStatus } from './messages/message.ts';
import { type NetworkName, networks } from './networks.ts';

/**
 * How an authentication ended. A payment may continue after the merchant's policy, and never after the others. `failed`: the shopper
 * was not authenticated. `unproven`: the shopper returned and the results did not arrive. `expired`: the shopper did not return.
 * `abandoned`: by the merchant. `foreign`: ids of another authentication. `invalid`: the answer cannot be read.
 */
export type OutcomeKind =
  | 'authenticated'
  | PolicyChoice
  | 'failed'
  | 'declined'
  | 'rejected'
  | 'fraud'
  | 'cancelled'
  | 'expired'
  | 'abandoned'
  | 'unproven'
  | 'foreign'
  | 'invalid'
  | 'oldVersion'
  | 'misconfigured'
  | 'denied'
  | 'badFormat'
  | 'badData';

export type Outcome = {
  readonly kind: OutcomeKind;
  readonly flow: 'frictionless' | 'challenge' | 'decoupled' | null;
  readonly transStatus: TransStatus | null;
  readonly transStatusReason: string | null;
  /** As sent by the issuer or the directory server; null when they sent none. */
  readonly eci: string | null;
  /** The proof: CAVV or AAV. A secret; see sealing in authentication.ts. */
  readonly authenticationValue: string | null;
  readonly authenticationType: string | null;
  /** A message of the issuer for the shopper. */
  readonly cardholderInfo: string | null;
  readonly errorCode: ErrorCode | null;
};

/** The outcome of an authentication that ended without a message. */
export const outcomeWithoutMessage = (kind: OutcomeKind, errorCode: ErrorCode | null = null): Outcome => ({
  kind,
  flow: null,
  transStatus: null,
  transStatusReason: null,
  eci: null,
  authenticationValue: null,
  authenticationType: null,
  cardholderInfo: null,
  errorCode,
});

type FinalStatus = {
  readonly transStatus: TransStatus;
  readonly transStatusReason?: string | undefined;
  readonly challengeCancel?: string | undefined;
  /** The cardholder was challenged. */
  readonly isAsked: boolean;
};

const DEVICES: readonly string[] = ['02', '03'];
const NOT_ENROLLED = '13';
const FRAUD: readonly string[] = ['09', '10', '11'];
const TIMED_OUT: readonly string[] = ['14', '24', '25', '26'];
const CANCELLED_BY_SHOPPER = '01';
const CANCELLED_BY_TIME: readonly string[] = ['04', '05', '08'];

/** The outcome of a final status with its reason. */
export function kindOf({ transStatus, transStatusReason: reason = '', challengeCancel = '', isAsked }: FinalStatus): OutcomeKind {
  switch (transStatus) {
    case 'Y':
      return 'authenticated';
    case 'A':
      return 'attempted';
    case 'I':
      return 'informational';
    case 'R':
      return FRAUD.includes(reason) ? 'fraud' : 'rejected';
    case 'U':
      return reason === NOT_ENROLLED ? 'notEnrolled' : DEVICES.includes(reason) ? 'unsupportedDevice' : 'unavailable';
    case 'N':
      if (challengeCancel === CANCELLED_BY_SHOPPER) return 'cancelled';
      if (CANCELLED_BY_TIME.includes(challengeCancel) || TIMED_OUT.includes(reason)) return 'expired';
      return isAsked ? 'failed' : 'declined';
    // Neither is a final status.
    case 'C':
    case 'D':
      return 'invalid';
  }
}

/** The outcome of a protocol error. */
export const kindByError: Readonly<Record<ErrorCode, OutcomeKind>> = {
  '101': 'badFormat',
  '102': 'badFormat',
  '103': 'technical',
  '201': 'badFormat',
  '202': 'badFormat',
  '203': 'badFormat',
  '204': 'badFormat',
  '301': 'foreign',
  '302': 'technical',
  '303': 'denied',
  '304': 'badData',
  '305': 'badData',
  '306': 'misconfigured',
  '307': 'technical',
  '402': 'unreachable',
  '403': 'technical',
  '404': 'technical',
  '405': 'unreachable',
};

type StopCode = CodeThat<'declined'>;

/** Result codes: of a payment that stops here, and of a standalone authentication. Printed in decisions/0015. */
export const codesByKind: Readonly<
  Record<OutcomeKind, { readonly stop: StopCode; readonly standalone: StopCode | CodeThat<'approved'> }>
> = {
  authenticated: { stop: '100.390.107', standalone: '000.400.110' },
  attempted: { stop: '100.390.107', standalone: '000.400.110' },
  informational: { stop: '100.390.107', standalone: '000.400.101' },
  notEnrolled: { stop: '100.390.109', standalone: '000.400.102' },
  notParticipating: { stop: '100.390.110', standalone: '000.400.108' },
  unavailable: { stop: '100.390.107', standalone: '000.400.101' },
  unsupportedDevice: { stop: '100.390.113', standalone: '000.400.105' },
  unreachable: { stop: '100.390.111', standalone: '000.400.107' },
  technical: { stop: '100.390.112', standalone: '000.400.103' },
  failed: { stop: '100.380.401', standalone: '100.380.401' },
  declined: { stop: '100.390.109', standalone: '100.390.109' },
  rejected: { stop: '100.390.100', standalone: '100.390.100' },
  fraud: { stop: '100.390.118', standalone: '100.390.118' },
  cancelled: { stop: '100.396.101', standalone: '100.396.101' },
  expired: { stop: '100.396.103', standalone: '100.396.103' },
  abandoned: { stop: '100.396.201', standalone: '100.396.201' },
  unproven: { stop: '800.400.200', standalone: '000.400.106' },
  foreign: { stop: '100.390.104', standalone: '100.390.104' },
  invalid: { stop: '100.390.102', standalone: '000.400.106' },
  oldVersion: { stop: '100.390.107', standalone: '000.400.109' },
  misconfigured: { stop: '100.390.106', standalone: '000.400.104' },
  denied: { stop: '100.390.116', standalone: '100.390.116' },
  badFormat: { stop: '100.390.115', standalone: '100.390.115' },
  badData: { stop: '100.390.117', standalone: '100.390.117' },
};

/** The consequence of an authentication: the payment continues with this ECI, or stops with this code. */
export type Verdict =
  | { readonly is: 'continue'; readonly eci: string; readonly isLiabilityShifted: boolean }
  | { readonly is: 'stop'; readonly code: StopCode };

type VerdictContext = {
  readonly network: NetworkName;
  readonly messageCategory: '01' | '02';
  readonly policy: Policy;
  /** The risk checks require authentication: a policy then cannot let a payment continue without the issuer's proof or attempt. */
  readonly isDemanded: boolean;
};

/**
 * Only a proof shifts the liability: Y or A with an authentication value. A payment without its proof stops; at some networks an
 * authentication without a payment has none.
 */
export function verdictOf(outcome: Outcome, { network, messageCategory, policy, isDemanded }: VerdictContext): Verdict {
  const { kind } = outcome;
  const isPassed = isPolicyChoice(kind) && policy[kind] === 'continue' && (kind === 'attempted' || !isDemanded);
  const mayContinue = kind === 'authenticated' || isPassed;
  if (!mayContinue) return { is: 'stop', code: codesByKind[kind].stop };
  const isProofLost = (kind === 'authenticated' || kind === 'attempted') && !isProven(outcome);
  if (isProofLost && messageCategory === '01') return { is: 'stop', code: codesByKind.unproven.stop };
  return { is: 'continue', eci: eciOf(outcome, network), isLiabilityShifted: isProven(outcome) };
}

const isProven = ({ kind, authenticationValue }: Outcome): boolean =>
  (kind === 'authenticated' || kind === 'attempted') && authenticationValue !== null;

/** The ECI that was sent, unless it claims more than was proven; otherwise the network's own. */
export function eciOf(outcome: Outcome, network: NetworkName): string {
  const { authenticated, attempted, none, informational } = networks[network].eci;
  const { kind, eci } = outcome;
  if (kind === 'informational') return eci === null || eci === authenticated || eci === attempted ? informational : eci;
  if (!isProven(outcome)) return none;
  return eci ?? (kind === 'authenticated' ? authenticated : attempted);
}

/** Outcomes for which a merchant may choose: after them a payment may continue without full authentication. */
export const policyChoices = {
  attempted: { says: 'the issuer could not take part and vouches all the same', otherwise: 'continue' },
  informational: { says: 'the issuer was informed and asked for nothing', otherwise: 'continue' },
  notEnrolled: { says: 'the cardholder is not enrolled', otherwise: 'continue' },
  notParticipating: { says: 'no issuer that takes part knows the card', otherwise: 'continue' },
  unavailable: { says: 'the issuer cannot authenticate at the moment', otherwise: 'stop' },
  unsupportedDevice: { says: "the shopper's device cannot be used", otherwise: 'stop' },
  unreachable: { says: 'the directory server does not answer', otherwise: 'stop' },
  technical: { says: 'the authentication system has an error', otherwise: 'stop' },
} as const satisfies Record<string, { readonly says: string; readonly otherwise: 'continue' | 'stop' }>;

type PolicyChoice = keyof typeof policyChoices;

/** The merchant's choices. */
export type Policy = Readonly<Record<PolicyChoice, 'continue' | 'stop'>>;

export const defaultPolicy = Object.fromEntries(
  Object.entries(policyChoices).map(([name, { otherwise }]) => [name, otherwise]),
) as Policy;

export const isPolicyChoice = (name: string): name is PolicyChoice => Object.hasOwn(policyChoices, name);

/** The faults of the setting, a sentence each; empty when it is valid. */
export function policyFaults(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['the setting must be an object'];
  return Object.entries(value).flatMap(([name, choice]) => {
    if (!isPolicyChoice(name)) return [`"${name}" cannot be decided about`];
    return choice === 'continue' || choice === 'stop' ? [] : [`"${name}" must be continue or stop`];
  });
}
