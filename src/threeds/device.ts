import { type JsonObject, memberOf, tokenObject } from '../wallets/text.ts';

/** The device data of an app's SDK, in the element names of the protocol. */
export type Device = {
  readonly sdkAppID: string;
  readonly sdkEncData: string;
  readonly sdkEphemPubKey: JsonObject;
  readonly sdkReferenceNumber: string;
  readonly sdkTransID: string;
  readonly sdkMaxTimeout: string;
};

const TIMEOUT_MINUTES = '05';

/** Element names differ between SDKs. */
const names = {
  sdkAppID: ['sdkAppID', 'sdkAppId'],
  sdkEncData: ['sdkEncData', 'deviceData', 'sdkEncryptedData'],
  sdkEphemPubKey: ['sdkEphemPubKey', 'sdkEphemeralPublicKey'],
  sdkReferenceNumber: ['sdkReferenceNumber'],
  sdkTransID: ['sdkTransID', 'sdkTransId', 'sdkTransactionID', 'sdkTransactionId'],
  sdkMaxTimeout: ['sdkMaxTimeout'],
} as const;

/** Reads `threeDSecure.deviceInfo`, JSON or base64 of JSON; null when it is not what an SDK returns. */
export function deviceOf(deviceInfo: string): Device | null {
  const object = tokenObject(deviceInfo);
  if (object === null) return null;
  const member = (key: keyof typeof names): unknown =>
    names[key].map((name) => memberOf(object, name)).find((value) => value !== undefined);
  const text = (key: keyof typeof names): string => {
    const value = member(key);
    return typeof value === 'string' ? value : '';
  };
  const key = keyOf(member('sdkEphemPubKey'));
  const device = {
    sdkAppID: text('sdkAppID'),
    sdkEncData: text('sdkEncData'),
    sdkReferenceNumber: text('sdkReferenceNumber'),
    sdkTransID: text('sdkTransID'),
    sdkMaxTimeout: text('sdkMaxTimeout') || TIMEOUT_MINUTES,
  };
  return key === null || Object.values(device).includes('') ? null : { ...device, sdkEphemPubKey: key };
}

/** A public key as an object, or as the text of one. */
function keyOf(value: unknown): JsonObject | null {
  if (typeof value === 'string') return tokenObject(value);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
