import type { Channel } from '../merchants/channel.ts';
import { type Amount, amountOf } from '../money/amount.ts';
import { canonical } from '../spec/aliases.ts';
import { brands } from '../spec/cards/brands.ts';
import { digitsOf } from '../spec/currencies.ts';
import { isVersion, type Version } from './messages/message.ts';
import { type NetworkName, networkOf } from './networks.ts';

/** Reads a parameter by its canonical name: `threeDSecure.v2.network1.requestorId`, `customer.browser.language`. */
export type ParameterReader = (name: string) => string | undefined;

/** Reads stored fields, which have the names that were sent, by their canonical names. */
export function createParameterReader(fields: Readonly<Record<string, string>>): ParameterReader {
  const byName = new Map(Object.entries(fields).map(([name, text]) => [canonical(name), text]));
  return (name) => byName.get(name);
}

/** The parts of the standing instruction that an authentication uses. */
type Instruction = {
  readonly mode: 'INITIAL' | 'REPEATED' | null;
  readonly source: 'CIT' | 'MIT' | null;
  readonly type: string | null;
  readonly practice: string | null;
  readonly expiry: string | null;
  readonly frequency: string | null;
  readonly numberOfInstallments: string | null;
};

/** The card as the directory server gets it. */
export type Card = {
  readonly number: string;
  readonly expiryMonth: string | null;
  readonly expiryYear: string | null;
  readonly holder: string | null;
};

/** A payment or storage of a card, with everything that decides whether the cardholder is authenticated first. */
export type AuthenticationRequest = {
  /** `3D` stands for an authentication alone. */
  readonly paymentType: string;
  readonly paymentBrand: string | null;
  readonly amount: Amount;
  readonly currency: string;
  readonly read: ParameterReader;
  readonly instruction: Instruction | null;
  /** False for bank accounts, virtual accounts and tokens. */
  readonly isCard: boolean;
  /** The request carries a cryptogram of a wallet or network: the cardholder was authenticated there. */
  readonly hasCryptogram: boolean;
  /** The risk checks require a challenge: the merchant cannot opt out. */
  readonly isDemanded: boolean;
  readonly channel: Pick<Channel, 'threeDSecure' | 'isLenient'>;
};

export const STANDALONE = '3D';

/** 01: app. 02: browser. 03: merchant-initiated (3RI). */
export type DeviceChannel = '01' | '02' | '03';
/** 01: with a payment. 02: without one. */
type MessageCategory = '01' | '02';

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
type NoNeedReason = 'notSetUp' | 'disabled' | 'notCard' | 'noNetwork' | 'otherType' | 'cryptogram' | 'merchantInitiated';

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
function channelOf(read: ParameterReader): DeviceChannel {
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

/** Expiry and frequency of a series, for the issuer. */
type Recurring = { readonly expiry: string; readonly frequency: string };

/**
 * The protocol's codes for the values of `threeDSecure.authenticationInd`. Codes from BILLING_AGREEMENT on exist only since 2.3.
 */
const authenticationInds: Readonly<Record<string, string>> = {
  PAYMENT: '01',
  RECURRING: '02',
  INSTALLMENT: '03',
  ADD_CARD: '04',
  MAINTAIN_CARD: '05',
  EMV_ID: '06',
};

const threeRIInds: Readonly<Record<string, string>> = {
  RECURRING: '01',
  INSTALLMENT: '02',
  SPLIT_SHIPMENT: '06',
  DELAYED_SHIPMENT: '06',
};
const OTHER_PAYMENT = '11';

/** Challenge indicators for an acquirer's exemptions: low value, risk analysis, trusted beneficiary, corporate payment. */
const indicatorByExemption: Readonly<Record<string, string>> = { '01': '02', '02': '05', '03': '08', '04': '02' };

/** Expiry and frequency of the series; null when one is unknown, and then the series is not mentioned at all (document 3). */
function recurringOf({
  instruction,
  paymentBrand,
}: Pick<AuthenticationRequest, 'instruction' | 'paymentBrand'>): Recurring | null {
  const defaults = brands[paymentBrand ?? '']?.seriesDefaults ?? null;
  const expiry = instruction?.expiry ?? defaults?.expiry;
  const frequency = instruction?.frequency ?? defaults?.frequency;
  return expiry === undefined || frequency === undefined ? null : { expiry, frequency };
}

/** The purpose of the authentication. A series without expiry or frequency counts as a payment; without a payment, a card is added. */
function authenticationIndOf(
  { read, instruction }: Pick<AuthenticationRequest, 'read' | 'instruction'>,
  category: '01' | '02',
  recurring: Recurring | null,
): string {
  const otherwise = category === '01' ? '01' : '04';
  const word = read('threeDSecure.authenticationInd')?.replace(/^_/, '') ?? seriesWord(instruction);
  const meant = authenticationInds[word ?? ''] ?? otherwise;
  return (meant === '02' || meant === '03') && recurring === null ? otherwise : meant;
}

const seriesWord = (instruction: AuthenticationRequest['instruction']): string | null =>
  instruction?.type === 'RECURRING' || instruction?.type === 'INSTALLMENT' ? instruction.type : null;

const MANDATE = '04';

/** The challenge indicator: the merchant's own, else a mandate of the risk checks, else the one for the exemption. */
function challengeIndOf(read: ParameterReader, isDemanded: boolean): string | null {
  const otherwise = isDemanded ? MANDATE : indicatorByExemption[read('threeDSecure.exemptionFlag') ?? ''];
  return read('threeDSecure.challengeIndicator') ?? otherwise ?? null;
}

/** The 3RI indicator: the merchant's own, or the type of the series; null when neither is known. */
function threeRIIndOf({ read, instruction }: Pick<AuthenticationRequest, 'read' | 'instruction'>): string | null {
  const word = read('threeDSecure.threeRIInd') ?? instruction?.type;
  if (word === undefined || word === null) return null;
  return threeRIInds[word] ?? OTHER_PAYMENT;
}

/** Challenge indicators of 2.2 mapped to 2.1: challenge or no challenge preferred. */
export function challengeIndIn(version: string, indicator: string | null): string | null {
  if (indicator === null || version !== '2.1.0' || indicator <= '04') return indicator;
  return indicator === '09' ? '03' : '02';
}
