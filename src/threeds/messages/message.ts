import { base64UrlBytes, type JsonObject, jsonObject, utf8Text } from '../../wallets/text.ts';

/** The messages of EMV 3-D Secure. Only elements that are sent or read here are typed; messages may have more. */

export type TransStatus = 'Y' | 'A' | 'N' | 'U' | 'R' | 'C' | 'D' | 'I';

export type Phone = { readonly cc: string; readonly subscriber: string };

export type Extension = {
  readonly name: string;
  readonly id: string;
  readonly criticalityIndicator: boolean;
  readonly data: JsonObject;
};

type Address<Prefix extends 'billAddr' | 'shipAddr'> = {
  readonly [Part in 'City' | 'Country' | 'Line1' | 'Line2' | 'Line3' | 'PostCode' | 'State' as `${Prefix}${Part}`]?: string;
};

type Browser = {
  readonly browserAcceptHeader?: string;
  readonly browserColorDepth?: string;
  readonly browserIP?: string;
  readonly browserJavaEnabled?: boolean;
  readonly browserJavascriptEnabled?: boolean;
  readonly browserLanguage?: string;
  readonly browserScreenHeight?: string;
  readonly browserScreenWidth?: string;
  readonly browserTZ?: string;
  readonly browserUserAgent?: string;
  readonly notificationURL?: string;
  readonly threeDSCompInd?: 'Y' | 'N' | 'U';
};

type Sdk = {
  readonly sdkAppID?: string;
  readonly sdkEncData?: string;
  readonly sdkEphemPubKey?: JsonObject;
  readonly sdkMaxTimeout?: string;
  readonly sdkReferenceNumber?: string;
  readonly sdkTransID?: string;
  readonly deviceRenderOptions?: { readonly sdkInterface: string; readonly sdkUiType: readonly string[] };
};

type Purchase = {
  readonly purchaseAmount?: string;
  readonly purchaseCurrency?: string;
  readonly purchaseExponent?: string;
  readonly purchaseDate?: string;
  readonly purchaseInstalData?: string;
  readonly recurringExpiry?: string;
  readonly recurringFrequency?: string;
  readonly transType?: string;
};

/** Authentication request: from the 3DS server to the directory server. */
export type AReq = Address<'billAddr'> &
  Address<'shipAddr'> &
  Browser &
  Sdk &
  Purchase & {
    readonly messageType: 'AReq';
    readonly messageVersion: Version;
    readonly messageCategory: '01' | '02';
    readonly deviceChannel: '01' | '02' | '03';
    readonly threeDSServerTransID: string;
    readonly threeDSServerRefNumber: string;
    readonly threeDSServerOperatorID?: string;
    readonly threeDSServerURL: string;
    readonly threeDSRequestorID: string;
    readonly threeDSRequestorName: string;
    readonly threeDSRequestorURL: string;
    readonly threeDSRequestorAuthenticationInd?: string;
    readonly threeDSRequestorChallengeInd?: string;
    readonly threeDSRequestorDecReqInd?: 'Y' | 'N';
    readonly threeDSRequestorDecMaxTime?: string;
    readonly threeRIInd?: string;
    readonly acctNumber: string;
    readonly acctType?: string;
    readonly acctID?: string;
    readonly acctInfo?: Readonly<Record<string, string>>;
    readonly acquirerBIN?: string;
    readonly acquirerMerchantID?: string;
    readonly addrMatch?: 'Y' | 'N';
    readonly cardExpiryDate?: string;
    readonly cardholderName?: string;
    readonly email?: string;
    readonly homePhone?: Phone;
    readonly mobilePhone?: Phone;
    readonly workPhone?: Phone;
    readonly mcc?: string;
    readonly merchantCountryCode?: string;
    readonly merchantName?: string;
    readonly merchantRiskIndicator?: Readonly<Record<string, string>>;
    readonly messageExtension?: readonly Extension[];
    readonly dsReferenceNumber?: string;
    readonly dsTransID?: string;
    readonly dsURL?: string;
  };

