import type { Fault } from '../form/checked.ts';
import { minorUnits } from '../money/amount.ts';
import { digitsOf } from '../spec/currencies.ts';
import { type Authentication, beginAuthentication, versionFor } from './authentication.ts';
import {
  type AuthenticationParameters,
  type AuthenticationRequest,
  type DeviceChannel,
  type ParameterReader,
  STANDALONE,
} from './authenticationNeed.ts';
import { deviceOf } from './device.ts';
import type { Enrolment } from './directory.ts';
import { networks } from './networks.ts';
import { type Outcome, outcomeWithoutMessage } from './outcome.ts';

/**
 * The next step for a card that needs authentication. `exempt`: none. `faults`: refused with 200.300.404. `wrong`: an invalid directive of
 * the test environment. `ended`: no authentication is possible; the merchant's policy decides. `begun`: the authentication, to be stored
 * with the payment.
 */
type Prepared =
  | { readonly is: 'exempt' }
  | { readonly is: 'faults'; readonly faults: readonly Fault[] }
  | { readonly is: 'wrong'; readonly parameter: string }
  | { readonly is: 'ended'; readonly outcome: Outcome }
  | { readonly is: 'begun'; readonly authentication: Authentication };

type PreparationInput = {
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

type RequiredParameter = {
  readonly name: string;
  readonly channels: readonly DeviceChannel[];
  /** The protocol's format, when the API's own is wider. */
  readonly pattern?: RegExp;
  readonly says?: string;
  readonly isOptional?: true;
};

const browser = ['02'] as const satisfies readonly DeviceChannel[];
const shopper = ['01', '02'] as const satisfies readonly DeviceChannel[];
const pixels = { channels: browser, pattern: /^[0-9]{1,6}$/, says: 'must be a whole number of pixels' } as const;

/** Document 2: mandatory for 3D Secure version 2. A merchant-initiated request has neither a browser nor a result page. */
const requiredParameters: readonly RequiredParameter[] = [
  { name: 'customer.browser.acceptHeader', channels: browser },
  { name: 'customer.browser.language', channels: browser },
  { name: 'customer.browser.screenHeight', ...pixels },
  { name: 'customer.browser.screenWidth', ...pixels },
  {
    name: 'customer.browser.timezone',
    channels: browser,
    pattern: /^[+-]?[0-9]{1,4}$/,
    says: 'must be a whole number of minutes',
  },
  { name: 'customer.browser.userAgent', channels: browser },
  { name: 'customer.browser.javaEnabled', channels: browser },
  {
    name: 'customer.browser.challengeWindow',
    channels: browser,
    pattern: /^[1-5]$/,
    says: 'must be 1 to 5',
    isOptional: true,
  },
  { name: 'billing.street1', channels: shopper },
  { name: 'billing.city', channels: shopper },
  { name: 'billing.postcode', channels: shopper },
  { name: 'billing.country', channels: shopper },
  { name: 'shopperResultUrl', channels: browser },
];

const absent = (name: string): Fault => ({ name, value: null, message: 'is required for 3D Secure' });

/** A lenient channel may leave them out: the protocol does not need the address, and a page of the gateway collects the browser data. */
const isBrowserData = ({ name }: Fault): boolean => name.startsWith('customer.browser.');
const isAddress = ({ name, value }: Fault): boolean => value === null && name.startsWith('billing.');

/** The faults for which the request is refused, and whether the gateway collects the browser data. */
function requestFaults(
  request: AuthenticationRequest,
  parameters: AuthenticationParameters,
): { readonly faults: readonly Fault[]; readonly isBrowserMissing: boolean } {
  const faults = missingParameters(request, parameters);
  if (!request.channel.isLenient) return { faults, isBrowserMissing: false };
  const refused = faults.filter((fault) => !isBrowserData(fault) && !isAddress(fault));
  return { faults: refused, isBrowserMissing: faults.some(isBrowserData) };
}

/** All faults of parameters that the authentication needs; empty when the request is complete. */
export function missingParameters(request: AuthenticationRequest, parameters: AuthenticationParameters): readonly Fault[] {
  const { read } = request;
  return [
    ...requiredParameters
      .filter(({ channels }) => channels.includes(parameters.deviceChannel))
      .flatMap((want) => faultOf(read, want)),
    ...deviceFaults(read, parameters),
    ...seriesFaults(request, parameters),
    ...schemeFaults(read, parameters),
    ...requestorFaults(read, parameters),
    ...amountFaults(parameters),
  ];
}

function faultOf(read: ParameterReader, { name, pattern, says = '', isOptional }: RequiredParameter): readonly Fault[] {
  const text = read(name);
  if (text === undefined) return isOptional ? [] : [absent(name)];
  return pattern === undefined || pattern.test(text) ? [] : [{ name, value: text, message: `${says} for 3D Secure` }];
}

function deviceFaults(read: ParameterReader, { deviceChannel }: AuthenticationParameters): readonly Fault[] {
  if (deviceChannel !== '01' || deviceOf(read('threeDSecure.deviceInfo') ?? '') !== null) return [];
  // The value is masked: it is encrypted, but still device data.
  return [{ name: 'threeDSecure.deviceInfo', value: '***', message: 'must be what the mobile SDK returned' }];
}

function seriesFaults({ read, instruction }: AuthenticationRequest, parameters: AuthenticationParameters): readonly Fault[] {
  const { authenticationInd, threeRIInd, recurring, deviceChannel } = parameters;
  const faults: Fault[] = [];
  if (deviceChannel === '03' && threeRIInd === null) faults.push(absent('threeDSecure.threeRIInd'));
  const isSeries = threeRIInd === '01' || threeRIInd === '02';
  if (isSeries && recurring === null) {
    for (const name of ['expiry', 'frequency'] as const) {
      if ((instruction?.[name] ?? null) === null) faults.push(absent(`standingInstruction.${name}`));
    }
  }
  const isInstalments = threeRIInd === '02' || (threeRIInd === null && authenticationInd === '03');
  const count = instruction?.numberOfInstallments ?? read('standingInstruction.numberOfInstallments') ?? null;
  const name = 'standingInstruction.numberOfInstallments';
  if (isInstalments && count === null) faults.push(absent(name));
  if (isInstalments && count !== null && /^0*[01]$/.test(count)) {
    faults.push({ name, value: count, message: 'must be above 1 for 3D Secure' });
  }
  return faults;
}

const REQUESTOR_ID_MAX = 35;

/** A truncated id could belong to another requestor. */
function requestorFaults(read: ParameterReader, { network }: AuthenticationParameters): readonly Fault[] {
  const name = `threeDSecure.v2.${networks[network].key}.requestorId`;
  const value = read(name);
  if (value === undefined || value.length <= REQUESTOR_ID_MAX) return [];
  return [{ name, value, message: `must have at most ${REQUESTOR_ID_MAX} characters for 3D Secure` }];
}

/** The domestic scheme requires the use case: always with a payment, and without one at the start of a series. */
function schemeFaults(
  read: ParameterReader,
  { network, messageCategory, authenticationInd }: AuthenticationParameters,
): readonly Fault[] {
  const name = 'threeDSecure.schemeData[XX-USECASE]';
  const isWanted = messageCategory === '01' || authenticationInd === '02' || authenticationInd === '03';
  return networks[network].isDomestic && isWanted && read(name) === undefined ? [absent(name)] : [];
}

/** 92.50 yen cannot be authenticated: there is no smaller unit than the yen. */
function amountFaults({ amount, currency, amountParameter, messageCategory }: AuthenticationParameters): readonly Fault[] {
  if (messageCategory === '02' || minorUnits(amount, digitsOf(currency) ?? 2) !== undefined) return [];
  return [{ name: amountParameter, value: null, message: `has decimals that ${currency} does not have` }];
}
