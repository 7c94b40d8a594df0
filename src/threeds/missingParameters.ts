import type { Fault } from '../form/checked.ts';
import { minorUnits } from '../money/amount.ts';
import { digitsOf } from '../spec/currencies.ts';
import type { AuthenticationParameters, DeviceChannel } from './authenticationNeed.ts';
import type { AuthenticationRequest, ParameterReader } from './authenticationRequest.ts';
import { deviceOf } from './device.ts';
import { networks } from './networks.ts';

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
export const requiredParameters: readonly RequiredParameter[] = [
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
export function requestFaults(
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
