import { type Amount, amountOf } from '../money/amount.ts';
import { digitsOf } from '../spec/currencies.ts';
import { type AuthenticationRequest, type Instruction, type Read, STANDALONE } from './asked.ts';
import { authenticationIndOf, challengeIndOf, type Recurring, recurringOf, threeRIIndOf } from './indicators.ts';
import { isVersion, type Version } from './messages/version.ts';
import { type NetworkName, networkOf } from './networks.ts';

/** Through what the cardholder is reached: an app, a browser, or not at all because the merchant starts it (3RI). */
export type DeviceChannel = '01' | '02' | '03';
/** 01: with a payment. 02: without one. */
export type MessageCategory = '01' | '02';

/** How a card is to be authenticated. */
export type Plan = {
  readonly network: NetworkName;
  readonly deviceChannel: DeviceChannel;
  readonly messageCategory: MessageCategory;
  readonly amount: Amount;
  readonly currency: string;
  /** The parameter that named the amount. */
  readonly amountParameter: 'risk.amount' | 'threeDSecure.amount' | 'amount';
  readonly versionWish: Version | null;
  readonly authenticationInd: string;
  readonly challengeInd: string | null;
  readonly threeRIInd: string | null;
  readonly recurring: Recurring | null;
  readonly isDecoupled: boolean;
  /** Size of the challenge window, 01 to 05. */
  readonly windowSize: string;
};

/** Why nobody is asked. */
export type Reason = 'notSetUp' | 'disabled' | 'notCard' | 'noNetwork' | 'otherType' | 'cryptogram' | 'merchantInitiated';

/**
 * `external`: somebody else has authenticated the cardholder, and what he found out goes to the acquirer as it came. `yes`: to be
 * authenticated if the network knows the card.
 */
export type Need =
  | { readonly is: 'no'; readonly because: Reason }
  | { readonly is: 'external' }
  | { readonly is: 'yes'; readonly plan: Plan };

/** With one of these, an external 3D Secure server was at work. */
const externalResults = ['eci', 'verificationId', 'dsTransactionId', 'authenticationStatus', 'acsTransactionId'] as const;

const isTrue = (read: Read, name: string): boolean => read(name) === 'true';

/** A practice is the merchant's own doing unless the request says that the shopper is there. */
export const isMerchants = (instruction: Instruction | null): boolean =>
  instruction !== null &&
  instruction.source !== 'CIT' &&
  (instruction.source === 'MIT' || instruction.mode === 'REPEATED' || instruction.practice !== null);

/** Whether the cardholder is to be authenticated before the money moves, and how. */
export function needed(asked: AuthenticationRequest): Need {
  const because = reasonAgainst(asked);
  const hasExternal = externalResults.some((name) => asked.read(`threeDSecure.${name}`) !== undefined);
  if (hasExternal && asked.paymentType !== STANDALONE) return { is: 'external' };
  const network = networkOf(asked.paymentBrand);
  if (because !== null || network === null) return { is: 'no', because: because ?? 'noNetwork' };
  return { is: 'yes', plan: planOf(asked, network) };
}

/** The ladder of refusals; its order is the order in which they are told. */
function reasonAgainst(asked: AuthenticationRequest): Reason | null {
  const { paymentType, read, instruction, channel, isDemanded } = asked;
  if (!asked.isCard) return 'notCard';
  if (asked.hasCryptogram) return 'cryptogram';
  if (networkOf(asked.paymentBrand) === null) return 'noNetwork';
  if (!channel.threeDSecure) return 'notSetUp';
  // Whoever asks for an authentication and nothing else has not switched it off.
  if (paymentType === STANDALONE) return null;
  if (isTrue(read, 'threeDSecure.disable') && !isDemanded) return 'disabled';
  const isStoring = paymentType === 'RG' && (isTrue(read, 'threeDSecure.npa') || isDemanded);
  if (paymentType !== 'PA' && paymentType !== 'DB' && !isStoring) return 'otherType';
  return isMerchants(instruction) && channelOf(read) !== '03' ? 'merchantInitiated' : null;
}

function planOf(asked: AuthenticationRequest, network: NetworkName): Plan {
  const { read, paymentType } = asked;
  const deviceChannel = channelOf(read);
  const messageCategory = isTrue(read, 'threeDSecure.npa') || paymentType === 'RG' ? '02' : '01';
  const money = amountFor(asked);
  // Storing names no money, and a series that costs nothing in no currency cannot be told: then it is not mentioned.
  const recurring = digitsOf(money.currency) === undefined ? null : recurringOf(asked);
  const wish = read('threeDSecure.version');
  return {
    network,
    deviceChannel,
    messageCategory,
    ...money,
    versionWish: isVersion(wish) ? wish : null,
    authenticationInd: authenticationIndOf(asked, messageCategory, recurring),
    challengeInd: challengeIndOf(read, asked.isDemanded && deviceChannel !== '03'),
    threeRIInd: deviceChannel === '03' ? threeRIIndOf(asked) : null,
    recurring,
    isDecoupled: isTrue(read, 'threeDSecure.decoupled'),
    windowSize: `0${read('customer.browser.challengeWindow') ?? '5'}`,
  };
}

/** `threeDSecure.channel` marks what the merchant starts. An app sends its device's data instead of a browser's. */
export function channelOf(read: Read): DeviceChannel {
  if (/^0?3$/.test(read('threeDSecure.channel') ?? '')) return '03';
  return read('threeDSecure.deviceInfo') === undefined ? '02' : '01';
}

/** Document 3: `risk.amount` is the amount for 3D Secure when it is there. It has no currency of its own. */
function amountFor({ read, amount, currency }: AuthenticationRequest): Pick<Plan, 'amount' | 'currency' | 'amountParameter'> {
  const ofRisk = amountOf(read('risk.amount') ?? '');
  if (ofRisk !== undefined) return { amount: ofRisk, currency, amountParameter: 'risk.amount' };
  const own = amountOf(read('threeDSecure.amount') ?? '');
  const ownCurrency = read('threeDSecure.currency');
  if (own !== undefined && ownCurrency !== undefined) {
    return { amount: own, currency: ownCurrency, amountParameter: 'threeDSecure.amount' };
  }
  return { amount, currency, amountParameter: 'amount' };
}
