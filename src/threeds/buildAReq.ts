import { minorUnits } from '../money/amount.ts';
import type { Registration } from '../registrations/registration.ts';
import { brands } from '../spec/cards/brands.ts';
import { digitsOf } from '../spec/currencies.ts';
import { DAY_MS } from '../spec/time.ts';
import { currencyNumbers } from '../wallets/text.ts';
import type { Authentication } from './authentication.ts';
import { type AuthenticationParameters, type Card, challengeIndIn, type ParameterReader } from './authenticationNeed.ts';
import { addressesMatch, addressOf, browserOf, cardholderOf, countryNumber, cut, optionalElement } from './cardholder.ts';
import { deviceOf } from './device.ts';
import { dayOf, momentOf } from './messages/formats.ts';
import type { AReq, Extension, Version } from './messages/message.ts';
import { networks } from './networks.ts';
import { type Addresses, registrationAt, SERVER_REFERENCE, type Setup } from './settings.ts';

/** The input of an authentication request (AReq). */
export type RequestParts = {
  readonly parameters: AuthenticationParameters;
  readonly version: Version;
  readonly threeDSServerTransID: string;
  readonly threeDSCompInd: 'Y' | 'N' | 'U';
  readonly card: Card;
  readonly paymentBrand: string;
  /** Fields of the request by canonical names, including `threeDSecure.deviceInfo` of an app. */
  readonly read: ParameterReader;
  /** The stored details that are used. */
  readonly registration: Pick<Registration, 'createdAt'> | null;
  readonly setup: Setup;
  readonly addresses: Addresses;
  /** Extensions for the directory server of the test environment; never sent to another one. */
  readonly extensions?: readonly Extension[];
  readonly now: number;
};

/** The AReq of an authentication in phase `asking`. */
export const areqFor = (
  { version, threeDSServerTransID, threeDSCompInd }: Authentication,
  parts: Omit<RequestParts, 'version' | 'threeDSServerTransID' | 'threeDSCompInd'>,
): AReq => buildAReq({ ...parts, version, threeDSServerTransID, threeDSCompInd });

/** Builds the AReq of a payment whose fields are complete: see prepare.ts. */
export function buildAReq(parts: RequestParts): AReq {
  const { parameters, version, read, card, paymentBrand, now } = parts;
  const acctInfo = accountInfoOf(read, parts);
  const merchantRiskIndicator = riskIndicatorOf(read);
  const messageExtension = [...schemeExtensions(parameters, read), ...(parts.extensions ?? [])];
  return {
    messageType: 'AReq',
    messageVersion: version,
    messageCategory: parameters.messageCategory,
    deviceChannel: parameters.deviceChannel,
    threeDSServerTransID: parts.threeDSServerTransID,
    threeDSServerRefNumber: SERVER_REFERENCE,
    threeDSServerURL: parts.addresses.results,
    ...requestorOf(parts),
    ...requestorPreferences(parts),
    acctNumber: card.number,
    acctType: brands[paymentBrand]?.method === 'DC' ? '03' : '02',
    ...expiryOf(card),
    ...cardholderOf(read, card.holder),
    ...(acctInfo && { acctInfo }),
    ...(merchantRiskIndicator && { merchantRiskIndicator }),
    ...addressOf(read, 'billing', 'billAddr'),
    ...addressOf(read, 'shipping', 'shipAddr'),
    ...addrMatchOf(read),
    ...merchantOf(parts),
    ...purchaseOf(parameters, read, now),
    ...deviceElements(parts),
    ...(messageExtension.length > 0 && { messageExtension }),
  };
}

const addrMatchOf = (read: ParameterReader): Pick<AReq, 'addrMatch'> => {
  const addrMatch = addressesMatch(read);
  return addrMatch === undefined ? {} : { addrMatch };
};

