import {
  type Check,
  cardRanges,
  codes,
  codesTo,
  colorDepth,
  country,
  currency,
  day,
  digits,
  extensions,
  flag,
  instalments,
  minutes,
  moment,
  object,
  oneOf,
  phone,
  proof,
  protocolVersion,
  text,
  timeZone,
  url,
  uuid,
  yearMonth,
  yesNo,
} from './formats.ts';
import type { MessageType } from './message.ts';

/** A message before its validation. */
export type Loose = Readonly<Record<string, unknown>>;

/** A data element. `needs`: when it is required; `since`: the version that introduced it. */
export type Rule = {
  readonly name: string;
  readonly check: Check;
  readonly needs: (message: Loose) => boolean;
  readonly since?: '2.2.0';
};

type Needs = Rule['needs'];
const always: Needs = () => true;
const never: Needs = () => false;

const must = (name: string, check: Check, needs: Needs = always): Rule => ({ name, check, needs });
const may = (name: string, check: Check): Rule => ({ name, check, needs: never });
const newer = (rule: Rule): Rule => ({ ...rule, since: '2.2.0' });

const isApp: Needs = ({ deviceChannel }) => deviceChannel === '01';
const isBrowser: Needs = ({ deviceChannel }) => deviceChannel === '02';
const isThreeRI: Needs = ({ deviceChannel }) => deviceChannel === '03';
const isPayment: Needs = ({ messageCategory }) => messageCategory === '01';
/** Since 2.2 a browser may report that it runs no scripts, and then its screen is unknown. */
const isScripted: Needs = (message) => isBrowser(message) && message.browserJavascriptEnabled !== false;
const isSeries: Needs = ({ threeDSRequestorAuthenticationInd: kind, threeRIInd }) =>
  kind === '02' || kind === '03' || threeRIInd === '01' || threeRIInd === '02';
const isInstalments: Needs = ({ threeDSRequestorAuthenticationInd: kind, threeRIInd }) => kind === '03' || threeRIInd === '02';
/** Purchase elements are required with a payment, and without one for a series. */
const hasPurchase: Needs = (message) => isPayment(message) || isSeries(message);

const ids = [must('threeDSServerTransID', uuid), must('acsTransID', uuid)] as const;
const address = (prefix: string): readonly Rule[] => [
  may(`${prefix}City`, text(50)),
  may(`${prefix}Country`, country),
  may(`${prefix}Line1`, text(50)),
  may(`${prefix}Line2`, text(50)),
  may(`${prefix}Line3`, text(50)),
  may(`${prefix}PostCode`, text(16)),
  may(`${prefix}State`, text(3)),
];

const accountInfo: readonly Rule[] = [
  may('acctInfo.chAccAgeInd', codesTo(5, false)),
  may('acctInfo.chAccChange', day),
  may('acctInfo.chAccChangeInd', codesTo(4, false)),
  may('acctInfo.chAccDate', day),
  may('acctInfo.chAccPwChange', day),
  may('acctInfo.chAccPwChangeInd', codesTo(5, false)),
  may('acctInfo.nbPurchaseAccount', digits(4, 1)),
  may('acctInfo.paymentAccAge', day),
  may('acctInfo.paymentAccInd', codesTo(5, false)),
  may('acctInfo.provisionAttemptsDay', digits(3, 1)),
  may('acctInfo.shipAddressUsage', day),
  may('acctInfo.shipAddressUsageInd', codesTo(4, false)),
  may('acctInfo.shipNameIndicator', codesTo(2, false)),
  may('acctInfo.suspiciousAccActivity', codesTo(2, false)),
  may('acctInfo.txnActivityDay', digits(3, 1)),
  may('acctInfo.txnActivityYear', digits(3, 1)),
];

const browser: readonly Rule[] = [
  must('browserAcceptHeader', text(2048), isBrowser),
  must('browserColorDepth', colorDepth, isScripted),
  may('browserIP', text(45)),
  must('browserJavaEnabled', flag, isScripted),
  newer(must('browserJavascriptEnabled', flag, isBrowser)),
  must('browserLanguage', text(8), isBrowser),
  must('browserScreenHeight', digits(6, 1), isScripted),
  must('browserScreenWidth', digits(6, 1), isScripted),
  must('browserTZ', timeZone, isScripted),
  must('browserUserAgent', text(2048), isBrowser),
  must('notificationURL', url(256), isBrowser),
  must('threeDSCompInd', oneOf('Y', 'N', 'U'), isBrowser),
];

