import { type Amount, amountOf } from '../money/amount.ts';
import { digitsOf } from '../spec/currencies.ts';
import { type AuthenticationRequest, type Instruction, type ParameterReader, STANDALONE } from './authenticationRequest.ts';
import { authenticationIndOf, challengeIndOf, type Recurring, recurringOf, threeRIIndOf } from './indicators.ts';
import { isVersion, type Version } from './messages/message.ts';
import { type NetworkName, networkOf } from './networks.ts';

/** 01: app. 02: browser. 03: merchant-initiated (3RI). */
export type DeviceChannel = '01' | '02' | '03';
/** 01: with a payment. 02: without one. */
export type MessageCategory = '01' | '02';

/** How a card is to be authenticated. */
export type AuthenticationParameters = {
  readonly network: NetworkName;
  readonly deviceChannel: DeviceChannel;
  readonly messageCategory: MessageCategory;
  readonly amount: Amount;
  readonly currency: string;
  /** The parameter that named the amount. */
  readonly amountParameter: 'risk.amount' | 'threeDSecure.amount' | 'amount';
  readonly requestedVersion: Version | null;
  readonly authenticationInd: string;
  readonly challengeInd: string | null;
  readonly threeRIInd: string | null;
  readonly recurring: Recurring | null;
  readonly isDecoupled: boolean;
  /** Size of the challenge window, 01 to 05. */
  readonly windowSize: string;
};

/** Why the cardholder is not authenticated. */
export type NoNeedReason = 'notSetUp' | 'disabled' | 'notCard' | 'noNetwork' | 'otherType' | 'cryptogram' | 'merchantInitiated';

/**
 * `external`: an external 3D Secure server has authenticated the cardholder, and its results go to the acquirer unchanged. `yes`:
 * authenticate if the network knows the card.
 */
export type AuthenticationNeed =
  | { readonly is: 'no'; readonly because: NoNeedReason }
  | { readonly is: 'external' }
  | { readonly is: 'yes'; readonly network: NetworkName };

/** Each of these shows that an external 3D Secure server was used. */
const externalResults = [
  'threeDSecure.eci',
  'threeDSecure.verificationId',
  'threeDSecure.dsTransactionId',
  'threeDSecure.authenticationStatus',
  'threeDSecure.acsTransactionId',
] as const;

const isTrue = (read: ParameterReader, name: string): boolean => read(name) === 'true';

/** An industry practice is merchant-initiated unless the request says that the shopper is present. */
export const isMerchantInitiated = (instruction: Instruction | null): boolean =>
  instruction !== null &&
  instruction.source !== 'CIT' &&
  (instruction.source === 'MIT' || instruction.mode === 'REPEATED' || instruction.practice !== null);

/** Whether the cardholder is authenticated before the payment. */
export function authenticationNeed(request: AuthenticationRequest): AuthenticationNeed {
  const because = reasonAgainst(request);
  const hasExternal = externalResults.some((name) => request.read(name) !== undefined);
  if (hasExternal && request.paymentType !== STANDALONE) return { is: 'external' };
  const network = networkOf(request.paymentBrand);
  if (because !== null || network === null) return { is: 'no', because: because ?? 'noNetwork' };
  return { is: 'yes', network };
}

/** The first reason that applies; the order is the documented precedence. */
function reasonAgainst(request: AuthenticationRequest): NoNeedReason | null {
  const { paymentType, read, instruction, channel, isDemanded } = request;
  if (!request.isCard) return 'notCard';
  if (request.hasCryptogram) return 'cryptogram';
  if (networkOf(request.paymentBrand) === null) return 'noNetwork';
  if (!channel.threeDSecure) return 'notSetUp';
  // A standalone authentication cannot be disabled.
  if (paymentType === STANDALONE) return null;
  if (isTrue(read, 'threeDSecure.disable') && !isDemanded) return 'disabled';
  const isStoring = paymentType === 'RG' && (isTrue(read, 'threeDSecure.npa') || isDemanded);
  if (paymentType !== 'PA' && paymentType !== 'DB' && !isStoring) return 'otherType';
  return isMerchantInitiated(instruction) && channelOf(read) !== '03' ? 'merchantInitiated' : null;
}

/** How the cardholder is authenticated, once the card is known to be enrolled. */
export function authenticationParameters(request: AuthenticationRequest, network: NetworkName): AuthenticationParameters {
  const { read, paymentType } = request;
  const deviceChannel = channelOf(read);
  const messageCategory = isTrue(read, 'threeDSecure.npa') || paymentType === 'RG' ? '02' : '01';
  const money = authenticatedAmount(request);
  // Storing a card has no amount or currency; a series without a currency cannot be described and is left out.
  const recurring = digitsOf(money.currency) === undefined ? null : recurringOf(request);
  const indicator = read('threeDSecure.version');
  return {
    network,
    deviceChannel,
    messageCategory,
    ...money,
    requestedVersion: isVersion(indicator) ? indicator : null,
    authenticationInd: authenticationIndOf(request, messageCategory, recurring),
    challengeInd: challengeIndOf(read, request.isDemanded && deviceChannel !== '03'),
    threeRIInd: deviceChannel === '03' ? threeRIIndOf(request) : null,
    recurring,
    isDecoupled: isTrue(read, 'threeDSecure.decoupled'),
    windowSize: `0${read('customer.browser.challengeWindow') ?? '5'}`,
  };
}

/** `threeDSecure.channel` marks merchant-initiated requests. An app sends device data instead of browser data. */
export function channelOf(read: ParameterReader): DeviceChannel {
  const channel = read('threeDSecure.channel');
  if (channel === '3' || channel === '03') return '03';
  return read('threeDSecure.deviceInfo') === undefined ? '02' : '01';
}

/**
 * The amount that the issuer authenticates. Document 3: `risk.amount` is the amount for 3D Secure when it is there. It has no currency of
 * its own.
 */
export function authenticatedAmount({
  read,
  amount,
  currency,
}: Pick<AuthenticationRequest, 'read' | 'amount' | 'currency'>): Pick<
  AuthenticationParameters,
  'amount' | 'currency' | 'amountParameter'
> {
  const ofRisk = amountIn(read, 'risk.amount');
  if (ofRisk !== undefined) return { amount: ofRisk, currency, amountParameter: 'risk.amount' };
  const own = amountIn(read, 'threeDSecure.amount');
  const ownCurrency = read('threeDSecure.currency');
  if (own !== undefined && ownCurrency !== undefined) {
    return { amount: own, currency: ownCurrency, amountParameter: 'threeDSecure.amount' };
  }
  return { amount, currency, amountParameter: 'amount' };
}

function amountIn(read: ParameterReader, name: string): Amount | undefined {
  const text = read(name);
  return text === undefined ? undefined : amountOf(text);
}