/** The requestor as registered with the card's network. */
function requestorOf({ parameters, read, setup }: RequestParts) {
  const { key } = networks[parameters.network];
  const { requestorId, requestorName } = registrationAt(setup, parameters.network);
  const own = (name: string): string | undefined => (key === null ? undefined : read(`threeDSecure.v2.${key}.${name}`));
  return {
    threeDSRequestorID: own('requestorId') ?? requestorId,
    threeDSRequestorName: cut(own('requestorName') ?? requestorName, 40),
    threeDSRequestorURL: urlOf(read('threeDSecure.merchant.url')) ?? setup.requestorUrl,
  };
}

/** Some shops send their address without a scheme. */
function urlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  return URL.canParse(url) ? url : undefined;
}

function requestorPreferences({ parameters, version, setup }: RequestParts) {
  const { deviceChannel, threeRIInd, authenticationInd, challengeInd, isDecoupled } = parameters;
  const indicator = challengeIndIn(version, challengeInd);
  const minutes = String(setup.decoupledMinutes).padStart(5, '0');
  return {
    ...(deviceChannel !== '03' && { threeDSRequestorAuthenticationInd: authenticationInd }),
    ...optionalElement('threeRIInd', threeRIInd),
    ...optionalElement('threeDSRequestorChallengeInd', indicator),
    ...(isDecoupled && version !== '2.1.0' && { threeDSRequestorDecReqInd: 'Y' as const, threeDSRequestorDecMaxTime: minutes }),
  };
}

function expiryOf({ expiryMonth, expiryYear }: Card): Pick<AReq, 'cardExpiryDate'> {
  if (!expiryMonth || !expiryYear) return {};
  return { cardExpiryDate: `${expiryYear.slice(-2)}${expiryMonth}` };
}

function merchantOf({ parameters, read, setup }: RequestParts) {
  const country =
    read('threeDSecure.merchant.country') ?? read('merchant.countryCode') ?? read('merchant.country') ?? setup.merchantCountry;
  const mcc = read('merchant.mcc') ?? '';
  const merchant = {
    merchantName: cut(read('threeDSecure.merchant.name') ?? read('merchant.name') ?? setup.merchantName, 40),
    ...optionalElement('merchantCountryCode', countryNumber(country) ?? countryNumber(setup.merchantCountry)),
    mcc: /^[0-9]{4}$/.test(mcc) ? mcc : setup.mcc,
  };
  if (parameters.messageCategory === '02') return merchant;
  const { acquirerBIN, acquirerMerchantID } = registrationAt(setup, parameters.network);
  return { ...merchant, acquirerBIN, acquirerMerchantID };
}

/** The amount in minor units, and expiry and frequency of a series. */
function purchaseOf(parameters: AuthenticationParameters, read: ParameterReader, now: number) {
  const { amount, currency, authenticationInd, threeRIInd, recurring, messageCategory } = parameters;
  const isInstalments = threeRIInd === null ? authenticationInd === '03' : threeRIInd === '02';
  const isSeries = isInstalments || (threeRIInd === null ? authenticationInd === '02' : threeRIInd === '01');
  if (messageCategory === '02' && !isSeries) return {};
  const exponent = digitsOf(currency) ?? 2;
  const count = isInstalments ? read('standingInstruction.numberOfInstallments') : undefined;
  return {
    purchaseAmount: String(minorUnits(amount, exponent) ?? 0n),
    ...optionalElement('purchaseCurrency', currencyNumbers.get(currency)),
    purchaseExponent: String(exponent),
    purchaseDate: momentOf(now),
    transType: '01',
    ...optionalElement('purchaseInstalData', count),
    ...(isSeries && recurring && { recurringExpiry: dayOf(recurring.expiry), recurringFrequency: recurring.frequency }),
  };
}

const RENDER_OPTIONS = { sdkInterface: '03', sdkUiType: ['01', '02', '03', '04', '05'] } as const;

function deviceElements({ parameters, version, read, addresses, threeDSCompInd }: RequestParts) {
  if (parameters.deviceChannel === '03') return {};
  if (parameters.deviceChannel === '02') {
    return { ...browserOf(read, version), notificationURL: addresses.notification, threeDSCompInd };
  }
  return { ...deviceOf(read('threeDSecure.deviceInfo') ?? ''), deviceRenderOptions: RENDER_OPTIONS };
}