/** Elements that ARes and RReq share. */
type SharedResult = {
  readonly messageVersion: Version;
  readonly threeDSServerTransID: string;
  readonly acsTransID: string;
  readonly dsTransID: string;
  readonly sdkTransID?: string;
  readonly transStatus: TransStatus;
  readonly transStatusReason?: string;
  readonly eci?: string;
  readonly authenticationValue?: string;
  readonly authenticationType?: string;
  readonly acsRenderingType?: JsonObject;
  readonly messageExtension?: readonly Extension[];
};

/** Authentication response: from the issuer's ACS through the directory server. */
export type ARes = SharedResult & {
  readonly messageType: 'ARes';
  readonly acsReferenceNumber: string;
  readonly acsOperatorID?: string;
  readonly acsChallengeMandated?: 'Y' | 'N';
  readonly acsDecConInd?: 'Y' | 'N';
  readonly acsSignedContent?: string;
  readonly acsURL?: string;
  readonly cardholderInfo?: string;
  readonly dsReferenceNumber: string;
};

/** Challenge request: from the shopper's browser or app to the issuer's ACS. */
export type CReq = {
  readonly messageType: 'CReq';
  readonly messageVersion: Version;
  readonly threeDSServerTransID: string;
  readonly acsTransID: string;
  readonly challengeWindowSize?: string;
  readonly sdkTransID?: string;
  readonly sdkCounterStoA?: string;
  readonly challengeCancel?: string;
  readonly challengeDataEntry?: string;
  readonly oobContinue?: boolean;
  readonly resendChallenge?: 'Y' | 'N';
};

/**
 * Challenge response. An app gets one after each of its requests, and `challengeCompletionInd` says whether it is the last. A browser
 * brings the last one only, so that issuers may leave the element out; it proves nothing.
 */
export type CRes = {
  readonly messageType: 'CRes';
  readonly messageVersion: Version;
  readonly threeDSServerTransID: string;
  readonly acsTransID: string;
  readonly challengeCompletionInd?: 'Y' | 'N';
  readonly transStatus?: 'Y' | 'N';
  /** Texts that an app shows during the challenge. */
  readonly sdkTransID?: string;
  readonly acsCounterAtoS?: string;
  readonly acsUiType?: string;
  readonly challengeInfoHeader?: string;
  readonly challengeInfoText?: string;
  readonly challengeInfoLabel?: string;
  readonly submitAuthenticationLabel?: string;
};

/** A returning browser's message about a challenge. Nothing in it is believed; ids of another challenge end the authentication. */
export type ChallengeReturn = Partial<Pick<CRes, 'threeDSServerTransID' | 'acsTransID' | 'transStatus'>>;

/** Results request: the result of the challenge, from server to server. */
export type RReq = SharedResult & {
  readonly messageType: 'RReq';
  readonly messageCategory: '01' | '02';
  readonly challengeCancel?: string;
  readonly interactionCounter?: string;
  readonly authenticationMethod?: string;
};

/** Results response. */
export type RRes = {
  readonly messageType: 'RRes';
  readonly messageVersion: Version;
  readonly threeDSServerTransID: string;
  readonly acsTransID: string;
  readonly dsTransID: string;
  readonly resultsStatus: '01' | '02' | '03';
};

/** Preparation request: asks for card ranges. With a serial number only changes since then are returned. */
export type PReq = {
  readonly messageType: 'PReq';
  readonly messageVersion: Version;
  readonly threeDSServerTransID: string;
  readonly threeDSServerRefNumber: string;
  readonly threeDSServerOperatorID?: string;
  readonly serialNum?: string;
};

/** A card range. `actionInd`: A (default) adds it, M replaces it, D deletes it. */
export type RangeData = {
  readonly startRange: string;
  readonly endRange: string;
  readonly actionInd?: 'A' | 'M' | 'D';
  readonly acsStartProtocolVersion: string;
  readonly acsEndProtocolVersion: string;
  readonly threeDSMethodURL?: string;
};