const app: readonly Rule[] = [
  must('sdkAppID', uuid, isApp),
  must('sdkEncData', text(64_000), isApp),
  must('sdkEphemPubKey', object, isApp),
  must('sdkMaxTimeout', codes({ '2.1.0': 99, '2.2.0': 99 }, false), isApp),
  must('sdkReferenceNumber', text(32), isApp),
  must('sdkTransID', uuid, isApp),
  must('deviceRenderOptions', object, isApp),
];

const purchase: readonly Rule[] = [
  must('purchaseAmount', digits(48, 1), hasPurchase),
  must('purchaseCurrency', currency, hasPurchase),
  must('purchaseExponent', digits(1), hasPurchase),
  must('purchaseDate', moment, hasPurchase),
  must('purchaseInstalData', instalments, isInstalments),
  must('recurringExpiry', day, isSeries),
  must('recurringFrequency', digits(4, 1), isSeries),
  may('transType', oneOf('01', '03', '10', '11', '28')),
];

const requestor: readonly Rule[] = [
  must('threeDSServerTransID', uuid),
  must('threeDSServerRefNumber', text(32)),
  may('threeDSServerOperatorID', text(32)),
  must('threeDSServerURL', url(2048)),
  must('threeDSRequestorID', text(35)),
  must('threeDSRequestorName', text(40)),
  must('threeDSRequestorURL', url(2048)),
  must('threeDSRequestorAuthenticationInd', codesTo(6), (message) => !isThreeRI(message)),
  may('threeDSRequestorChallengeInd', codes({ '2.1.0': 4, '2.2.0': 9 })),
  newer(may('threeDSRequestorDecReqInd', yesNo)),
  newer(must('threeDSRequestorDecMaxTime', minutes, ({ threeDSRequestorDecReqInd }) => threeDSRequestorDecReqInd === 'Y')),
  must('threeRIInd', codes({ '2.1.0': 5, '2.2.0': 11 }), isThreeRI),
];

const areq: readonly Rule[] = [
  must('messageCategory', codesTo(2)),
  must('deviceChannel', oneOf('01', '02', '03')),
  ...requestor,
  must('acctNumber', digits(19, 13)),
  may('acctType', codesTo(3)),
  may('acctID', text(64)),
  may('acctInfo', object),
  ...accountInfo,
  must('acquirerBIN', text(11), isPayment),
  must('acquirerMerchantID', text(35), isPayment),
  may('addrMatch', yesNo),
  may('cardExpiryDate', yearMonth),
  may('cardholderName', text(45, 2)),
  may('email', text(254)),
  may('homePhone', phone),
  may('mobilePhone', phone),
  may('workPhone', phone),
  must('mcc', digits(4), isPayment),
  must('merchantCountryCode', country, isPayment),
  must('merchantName', text(40), isPayment),
  may('merchantRiskIndicator', object),
  ...address('billAddr'),
  ...address('shipAddr'),
  ...browser,
  ...app,
  ...purchase,
];

const isChallenge: Needs = ({ transStatus }) => transStatus === 'C';
/** Statuses that need a reason. */
const isNo: Needs = ({ transStatus }) => transStatus === 'N' || transStatus === 'U' || transStatus === 'R';
const isYes: Needs = ({ transStatus }) => transStatus === 'Y' || transStatus === 'A';

const outcomeRules: readonly Rule[] = [
  must('dsTransID', uuid),
  may('sdkTransID', uuid),
  may('eci', digits(2)),
  may('transStatusReason', codes({ '2.1.0': 21, '2.2.0': 26 })),
  may('acsRenderingType', object),
];

const status = (letters: string, since22: string): Check => ({
  says: `one of ${[...letters, ...since22].join(', ')}`,
  fits: (value, version) =>
    typeof value === 'string' &&
    value.length === 1 &&
    (letters.includes(value) || (version === '2.2.0' && since22.includes(value))),
});