const schemeNames = ['ITEMSNB', 'SCORE_MERCHANT', 'USECASE'] as const;

/** The data of the domestic scheme, one extension each. The number of items may be taken from the cart. */
function schemeExtensions({ network }: AuthenticationParameters, read: ParameterReader): readonly Extension[] {
  const { isDomestic, rid } = networks[network];
  if (!isDomestic) return [];
  const counted = read('cart.items[0].name') === undefined ? undefined : String(itemsOf(read));
  return schemeNames.flatMap((part) => {
    const value = read(`threeDSecure.schemeData[XX-${part}]`) ?? (part === 'ITEMSNB' ? counted : undefined);
    const name = `CB-${part}`;
    return value === undefined ? [] : [{ name, id: `${rid}_${name}`, criticalityIndicator: false, data: { [name]: value } }];
  });
}

const ITEMS_MAX = 99;

function itemsOf(read: ParameterReader): number {
  let count = 0;
  while (count < ITEMS_MAX && read(`cart.items[${count}].name`) !== undefined) count += 1;
  return count;
}

/** Age of something the shop stores: none, since this payment, under 30 days, up to 60 days, longer. */
const ages = { none: '01', now: '02', young: '03', middle: '04', old: '05' } as const;

function ageOf(since: number, now: number): string {
  const days = (now - since) / DAY_MS;
  return days < 30 ? ages.young : days <= 60 ? ages.middle : ages.old;
}

type AccountContext = { readonly registration: Pick<Registration, 'createdAt'> | null; readonly now: number };

/** The shop's information about the shopper's account; undefined when there is none. */
function accountInfoOf(
  read: ParameterReader,
  { registration, now }: AccountContext,
): Readonly<Record<string, string>> | undefined {
  const info = {
    ...(read('customer.status') === 'NEW' && { chAccAgeInd: ages.now }),
    ...(registration
      ? { paymentAccAge: momentOf(registration.createdAt).slice(0, 8), paymentAccInd: ageOf(registration.createdAt, now) }
      : read('createRegistration') === 'true' && { paymentAccInd: ages.now }),
    ...optionalElement('shipNameIndicator', shipName(read)),
  };
  return Object.keys(info).length === 0 ? undefined : info;
}

/** 01: shipped to the customer. 02: shipped to another person. */
function shipName(read: ParameterReader): string | undefined {
  if (read('shipping.customer.surname') === undefined) return undefined;
  const isSame = ['givenName', 'surname'].every((name) => read(`shipping.customer.${name}`) === read(`customer.${name}`));
  return isSame ? '01' : '02';
}

const shipIndicators: Readonly<Record<string, string>> = {
  ELECTRONIC_DELIVERY: '05',
  STORE_PICKUP: '04',
  POINT_PICKUP: '04',
  PUDO: '04',
};
const timeframes: Readonly<Record<string, string>> = {
  ELECTRONIC_DELIVERY: '01',
  SAME_DAY_SERVICE: '02',
  NEXT_DAY_OVERNIGHT: '03',
  EXPEDITED: '03',
  GROUND: '04',
  LOWEST_COST: '04',
  INTERNATIONAL: '04',
  THREE_DAY_SERVICE: '04',
  TWO_DAY_SERVICE: '04',
};

/** The delivery of the goods; undefined when the request does not tell it. */
function riskIndicatorOf(read: ParameterReader): Readonly<Record<string, string>> | undefined {
  const method = read('shipping.method') ?? '';
  const match = addressesMatch(read);
  const whereTo = match === undefined ? undefined : match === 'Y' ? '01' : '03';
  const indicator = {
    ...optionalElement('shipIndicator', shipIndicators[method] ?? whereTo),
    ...optionalElement('deliveryTimeframe', timeframes[method]),
    ...optionalElement('deliveryEmailAddress', cut(read('shipping.email') ?? '', 254)),
  };
  return Object.keys(indicator).length === 0 ? undefined : indicator;
}