/** Preparation response: the ranges of a network. */
export type PRes = {
  readonly messageType: 'PRes';
  readonly messageVersion: Version;
  readonly threeDSServerTransID: string;
  readonly dsTransID?: string;
  readonly serialNum?: string;
  readonly dsStartProtocolVersion?: string;
  readonly dsEndProtocolVersion?: string;
  readonly cardRangeData?: readonly RangeData[];
};

/** An error message. */
export type Erro = {
  readonly messageType: 'Erro';
  readonly messageVersion: Version;
  readonly threeDSServerTransID?: string;
  readonly acsTransID?: string;
  readonly dsTransID?: string;
  readonly errorCode: ErrorCode;
  readonly errorComponent: 'C' | 'S' | 'D' | 'A';
  readonly errorDescription: string;
  readonly errorDetail: string;
  readonly errorMessageType?: MessageType;
};

export type MessageType = 'AReq' | 'ARes' | 'CReq' | 'CRes' | 'PReq' | 'PRes' | 'RReq' | 'RRes' | 'Erro';

/** The error codes of the protocol with their descriptions. */
export const errorCodes = {
  '101': 'Message is not one that can be received here',
  '102': 'Message version is not supported',
  '103': 'Too many messages were sent',
  '201': 'A required data element is missing',
  '202': 'A critical extension is not known',
  '203': 'The format of a data element is not valid',
  '204': 'A data element is there twice',
  '301': 'Transaction id is not known',
  '302': 'Data could not be decrypted',
  '303': 'Access denied',
  '304': 'ISO code is not valid',
  '305': 'Transaction data is not valid',
  '306': 'Merchant category is not valid for the network',
  '307': 'Serial number is not valid',
  '402': 'Transaction timed out',
  '403': 'System is not available at the moment',
  '404': 'System is not available',
  '405': 'System could not be reached',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** The supported protocol versions, the newest first. */
export const versions = ['2.2.0', '2.1.0'] as const;

export type Version = (typeof versions)[number];

export const isVersion = (value: unknown): value is Version => versions.some((version) => version === value);

/** `2.2.0` is at least `2.1.0`; the parts are single digits, so strings compare as numbers do. */
export const isAtLeast = (version: string, other: string): boolean => version >= other;

/** Larger than any message that comes through a browser. */
const CHARACTERS_MAX = 65_536;

/** The encoding of a message through a browser: JSON in base64url without padding. */
export const encodeMessage = (message: object): string => Buffer.from(JSON.stringify(message)).toString('base64url');

/**
 * Decodes a message from a browser; null when it is no JSON object in base64url. Padding is accepted, because some servers send it.
 */
export function decodeMessage(text: string): JsonObject | null {
  if (text.length > CHARACTERS_MAX) return null;
  const bytes = base64UrlBytes(text.replace(/={1,2}$/, ''));
  const json = bytes && utf8Text(bytes);
  return json ? jsonObject(json) : null;
}

/**
 * Decodes a message that an issuer's page posted. Some write base64 with `+` and `/`, which an unescaped form turns into blanks, and some
 * break it into lines.
 */
export const decodeReturned = (text: string): JsonObject | null =>
  text.length > CHARACTERS_MAX
    ? null
    : decodeMessage(
        text
          .replace(/[\r\n\t]/g, '')
          .replace(/[+ ]/g, '-')
          .replaceAll('/', '_'),
      );

/** The data of the 3DS method: the authentication and the notification URL. */
type MethodData = { readonly threeDSServerTransID: string; readonly threeDSMethodNotificationURL: string };

export const encodeMethodData = ({ threeDSServerTransID, threeDSMethodNotificationURL }: MethodData): string =>
  encodeMessage({ threeDSServerTransID, threeDSMethodNotificationURL });

/** Decodes method data; the issuer's notification contains only the id. */
export function decodeMethodData(text: string): Partial<MethodData> | null {
  const object = decodeMessage(text);
  if (object === null) return null;
  const { threeDSServerTransID: id, threeDSMethodNotificationURL: url } = object;
  return {
    ...(typeof id === 'string' && { threeDSServerTransID: id }),
    ...(typeof url === 'string' && { threeDSMethodNotificationURL: url }),
  };
}