const ares: readonly Rule[] = [
  ...ids,
  ...outcomeRules,
  must('acsReferenceNumber', text(32)),
  must('dsReferenceNumber', text(32)),
  may('acsOperatorID', text(32)),
  must('acsChallengeMandated', yesNo, isChallenge),
  newer(must('acsDecConInd', yesNo, ({ transStatus }) => transStatus === 'D')),
  may('acsSignedContent', text(16_384)),
  may('acsURL', url(2048)),
  must('transStatus', status('YNUACR', 'DI')),
  must('authenticationType', codes({ '2.1.0': 3, '2.2.0': 4 }), ({ transStatus }) => transStatus === 'C' || transStatus === 'D'),
  may('cardholderInfo', text(128)),
];

const rreq: readonly Rule[] = [
  ...ids,
  ...outcomeRules,
  must('messageCategory', codesTo(2)),
  must('transStatus', status('YNUAR', '')),
  must('authenticationType', codes({ '2.1.0': 3, '2.2.0': 4 }), isYes),
  may('challengeCancel', codesTo(8)),
  must('interactionCounter', digits(2)),
  may('authenticationMethod', codesTo(10)),
];

/**
 * The proof is required for a payment with status Y or A. Without a payment it depends on the network.
 */
export const proofRule = must('authenticationValue', proof, isYes);
/** The reason is required with payments only. */
export const reasonRule = must('transStatusReason', codes({ '2.1.0': 21, '2.2.0': 26 }), isNo);

/** The address of the challenge, by the channel of the request. A merchant-initiated request cannot be challenged. */
export const challengeRules: Readonly<Record<'01' | '02' | '03', readonly Rule[]>> = {
  '01': [must('acsSignedContent', text(16_384), isChallenge)],
  '02': [must('acsURL', url(2048), isChallenge)],
  '03': [must('transStatus', status('YNUAR', 'DI'))],
};

/** The data elements of each message, messageType and messageVersion apart. */
export const rules: Readonly<Record<MessageType, readonly Rule[]>> = {
  AReq: [...areq, may('messageExtension', extensions)],
  ARes: [...ares, may('messageExtension', extensions)],
  CReq: [
    ...ids,
    may('sdkTransID', uuid),
    must('challengeWindowSize', codesTo(5, false), ({ sdkTransID }) => sdkTransID === undefined),
    may('sdkCounterStoA', digits(3)),
    may('challengeCancel', codesTo(8)),
    may('challengeDataEntry', text(45)),
    may('oobContinue', flag),
    may('resendChallenge', yesNo),
  ],
  CRes: [
    ...ids,
    must('challengeCompletionInd', yesNo, ({ sdkTransID }) => sdkTransID !== undefined),
    must('transStatus', yesNo, ({ challengeCompletionInd }) => challengeCompletionInd !== 'N'),
    may('sdkTransID', uuid),
    must('acsCounterAtoS', digits(3), ({ sdkTransID }) => sdkTransID !== undefined),
    may('acsUiType', codesTo(5, false)),
    may('challengeInfoHeader', text(45)),
    may('challengeInfoText', text(350)),
    may('challengeInfoLabel', text(45)),
    may('submitAuthenticationLabel', text(45)),
  ],
  PReq: [
    must('threeDSServerTransID', uuid),
    must('threeDSServerRefNumber', text(32)),
    may('threeDSServerOperatorID', text(32)),
    may('serialNum', text(20)),
    may('messageExtension', extensions),
  ],
  PRes: [
    must('threeDSServerTransID', uuid),
    may('dsTransID', uuid),
    may('serialNum', text(20)),
    may('dsStartProtocolVersion', protocolVersion),
    may('dsEndProtocolVersion', protocolVersion),
    may('cardRangeData', cardRanges),
    may('messageExtension', extensions),
  ],
  RReq: [...rreq, may('messageExtension', extensions)],
  RRes: [...ids, must('dsTransID', uuid), must('resultsStatus', codesTo(3))],
  Erro: [
    may('threeDSServerTransID', uuid),
    may('acsTransID', uuid),
    may('dsTransID', uuid),
    must('errorCode', digits(3)),
    must('errorComponent', oneOf('C', 'S', 'D', 'A')),
    must('errorDescription', text(2048)),
    must('errorDetail', text(2048)),
    may('errorMessageType', oneOf('AReq', 'ARes', 'CReq', 'CRes', 'PReq', 'PRes', 'RReq', 'RRes')),
  ],
};
